//! What a search may know of Connect Four: central columns take part in more lines.

use lanista_core::{Position, Tactics};

use super::ConnectFour;

impl Tactics for ConnectFour {
    const HISTORY_SLOTS: usize = 2 * 49;

    /// Side, column and height of the stone.
    #[inline]
    fn history_slot(&self, mv: Self::Move) -> usize {
        self.side_to_move().index() * 49 + mv.index() * 7 + self.height(mv)
    }
}
