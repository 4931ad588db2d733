//! Captures: every distinct path is a move of its own.

use lanista_core::MoveList;

use super::geometry::step;
use super::moves::DraughtsMove;

/// The board as one capturing piece sees it.
#[derive(Clone, Copy)]
pub(super) struct Captures {
    /// Pieces that can be jumped.
    pub enemy: u32,
    /// Squares to land on; the piece's own start square is one of them.
    pub empty: u32,
    /// The directions of the piece, first and last: kings have all four, men their two.
    pub directions: (usize, usize),
    /// Where the move must end because a man is crowned.
    pub king_row: u32,
}

impl Captures {
    /// Adds all complete captures that continue `so_far`; says whether there are any.
    pub(super) fn extend(&self, so_far: DraughtsMove, moves: &mut MoveList<DraughtsMove>) -> bool {
        let here = 1u32 << so_far.to();
        let mut any = false;
        for direction in self.directions.0..=self.directions.1 {
            let over = step(here, direction) & self.enemy & !so_far.captured();
            let landing = step(over, direction) & self.empty;
            if landing == 0 {
                continue;
            }
            any = true;
            let longer = so_far.jumping(direction);
            if landing & self.king_row != 0 || !self.extend(longer, moves) {
                moves.push(longer);
            }
        }
        any
    }
}
