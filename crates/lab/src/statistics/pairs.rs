//! Pairs of games: counts, Elo, normalised Elo, likelihood of superiority.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::{Estimate, QUANTILE, normal_cdf, wilson};

/// What the five kinds of pairs score.
pub(super) const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The weight of a count of zero, as in Fishtest: a clean sweep has a finite interval.
const ZERO_COUNT: f64 = 1e-3;

/// Normalised Elo for one standard deviation of a game: 800/ln 10, so that it is about Elo where there are no draws
/// (M. Van den Bergh, "Normalized Elo").
pub const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// Pairs by what they score: two losses, a loss and a draw, even, a win and a draw, two wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PairCounts(pub [u64; 5]);

/// The shares of the five kinds of pairs, none of them zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairShares {
    /// The number of pairs, with what zero counts weigh.
    pub total: f64,
    /// The shares.
    pub shares: [f64; 5],
}

impl PairShares {
    /// Mean and variance of a pair's score.
    pub fn moments(&self) -> (f64, f64) {
        moments(&self.shares)
    }
}

/// Mean and variance of the score of a pair, given the shares of the five kinds.
pub(super) fn moments(shares: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = shares.iter().zip(SCORES).map(|(share, score)| share * score).sum();
    let variance = shares.iter().zip(SCORES).map(|(share, score)| share * (score - mean) * (score - mean)).sum();
    (mean, variance)
}

impl PairCounts {
    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The number of games: two a pair.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The mean score of a pair, between 0 and 1; [`None`] without pairs.
    pub fn score(&self) -> Option<f64> {
        let points: f64 = self.0.iter().zip(SCORES).map(|(&count, score)| count as f64 * score).sum();
        (self.pairs() > 0).then(|| points / self.pairs() as f64)
    }

    pub(super) fn shares(&self) -> PairShares {
        let weights = self.0.map(|count| if count == 0 { ZERO_COUNT } else { count as f64 });
        let total: f64 = weights.iter().sum();
        PairShares { total, shares: weights.map(|weight| weight / total) }
    }

    /// Half the 95 % interval of the mean score. Pairs that are all alike have no spread to judge by: there it is what Wilson's
    /// interval leaves to pairs of other kinds, were they all at the farther end.
    pub fn score_error(&self) -> f64 {
        match (self.score(), wilson(0.0, self.pairs())) {
            (Some(score), Some(others)) if self.0.contains(&self.pairs()) => others.high * score.max(1.0 - score),
            _ => {
                let (_, variance) = self.shares().moments();
                QUANTILE * (variance / self.shares().total).sqrt()
            }
        }
    }

    /// The difference in Elo, −400 log₁₀(1/s − 1) of the mean score s. The error is half of
    /// Elo(s + 1.96√(v/N)) − Elo(s − 1.96√(v/N)), with the variance v of a pair's score and N pairs, as in Fishtest;
    /// pairs that are all alike as in [`score_error`](PairCounts::score_error).
    /// Without pairs 0, with the widest error there is (see [`elo`]).
    pub fn elo(&self) -> Estimate {
        let (mean, half) = (self.shares().moments().0, self.score_error());
        Estimate { value: elo(mean), error: (elo(mean + half) - elo(mean - half)) / 2.0 }
    }

    /// The difference in normalised Elo, (s − ½)/√(2v) · 800/ln 10 with mean s and variance v of a pair's score
    /// (M. Van den Bergh, "Normalized Elo"): the edge in standard deviations of a game, which does not depend on how
    /// many games are drawn.
    ///
    /// The error is by the delta method: t = (s − ½)/√v has the influence function z − t(z² − 1)/2 at a standardised
    /// score z, and its variance over N is that of the estimate. Clean sweeps have hardly any variance, so their values
    /// are huge and say little. Without pairs the value is 0 and the error thousands of Elo.
    pub fn normalised_elo(&self) -> Estimate {
        let pairs = self.shares();
        let (mean, variance) = pairs.moments();
        let sigma = variance.sqrt();
        let t = (mean - 0.5) / sigma;
        let influence = SCORES.map(|score| (score - mean) / sigma).map(|z| z - t * (z * z - 1.0) / 2.0);
        let spread: f64 = pairs.shares.iter().zip(influence).map(|(share, value)| share * value * value).sum();
        let unit = NORMALISED_ELO / std::f64::consts::SQRT_2;
        Estimate { value: t * unit, error: QUANTILE * (spread / pairs.total).sqrt() * unit }
    }

