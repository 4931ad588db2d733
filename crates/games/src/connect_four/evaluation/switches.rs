//! The switches behind the network inputs, found by bit tricks: a player that looks one move ahead asks for them at
//! every position.
//!
//! | word | bits | switch |
//! |---|---|---|
//! | 0, 1 | the board's | own stones, the other side's |
//! | 2 | 0 to 41 | `threes`: 21 places of the own side, then 21 of the other |
//! | 2 | 42, 43 | `four`: own, the other's |
//! | 2 | 44 to 50, 51 to 57 | `wins`: at least 1 to 7 of the own side, of the other |
//! | 3 | 0 to 41 | `twos`, as `threes` |

use lanista_core::Switches;

use super::super::position::has_four;
use super::lines::{BOTTOM, completions, landings};

/// How many switches there are.
pub(super) const COUNT: usize = 3 * 64 + 42;

const THREES: u64 = (1 << 42) - 1;
const FOUR: u64 = 0b11 << 42;
const WINS: u64 = 0x3fff << 44;

/// What a switch stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A stone on a square, rows and columns from 0.
    Stone { own: bool, row: usize, column: usize },
    /// Three in a row at one of 42 places.
    Three { place: usize },
    /// Four in a row.
    Four { own: bool },
    /// One more column in which a side could win at once.
    Win { own: bool },
    /// Two in a row at one of 42 places.
    Two { place: usize },
}

/// What a switch stands for; `None` for bits that mean nothing.
pub(super) fn meaning(switch: usize) -> Option<Meaning> {
    let bit = switch % 64;
    match (switch / 64, bit) {
        (word @ 0..=1, 0..49) if bit % 7 < 6 => Some(Meaning::Stone { own: word == 0, row: bit % 7, column: bit / 7 }),
        (2, 0..42) => Some(Meaning::Three { place: bit }),
        (2, 42..44) => Some(Meaning::Four { own: bit == 42 }),
        (2, 44..58) => Some(Meaning::Win { own: bit < 51 }),
        (3, 0..42) => Some(Meaning::Two { place: bit }),
        _ => None,
    }
}

/// The switches that are on. What costs something is looked at only where it is wanted.
#[inline]
pub(super) fn on(own: u64, other: u64, wanted: &Switches) -> Switches {
    let mut features = 0;
    if wanted[2] & THREES != 0 {
        features |= places::<3>(own) | places::<3>(other) << 21;
    }
    if wanted[2] & FOUR != 0 {
        features |= u64::from(has_four(own)) << 42 | u64::from(has_four(other)) << 43;
    }
    if wanted[2] & WINS != 0 {
        let all = own | other;
        let next = landings(all);
        // As many ones as there are wins, from below.
        let steps = |stones: u64| (1 << (completions(stones, all) & next).count_ones()) - 1;
        features |= steps(own) << 44 | steps(other) << 51;
    }
    let twos = if wanted[3] != 0 { places::<2>(own) | places::<2>(other) << 21 } else { 0 };
    [own, other, features, twos]
}

/// The 21 places with rows of two or three stones, a bit each: level by row (6), upright by column (7), rising by the row
/// of the lowest stone (4), falling by the same (4).
#[inline]
fn places<const LENGTH: u32>(stones: u64) -> u64 {
    let row = |step: u32| {
        let pairs = stones & stones >> step;
        if LENGTH == 2 { pairs } else { pairs & stones >> (2 * step) }
    };
    let level = any_column(row(7)) & 0x3f;
    let upright = any_row(row(1));
    let rising = low_rows(any_column(row(8)));
    // A falling row is found at its leftmost stone, the highest.
    let falling = low_rows(any_column(row(6)) >> (LENGTH - 1));
    level | upright << 6 | rising << 13 | falling << 17
}

/// The rows in which any of the first six columns has a bit, in the lowest seven bits: no row of stones begins in the last
/// column. Higher bits are rubbish.
#[inline]
fn any_column(set: u64) -> u64 {
    let pairs = set | set >> 7;
    pairs | pairs >> 14 | pairs >> 28
}

/// The columns in which any of the rows has a bit, as seven bits.
#[inline]
fn any_row(set: u64) -> u64 {
    let pairs = set | set >> 1;
    // At most five rows have a bit: no upright row of stones begins in the highest.
    let columns = (pairs | pairs >> 2 | set >> 4) & BOTTOM;
    // The bits 0, 7, 14, … come to stand side by side: the product holds bit 7i + 6j for each column i and each j, no two
    // of them the same, and those with i + j = 6 are the bits 36 + i.
    columns.wrapping_mul(0x10_4104_1041) >> 36 & 0x7f
}

/// The lowest four rows; a fifth counts in the fourth.
#[inline]
fn low_rows(rows: u64) -> u64 {
    (rows | rows >> 1 & 0b1000) & 0b1111
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_of_the_features_means_something() {
        let meant = (0..COUNT).filter(|&switch| meaning(switch).is_some()).count();
        assert_eq!(meant, 2 * 42 + 42 + 2 + 14 + 42);
        assert_eq!(meaning(6), None, "the empty bit on top of a column");
        assert_eq!(meaning(64 + 7), Some(Meaning::Stone { own: false, row: 0, column: 1 }));
        assert_eq!(THREES | FOUR | WINS, (1 << 58) - 1);
    }

    #[test]
    fn columns_side_by_side() {
        for columns in 0..128u64 {
            let spread =
                (0..7).filter(|column| columns >> column & 1 == 1).fold(0, |set, column| set | 1 << (7 * column));
            for row in 0..5 {
                assert_eq!(any_row(spread << row), columns);
            }
            assert_eq!(any_column(spread & BOTTOM >> 7) & 0x7f, u64::from(columns & 0x3f != 0));
        }
    }
}
