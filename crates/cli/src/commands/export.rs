//! `lanista export`: the tables of a run for other programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lanista_lab::export::{Format, export};
use serde_json::json;

use crate::output::{Output, remark};
use crate::output_file::spare;
use crate::store_request::StoreRequest;

/// Write the tables of a run for other programs.
///
/// The tables: run, trials, measurements, meetings, games with their moves, decisions.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista export last --to csv
  lanista export 3 --to parquet -o data/run-3
  lanista export 3 --to xlsx -o run-3.xlsx --json")]
pub struct ExportCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// The format.
    #[arg(long, value_name = "FORMAT")]
    to: Target,
    /// The folder, or the file of a workbook; run-RUN-csv, run-RUN-parquet or run-RUN.xlsx if not given.
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Write even where files of others are; those of the same name are replaced.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    store: StoreRequest,
}

#[derive(Clone, Copy, ValueEnum)]
enum Target {
    /// A folder with a text file for each table.
    Csv,
    /// A folder with a Parquet file for each table.
    Parquet,
    /// One Excel workbook with a sheet for each table and a chart.
    Xlsx,
}

impl ExportCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let format = match self.to {
            Target::Csv => Format::Csv,
            Target::Parquet => Format::Parquet,
            Target::Xlsx => Format::Xlsx,
        };
        let store = self.store.open()?;
        let run = store.find_run(&self.run)?.run;
        let path = self.output.unwrap_or_else(|| format.default_path(run));
        spare(&path, &[&self.store.store])?;
        let exported = export(&store, run, format, &path, self.force)?;
        for note in &exported.notes {
            remark(format!("lanista: {note}"));
        }
        if output.is_json() {
            return output.json(&json!({"run": run, "files": exported.files, "notes": exported.notes}));
        }
        for file in &exported.files {
            output.line(file.display())?;
        }
        Ok(())
    }
}
