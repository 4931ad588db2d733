//! All studies on one page: what was published, what came out here, what it cost then and now.

use std::path::PathBuf;

use super::document::{Block, Cell, Document, Table};
use super::{ReportError, Summary, markdown, numbers, read_told};
use crate::export::Folder;

/// A study of the overview.
#[derive(Clone, Debug)]
pub struct OverviewStudy {
    /// What it is called in folders: `box/random-search`.
    pub name: String,
    /// The experiment as its file has it now, at the scale of its report, or that is wanted; empty if it cannot be read.
    pub text: String,
    /// What its report beside the overview left, if there is one.
    pub summary: Option<Summary>,
    /// Why there is no report, or none of a finished run.
    pub trouble: Option<String>,
}

/// Writes `README.md` with one table over all studies to a folder that was opened for it.
pub fn write_overview(studies: &[OverviewStudy], mut folder: Folder) -> Result<Vec<PathBuf>, ReportError> {
    let columns =
        ["study", "figure", "published#", "ours, with 95 % interval#", "verdict", "cost then", "cost now", "scale"];
    let mut table = Table::new("Every study with its headline figures", &columns);
    let mut has_small = false;
    for study in studies {
        let rows = rows(study)?;
        has_small |= rows.iter().any(|row| row.last().is_some_and(|scale| scale.text == "small"));
        rows.into_iter().for_each(|row| table.add(row));
    }
    let mut blocks = Vec::new();
    if has_small {
        let text = "Studies at the small scale only show that they can be run; their figures mean nothing.";
        blocks.push(Block::Notice(text.into()));
    }
    let text = "Made by `lanista studies` from stores of runs; no figure is written by hand. Each study leads to its tables, \
                charts and findings, and to the experiment that repeats it. A verdict tells whether the published figure lies in \
                the 95 % interval of ours. Where a study has replicates, that interval is over them; elsewhere it tells how exact \
                the games of the one run are, not what another run would come to. Costs are of the scale that was run, those of \
                the documents of all that they ran; studies that go beyond the documents have none there.";
    blocks.push(Block::Text(text.into()));
    blocks.push(Block::Table(table));
    let document = Document { title: "Studies".into(), blocks };
    folder.write("README.md", markdown::text(&document).as_bytes())?;
    Ok(folder.finish()?)
}

/// The rows of a study: one for each headline figure, what belongs to all of them in the first.
fn rows(study: &OverviewStudy) -> Result<Vec<Vec<Cell>>, ReportError> {
    let told = read_told(0, &study.text)?;
    let title = if told.title.is_empty() { &study.name } else { &told.title };
    let scale = told.scaled.as_deref().unwrap_or("full");
    let trouble = study.trouble.as_deref();
    let Some(summary) = &study.summary else {
        let why = trouble.unwrap_or("not run yet");
        return Ok(vec![[title, "", "", "", why, told.cost_then.trim(), "", scale].map(Cell::from).to_vec()]);
    };
    let now = match summary.status.as_str() {
        "finished" => summary.core_seconds.map_or("not known".into(), numbers::core_hours),
        _ => "not finished".into(),
    };
    let title = Cell { link: Some(format!("{}/README.md", study.name)), ..Cell::from(title) };
    let of_all = [Cell::from(told.cost_then.trim()), now.into(), scale.into()];
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for figure in &summary.figures {
        let (first, last) = match rows.is_empty() {
            true => (title.clone(), of_all.clone()),
            false => (Cell::default(), [(); 3].map(|()| Cell::default())),
        };
        rows.push([vec![first], figure.cells(), last.to_vec()].concat());
    }
    if rows.is_empty() {
        let own = ["", "", "", trouble.unwrap_or_default()].map(Cell::from);
        rows.push([vec![title], own.to_vec(), of_all.to_vec()].concat());
    }
    Ok(rows)
}
