//! Opinions about positions.

use crate::{Position, Score};

/// The value of an unfinished position from the mover's view.
///
/// An evaluator may keep an accumulator that a search carries down the tree, so that a move costs
/// only what it changes. Evaluators that need none use `()`.
///
/// # Laws
///
/// 1. `value` lies strictly between −[`Score::PROVED`] and [`Score::PROVED`].
/// 2. `value` is a function of the position: an accumulator updated along any path
///    gives the same value, to the bit, as a fresh one.
pub trait Evaluator<P: Position> {
    /// What is carried down the tree.
    type Accumulator: Clone;

    /// The accumulator of a position, from nothing.
    fn accumulate(&self, position: &P) -> Self::Accumulator;

    /// Turns the accumulator of `before` into that of `after`, the position that `mv` led to.
    fn update(&self, accumulator: &mut Self::Accumulator, before: &P, mv: P::Move, after: &P);

    /// The value of an unfinished position, given its accumulator.
    fn value(&self, position: &P, accumulator: &Self::Accumulator) -> Score;
}
