//! Everyone against a fixed player (box: the random-agent tournament).

use lanista_core::Seed;

use crate::round::{FirstMover, Meeting, Rival};

pub(super) fn meetings(entrants: usize, opponent: usize, games: u32, first: FirstMover, seeds: Seed) -> Vec<Meeting> {
    let meeting = |a| Meeting { a, b: Rival::Opponent(opponent), games, first, seed: seeds.child(a as u64) };
    (0..entrants).map(meeting).collect()
}
