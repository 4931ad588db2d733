//! A way down the game tree for players that ask an evaluator only now and then: position and past kept in step.

use std::time::Instant;

use lanista_core::{Budget, History, Outcome, Position, Referee};

/// The past of the game and of the line being tried, and how many positions that has cost.
pub(crate) struct Path {
    pub history: History,
    pub nodes: u64,
}

impl Path {
    /// A path that begins at the present position of a game.
    pub fn new<P: Position>(game: &Referee<P>) -> Path {
        Path { history: game.history().clone(), nodes: 0 }
    }

    /// Goes down a move.
    #[inline]
    pub fn enter<P: Position>(&mut self, before: &P, mv: P::Move) -> P {
        let mut after = *before;
        after.play(mv);
        self.history.push(before.progress(mv), &after);
        self.nodes += 1;
        after
    }

    /// Goes back up by some moves.
    #[inline]
    pub fn leave(&mut self, plies: usize) {
        for _ in 0..plies {
            self.history.pop();
        }
    }

    /// How the game ends at the present position, if it does.
    #[inline]
    pub fn outcome<P: Position>(&self, position: &P) -> Option<Outcome> {
        match position.outcome() {
            None => self.history.ending(position).map(|ending| ending.outcome),
            outcome => outcome,
        }
    }
}

/// How much may still be spent, for players that look at it between pieces of work.
pub(crate) struct Allowance {
    nodes: u64,
    deadline: Option<Instant>,
}

impl Allowance {
    /// The clock starts now.
    pub fn new(budget: &Budget) -> Allowance {
        Allowance { nodes: budget.nodes.unwrap_or(u64::MAX), deadline: budget.time.map(|time| Instant::now() + time) }
    }

    /// Whether it is used up as far as positions go; the clock is not asked.
    #[inline]
    pub fn has_no_nodes_left(&self, nodes: u64) -> bool {
        nodes >= self.nodes
    }

    /// Whether it is used up.
    #[inline]
    pub fn is_spent(&self, nodes: u64) -> bool {
        self.has_no_nodes_left(nodes) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The tighter of two limits.
pub(crate) fn tighter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}
