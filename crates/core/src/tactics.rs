//! What a search may know of a game beyond its rules.

use crate::{Game, MoveList};

/// Knowledge that makes searches faster or deeper and never changes what is legal. Every method has an answer that
/// is right for any game, so a new game needs to write none of them.
pub trait Tactics: Game {
    /// How many values [`Tactics::history_slot`] has.
    const HISTORY_SLOTS: usize = 1;

    /// Where a search remembers how good a move like this one was, whatever the position.
    fn history_slot(&self, _mv: Self::Move) -> usize {
        0
    }

    /// For moves that are worth trying before quiet ones: their class, the lowest first. `None` for quiet moves.
    fn urgency(&self, _mv: Self::Move) -> Option<u8> {
        None
    }

    /// Whether a quiescence search follows this move.
    fn is_noisy(&self, _mv: Self::Move) -> bool {
        false
    }

    /// Whether every legal move is noisy, so that a position must not be judged before it is resolved.
    fn is_forced(&self) -> bool {
        false
    }

    /// The board with the other side to move, where passing is worth no more than the best move in all but rare
    /// positions: the null move. `None` where a pass would often help (zugzwang), or for a finished game.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// Replaces the content of `moves` by those that win at once; if there are none, by those that take the other side's
    /// winning moves away; if there are none of these either, by all moves. Says whether they win. `None`, and `moves` is
    /// anything, where the game has no faster way to tell than to try moves.
    fn wins_or_blocks(&self, _moves: &mut MoveList<Self::Move>) -> Option<bool> {
        None
    }

    /// Whether the mover has so few pieces that a null move deserves less trust.
    fn is_sparse(&self) -> bool {
        false
    }
}
