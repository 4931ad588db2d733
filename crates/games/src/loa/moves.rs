//! A move: from, to, whether it captures. Or a pass.

/// A move in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LoaMove(u16);

impl LoaMove {
    /// The move of a side that has no other.
    pub const PASS: LoaMove = LoaMove(1 << 13);
    const CAPTURE: u16 = 1 << 12;

    /// A move between two squares (a1 = 0, b1 = 1, a2 = 8).
    #[inline]
    pub const fn new(from: u32, to: u32, capture: bool) -> LoaMove {
        LoaMove(from as u16 | (to as u16) << 6 | (capture as u16) << 12)
    }

    /// The same move as a capture, if `capture` holds.
    #[inline]
    pub(super) const fn capturing(self, capture: bool) -> LoaMove {
        LoaMove(self.0 | (capture as u16) << 12)
    }

    /// The square it leaves.
    #[inline]
    pub const fn from(self) -> u32 {
        (self.0 & 63) as u32
    }

    /// The square it reaches.
    #[inline]
    pub const fn to(self) -> u32 {
        (self.0 >> 6 & 63) as u32
    }

    /// Whether it takes a piece.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.0 & Self::CAPTURE != 0
    }

    /// Whether it is the pass.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.0 & Self::PASS.0 != 0
    }
}
