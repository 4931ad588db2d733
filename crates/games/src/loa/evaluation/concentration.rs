//! How near a side's pieces are to their centre of mass (Winands et al., section 3.1).
//!
//! The sum of the distances to the centre of mass, less what that many pieces need at the least, is the surplus; the
//! concentration is the inverse of the average surplus. A perfect formation has no surplus, and its inverse would be
//! infinite; here one is added to the average first, so that values lie between 0 and 1.

use super::mass::{Centre, Mass};

/// The concentration in thousandths: 1000 where nothing could be nearer.
#[inline]
pub fn concentration(pieces: u64) -> i32 {
    let mass = Mass::of(pieces);
    concentration_around(pieces, mass.count, mass.centre())
}

/// The same, with count and centre known.
#[inline]
pub(super) fn concentration_around(pieces: u64, count: i32, centre: Centre) -> i32 {
    // Around a centre between squares more pieces can be nearer than the table says: that is no surplus either.
    let surplus = (centre.distances(pieces) - 2 * least_distances(count)).max(0);
    2000 * count / (2 * count + surplus)
}

/// The least sum of distances of that many pieces: one on the centre, eight at distance 1, sixteen at 2.
#[inline]
fn least_distances(count: i32) -> i32 {
    (count - 1) + (count - 9).max(0)
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    #[test]
    fn ten_pieces_need_ten() {
        assert_eq!(least_distances(10), 10, "the paper's example");
        assert_eq!([1, 2, 9, 12].map(least_distances), [0, 1, 8, 14]);
    }

    #[test]
    fn a_block_is_perfect() {
        let [block, pair] = drawn(&[
            ". . . w", //
            ". b b .", ". b b .", "w . . .",
        ]);
        assert_eq!(concentration(block), 1000);
        // The middle of the pair is half a square off both axes; each piece is 1.5 away: 3, less 1, average 1:
        // 1 / (1 + 1).
        assert_eq!(concentration(pair), 500);
    }

    #[test]
    fn start_position() {
        // Black's centre of mass is the middle of the board, each of 12 pieces 3.5 away: 42 - 14 = 28,
        // average 28/12, 1 / (1 + 28/12) = 12/40.
        let pieces = drawn(&[
            ". b b b b b b .", //
            "w . . . . . . w",
            "w . . . . . . w",
            "w . . . . . . w",
            "w . . . . . . w",
            "w . . . . . . w",
            "w . . . . . . w",
            ". b b b b b b .",
        ]);
        assert_eq!(pieces.map(concentration), [300, 300]);
    }
}
