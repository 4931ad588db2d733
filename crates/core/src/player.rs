//! Who decides.

use std::sync::Arc;
use std::time::Duration;

use crate::{Position, RandomStream, Referee, Score};

/// How much a player may spend on one decision. Whatever is `None` is not limited;
/// players stop at the first limit that they reach.
///
/// Experiments are limited by depth or nodes, never by time: time does not repeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Time to use.
    pub time: Option<Duration>,
}

/// What a player decided, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision<M> {
    /// The move.
    pub mv: M,
    /// Its value for the player, if the player has an opinion.
    pub score: Option<Score>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// What the player expects, its own move first.
    pub line: Vec<M>,
}

impl<M: Copy> Decision<M> {
    /// A decision taken without looking ahead.
    pub fn blind(mv: M) -> Decision<M> {
        Decision { mv, score: None, depth: 0, nodes: 0, line: vec![mv] }
    }
}

/// Who follows a decision while it is taken: a board, a match manager, a page.
pub trait Observer<M>: Send + Sync {
    /// Whether the player should decide now, with what it has.
    fn wants_decision(&self) -> bool;

    /// What the player would decide so far.
    fn progress(&self, decision: &Decision<M>);
}

/// A player.
///
/// # Laws
///
/// 1. The move is legal.
/// 2. Without a time limit, the decision is a function of the game so far, the budget, the stream, and the
///    decisions that the same player took earlier in the same game. Players start fresh in every game.
/// 3. All randomness comes from `random`.
pub trait Player<P: Position>: Send {
    /// Chooses a move in a game that is not over, or resigns (`None`).
    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>>;

    /// Whether it remembers nothing from one decision to the next, so that it may sit down to another game as it is.
    fn is_always_fresh(&self) -> bool {
        false
    }

    /// Why it cannot go on, if it did not choose because it broke down: the game is forfeit, not resigned.
    fn failure(&self) -> Option<&str> {
        None
    }

    /// From now on tells `observer` about its decisions, and heeds it. Players that decide at once need not.
    fn observe(&mut self, _observer: Arc<dyn Observer<P::Move>>) {}
}
