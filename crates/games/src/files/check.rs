//! From what a file says to what was played.

use lanista_core::{DrawRules, Game, IllegalMove, Record, Referee, Rules};

use super::FileGame;

/// What is wrong with a game that could be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct IllegalEntry {
    /// The ply, from 1; 0 if the start position is wrong.
    pub ply: u32,
    /// The move as the file writes it; empty if the start position is wrong.
    pub mv: String,
    /// Line in the file.
    pub line: u64,
    /// Column in the line.
    pub column: u64,
    /// What is wrong.
    pub reason: String,
}

/// Plays a game from a file, checking every move.
///
/// Only the board counts: people often play on where a draw could be claimed, so the rules that look back are off,
/// and the record's rules say so. The board's verdict goes before the result that the file claims.
pub fn check<G: Game>(game: &FileGame, rules: &Rules<G>) -> Result<Record<G>, IllegalEntry> {
    let start = game.start_position(rules).map_err(|error| IllegalEntry {
        ply: 0,
        mv: String::new(),
        line: error.line,
        column: error.column,
        reason: error.message,
    })?;
    let mut referee = Referee::new(&board_rules(rules, start));
    for (ply, mv) in (1..).zip(&game.moves) {
        referee.play_text(&mv.text).map_err(|error| IllegalEntry {
            ply,
            mv: mv.text.clone(),
            line: mv.line,
            column: mv.column,
            reason: match error {
                IllegalMove::Unreadable(error) => error.message,
                other => other.to_string(),
            },
        })?;
    }
    if let Some(ending) = game.ending {
        referee.end(ending);
    }
    Ok(referee.record(None))
}

/// The same rules without those that look back, from another start.
fn board_rules<G: Game>(rules: &Rules<G>, start: G) -> Rules<G> {
    let DrawRules { repetition, no_progress, ply_cap } = rules.draws;
    let off =
        [("repetition", repetition.is_some()), ("no-progress", no_progress.is_some()), ("ply-cap", ply_cap.is_some())];
    let off = off.iter().filter(|(_, set)| *set).map(|(parameter, _)| format!(",{parameter}=none"));
    let name = std::iter::once(rules.name.clone()).chain(off).collect();
    Rules { name, about: rules.about, start, draws: DrawRules::default() }
}
