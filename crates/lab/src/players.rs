//! The players that this program knows, one line each.

use lanista_core::{Player, Position};
use lanista_search::RandomPlayer;

/// A text that names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown player {name:?}, expected one of: {known}", known = NAMES.join(", "))]
pub struct UnknownPlayer {
    /// What was asked for.
    pub name: String,
}

/// The names of all players.
pub const NAMES: [&str; 1] = ["random"];

/// The player that a text asks for, fresh.
pub fn player<P: Position>(spec: &str) -> Result<Box<dyn Player<P>>, UnknownPlayer> {
    match spec {
        "random" => Ok(Box::new(RandomPlayer)),
        _ => Err(UnknownPlayer { name: spec.chars().take(40).collect() }),
    }
}
