//! Counting the tree of a game: the standard check of move generators.

use crate::{MoveList, Position};

/// What a count found at its last ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PerftCount {
    /// Sequences of that many moves. A finished game has no children.
    pub leaves: u64,
    /// How many of them end the game.
    pub finished: u64,
    /// Positions played and checked on the way, the leaves included.
    pub nodes: u64,
}

impl std::ops::AddAssign for PerftCount {
    fn add_assign(&mut self, other: PerftCount) {
        self.leaves += other.leaves;
        self.finished += other.finished;
        self.nodes += other.nodes;
    }
}

/// Counts all sequences of `depth` moves from `position`. Every position is really played and
/// checked for its end, those of the last ply too. Rules that look back do not apply.
pub fn perft<P: Position>(position: &P, depth: u32) -> PerftCount {
    let mut lists = vec![MoveList::new(); depth as usize];
    let mut count = PerftCount::default();
    descend(position, &mut lists, &mut count);
    count
}

fn descend<P: Position>(position: &P, lists: &mut [MoveList<P::Move>], count: &mut PerftCount) {
    let Some((moves, deeper)) = lists.split_first_mut() else {
        count.leaves += 1;
        count.nodes += 1;
        count.finished += u64::from(position.outcome().is_some());
        return;
    };
    position.legal_moves(moves);
    if deeper.is_empty() {
        for &mv in moves.iter() {
            let mut next = *position;
            next.play(mv);
            count.finished += u64::from(next.outcome().is_some());
        }
        count.leaves += moves.len() as u64;
        count.nodes += moves.len() as u64;
        return;
    }
    for &mv in moves.iter() {
        let mut next = *position;
        next.play(mv);
        count.nodes += 1;
        if next.outcome().is_none() {
            descend(&next, deeper, count);
        }
    }
}
