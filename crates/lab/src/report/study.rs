//! The report of a study: a run of a file that is kept beside it, as Markdown that leads to the file.

use std::fs;
use std::path::{Path, PathBuf};

use super::document::{Block, Table};
use super::{Ending, ReportError, Summary, document, findings, markdown, read_told, sameness, summary};
use crate::export::{Folder, replace};
use crate::store::{RunRow, Store};

/// How the section of findings begins in a page.
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

/// Puts the findings of a study into the report that a folder has of it: people write them when they have seen the figures, and the
/// store may be elsewhere by then. Nothing else of the report is touched. Returns whether anything changed.
pub fn write_findings(text: &str, folder: &Path) -> Result<bool, ReportError> {
    let path = folder.join("README.md");
    let wrong = |reason: String| ReportError::Findings { path: path.display().to_string(), reason };
    let page = fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    let findings = findings(&read_told(0, text)?);
    let new = match (page.split_once(FINDINGS), findings.is_empty()) {
        (None, true) => return Ok(false),
        (None, false) => return Err(wrong("it has none, so that their place is not known".into())),
        (Some((before, behind)), _) => {
            let (_, after) = behind.split_once(HEADING).ok_or_else(|| wrong("nothing follows them".into()))?;
            let own = if findings.is_empty() { String::new() } else { format!("\n{}", markdown::blocks(&findings)) };
            format!("{before}{own}{HEADING}{after}")
        }
    };
    if new != page {
        replace(&path, new.as_bytes())?;
    }
    Ok(new != page)
}

impl StudyReport<'_> {
    /// What is not as in the full study.
    pub(super) fn changed_values(&self) -> Option<Block> {
        if self.changes.is_empty() {
            return None;
        }
        let mut table = Table::new("What this scale changes in the study", &["field", "value"]);
        for (path, value) in self.changes {
            table.add(vec![path.as_str().into(), value.as_str().into()]);
        }
        Some(Block::Table(table))
    }

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
