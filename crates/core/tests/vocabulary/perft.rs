//! Perft against a count written down plainly.

use lanista_core::{MoveList, PerftCount, Position, perft};

use crate::ratchet::Ratchet;

/// Plays everything out, one recursion a position.
fn count(position: &Ratchet, depth: u32, total: &mut PerftCount) {
    if depth == 0 {
        total.leaves += 1;
        total.finished += u64::from(position.outcome().is_some());
        return;
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    for &mv in moves.iter() {
        let mut next = *position;
        next.play(mv);
        total.nodes += 1;
        count(&next, depth - 1, total);
    }
}

#[test]
fn counts_leaves_ends_and_nodes() {
    let mut ended_early = false;
    for text in [".. 0 0-0 a", "** 0 4-3 b", "*. 4 4-4 a", "** 5 4-4 a"] {
        let position: Ratchet = text.parse().expect("a position");
        for depth in 1..=7 {
            let mut expected = PerftCount::default();
            count(&position, depth, &mut expected);
            assert_eq!(perft(&position, depth), expected, "{text}: depth {depth}");
            ended_early |= expected.finished > 0;
        }
    }
    assert!(ended_early);
}

#[test]
fn no_moves_are_one_sequence() {
    let position = Ratchet::default();
    assert_eq!(perft(&position, 0), PerftCount { leaves: 1, finished: 0, nodes: 1 });
    let finished: Ratchet = ".. 6 0-0 a".parse().expect("a position");
    assert_eq!(perft(&finished, 0), PerftCount { leaves: 1, finished: 1, nodes: 1 });
    assert_eq!(perft(&finished, 3), PerftCount::default());
}
