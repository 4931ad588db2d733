//! Bounds on the score from parity alone: who will be forced to move where when the board fills up.
//!
//! Six rows are an even number, so a side that always answers in the column just played ("follow-up") gets the
//! upper square of every pair. The ideas are Victor Allis' (*A Knowledge-based Approach of Connect-Four*, 1988:
//! claimeven, the odd threat); here they are only used where they prove a bound, whatever the opponent does:
//!
//! * The first side is to move. The second follows up. In a column with an even number of stones it gets every
//!   even row. In a column with an odd number it follows up as long as it can; when such a column is full it
//!   starts another one, and there is another one because their number is even. So the first side gets at most the
//!   odd rows of the even columns and anything of the odd columns. If these, with its stones, hold no line, it
//!   cannot win. If besides the second side's share holds a line, it loses.
//! * The second side is to move, and the first has a threat in an odd row of a column with an odd number of stones.
//!   It follows up everywhere, as above; the odd columns other than the one of the threat are even in number. The second
//!   side gets at most the odd rows of the even columns, anything of the odd ones and the even rows below the threat. If
//!   these hold no line, it must at last play below the threat, and loses.

use super::board::{BOARD, BOTTOM, Board, COLUMN, EVEN_ROWS, ODD_ROWS};

/// What the bound is when nothing is proved: higher than any score.
pub(super) const UNKNOWN: i32 = i32::MAX;

/// An upper bound on the mover's score, looked for only if it could be `alpha` or less.
///
/// `threats` are the winning squares of the other side; `ply` tells who is to move.
#[inline]
pub(super) fn upper_bound(board: Board, threats: u64, ply: u32, alpha: i32) -> i32 {
    let empty = BOARD & !board.stones;
    // In a column with an odd number of stones the next square lies in an even row.
    let marks = board.drops() & EVEN_ROWS;
    let odd_columns = ((marks >> 1 | marks >> 3 | marks >> 5) & BOTTOM) * COLUMN;
    if ply & 1 == 0 {
        if alpha < -3 || has_line_across(board.mover | empty & (ODD_ROWS | odd_columns)) {
            return UNKNOWN;
        }
        let other = board.mover ^ board.stones;
        let share = EVEN_ROWS & !odd_columns;
        // A threat is reached at the latest when all but the squares above it are full: 38, 40 or 42 stones.
        return if threats & share & BOTTOM << 1 != 0 {
            -3
        } else if threats & share & BOTTOM << 3 != 0 {
            -2
        } else if has_line_across(other | empty & share) {
            -1
        } else {
            0
        };
    }
    if alpha < -2 {
        return UNKNOWN;
    }
    // In row 3 the threat is reached with 39 stones, in row 5 with 41.
    for (row, bound) in [(2, -2), (4, -1)] {
        let mut bases = (threats & odd_columns) >> row & BOTTOM;
        while bases != 0 && bound <= alpha {
            let base = bases & bases.wrapping_neg();
            bases ^= base;
            let column = base * COLUMN;
            let below = (base << row) - base;
            let share = (ODD_ROWS | odd_columns) & !column | EVEN_ROWS & below;
            if !has_line_across(board.mover | empty & share) {
                return bound;
            }
        }
    }
    UNKNOWN
}

/// Whether the squares hold a level or diagonal line. Upright lines need no look: no side that is followed up gets
/// two squares of a column in a row, and three that stand already would win at once.
#[inline]
fn has_line_across(squares: u64) -> bool {
    let line = |step: u32| {
        let pairs = squares & squares >> step;
        pairs & pairs >> (2 * step)
    };
    line(7) | line(6) | line(8) != 0
}
