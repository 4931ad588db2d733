//! What a search may know of draughts: captures are forced, so a position with one is never quiet.

use lanista_core::{Position, Tactics};

use super::{Draughts, DraughtsMove};

impl Tactics for Draughts {
    const HISTORY_SLOTS: usize = 2 * 32 * 32;

    #[inline]
    fn history_slot(&self, mv: DraughtsMove) -> usize {
        (self.side_to_move().index() * 32 + mv.from() as usize) * 32 + mv.to() as usize
    }

    /// The captures of most pieces first.
    #[inline]
    fn urgency(&self, mv: DraughtsMove) -> Option<u8> {
        (mv.jumps() > 0).then(|| (DraughtsMove::MOST_JUMPS - mv.jumps()) as u8)
    }

    #[inline]
    fn is_noisy(&self, mv: DraughtsMove) -> bool {
        mv.jumps() > 0
    }

    #[inline]
    fn is_forced(&self) -> bool {
        self.has_capture()
    }
}
