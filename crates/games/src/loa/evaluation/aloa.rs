//! The evaluation of ALoA, the program that the AFIT thesis on evolved networks (2010) measures itself against.
//!
//! The thesis names two heuristics as the main ones: centrality, the average distance between all pieces of a side
//! (the smaller the better, with a further penalty for pieces on the edge), and windows of three or four pieces near
//! the centre of mass. The enemy's pieces are judged the same way and subtracted. It tells no weights, and of the other
//! features of MIA that it lists only the names; they are left out here. Distances are king's steps.

use lanista_core::{Evaluator, Position, Score};

use super::super::Loa;
use super::centralisation::ring;
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
    // King's steps are max(|x|, |y|) = (|x + y| + |x - y|) / 2, so the two kinds of diagonals can be counted apart: the line
    // behind each diagonal parts so many pieces from so many others. Twice the sum over all pairs.
    let twice: i32 =
        BEHIND.iter().flatten().map(|behind| (pieces & behind).count_ones() as i32).map(|n| n * (count - n)).sum();
    // There are count (count - 1) / 2 pairs.
    1000 * twice / (count * (count - 1)).max(1)
}

/// The squares up to each diagonal but the last, for the two directions of diagonals.
const BEHIND: [[u64; 14]; 2] = {
    let mut behind = [[0; 14]; 2];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        let mut last = 0;
        while last < 14 {
            behind[0][last] |= ((file + rank <= last) as u64) << square;
            behind[1][last] |= ((file + 7 - rank <= last) as u64) << square;
            last += 1;
        }
        square += 1;
    }
    behind
};

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

    #[test]
    fn distances_pair_by_pair() {
        let mut random = lanista_core::Seed::new(10).stream();
        for _ in 0..2000 {
            let squares: Vec<i32> = (0..2 + random.below(11)).map(|_| random.below(64) as i32).collect();
            let pieces = squares.iter().fold(0u64, |pieces, square| pieces | 1 << square);
            let squares: Vec<i32> = (0..64).filter(|square| pieces >> square & 1 == 1).collect();
            let (mut steps, mut pairs) = (0, 0);
            for (index, a) in squares.iter().enumerate() {
                for b in &squares[..index] {
                    steps += (a % 8 - b % 8).abs().max((a / 8 - b / 8).abs());
                    pairs += 1;
                }
            }
            assert_eq!(average_distance(pieces), 1000 * steps / pairs.max(1), "{squares:?}");
        }
    }
}
