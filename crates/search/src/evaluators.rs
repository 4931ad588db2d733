//! Evaluators that know no game.

use lanista_core::{Evaluator, Position, Score, mix64};

/// Every position is worth nothing: only the end of the game counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Zero;

impl<P: Position> Evaluator<P> for Zero {
    fn value(&mut self, _position: &P) -> Score {
        Score::DRAW
    }
}

/// A value that looks random and depends on the position alone: the hardest test for a search,
/// because no guess about it ever holds. Also the random heuristic of plogann's stochastic player.
#[derive(Clone, Copy, Debug, Default)]
pub struct HashRandom {
    /// Different seeds give different opinions.
    pub seed: u64,
}

impl HashRandom {
    /// Values lie from −`RANGE` to `RANGE`.
    pub const RANGE: i32 = 1000;
}

impl<P: Position> Evaluator<P> for HashRandom {
    fn value(&mut self, position: &P) -> Score {
        let hash = mix64(position.key() ^ self.seed);
        Score(((u128::from(hash) * (2 * HashRandom::RANGE as u128 + 1)) >> 64) as i32 - HashRandom::RANGE)
    }
}

/// Values finer than any evaluator's, so that a random term can break ties and never outweigh a real difference.
pub(crate) struct Noisy<'a, P> {
    inner: &'a mut dyn Evaluator<P>,
    size: u32,
    seed: u64,
}

/// How many steps of noise make the smallest difference of an evaluator.
pub(crate) const NOISE_STEPS: i32 = 16;

impl<'a, P: Position> Noisy<'a, P> {
    /// Adds a term of 0 to `size` steps, which depends on the position and the seed.
    /// Below [`NOISE_STEPS`] it only breaks ties.
    pub fn new(inner: &'a mut dyn Evaluator<P>, size: u32, seed: u64) -> Noisy<'a, P> {
        Noisy { inner, size, seed }
    }
}

/// A score with noise in the evaluator's own unit. Proved scores are not scaled.
pub(crate) fn unscaled(score: Score) -> Score {
    if score.plies_to_end().is_some() { score } else { Score(score.0.div_euclid(NOISE_STEPS)) }
}

impl<P: Position> Evaluator<P> for Noisy<'_, P> {
    fn reset(&mut self, position: &P) {
        self.inner.reset(position);
    }

    fn push(&mut self, before: &P, mv: P::Move, after: &P) {
        self.inner.push(before, mv, after);
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn value(&mut self, position: &P) -> Score {
        let hash = mix64(position.key() ^ self.seed);
        let noise = ((u128::from(hash) * (u128::from(self.size) + 1)) >> 64) as i32;
        let most = Score::PROVED.0 - 1;
        Score(self.inner.value(position).0.saturating_mul(NOISE_STEPS).saturating_add(noise).clamp(-most, most))
    }
}