    /// The likelihood that the first player is the better one, Φ((s − ½)/√(v/N)) with mean s and variance v of a pair's
    /// score and N pairs, as in Fishtest. Without pairs ½.
    pub fn superiority(&self) -> f64 {
        let (mean, variance) = self.shares().moments();
        normal_cdf((mean - 0.5) / (variance / self.shares().total).sqrt())
    }
}

/// The counts of two matches together.
impl AddAssign for PairCounts {
    fn add_assign(&mut self, other: PairCounts) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

/// The Elo difference at which a player scores `share`: −400 log₁₀(1/s − 1). Shares are kept a millionth away from 0
/// and 1, so the result stays within ±2400.
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / share - 1.0).log10()
}

/// What a player scores who is `elo` better: 1/(1 + 10^(−elo/400)).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_values() {
        // From the statistics of a public testing framework.
        let counts = PairCounts([10, 20, 40, 30, 25]);
        let elo = counts.elo();
        assert!((elo.value - 56.07).abs() < 0.005 && (elo.error - 37.37).abs() < 0.005, "{elo:?}");
        assert!((counts.superiority() - 0.9987).abs() < 0.00005);
        // (s − ½)/√(2v) · 347.4356 with s = 0.58, v = 0.0886 by hand.
        let normalised = counts.normalised_elo();
        assert!((normalised.value - 0.08 / (2.0f64 * 0.0886).sqrt() * 347.435_585_522_6).abs() < 1e-9);
        assert!((NORMALISED_ELO - 347.4356).abs() < 1e-4);
    }

    #[test]
    fn counting_and_merging() {
        let counts = PairCounts([1, 1, 2, 1, 1]);
        assert_eq!((counts.pairs(), counts.games(), counts.score()), (6, 12, Some(0.5)));
        let mut both = counts;
        both += PairCounts([1, 0, 0, 0, 5]);
        assert_eq!(both, PairCounts([2, 1, 2, 1, 6]));
    }

    #[test]
    fn even_matches_are_even() {
        let even = PairCounts([3, 2, 5, 2, 3]);
        assert!(even.elo().value.abs() < 1e-9 && even.normalised_elo().value.abs() < 1e-9);
        assert!((even.superiority() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn everything_is_finite() {
        let sweep = PairCounts([0, 0, 0, 0, 20]);
        assert!(sweep.elo().value > 500.0 && sweep.superiority() > 0.999);
        let mut cases = vec![PairCounts::default(), PairCounts([u64::MAX / 8; 5])];
        cases.extend((0..5).map(|kind| PairCounts(std::array::from_fn(|index| u64::from(index == kind)))));
        for counts in cases {
            for estimate in [counts.elo(), counts.normalised_elo()] {
                assert!(estimate.value.is_finite() && estimate.error.is_finite(), "{counts:?} {estimate:?}");
            }
            assert!((0.0..=1.0).contains(&counts.superiority()), "{counts:?}");
        }
        let none = PairCounts::default();
        assert_eq!(none.score(), None);
        assert!(none.elo().value.abs() < 1e-9 && none.elo().error > 2000.0, "{:?}", none.elo());
        assert_eq!(none.superiority(), 0.5);
    }

    /// Two equal players without chance have nothing but even pairs: that tells little after five, and much after a thousand.
    #[test]
    fn pairs_that_are_all_alike() {
        let even = |pairs| PairCounts([0, 0, pairs, 0, 0]);
        assert!((even(20).score_error() - 0.5 * wilson(0.0, 20).unwrap().high).abs() < 1e-12);
        assert!(even(5).score_error() > 0.2 && even(1000).score_error() < 0.002);
        assert!(even(20).elo().error > 50.0, "{:?}", even(20).elo());
        let sweep = PairCounts([0, 0, 0, 0, 20]);
        assert!((sweep.score_error() - wilson(0.0, 20).unwrap().high).abs() < 1e-12);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for share in [0.01, 0.3, 0.5, 0.75, 0.999] {
            assert!((expected_score(elo(share)) - share).abs() < 1e-12);
        }
        assert!(elo(0.0) > -2401.0 && elo(1.0) < 2401.0);
    }
}
