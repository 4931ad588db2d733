//! All studies on one page: what was published, what came out here, what it cost then and now.

use std::path::PathBuf;

use super::document::{Block, Cell, Document, Table};
use super::published::comparisons;
use super::{ReportError, figures, markdown, numbers, read_told};
use crate::export::Folder;
use crate::store::Store;

/// A study of the overview.
#[derive(Clone, Debug)]
pub struct OverviewStudy {
    /// What it is called in folders: `box/random-search`.
    pub name: String,
    /// The experiment as its file has it now, at the scale that is wanted; empty if it cannot be read.
    pub text: String,
    /// Its run, if there is one.
    pub run: Option<i64>,
    /// Whether its report is beside the overview.
    pub is_reported: bool,
    /// Why there is no run, or none that is finished.
    pub trouble: Option<String>,
}

/// Writes `README.md` with one table over all studies to a folder that was opened for it.
pub fn write_overview(
    store: &Store,
    studies: &[OverviewStudy],
    mut folder: Folder,
) -> Result<Vec<PathBuf>, ReportError> {
    let columns =
        ["study", "figure", "published#", "ours, with 95 % interval#", "verdict", "cost then", "cost now", "scale"];
    let mut table = Table::new("Every study with its headline figures", &columns);
    let mut has_small = false;
    for study in studies {
        let rows = rows(store, study)?;
        has_small |= rows.iter().any(|row| row.last().is_some_and(|scale| scale.text == "small"));
        rows.into_iter().for_each(|row| table.add(row));
    }
    let mut blocks = Vec::new();
    if has_small {
        let text = "Studies at the small scale only show that they can be run; their figures mean nothing.";
        blocks.push(Block::Notice(text.into()));
    }
    let text = "Made by `lanista studies` from the store of all runs; no figure is written by hand. Each study leads to its tables, \
                charts and findings, and to the experiment that repeats it. A verdict tells whether the published figure lies in \
                the 95 % interval of ours.";
    blocks.push(Block::Text(text.into()));
    blocks.push(Block::Table(table));
    let document = Document { title: "Studies".into(), blocks };
    folder.write("README.md", markdown::text(&document).as_bytes())?;
    Ok(folder.finish()?)
}

/// The rows of a study: one for each headline figure, what belongs to all of them in the first.
fn rows(store: &Store, study: &OverviewStudy) -> Result<Vec<Vec<Cell>>, ReportError> {
    let told = read_told(study.run.unwrap_or(0), &study.text)?;
    let scale = told.scaled.clone().unwrap_or_else(|| "full".into());
    let Some(run) = study.run else {
        let why = study.trouble.clone().unwrap_or_else(|| "not run yet".into());
        let title = if told.title.is_empty() { &study.name } else { &told.title };
        let cells = [title.as_str(), "", "", "", &why, told.cost_then.trim(), "", &scale].map(Cell::from);
        return Ok(vec![cells.to_vec()]);
    };
    let row = store.find_run(&run.to_string())?;
    let groups = figures::groups(&store.trials(run)?, &store.measurements(run, false)?);
    let now = match row.status.as_str() {
        "finished" => row.core_seconds.map_or("not known".into(), numbers::core_hours),
        _ => "not finished".into(),
    };
    let link = study.is_reported.then(|| format!("{}/README.md", study.name));
    let title = Cell { link, ..Cell::from(told.title.as_str()) };
    let of_all = [Cell::from(told.cost_then.trim()), now.into(), scale.into()];
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for comparison in comparisons(&told, &groups).iter().filter(|comparison| comparison.published.headline) {
        let own = [
            Cell::from(comparison.label.as_str()),
            comparison.paper().into(),
            comparison.ours().into(),
            comparison.verdict_cell(),
        ];
        let (first, last) = match rows.is_empty() {
            true => (title.clone(), of_all.clone()),
            false => (Cell::default(), [(); 3].map(|()| Cell::default())),
        };
        rows.push([vec![first], own.to_vec(), last.to_vec()].concat());
    }
    if rows.is_empty() {
        let trouble = study.trouble.as_deref().unwrap_or_default();
        rows.push([vec![title], ["", "", "", trouble].map(Cell::from).to_vec(), of_all.to_vec()].concat());
    }
    Ok(rows)
}
