//! How many own neighbours a piece has on average (Winands et al., section 3.7).
//!
//! The average and not the total, which would be a hidden reward for having more pieces.

/// The average number of own pieces next to a piece, in all eight directions, in thousandths.
#[inline]
pub fn connectedness(pieces: u64) -> i32 {
    // Each pair connects two pieces.
    2000 * pairs(pieces) / pieces.count_ones() as i32
}

/// The pairs of neighbours, each counted once.
#[inline]
fn pairs(pieces: u64) -> i32 {
    const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // The pieces one square to the left, and one to the right.
    let (left, right) = ((pieces & NOT_FILE_A) >> 1, (pieces & NOT_FILE_H) << 1);
    [left, pieces >> 8, left >> 8, right >> 8].map(|moved| (pieces & moved).count_ones() as i32).iter().sum()
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    #[test]
    fn average_of_neighbours() {
        let [black, white] = drawn(&[
            "b . . . . w", //
            ". b b . . .",
            ". b . . w .",
            ". . . . . w",
            "b . . . . .",
            "w . . . . b",
        ]);
        // a6-b5, b5-c5, b5-b4, c5-b4: four pairs among six pieces.
        assert_eq!(connectedness(black), 8000 / 6);
        // e4-f3: one pair among four pieces.
        assert_eq!(connectedness(white), 500);
    }

    #[test]
    fn a_block_of_four() {
        let [black, white] = drawn(&[
            "w . . .", //
            ". . b b", ". . b b", "w . . .",
        ]);
        assert_eq!(connectedness(black), 3000, "each of four has three neighbours");
        assert_eq!(connectedness(white), 0, "edges do not touch");
    }
}
