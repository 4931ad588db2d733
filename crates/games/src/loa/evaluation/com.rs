//! The distance to the own centre of mass as a whole evaluation.
//!
//! What the COM opponent of the Groningen thesis on temporal-difference learning goes by (section 4.2 there): the
//! means of files and ranks of the own pieces, and how far pieces are from that point in a straight line. Here as a
//! value for any search: the enemy's mean distance less the own.

use lanista_core::{Evaluator, Position, Score};

use super::super::Loa;
use super::mass::Mass;
use super::side_cache::SideCache;

/// The evaluator.
pub struct Com {
    sides: SideCache,
}

impl Com {
    /// A fresh evaluator.
    pub fn new() -> Self {
        Com { sides: SideCache::new() }
    }
}

impl Default for Com {
    fn default() -> Self {
        Self::new()
    }
}

/// The mean distance of the pieces from their centre of mass, in thousandths of a square.
pub fn mean_distance(pieces: u64) -> i32 {
    let mass = Mass::of(pieces);
    let mut sum = 0;
    let mut rest = pieces;
    while rest != 0 {
        let square = rest.trailing_zeros() as i32;
        rest &= rest - 1;
        sum += distance_squared(mass, square, 1_000_000).isqrt();
    }
    (sum / u64::from(pieces.count_ones()).pow(2)) as i32
}

/// The square of the distance of a square from the centre of mass, times count² × `scale`: a whole number.
fn distance_squared(mass: Mass, square: i32, scale: u64) -> u64 {
    let (file, rank) = (mass.count * (square % 8) - mass.files, mass.count * (square / 8) - mass.ranks);
    scale * (file * file + rank * rank) as u64
}

impl<const N: usize> Evaluator<Loa<N>> for Com {
    #[inline]
    fn value(&mut self, position: &Loa<N>) -> Score {
        let side = position.side_to_move();
        let own = self.sides.value(position.pieces(side), mean_distance);
        Score((self.sides.value(position.pieces(!side), mean_distance) - own) / 10)
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    #[test]
    fn mean_of_straight_distances() {
        let [black, white] = drawn(&[
            "b . . b", //
            ". . . .", ". w w .", "b . . b",
        ]);
        // Four corners around (1.5, 1.5): each sqrt(4.5) = 2.1213 away.
        assert_eq!(mean_distance(black), 2121);
        // Two neighbours, half a square each.
        assert_eq!(mean_distance(white), 500);
        let position: Loa<4> = "b2b/4/1ww1/b2b w".parse().expect("a position");
        let mut evaluator = Com::new();
        // White is connected, so the game is over, but the value is defined: 1.62 squares ahead.
        assert_eq!(evaluator.value(&position), Score(162));
    }
}
