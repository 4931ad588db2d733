//! Squares and steps.
//!
//! Bits of the board, White at the bottom:
//!
//! ```text
//!      11    5   31   25        squares  1  2  3  4
//!   10    4   30   24                   5  6  7  8
//!       3   29   23   17                9 10 11 12
//!    2   28   22   16                  13 …
//!      27   21   15    9
//!   26   20   14    8
//!      19   13    7    1
//!   18   12    6    0                  29 30 31 32
//! ```
//!
//! One step up to the right is bit + 1, up to the left bit + 7 (modulo 32), down the same minus.

/// The four directions: up-right, up-left, down-left, down-right. Direction `d ^ 2` is opposite to `d`.
pub const ROTATIONS: [u32; 4] = [1, 7, 31, 25];

/// The bit of each square, numbered from 0 here (square 1 of the notation is index 0).
pub static BIT_OF_SQUARE: [u8; 32] = [
    11, 5, 31, 25, //
    10, 4, 30, 24, //
    3, 29, 23, 17, //
    2, 28, 22, 16, //
    27, 21, 15, 9, //
    26, 20, 14, 8, //
    19, 13, 7, 1, //
    18, 12, 6, 0,
];

/// The square of each bit, numbered from 0.
pub static SQUARE_OF_BIT: [u8; 32] = inverse();

/// Black's king row (squares 29 to 32) and White's (1 to 4), by side.
pub const KING_ROWS: [u32; 2] = [1 << 18 | 1 << 12 | 1 << 6 | 1, 1 << 11 | 1 << 5 | 1 << 31 | 1 << 25];

const LEFT: u32 = 1 << 10 | 1 << 2 | 1 << 26 | 1 << 18;
const RIGHT: u32 = 1 << 25 | 1 << 17 | 1 << 9 | 1 << 1;

/// Where a step in each direction can arrive; everything else is a wrap around an edge.
const ARRIVALS: [u32; 4] =
    [!(KING_ROWS[0] | LEFT), !(KING_ROWS[0] | RIGHT), !(KING_ROWS[1] | RIGHT), !(KING_ROWS[1] | LEFT)];

/// All squares one step from `set` in a direction.
#[inline]
pub const fn step(set: u32, direction: usize) -> u32 {
    set.rotate_left(ROTATIONS[direction]) & ARRIVALS[direction]
}

/// The squares after turning the board by half.
#[inline]
pub const fn turned(set: u32) -> u32 {
    set.reverse_bits().rotate_left(12)
}

const fn inverse() -> [u8; 32] {
    let mut squares = [0; 32];
    let mut square = 0;
    while square < 32 {
        squares[BIT_OF_SQUARE[square] as usize] = square as u8;
        square += 1;
    }
    squares
}
