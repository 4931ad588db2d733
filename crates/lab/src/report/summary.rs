//! What the report of a study leaves for the overview of all: studies may be run on different machines, at different times.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::figures;
use super::published::{Told, headlines};
use super::{ReportError, document::Cell};
use crate::store::{RunRow, Store};

/// Its file in the folder of the report.
pub(super) const FILE: &str = "summary.json";

/// The run of a study in a few figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// What was done, as [`study_hash`](crate::studies::study_hash) gives it.
    study: String,
    /// How far the run is.
    pub(super) status: String,
    /// The fingerprint of its results, once it is finished.
    fingerprint: Option<String>,
    /// What it cost.
    pub(super) core_seconds: Option<f64>,
    /// The headline figures.
    pub(super) figures: Vec<SummaryFigure>,
}

/// A figure of ours beside what was published for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SummaryFigure {
    figure: String,
    published: String,
    ours: String,
    verdict: String,
}

impl SummaryFigure {
    pub(super) fn cells(&self) -> Vec<Cell> {
        [&self.figure, &self.published, &self.ours, &self.verdict].map(|text| Cell::from(text.as_str())).to_vec()
    }
}

impl Summary {
    /// What a run has come to, for a study of that hash.
    pub(super) fn of(store: &Store, row: &RunRow, told: &Told, study: &str) -> Result<Summary, ReportError> {
        let groups = figures::groups(&store.trials(row.run)?, &store.measurements(row.run, false)?);
        let figures = headlines(told, &groups).into_iter().map(|comparison| SummaryFigure {
            published: comparison.paper(),
            ours: comparison.ours(),
            verdict: comparison.verdict_cell().text,
            figure: comparison.label,
        });
        Ok(Summary {
            study: study.to_string(),
            status: row.status.clone(),
            fingerprint: row.fingerprint.clone(),
            core_seconds: row.core_seconds,
            figures: figures.collect(),
        })
    }

    /// What the report in a folder left; none if there is no report, or if it is one of another study.
    pub fn read(folder: &Path, study: &str) -> Result<Option<Summary>, ReportError> {
        let path = folder.join(FILE);
        let wrong = |reason: String| ReportError::Summary { path: path.display().to_string(), reason };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(wrong(error.to_string())),
        };
        let summary: Summary = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        Ok(Some(summary).filter(|summary| summary.study == study))
    }

    /// Whether the run was finished.
    pub fn is_finished(&self) -> bool {
        self.status == "finished"
    }

    /// As its file has it.
    pub(super) fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
