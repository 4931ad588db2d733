//! Everyone against everyone (box).

use lanista_core::Seed;

use crate::round::{FirstMover, Meeting, Rival};

pub(super) fn meetings(entrants: usize, games: u32, first: FirstMover, seeds: Seed) -> Vec<Meeting> {
    let pairs = (0..entrants).flat_map(|a| (a + 1..entrants).map(move |b| (a, b)));
    pairs
        .enumerate()
        .map(|(number, (a, b))| {
            // Were a always the one with the smaller index, the first of all would open most when games are odd in number.
            let (a, b) = if (a + b) % 2 == 0 { (a, b) } else { (b, a) };
            Meeting { a, b: Rival::Individual(b), games, first, seed: seeds.child(number as u64) }
        })
        .collect()
}
