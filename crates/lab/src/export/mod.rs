//! Exports: the tables of a run for other programs, as CSV, Parquet or an Excel workbook.
//!
//! Rows go from the store to the files as they come; memory does not grow with the number of games.

mod game_files;
mod parquet_files;
mod place;
mod rows;
mod tables;
mod text_files;
mod workbook;

use std::path::{Path, PathBuf};

use crate::registry::UnknownGame;
use crate::store::{Store, StoreError};
pub use game_files::{record_of, tags_of};
use parquet_files::ParquetFiles;
pub use place::{Folder, PlaceError, replace};
pub use rows::{Column, Kind, Rows, Table, Value};
pub use tables::{DECISIONS, GAMES, MEASUREMENTS, MEETINGS, RUN, TABLES, TRIALS};
use text_files::TextFiles;

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files may not be written.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The run is of a game that this program does not know.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// A stored game cannot be played.
    #[error("trial {trial}, meeting {meeting}, game {number}: {reason}; `lanista doctor` may repair it")]
    Moves {
        /// Of which trial.
        trial: u32,
        /// Of which meeting.
        meeting: u32,
        /// Which game of it.
        number: u64,
        /// What is wrong.
        reason: String,
    },
    /// The rules cannot be read.
    #[error("rules {rules:?}: {reason}")]
    Rules {
        /// The rules.
        rules: String,
        /// What is wrong.
        reason: String,
    },
    /// A format says no.
    #[error("{file}: {reason}")]
    Format {
        /// Which file.
        file: String,
        /// What is wrong.
        reason: String,
    },
}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A folder with a text file for each table.
    Csv,
    /// A folder with a Parquet file for each table.
    Parquet,
    /// One Excel workbook with a sheet for each table.
    Xlsx,
}

impl Format {
    /// Where a run goes if nothing else is said.
    pub fn default_path(self, run: i64) -> PathBuf {
        PathBuf::from(match self {
            Format::Csv => format!("run-{run}-csv"),
            Format::Parquet => format!("run-{run}-parquet"),
            Format::Xlsx => format!("run-{run}.xlsx"),
        })
    }
}

/// What an export came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What a reader of them should know, a line each.
    pub notes: Vec<String>,
}

/// Exports a run. What is at `path` already is replaced only if it was written by an export before, or with `force`.
pub fn export(store: &Store, run: i64, format: Format, path: &Path, force: bool) -> Result<Exported, ExportError> {
    let row = store.find_run(&run.to_string())?;
    let source = tables::Source { store, run: &row };
    match format {
        Format::Csv => {
            let mut folder = Folder::open(path, force)?;
            source.write(&mut TextFiles::new(&mut folder))?;
            Ok(Exported { files: folder.finish()?, notes: Vec::new() })
        }
        Format::Parquet => {
            let mut folder = Folder::open(path, force)?;
            source.write(&mut ParquetFiles::new(&mut folder))?;
            Ok(Exported { files: folder.finish()?, notes: Vec::new() })
        }
        Format::Xlsx => workbook::export(&source, path, force),
    }
}
