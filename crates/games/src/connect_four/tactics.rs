//! What a search may know of Connect Four: central columns take part in more lines.

use lanista_core::{MoveList, Position, Tactics};

use super::evaluation::{completions, landings};
use super::{Column, ConnectFour};

impl Tactics for ConnectFour {
    const HISTORY_SLOTS: usize = 2 * 49;

    /// Side, column and height of the stone.
    #[inline]
    fn history_slot(&self, mv: Self::Move) -> usize {
        self.side_to_move().index() * 49 + mv.index() * 7 + self.height(mv)
    }

    /// A stone wins where it completes four, and blocks where the other side's would.
    #[inline]
    fn wins_or_blocks(&self, moves: &mut MoveList<Column>) -> Option<bool> {
        let side = self.side_to_move();
        let (own, other) = (self.stones(side), self.stones(!side));
        let next = landings(own | other);
        let winning = completions(own, own | other) & next;
        let blocking = completions(other, own | other) & next;
        self.legal_moves(moves);
        let wanted = if winning != 0 { winning } else { blocking };
        if wanted != 0 {
            moves.retain(|column| wanted >> (7 * column.index()) & 0x7f != 0);
        }
        Some(winning != 0)
    }
}
