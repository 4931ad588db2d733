//! What networks see of positions.

use crate::{Position, Side};

/// Which switches are on: bit `n % 64` of word `n / 64` is switch `n`.
pub type Switches = [u64; 4];

/// The inputs of a network: numbers made from a position as one side sees it.
///
/// Most inputs are sums of *switches*, things that are so or are not: an own piece on a square, three in a row
/// somewhere. Each switch that is on adds fixed amounts to some inputs, so a network can follow a search at the price
/// of the few switches that a move turns. What is no such sum is *free* and is written anew for every position.
///
/// # Laws
///
/// 1. An input that is not free is, up to rounding, its base plus the effects of all switches that are on.
/// 2. Both sides see with the same eyes: exchanging the sides of a position (where the game has a symmetry that does)
///    and the side whose view is taken changes nothing.
pub trait Inputs<P: Position>: Send + Sync {
    /// How many numbers there are.
    fn size(&self) -> usize;

    /// Writes all of them as `side` sees them. `out` has [`Inputs::size`] places.
    fn write(&self, position: &P, side: Side, out: &mut [f32]);

    /// How many switches there are.
    fn switches(&self) -> usize;

    /// Writes what the inputs are when all switches are off; 0 for free ones.
    fn base(&self, out: &mut [f32]);

    /// What a switch adds: inputs with amounts.
    fn effects(&self, switch: usize) -> Vec<(usize, f32)>;

    /// The switches that are on as `side` sees the position.
    fn on(&self, position: &P, side: Side) -> Switches;

    /// The numbers of the free inputs, in order.
    fn free(&self) -> &[usize];

    /// Writes the free inputs alone. `out` has a place for each of [`Inputs::free`].
    fn write_free(&self, position: &P, side: Side, out: &mut [f32]);
}

/// An evaluator that is a sum of features times weights, so that learners can turn its weights.
pub trait Linear<P: Position>: Send + Sync {
    /// What each weight is called.
    fn names(&self) -> Vec<String>;

    /// The weights that the evaluator has without a file.
    fn weights(&self) -> Vec<f32>;

    /// The weights that the content of a file for `eval=NAME@FILE` holds.
    fn read(&self, file: &[u8]) -> Result<Vec<f32>, String>;

    /// Writes the features from the mover's view: the evaluator's value in hundredths is, up to its rounding, the sum
    /// of features times weights.
    fn features(&self, position: &P, out: &mut [f32]);

    /// The content of a file for `eval=NAME@FILE`. Weights are rounded and kept within the evaluator's limits.
    fn file(&self, weights: &[f32]) -> Vec<u8>;
}
