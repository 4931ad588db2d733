//! What a match says, and how sure that is.
//!
//! Games come in pairs: one opening, colours swapped. A pair scores 0, ¼, ½, ¾ or 1 for the first player, and pairs,
//! unlike the two games of a pair, are independent; so all intervals rest on the five counts of pairs.

use lanista_core::Outcome;

/// Pairs by what they score: two losses, a loss and a draw, even, a win and a draw, two wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairCounts(pub [u64; 5]);

/// The two-sided 95 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// An estimate with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl PairCounts {
    /// Counts a pair, given the points of the first player in its two games.
    pub fn add(&mut self, points: [f64; 2]) {
        self.0[(2.0 * (points[0] + points[1])) as usize] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a pair and its variance. Counts of zero weigh a thousandth, so that a clean sweep has a
    /// finite interval.
    fn mean_and_variance(&self) -> (f64, f64) {
        let weights = self.0.map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let total: f64 = weights.iter().sum();
        let mean = weights.iter().zip(SCORES).map(|(weight, score)| weight * score).sum::<f64>() / total;
        let spread = weights.iter().zip(SCORES).map(|(weight, score)| weight * (score - mean) * (score - mean));
        (mean, spread.sum::<f64>() / total)
    }

    /// The difference in Elo.
    pub fn elo(&self) -> Estimate {
        let (mean, variance) = self.mean_and_variance();
        let half = QUANTILE * (variance / self.pairs().max(1) as f64).sqrt();
        Estimate { value: elo(mean), error: (elo(mean + half) - elo(mean - half)) / 2.0 }
    }

    /// The likelihood that the first player is the better one.
    pub fn superiority(&self) -> f64 {
        let (mean, variance) = self.mean_and_variance();
        normal_cdf((mean - 0.5) / (variance / self.pairs().max(1) as f64).sqrt())
    }
}

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The Elo difference at which a player scores `share`.
pub fn elo(share: f64) -> f64 {
    let share = share.clamp(1e-6, 1.0 - 1e-6);
    -400.0 * (1.0 / share - 1.0).log10()
}

/// The normal distribution function (Abramowitz and Stegun 7.1.26 on the error function, better than 2·10⁻⁷).
pub fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let tail = series.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t) * (-z * z).exp() / 2.0;
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// Ratings in Elo from a table of points, mean 0, by the Bradley–Terry model (Hunter's MM iteration).
/// `points[i][j]` is what `i` scored against `j`. Every pair of players that met counts one draw more than it
/// played, so that clean scores have finite ratings.
pub fn ratings(points: &[Vec<f64>]) -> Vec<f64> {
    let count = points.len();
    let met = |i: usize, j: usize| i != j && points[i][j] + points[j][i] > 0.0;
    let score = |i: usize, j: usize| if met(i, j) { points[i][j] + 0.5 } else { 0.0 };
    let mut strength = vec![1.0f64; count];
    for _ in 0..10_000 {
        let next: Vec<f64> = (0..count)
            .map(|i| {
                let won: f64 = (0..count).map(|j| score(i, j)).sum();
                let weight: f64 = (0..count)
                    .filter(|&j| met(i, j))
                    .map(|j| (score(i, j) + score(j, i)) / (strength[i] + strength[j]))
                    .sum();
                if weight > 0.0 { won / weight } else { strength[i] }
            })
            .collect();
        let change = next.iter().zip(&strength).map(|(new, old)| (new / old - 1.0).abs()).fold(0.0, f64::max);
        strength = next;
        if change < 1e-10 {
            break;
        }
    }
    let elos: Vec<f64> = strength.iter().map(|strength| 400.0 * strength.log10()).collect();
    let mean = elos.iter().sum::<f64>() / count.max(1) as f64;
    elos.iter().map(|elo| elo - mean).collect()
}

/// Wins, draws and losses of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameCounts {
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
}

impl GameCounts {
    /// Counts a game; `outcome` is seen from the first player's seat as [`lanista_core::Side::First`].
    pub fn add(&mut self, outcome: Outcome) {
        match outcome.points(lanista_core::Side::First) {
            1.0 => self.wins += 1,
            0.0 => self.losses += 1,
            _ => self.draws += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_values() {
        // From the statistics of a public testing framework.
        let counts = PairCounts([10, 20, 40, 30, 25]);
        let elo = counts.elo();
        assert!((elo.value - 56.07).abs() < 0.01 && (elo.error - 37.37).abs() < 0.01, "{elo:?}");
        assert!((counts.superiority() - 0.9987).abs() < 0.0001);
    }

    #[test]
    fn normal_distribution_against_tables() {
        for (x, share) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.959_963_985, 0.025), (3.0, 0.998_650_102)] {
            assert!((normal_cdf(x) - share).abs() < 2e-7, "{x}");
        }
    }

    #[test]
    fn even_matches_are_even_and_sweeps_are_finite() {
        assert_eq!(PairCounts([3, 2, 5, 2, 3]).elo().value.round(), 0.0);
        let sweep = PairCounts([0, 0, 0, 0, 20]);
        assert!(sweep.elo().value.is_finite() && sweep.elo().value > 500.0 && sweep.superiority() > 0.999);
    }

    #[test]
    fn ratings_of_two_are_the_elo_of_their_score() {
        let found = ratings(&[vec![0.0, 75.0], vec![25.0, 0.0]]);
        let expected = elo(75.5 / 101.0);
        assert!((found[0] - found[1] - expected).abs() < 1e-6, "{found:?}");
        assert!((found[0] + found[1]).abs() < 1e-9);
    }
}
