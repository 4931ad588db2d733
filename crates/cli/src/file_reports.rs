//! What was found in several files of games, each fault with the name of its file.

use lanista_lab::import::{IllegalGame, ImportReport};
use serde::Serialize;

/// What was found in all files.
#[derive(Default, Serialize)]
pub struct FileReports {
    /// Games read, unreadable ones included.
    pub games: u64,
    /// Games without a fault.
    pub legal: u64,
    /// The other games, in the order of the files.
    pub illegal: Vec<FileFault>,
}

/// A game with a fault.
#[derive(Serialize)]
pub struct FileFault {
    /// The file as it was given; `-` is standard input.
    pub file: String,
    /// The fault; games are counted from 1 in their file.
    #[serde(flatten)]
    pub fault: IllegalGame,
}

impl FileReports {
    /// Adds what was found in one file.
    pub fn add(&mut self, file: &str, found: ImportReport) {
        self.games += found.games;
        self.legal += found.legal;
        self.illegal.extend(found.illegal.into_iter().map(|fault| FileFault { file: file.to_string(), fault }));
    }
}

impl FileFault {
    /// The file and the game, for people.
    pub fn place(&self) -> String {
        let file = if self.file == "-" { "standard input" } else { &self.file };
        format!("{file}: game {}", self.fault.game)
    }
}
