//! A point in a game.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::{Ending, MoveList, Outcome, ParseError, Picture, RandomStream, Seed, Side};

/// How far a move is from being undone, for rules that look back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Progress {
    /// The move can be taken back by later moves: positions before it may occur again.
    Reversible,
    /// No earlier position can occur again, but the material is the same (a man's advance).
    Advance,
    /// The material changed: a capture, a promotion, a stone placed.
    Conversion,
}

/// A position: what can be known from the board, and nothing that needs the past.
///
/// What needs the past (repetition, caps, no progress) is [`crate::DrawRules`], which the referee
/// and the searches share.
///
/// # Laws
///
/// Checked for every registered game by one conformance test.
///
/// 1. `legal_moves` of a finished position is empty; of any other it is not, and its moves are distinct.
/// 2. `play` of a legal move changes the side to move. Playing an illegal move is a defect of the caller.
/// 3. `key` depends on the board and the side to move alone: equal positions have equal keys, however they
///    were reached. The same board with the other side to move has the key xored with [`crate::SIDE_KEY`].
/// 4. `parse(display(p)) == p`, and the same for moves.
/// 5. Playing commutes with each symmetry.
pub trait Position: Copy + Eq + Hash + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static {
    /// A move, as small plain data that needs no position to be displayed.
    type Move: Copy + Eq + Ord + Hash + Default + Debug + Display + FromStr<Err = ParseError> + Send + Sync + 'static;

    /// How many symmetries the rules have, the identity included.
    const SYMMETRIES: usize;

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// Replaces the content of `moves` by the legal moves, in an order fixed by the position.
    fn legal_moves(&self, moves: &mut MoveList<Self::Move>);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// The result if the board ends the game here.
    fn outcome(&self) -> Option<Outcome>;

    /// A hash of board and side to move.
    fn key(&self) -> u64;

    /// The key, computed from nothing but the board. For tests of incremental keys.
    fn recomputed_key(&self) -> u64 {
        self.key()
    }

    /// What playing `mv` would do to the past.
    fn progress(&self, mv: Self::Move) -> Progress;

    /// The value of what `side` has on the board, in the game's natural unit.
    fn material(&self, side: Side) -> u32;

    /// This position under symmetry `index` (0 is the identity). A symmetry may exchange the sides.
    fn symmetric(&self, index: usize) -> Self;

    /// A move under symmetry `index`.
    fn symmetric_move(mv: Self::Move, index: usize) -> Self::Move;

    /// The legal move that `text` names. Accepts what people write, refuses what is ambiguous or illegal.
    fn parse_move(&self, text: &str) -> Result<Self::Move, ParseError>;

    /// The board as people look at it.
    fn picture(&self) -> Picture;

    /// A legal move of an unfinished position, all equally likely.
    /// `moves` is room to work in; its content afterwards is unspecified.
    #[inline]
    fn random_move(&self, random: &mut RandomStream, moves: &mut MoveList<Self::Move>) -> Self::Move {
        random_from_list(self, random, moves)
    }

    /// Plays random games from here to the end of the board, one for every place in `ends` (how it ended, after how many
    /// plies): game `i` draws [`Position::random_move`]s from the stream of `seed.child(first + i)`. `false` if the game knows no way
    /// that is faster than one game after another.
    fn random_games(&self, _seed: Seed, _first: u64, _ends: &mut [(Ending, u32)]) -> bool {
        false
    }
}

/// A legal move drawn from the list of all: what [`Position::random_move`] does unless a game knows a faster way.
#[inline]
pub fn random_from_list<P: Position>(
    position: &P,
    random: &mut RandomStream,
    moves: &mut MoveList<P::Move>,
) -> P::Move {
    position.legal_moves(moves);
    moves[random.below(moves.len() as u32) as usize]
}
