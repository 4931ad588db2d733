//! The bitboard the solver works on, and the squares that would win.
//!
//! The same layout as the position's: seven bits a column, the seventh always empty. All of it is branch-free
//! arithmetic on whole boards, after Pascal Pons (blog.gamesolver.org) and John Tromp (Fhourstones).

use lanista_core::Position;

use super::super::ConnectFour;
use super::super::position::{HEIGHT, WIDTH};

/// Squares of the board.
pub(super) const SQUARES: u32 = WIDTH * HEIGHT;
/// The lowest square of every column.
pub(super) const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// All squares.
pub(super) const BOARD: u64 = BOTTOM * 0b11_1111;
/// Rows 1, 3 and 5, counted from 1: where the first side's threats decide.
pub(super) const ODD_ROWS: u64 = BOTTOM * 0b01_0101;
/// Rows 2, 4 and 6.
pub(super) const EVEN_ROWS: u64 = BOTTOM * 0b10_1010;
/// One column, the empty bit on top included.
pub(super) const COLUMN: u64 = 0b111_1111;
/// Bits of a key.
pub(super) const KEY_BITS: u32 = 49;

/// A position as the solver sees it: no finished game, or one that the caller has looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// Stones of the side to move.
    pub mover: u64,
    /// All stones.
    pub stones: u64,
}

impl Board {
    pub fn new(position: &ConnectFour) -> Board {
        let side = position.side_to_move();
        let mover = position.stones(side);
        Board { mover, stones: mover | position.stones(!side) }
    }

    /// Stones on the board.
    #[inline]
    pub fn ply(self) -> u32 {
        self.stones.count_ones()
    }

    /// The squares where a stone can be dropped.
    #[inline]
    pub fn drops(self) -> u64 {
        (self.stones + BOTTOM) & BOARD
    }

    #[inline]
    pub fn after(self, square: u64) -> Board {
        Board { mover: self.mover ^ self.stones, stones: self.stones | square }
    }

    /// Where the mover would complete a line, now or later.
    #[inline]
    pub fn mover_wins(self) -> u64 {
        winning_squares(self.mover, self.stones)
    }

    /// Where the other side would complete a line, now or later.
    #[inline]
    pub fn other_wins(self) -> u64 {
        winning_squares(self.mover ^ self.stones, self.stones)
    }

    /// The mover's stones, with a one on top of each column: different for different positions.
    #[inline]
    pub fn key(self) -> u64 {
        self.mover | (self.stones + BOTTOM)
    }

    /// The key of the position or of its mirror image, whichever is smaller.
    #[inline]
    pub fn mirror_key(self) -> u64 {
        let key = self.key();
        key.min(mirror(key))
    }

    /// The position with this key.
    pub fn from_key(key: u64) -> Board {
        let (mut mover, mut stones) = (0, 0);
        for column in 0..WIDTH {
            let shift = column * (HEIGHT + 1);
            let bits = key >> shift & COLUMN;
            // The highest one is the mark on top of the column.
            let top = 1 << bits.max(1).ilog2();
            mover |= (bits & (top - 1)) << shift;
            stones |= (top - 1) << shift;
        }
        Board { mover, stones }
    }

    pub fn is_symmetric(self) -> bool {
        let key = self.key();
        key == mirror(key)
    }
}

/// Exchanges the columns left and right.
#[inline]
pub(super) fn mirror(key: u64) -> u64 {
    let column = |index: u32| COLUMN << (7 * index);
    (key & column(0)) << 42
        | (key & column(1)) << 28
        | (key & column(2)) << 14
        | key & column(3)
        | key >> 14 & column(2)
        | key >> 28 & column(1)
        | key >> 42 & column(0)
}

/// The empty squares that would complete four in a line with the stones `own`.
#[inline]
pub(super) fn winning_squares(own: u64, stones: u64) -> u64 {
    let line = |step: u32| {
        // Two neighbours on one side, then the third on the far side of them or of the square.
        let below = own << step & own << (2 * step);
        let above = own >> step & own >> (2 * step);
        below & (own << (3 * step) | own >> step) | above & (own >> (3 * step) | own << step)
    };
    let upright = own << 1 & own << 2 & own << 3;
    (upright | line(7) | line(6) | line(8)) & BOARD & !stones
}

/// How many lines of four the squares hold.
#[inline]
pub(super) fn lines_in(squares: u64) -> i32 {
    let line = |step: u32| {
        let pairs = squares & squares >> step;
        (pairs & pairs >> (2 * step)).count_ones() as i32
    };
    line(1) + line(7) + line(6) + line(8)
}
