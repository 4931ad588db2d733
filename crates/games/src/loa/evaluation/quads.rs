//! Solid formations: 2×2 windows that hold three or four pieces of a side, which no single capture destroys
//! (Dyer's quads; Winands et al., section 3.4).
//!
//! Only windows near the centre of mass count: their middle is at most two squares from it, along files and ranks.

use super::super::Loa;
use super::mass::{Centre, Mass};

/// How many windows near the centre of mass hold exactly three pieces, and how many hold four.
#[inline]
pub fn quads(pieces: u64) -> [i32; 2] {
    quads_around(pieces, Mass::of(pieces).centre())
}

/// The same, with the centre known.
#[inline]
pub(super) fn quads_around(pieces: u64, centre: Centre) -> [i32; 2] {
    let near = centre.quads_nearby();
    let [three, four] = windows(pieces);
    [three & near, four & near].map(|set| set.count_ones() as i32)
}

/// The windows with exactly three and with four pieces, named by their lower left square.
#[inline]
pub(super) fn windows(pieces: u64) -> [u64; 2] {
    const NOT_LAST_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let right = pieces >> 1 & NOT_LAST_FILE;
    let (both, one) = (pieces & right, pieces ^ right);
    let (both_above, one_above) = (both >> 8, one >> 8);
    [(both & one_above | one & both_above) & NOT_LAST_FILE, both & both_above]
}

/// All (N + 1)² windows of a board with a border of empty squares, by kind: 0 pieces, 1, 2 side by side, 3, 4, 2 diagonal
/// (the quad counts of the AFIT thesis, 2010).
pub(super) fn quad_counts<const N: usize>(pieces: u64) -> [u32; 6] {
    const NOT_FIRST_FILE: u64 = 0xfefe_fefe_fefe_fefe;
    const FIRST_FILE: u64 = 0x0101_0101_0101_0101;
    let count = |set: u64| (set & Loa::<N>::BOARD).count_ones();
    // Windows by their upper right square: pieces there, to its left, below it, and below to the left.
    let (here, left) = (pieces, pieces << 1 & NOT_FIRST_FILE);
    let (below, corner) = (here << 8, left << 8);
    let (upper_one, lower_one) = (here ^ left, below ^ corner);
    let (upper_both, lower_both) = (here & left, below & corner);
    let four = count(upper_both & lower_both);
    let three = count(upper_both & lower_one | lower_both & upper_one);
    let one_each = upper_one & lower_one;
    let upright = one_each & !(here ^ below);
    let diagonal = count(one_each & !upright);
    let lone = |one: u64, other_one: u64, other_both: u64| one & !other_one & !other_both;
    let mut one = count(lone(upper_one, lower_one, lower_both) | lone(lower_one, upper_one, upper_both));
    let mut side_by_side =
        count(upright | lone(upper_both, lower_one, lower_both) | lone(lower_both, upper_one, upper_both));
    // The upper right square of the windows left lies beyond the last file (their order does not matter) or the last rank;
    // the one beyond both belongs to the file.
    let last_file = ((pieces >> (N - 1) & FIRST_FILE).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32;
    let last_rank = (pieces >> (8 * (N - 1))) as u32;
    one += (last_file ^ last_file << 1).count_ones() + ((last_rank ^ last_rank << 1) & ((1 << N) - 1)).count_ones();
    side_by_side += (last_file & last_file << 1).count_ones() + (last_rank & last_rank << 1).count_ones();
    let none = ((N + 1) * (N + 1)) as u32 - one - side_by_side - three - four - diagonal;
    [none, one, side_by_side, three, four, diagonal]
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::super::drawn;
    use super::*;

    #[test]
    fn counted_near_the_centre_of_mass_only() {
        let [black, white] = drawn(&[
            "b b . . . . w w", //
            "b . . . . . . w",
            ". . . . . . . .",
            ". . . b b . . .",
            ". . . b b b . .",
            ". . . . b b . .",
            ". . . . . . . .",
            ". . . . . . . .",
        ]);
        // Ten black pieces; files 0+1+0 + 3+4 + 3+4+5 + 4+5 = 29, so d; ranks 7+7+6 + 4+4 + 3+3+3 + 2+2 = 41, so 5.
        // Four pieces: windows d4 and e3 (their lower left squares); three: e4 and d3, and a7 in the corner.
        // From d5 = (3, 4) the middles of d4 (3.5, 3.5), e4 (4.5, 3.5), d3 (3.5, 2.5) and e3 (4.5, 2.5) are
        // at most 1.5 away; that of a7 (0.5, 6.5) is 2.5 away.
        assert_eq!(quads(black), [2, 2]);
        // Three white pieces alone: their centre of mass is within their window.
        assert_eq!(quads(white), [1, 0]);
        assert_eq!(windows(black).map(u64::count_ones), [3, 2]);
    }

    #[test]
    fn windows_do_not_wrap() {
        let [black, _] = drawn(&[
            ". . . . . . . .", //
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            "b . . . . . . .",
            "b . . . . . . b",
            ". . . . . . . b",
            ". . . . . . . .",
        ]);
        assert_eq!(windows(black), [0, 0]);
    }

    /// The same square by square.
    fn counted<const N: usize>(pieces: u64) -> [u32; 6] {
        // Files and ranks from 1; 0 and N + 1 are the border.
        let has = |file: usize, rank: usize| {
            let inside = (1..=N).contains(&file) && (1..=N).contains(&rank);
            usize::from(inside && pieces >> (8 * (rank.max(1) - 1) + file.max(1) - 1) & 1 == 1)
        };
        let mut counts = [0; 6];
        for (file, rank) in (0..=N).flat_map(|rank| (0..=N).map(move |file| (file, rank))) {
            let [a, b, c, d] = [has(file, rank), has(file + 1, rank), has(file, rank + 1), has(file + 1, rank + 1)];
            let kind = if a + b + c + d == 2 && a == d { 5 } else { a + b + c + d };
            counts[kind] += 1;
        }
        counts
    }

    fn counts_agree<const N: usize>() {
        let mut random = Seed::new(6).child(N as u64).stream();
        for thinner in 0..3 {
            for _ in 0..2000 {
                let mut draw = || u64::from(random.below(u32::MAX)) << 32 | u64::from(random.below(u32::MAX));
                let pieces = (0..thinner).fold(draw(), |set, _| set & draw()) & Loa::<N>::BOARD;
                assert_eq!(quad_counts::<N>(pieces), counted::<N>(pieces), "{pieces:x}");
            }
        }
    }

    #[test]
    fn counts_by_kind() {
        counts_agree::<4>();
        counts_agree::<5>();
        counts_agree::<6>();
        counts_agree::<7>();
        counts_agree::<8>();
    }
}
