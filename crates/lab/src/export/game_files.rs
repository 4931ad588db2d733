//! Kept games as game files.

use lanista_core::{Ending, Reason, Record, Rules};
use lanista_games::files::Tag;

use crate::jobs::{CodeError, decode, reason_from_code};
use crate::registry::RegisteredGame;
use crate::store::{KeptGame, RunRow};

/// A kept game, played again.
pub fn record_of<G: RegisteredGame>(rules: &Rules<G>, game: &KeptGame) -> Result<Record<G>, CodeError> {
    let mut record = decode(rules, &game.codes)?.record(None);
    let reason = reason_from_code(game.reason).unwrap_or(Reason::Board);
    record.ending = Some(Ending { outcome: game.outcome, reason });
    Ok(record)
}

/// What a file tells of a kept game beside its moves.
pub fn tags_of(run: &RunRow, game: &KeptGame) -> Vec<Tag> {
    [("Event", run.title.as_str()), ("Black", &game.names[0]), ("White", &game.names[1])]
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .into()
}
