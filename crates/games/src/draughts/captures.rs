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
    /// Where the move must end because a man is crowned.
    pub king_row: u32,
}

impl Captures {
    /// Adds all complete captures that begin with `so_far`, the last jump of which landed on `here`.
    /// The piece jumps in the directions from `FIRST` to `LAST`: kings in all four, men in their two.
    pub(super) fn complete<const FIRST: usize, const LAST: usize>(
        &self,
        so_far: DraughtsMove,
        here: u32,
        moves: &mut MoveList<DraughtsMove>,
    ) {
        let enemy = self.enemy & !so_far.captured();
        let mut longer = false;
        if here & self.king_row == 0 {
            for direction in FIRST..=LAST {
                let landing = step(step(here, direction) & enemy, direction) & self.empty;
                if landing != 0 {
                    longer = true;
                    self.complete::<FIRST, LAST>(so_far.then_jump(landing, direction), landing, moves);
                }
            }
        }
        if !longer {
            moves.push(so_far);
        }
    }
}
