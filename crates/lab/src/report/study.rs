//! The report of a study: a run of a file that is kept beside it, as Markdown that leads to the file.

use std::fs;
use std::path::{Path, PathBuf};

use super::document::{Block, Document, Table};
use super::{Ending, ReportError, Summary, document, findings, introduction, markdown, read_told, sameness, summary};
use crate::export::{Folder, replace};
use crate::store::{RunRow, Store};

/// How what is known of a finished run begins in a page.
const FACTS: &str = "\n- status: finished\n- run: ";
/// How the section of findings begins.
const FINDINGS: &str = "\n## Findings\n";
/// How the next section begins.
const HEADING: &str = "\n## ";

/// A study to be reported: the figures come from a run, everything that people wrote from the file as it is now.
#[derive(Clone, Copy, Debug)]
pub struct StudyReport<'a> {
    /// The run.
    pub run: i64,
    /// What the study is known by, as [`study_hash`](crate::studies::study_hash) gives it.
    pub hash: &'a str,
    /// The experiment as its file has it now, at the scale of the run.
    pub text: &'a str,
    /// The file, as commands name it.
    pub file: &'a str,
    /// The way from the folder of the report to the file.
    pub link: &'a str,
    /// What the scale changes, as paths with their values.
    pub changes: &'a [(String, String)],
}

/// Writes `README.md`, its charts and what the overview needs to a folder. What is there already is replaced only if a report wrote it before, or with
/// `force`. Returns the files, the page first.
pub fn write_study(
    store: &Store,
    study: &StudyReport<'_>,
    folder: &Path,
    force: bool,
) -> Result<Vec<PathBuf>, ReportError> {
    let row = store.find_run(&study.run.to_string())?;
    let told = read_told(study.run, study.text)?;
    let document = document(store, &row, &told, &Ending::Study(study))?;
    let mut folder = Folder::open(folder, force)?;
    folder.write("README.md", markdown::text(&document).as_bytes())?;
    for block in &document.blocks {
        if let Block::Chart(chart) = block {
            folder.write(&chart.file(), chart.alone().as_bytes())?;
        }
    }
    folder.write(summary::FILE, Summary::of(store, &row, &told, study.hash)?.text().as_bytes())?;
    Ok(folder.finish()?)
}

/// Puts the words of a study into the report that a folder has of its finished run: title, what it is about, and the findings, which
/// people write when they have seen the figures. The store may be elsewhere by then. Nothing else of the report is touched. Returns
/// whether anything changed.
pub fn write_words(text: &str, changes: &[(String, String)], folder: &Path) -> Result<bool, ReportError> {
    let path = folder.join("README.md");
    let wrong = |reason: &str| ReportError::Words { path: path.display().to_string(), reason: reason.to_string() };
    let page = fs::read_to_string(&path).map_err(|error| wrong(&error.to_string()))?;
    let told = read_told(0, text)?;
    let facts = page.find(FACTS).ok_or_else(|| wrong("what is known of a finished run is not there"))?;
    // The scale stands before it, where there is one.
    let before = page[..facts].rfind('\n').filter(|line| page[*line..].starts_with("\n- scale: "));
    let rest = &page[before.unwrap_or(facts)..];
    let own = blocks_or_nothing(&findings(&told));
    let rest = match (rest.split_once(FINDINGS), own.is_empty()) {
        (None, true) => rest.to_string(),
        (None, false) => return Err(wrong("it has no findings, so that their place is not known")),
        (Some((before, behind)), _) => {
            let (_, after) = behind.split_once(HEADING).ok_or_else(|| wrong("nothing follows the findings"))?;
            format!("{before}{own}{HEADING}{after}")
        }
    };
    let blocks = introduction(&told, changes);
    let new = format!("{}\n{rest}", markdown::text(&Document { title: told.title, blocks }).trim_end());
    if new != page {
        replace(&path, new.as_bytes())?;
    }
    Ok(new != page)
}

fn blocks_or_nothing(blocks: &[Block]) -> String {
    if blocks.is_empty() { String::new() } else { format!("\n{}", markdown::blocks(blocks)) }
}

/// What a scale changes in a study; nothing if nothing.
pub(super) fn changed_values(changes: &[(String, String)]) -> Option<Block> {
    if changes.is_empty() {
        return None;
    }
    let mut table = Table::new("What this scale changes in the study", &["field", "value"]);
    for (path, value) in changes {
        table.add(vec![path.as_str().into(), value.as_str().into()]);
    }
    Some(Block::Table(table))
}

impl StudyReport<'_> {
    /// The way to the same results.
    pub(super) fn repeat(&self, row: &RunRow) -> Vec<Block> {
        let scale = match read_told(self.run, self.text).ok().and_then(|told| told.scaled) {
            Some(scale) => format!(" --scale {scale}"),
            None => String::new(),
        };
        let name = Path::new(self.file).file_name().map(|name| name.to_string_lossy().into_owned());
        let link = Block::Link {
            before: "The experiment:".into(),
            text: name.unwrap_or_default(),
            target: self.link.to_string(),
        };
        let mut blocks = vec![
            Block::Heading(2, "How to repeat it".into()),
            link,
            Block::Code(format!("lanista run {}{scale}", self.file)),
        ];
        blocks.extend(sameness(row));
        blocks
    }
}
