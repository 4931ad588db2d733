//! Random pairs (box).

use lanista_core::Seed;

use crate::parts::DRAW;
use crate::round::{FirstMover, Meeting, Rival};
use crate::shuffle::shuffle;

pub(super) fn meetings(
    entrants: usize,
    pairings: u32,
    games: u32,
    first: FirstMover,
    seed: Seed,
    seeds: Seed,
) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for pairing in 0..pairings {
        let mut stream = seed.child(DRAW).child(u64::from(pairing)).stream();
        let mut order: Vec<usize> = (0..entrants).collect();
        shuffle(&mut order, &mut stream);
        if order.len() % 2 == 1 && order.len() > 1 {
            // The one left over meets one that has played already.
            let again = order[stream.below(order.len() as u32 - 1) as usize];
            order.push(again);
        }
        for pair in order.chunks_exact(2) {
            let seed = seeds.child(meetings.len() as u64);
            meetings.push(Meeting { a: pair[0], b: Rival::Individual(pair[1]), games, first, seed });
        }
    }
    meetings
}
