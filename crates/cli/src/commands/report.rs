//! `lanista report`: a run as a page for people.

use std::path::PathBuf;

use clap::Args;
use lanista_lab::report;
use serde_json::json;

use crate::output::Output;
use crate::store_request::StoreRequest;

/// Make a page of a run: tables, charts, published figures beside the measured ones, and how to repeat it.
///
/// Writes report.html, which needs no other file, and report.md with its charts as .svg files; and the experiment, so that the
/// run can be repeated.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista report last
  lanista report 3 -o pages/mia-iv --store results.db
  lanista report 3 --json")]
pub struct ReportCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// The folder to write to; report-RUN if not given.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write even where files of others are; those of the same name are replaced.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    store: StoreRequest,
}

impl ReportCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let store = self.store.open()?;
        let run = store.find_run(&self.run)?.run;
        let folder = self.output.unwrap_or_else(|| PathBuf::from(format!("report-{run}")));
        let files = report::write(&store, run, &folder, self.force)?;
        if output.is_json() {
            return output.json(&json!({"run": run, "files": files}));
        }
        for file in files.iter().take(2) {
            output.line(file.display())?;
        }
        Ok(())
    }
}
