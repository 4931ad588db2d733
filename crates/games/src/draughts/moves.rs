//! A move with its whole path.

use super::geometry::{ROTATIONS, step};

/// A move in eight bytes: captured pieces (32 bits), from (5), to (5), number of jumps (4), their directions (2 each).
/// A move without jumps has its direction in the first place.
///
/// No piece can jump more than nine times: the squares that it can reach by jumps are joined by nine diagonals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DraughtsMove(u64);

impl DraughtsMove {
    pub(super) const MOST_JUMPS: usize = 9;

    /// A step from one bit to the next one in a direction.
    #[inline]
    pub(super) const fn quiet(from: u32, direction: usize) -> DraughtsMove {
        let to = (from + ROTATIONS[direction]) & 31;
        DraughtsMove((from as u64) << 32 | (to as u64) << 37 | (direction as u64) << 46)
    }

    /// A capture about to begin on `from`.
    #[inline]
    pub(super) const fn standing(from: u32) -> DraughtsMove {
        DraughtsMove((from as u64) << 32 | (from as u64) << 37)
    }

    /// The capture, one jump longer.
    #[inline]
    pub(super) const fn jumping(self, direction: usize) -> DraughtsMove {
        let over = (self.to() + ROTATIONS[direction]) & 31;
        let to = (over + ROTATIONS[direction]) & 31;
        let jumps = self.jumps() as u64;
        DraughtsMove(
            self.0 & !(31 << 37) & !(15 << 42)
                | 1 << over
                | (to as u64) << 37
                | (jumps + 1) << 42
                | (direction as u64) << (46 + 2 * jumps),
        )
    }

    /// The captured pieces.
    #[inline]
    pub const fn captured(self) -> u32 {
        self.0 as u32
    }

    /// The bit that it leaves.
    #[inline]
    pub const fn from(self) -> u32 {
        (self.0 >> 32) as u32 & 31
    }

    /// The bit that it reaches.
    #[inline]
    pub const fn to(self) -> u32 {
        (self.0 >> 37) as u32 & 31
    }

    /// How many pieces it jumps; 0 for a plain move.
    #[inline]
    pub const fn jumps(self) -> usize {
        (self.0 >> 42) as usize & 15
    }

    #[inline]
    pub(super) const fn direction(self, index: usize) -> usize {
        (self.0 >> (46 + 2 * index)) as usize & 3
    }

    /// The bits that it touches, from the first to the last.
    pub(super) fn path(self) -> impl Iterator<Item = u32> {
        let hops = self.jumps().max(1);
        let steps = if self.jumps() > 0 { 2 } else { 1 };
        let next = move |bit: &mut u32, index: usize| {
            *bit = (*bit + steps * ROTATIONS[self.direction(index)]) & 31;
            Some(*bit)
        };
        std::iter::once(self.from()).chain((0..hops).scan(self.from(), next))
    }

    /// The move after turning the board by half.
    pub(super) fn turned(self) -> DraughtsMove {
        let from = (43 - self.from()) & 31;
        if self.jumps() == 0 {
            return DraughtsMove::quiet(from, self.direction(0) ^ 2);
        }
        (0..self.jumps()).fold(DraughtsMove::standing(from), |mv, index| mv.jumping(self.direction(index) ^ 2))
    }

    /// Whether a step or jump from `bit` in that direction stays on the board.
    pub(super) const fn fits(bit: u32, direction: usize, jump: bool) -> bool {
        let one = step(1 << bit, direction);
        if jump { step(one, direction) != 0 } else { one != 0 }
    }
}
