//! The evaluation of ALoA, the program that the AFIT thesis on evolved networks (2010) measures itself against.
//!
//! The thesis names two heuristics as the main ones: centrality, the average distance between all pieces of a side
//! (the smaller the better, with a further penalty for pieces on the edge), and windows of three or four pieces near
//! the centre of mass. The enemy's pieces are judged the same way and subtracted. It tells no weights, and of the other
//! features of MIA that it lists only the names; they are left out here. Distances are king's steps.

use lanista_core::{Evaluator, Position, Score};

use super::super::Loa;
use super::centralisation::ring;
use super::mass::Centre;
use super::quads::quads;
use super::side_cache::SideCache;

/// For each square of the average distance between two pieces.
const DISTANCE: i32 = -100;
/// For each piece on the edge.
const EDGE: i32 = -10;
/// For a window of three pieces near the centre of mass, and of four.
const QUADS: [i32; 2] = [20, 30];

/// The evaluator. It looks at each side alone, so all of it is cached.
pub struct Aloa<const N: usize> {
    sides: SideCache,
}

impl<const N: usize> Aloa<N> {
    /// A fresh evaluator.
    pub fn new() -> Self {
        Aloa { sides: SideCache::new() }
    }
}

impl<const N: usize> Default for Aloa<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// The average distance between two pieces, in thousandths of a square; 0 for a single piece.
pub fn average_distance(pieces: u64) -> i32 {
    let count = pieces.count_ones() as i32;
    let (mut sum, mut rest) = (0, pieces);
    while rest != 0 {
        let square = rest.trailing_zeros() as u8;
        rest &= rest - 1;
        // To the pieces behind this one only: each pair once. Half squares.
        sum += Centre { file: square % 8 * 2, rank: square / 8 * 2 }.distances(rest);
    }
    // There are count (count - 1) / 2 pairs.
    1000 * sum / (count * (count - 1)).max(1)
}

fn side_value<const N: usize>(pieces: u64) -> i32 {
    let edge = (pieces & const { ring(N, 0) }).count_ones() as i32;
    let [three, four] = quads(pieces);
    DISTANCE * average_distance(pieces) / 1000 + EDGE * edge + QUADS[0] * three + QUADS[1] * four
}

impl<const N: usize> Evaluator<Loa<N>> for Aloa<N> {
    #[inline]
    fn value(&mut self, position: &Loa<N>) -> Score {
        let side = position.side_to_move();
        let own = self.sides.value(position.pieces(side), side_value::<N>);
        Score(own - self.sides.value(position.pieces(!side), side_value::<N>))
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    #[test]
    fn distances_edges_and_quads() {
        let [black, white] = drawn(&[
            ". . . . w", //
            ". b b . .",
            ". . b . .",
            ". . . . .",
            "w . . . b",
        ]);
        // b4-c4 1, b4-c3 1, c4-c3 1, e1-b4 3, e1-c4 3, e1-c3 2: 11 steps in 6 pairs.
        assert_eq!(average_distance(black), 11_000 / 6);
        // -100 × 1.833 = -183; e1 is on the edge: -10; the centre of mass, files 1 + 2 + 2 + 4 = 9, 2.25, ranks
        // 3 + 3 + 2 + 0 = 8, is c3, near the window of three: 20.
        assert_eq!(side_value::<5>(black), -183 - 10 + 20);
        // One pair at distance 4, both on the edge.
        assert_eq!(side_value::<5>(white), -400 - 20);
        assert_eq!(average_distance(1), 0);
    }
}
