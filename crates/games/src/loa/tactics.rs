//! What MIA's search knows of Lines of Action (Winands et al.): captures into the central 4×4 go first, then captures
//! into the ring around it; quiescence follows captures into the centre and those that make or break connections.

use lanista_core::{Position, Tactics};

use super::Loa;
use super::connection::with_neighbours;

impl<const N: usize> Loa<N> {
    /// The central squares: 4×4 on the 8×8 board, two rows from the edge on any other, at least 2×2.
    const CENTRE: u64 = inner::<N>(if N > 5 { 2 } else { 1 });
    /// All squares that do not touch the edge.
    const INNER: u64 = inner::<N>(1);
}

/// The squares at least `margin` away from the edge.
const fn inner<const N: usize>(margin: usize) -> u64 {
    let mut squares = 0;
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        if margin <= file && file < N - margin && margin <= rank && rank < N - margin {
            squares |= 1 << square;
        }
        square += 1;
    }
    squares
}

impl<const N: usize> Tactics for Loa<N> {
    const HISTORY_SLOTS: usize = 2 * 64 * 64;

    #[inline]
    fn history_slot(&self, mv: Self::Move) -> usize {
        (self.side_to_move().index() * 64 + mv.from() as usize) * 64 + mv.to() as usize
    }

    #[inline]
    fn urgency(&self, mv: Self::Move) -> Option<u8> {
        if !mv.is_capture() {
            None
        } else if Self::CENTRE >> mv.to() & 1 == 1 {
            Some(0)
        } else if Self::INNER >> mv.to() & 1 == 1 {
            Some(1)
        } else {
            None
        }
    }

    #[inline]
    fn is_noisy(&self, mv: Self::Move) -> bool {
        if !mv.is_capture() {
            return false;
        }
        let side = self.side_to_move();
        let (from, target) = (1u64 << mv.from(), 1u64 << mv.to());
        // The captured piece had a neighbour, or the mover gets one.
        let breaks = with_neighbours(target) & self.pieces(!side) & !target != 0;
        let forms = with_neighbours(target) & self.pieces(side) & !from != 0;
        Self::CENTRE >> mv.to() & 1 == 1 || breaks || forms
    }

    #[inline]
    fn passed(&self) -> Option<Self> {
        self.with_other_side_to_move()
    }

    #[inline]
    fn is_sparse(&self) -> bool {
        self.pieces(self.side_to_move()).count_ones() < 5
    }
}
