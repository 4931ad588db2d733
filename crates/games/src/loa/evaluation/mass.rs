//! The centre of mass of a side, and where it lies (Winands et al., sections 3.1 and 3.3).
//!
//! MIA measures distances to the centre of mass in whole squares, so the centre is rounded to the nearest square. A
//! centre exactly half way between two squares stays there, where rounding up or down would prefer one of two
//! mirrored positions. Coordinates are therefore counted in half squares.

/// More pieces than a side ever has.
const MOST_PIECES: usize = 12;
/// Half squares along a board's side, both ends included.
const HALVES: usize = 15;

/// How many pieces, and the sums of their files and ranks (a1 is 0, 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mass {
    /// Number of pieces, from 1 to 12.
    pub count: i32,
    /// The sum of their files.
    pub files: i32,
    /// The sum of their ranks.
    pub ranks: i32,
}

impl Mass {
    /// The mass of a set of 1 to 12 pieces.
    #[inline]
    pub fn of(pieces: u64) -> Mass {
        debug_assert!((1..=MOST_PIECES).contains(&(pieces.count_ones() as usize)));
        // Bit by bit of the coordinate: all squares whose file (rank) has that bit.
        let count = |mask: u64| (pieces & mask).count_ones() as i32;
        Mass {
            count: count(!0),
            files: count(0xaaaa_aaaa_aaaa_aaaa) + 2 * count(0xcccc_cccc_cccc_cccc) + 4 * count(0xf0f0_f0f0_f0f0_f0f0),
            ranks: count(0xff00_ff00_ff00_ff00) + 2 * count(0xffff_0000_ffff_0000) + 4 * count(0xffff_ffff_0000_0000),
        }
    }

    /// The centre, rounded as the module says.
    #[inline]
    pub fn centre(&self) -> Centre {
        let rounded = |sum: i32| ROUNDED[self.count as usize][sum as usize];
        Centre { file: rounded(self.files), rank: rounded(self.ranks) }
    }

    /// How far the centre of mass, not rounded, lies from the centre of an N×N board, in thousandths of a square:
    /// the greater of the distances along files and ranks.
    #[inline]
    pub fn off_centre<const N: usize>(&self) -> i32 {
        let twice = |sum: i32| (2 * sum - self.count * (N as i32 - 1)).abs();
        500 * twice(self.files).max(twice(self.ranks)) / self.count
    }
}

/// A point of the board in half squares: a1 is (0, 0), b1 is (2, 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Centre {
    /// Twice the file.
    pub file: u8,
    /// Twice the rank.
    pub rank: u8,
}

impl Centre {
    /// The 2×2 windows, named by their lower left square, whose middle is at most two squares away.
    #[inline]
    pub fn quads_nearby(self) -> u64 {
        QUAD_FILES[self.file as usize] & QUAD_RANKS[self.rank as usize]
    }

    /// The sum of the distances of the pieces, in half squares. The distance of two squares is the number of king's
    /// steps between them.
    #[inline]
    pub fn distances(self, pieces: u64) -> i32 {
        // A piece counts once for each distance that it exceeds. No early end: a loop whose length the processor
        // cannot foretell costs more than the rest of it.
        let files = &FILES_WITHIN[self.file as usize];
        let ranks = &RANKS_WITHIN[self.rank as usize];
        files.iter().zip(ranks).map(|(files, ranks)| (pieces & !(files & ranks)).count_ones() as i32).sum()
    }
}

/// The rounded centre by number of pieces and sum of coordinates.
static ROUNDED: [[u8; 7 * MOST_PIECES + 1]; MOST_PIECES + 1] = {
    let mut table = [[0; 7 * MOST_PIECES + 1]; MOST_PIECES + 1];
    let mut count = 1;
    while count <= MOST_PIECES {
        let mut sum = 0;
        while sum <= 7 * count {
            let (whole, rest) = (sum / count, sum % count);
            let up = (2 * rest >= count) as usize + (2 * rest > count) as usize;
            table[count][sum] = (2 * whole + up) as u8;
            sum += 1;
        }
        count += 1;
    }
    table
};

/// The squares whose file (or, with step 8, rank) is at most so far from a point, by point and distance.
const fn within(step: usize) -> [[u64; HALVES]; HALVES] {
    let mut table = [[0; HALVES]; HALVES];
    let mut index = 0;
    while index < HALVES * HALVES * 64 {
        let (point, halves, square) = (index / (64 * HALVES), index / 64 % HALVES, index % 64);
        if (2 * (square / step % 8)).abs_diff(point) <= halves {
            table[point][halves] |= 1 << square;
        }
        index += 1;
    }
    table
}

static FILES_WITHIN: [[u64; HALVES]; HALVES] = within(1);
static RANKS_WITHIN: [[u64; HALVES]; HALVES] = within(8);

/// The same for the middles of 2×2 windows and the distance of two squares.
const fn quads(step: usize) -> [u64; HALVES] {
    let mut table = [0; HALVES];
    let mut index = 0;
    while index < HALVES * 64 {
        let (point, square) = (index / 64, index % 64);
        if (2 * (square / step % 8) + 1).abs_diff(point) <= 4 {
            table[point] |= 1 << square;
        }
        index += 1;
    }
    table
}

static QUAD_FILES: [u64; HALVES] = quads(1);
static QUAD_RANKS: [u64; HALVES] = quads(8);

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    #[test]
    fn centre_of_three_pieces() {
        // b1, c1 and e3: files 1 + 2 + 4 = 7, 7/3 is nearest to c; ranks 0 + 0 + 2, 2/3 is nearest to the second.
        let pieces = drawn(&[
            ". . . . .", //
            ". . . . .",
            ". . . . b",
            ". . . . .",
            ". b b . .",
        ])[0];
        let mass = Mass::of(pieces);
        assert_eq!(mass, Mass { count: 3, files: 7, ranks: 2 });
        assert_eq!(mass.centre(), Centre { file: 4, rank: 2 });
        // Distances: b1 and c1 one step, e3 two: 4 squares.
        assert_eq!(mass.centre().distances(pieces), 8);
        // The middle of the 5×5 board is (2, 2); the centre of mass is (2.33, 0.67): 1.333 off along the ranks.
        assert_eq!(mass.off_centre::<5>(), 1333);
        assert_eq!(mass.off_centre::<8>(), 2833, "3.5 - 0.667");
    }

    #[test]
    fn half_way_stays_half_way() {
        // The middle of b2 and c4 is (1.5, 2): half a file from both, one rank.
        let pieces = drawn(&[
            ". . b .", //
            ". . . .", ". b . .", ". . . .",
        ])[0];
        let mass = Mass::of(pieces);
        assert_eq!(mass.centre(), Centre { file: 3, rank: 4 });
        assert_eq!(mass.centre().distances(pieces), 4, "one square each");
        assert_eq!(mass.off_centre::<4>(), 500);
    }
}
