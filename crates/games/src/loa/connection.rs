//! Is a set of squares one group?

const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Whether the squares form one group, diagonals counting as neighbours. True for a single square and for none.
pub fn is_connected(squares: u64) -> bool {
    connected_to(squares, squares & squares.wrapping_neg())
}

/// Whether all squares are connected to `start`, a subset of them.
#[inline]
pub(super) fn connected_to(squares: u64, start: u64) -> bool {
    let mut group = start;
    loop {
        let grown = with_neighbours(group) & squares;
        if grown == group {
            return grown == squares;
        }
        group = grown;
    }
}

/// The squares and all their neighbours. Boards smaller than 8×8 are masked by the caller's set.
#[inline]
pub(super) fn with_neighbours(squares: u64) -> u64 {
    let row = squares | (squares & NOT_FILE_H) << 1 | (squares & NOT_FILE_A) >> 1;
    row | row << 8 | row >> 8
}
