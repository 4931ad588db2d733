//! Games from files: every move checked, everything wrong on a list.

use std::io::{self, Read};

use lanista_core::{Record, Rules};
use lanista_games::files::{FileGame, Format, GameFiles, ReadError, check};
use serde::Serialize;

/// What an import found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Games read, unreadable ones included.
    pub games: u64,
    /// Games without a fault.
    pub legal: u64,
    /// The other games.
    pub illegal: Vec<IllegalGame>,
}

/// A game with a fault: its first one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IllegalGame {
    /// Which game, from 1, counted over all files of the import.
    pub game: u64,
    /// The ply of the fault, from 1; 0 if the game is unreadable or its start position is wrong.
    pub ply: u32,
    /// The move as the file writes it; empty if `ply` is 0.
    #[serde(rename = "move")]
    pub mv: String,
    /// What is wrong, with line and column.
    pub reason: String,
}

impl ImportReport {
    /// Reads the games of one file and hands the legal ones to `each`, in order: only one game is in memory at a time.
    /// Several files go into one report one after the other. Fails if the file cannot be read on, or `each` fails.
    pub fn read_file<G: GameFiles>(
        &mut self,
        input: Box<dyn Read + '_>,
        format: &Format<G>,
        rules: &Rules<G>,
        each: &mut dyn FnMut(&FileGame, &Record<G>) -> io::Result<()>,
    ) -> io::Result<()> {
        for game in format.games(input) {
            self.games += 1;
            let fault = |ply, mv, reason| IllegalGame { game: self.games, ply, mv, reason };
            let game = match game {
                Ok(game) => game,
                Err(ReadError::Io(error)) => {
                    self.games -= 1;
                    return Err(error);
                }
                Err(error) => {
                    self.illegal.push(fault(0, String::new(), error.to_string()));
                    continue;
                }
            };
            match check(&game, rules) {
                Ok(record) => {
                    self.legal += 1;
                    each(&game, &record)?;
                }
                Err(entry) => {
                    let reason = entry.to_string();
                    self.illegal.push(fault(entry.ply, entry.mv, reason));
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Game;
    use lanista_games::draughts::Draughts;

    use super::*;

    #[test]
    fn one_bad_game_does_not_hide_the_rest() {
        let file = "[Event \"a\"]\n\n1. 11-15 23-19 *\n\n[Event \"b\"]\n\n1. 11-15 15-19 *\n\n[Event \"c\"]\n\n1. 11-15 ^\n\n\
                    [Event \"d\"]\n\n1. 9-13 1/2-1/2\n";
        let format = Draughts::format_of_file("games.pdn");
        let rules = Draughts::presets().swap_remove(0);
        let mut report = ImportReport::default();
        let mut converted = Vec::new();
        let mut each = |game: &FileGame, record: &Record<Draughts>| {
            Draughts::text_lines().write_game(&mut converted, &game.tags, record)
        };
        report.read_file(Box::new(file.as_bytes()), &format, &rules, &mut each).unwrap();
        assert_eq!(String::from_utf8(converted).unwrap(), "a\t11-15 23-19 *\nd\t9-13 1/2-1/2\n");
        let faults: Vec<(u64, u32, &str)> =
            report.illegal.iter().map(|fault| (fault.game, fault.ply, fault.mv.as_str())).collect();
        assert_eq!((report.games, report.legal, faults), (4, 2, vec![(2, 2, "15-19"), (3, 0, "")]));
        assert!(report.illegal[0].reason.starts_with("line 7, column 10: 15-19"), "{:?}", report.illegal[0]);
        assert!(report.illegal[1].reason.starts_with("line 11, column 10: expected"), "{:?}", report.illegal[1]);
    }
}
