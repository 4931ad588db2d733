//! One game as it was played.

use crate::{Ending, Position, Seed};

/// A game: where it started, what was played, how it ended, and what its randomness came from.
///
/// The players drew from the stream of `seed`, so the same players regenerate the same record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<P: Position> {
    /// The rules, as text that [`crate::Game::rules`] reads.
    pub rules: String,
    /// The position before the first move.
    pub start: P,
    /// The moves in order.
    pub moves: Vec<P::Move>,
    /// How it ended; `None` for a game that was broken off.
    pub ending: Option<Ending>,
    /// The seed of the game, if players drew random numbers.
    pub seed: Option<Seed>,
}
