//! A move with its whole path.

use super::geometry::{ROTATIONS, step};

/// A move in twelve bytes. The path says all; the two sets follow from it and make playing it a few operations.
///
/// No piece can jump more than nine times: the squares that it can reach by jumps are joined by nine diagonals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DraughtsMove {
    /// Start bit (5 bits), number of jumps (4), directions (2 each). A move without jumps has one direction.
    path: u32,
    /// The start and the end; nothing for a king that jumps in a circle.
    ends: u32,
    captured: u32,
}

impl DraughtsMove {
    pub(super) const MOST_JUMPS: usize = 9;

    /// A step in a direction that arrives on the one bit of `target`.
    #[inline]
    pub(super) const fn quiet(target: u32, direction: usize) -> DraughtsMove {
        let origin = target.rotate_right(ROTATIONS[direction]);
        DraughtsMove { path: origin.trailing_zeros() | (direction as u32) << 9, ends: origin | target, captured: 0 }
    }

    /// A jump in a direction that lands on the one bit of `target`.
    #[inline]
    pub(super) const fn jump(target: u32, direction: usize) -> DraughtsMove {
        let over = target.rotate_right(ROTATIONS[direction]);
        let origin = over.rotate_right(ROTATIONS[direction]);
        DraughtsMove {
            path: origin.trailing_zeros() | 1 << 5 | (direction as u32) << 9,
            ends: origin | target,
            captured: over,
        }
    }

    /// The capture, one jump longer, landing on `target`.
    #[inline]
    pub(super) const fn then_jump(self, target: u32, direction: usize) -> DraughtsMove {
        let over = target.rotate_right(ROTATIONS[direction]);
        let last = over.rotate_right(ROTATIONS[direction]);
        DraughtsMove {
            path: (self.path + (1 << 5)) | ((direction as u32) << (9 + 2 * self.jumps())),
            ends: self.ends ^ last ^ target,
            captured: self.captured | over,
        }
    }

    /// The captured pieces.
    #[inline]
    pub const fn captured(self) -> u32 {
        self.captured
    }

    /// The start and the end as a set; nothing if they are the same.
    #[inline]
    pub(super) const fn ends(self) -> u32 {
        self.ends
    }

    /// The bit that it leaves.
    #[inline]
    pub const fn from(self) -> u32 {
        self.path & 31
    }

    /// The bit that it reaches.
    #[inline]
    pub const fn to(self) -> u32 {
        match self.ends & !(1 << self.from()) {
            0 => self.from(),
            end => end.trailing_zeros(),
        }
    }

    /// How many pieces it jumps; 0 for a plain move.
    #[inline]
    pub const fn jumps(self) -> usize {
        (self.path >> 5) as usize & 15
    }

    #[inline]
    const fn direction(self, index: usize) -> usize {
        (self.path >> (9 + 2 * index)) as usize & 3
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

    /// The move along a path of bits, if each is one step, or each is one jump, from the one before.
    /// For two bits both readings are tried; they never fit both.
    pub(super) fn along(path: &[u32]) -> Option<DraughtsMove> {
        let &[from, next, ref rest @ ..] = path else { return None };
        let jump_to =
            |from: u32, to: u32| (0..4).find(|&direction| step(step(1 << from, direction), direction) == 1 << to);
        if rest.is_empty()
            && let Some(direction) = (0..4).find(|&direction| step(1 << from, direction) == 1 << next)
        {
            return Some(DraughtsMove::quiet(1 << next, direction));
        }
        if rest.len() >= Self::MOST_JUMPS {
            return None;
        }
        let mut mv = DraughtsMove::jump(1 << next, jump_to(from, next)?);
        for hop in path[1..].windows(2) {
            mv = mv.then_jump(1 << hop[1], jump_to(hop[0], hop[1])?);
        }
        Some(mv)
    }

    /// The move after turning the board by half.
    pub(super) fn turned(self) -> DraughtsMove {
        let path: Vec<u32> = self.path().map(|bit| (43 - bit) & 31).collect();
        DraughtsMove::along(&path).unwrap_or(self)
    }
}
