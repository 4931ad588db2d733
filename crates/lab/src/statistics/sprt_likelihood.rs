//! Maximum likelihood of pair counts when the strength is given, the heart of the sequential test.
//!
//! After Fishtest's `LLRcalc` (M. Van den Bergh, "Comments on normalized Elo" and "The generalized maximum likelihood
//! ratio for the expectation value of a distribution").

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::pairs::{NORMALISED_ELO, PairShares, SCORES, moments};
use super::{SprtError, expected_score};

/// What the bounds of a sequential test are measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Elo by the logistic curve: a bound is a mean score.
    Logistic,
    /// Normalised Elo: a bound is a mean score in standard deviations. How long a test takes does not depend on how
    /// many games are drawn.
    #[default]
    Normalised,
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EloModel::Logistic => "logistic",
            EloModel::Normalised => "normalised",
        })
    }
}

impl FromStr for EloModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<EloModel, SprtError> {
        match text {
            "logistic" => Ok(EloModel::Logistic),
            "normalised" | "normalized" => Ok(EloModel::Normalised),
            _ => Err(SprtError::Model(text.to_string())),
        }
    }
}

impl EloModel {
    /// The most likely shares of the five kinds of pairs if the strength were `elo`, given those seen.
    pub(super) fn most_likely(self, elo: f64, seen: &PairShares) -> [f64; 5] {
        match self {
            EloModel::Logistic => {
                let score = expected_score(elo);
                tilt(&seen.shares, &SCORES.map(|value| value - score))
            }
            EloModel::Normalised => most_likely_with_t(std::f64::consts::SQRT_2 * elo / NORMALISED_ELO, &seen.shares),
        }
    }
}

/// The most likely shares with (μ − ½)/σ = t. The condition is made linear at the shares found so far, from equal
/// shares on, at most ten times: φ(a) = a − ½ − ½tσ(1 + ((a−μ)/σ)²) has the mean zero.
///
/// There is a solution in every step for |t| < 0.94, which is 231 normalised Elo: the first step has one because some
/// φ(a) is positive and some negative at equal shares; after it (μ − ½)/σ is at least t, and that is enough.
fn most_likely_with_t(t: f64, seen: &[f64; 5]) -> [f64; 5] {
    let mut shares = [0.2; 5];
    for _ in 0..10 {
        let (mean, variance) = moments(&shares);
        let sigma = variance.sqrt();
        let distances = SCORES.map(|score| {
            let z = (score - mean) / sigma;
            score - 0.5 - 0.5 * t * sigma * (1.0 + z * z)
        });
        let next = tilt(seen, &distances);
        let change = next.iter().zip(shares).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
        shares = next;
        if change < 1e-9 {
            break;
        }
    }
    shares
}

/// The most likely shares for which `distances` have the mean zero: p̂ᵢ/(1 + θdᵢ), with θ from the secular equation
/// Σ p̂ᵢdᵢ/(1 + θdᵢ) = 0. Unchanged if no shares can do that: all distances of one sign.
fn tilt(seen: &[f64; 5], distances: &[f64; 5]) -> [f64; 5] {
    let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
    let most = distances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return *seen;
    }
    let theta = secular_root(seen, distances, -1.0 / most, -1.0 / least);
    std::array::from_fn(|kind| seen[kind] / (1.0 + theta * distances[kind]))
}

/// The root of the secular equation between its two poles, where it falls from +∞ to −∞: Newton's steps, and
/// bisection where they leave the bracket.
fn secular_root(seen: &[f64; 5], distances: &[f64; 5], mut low: f64, mut high: f64) -> f64 {
    let mut theta = 0.0f64;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for (share, distance) in seen.iter().zip(distances) {
            let part = distance / (1.0 + theta * distance);
            value += share * part;
            slope -= share * part * part;
        }
        if value > 0.0 {
            low = theta
        } else {
            high = theta
        }
        let newton = theta - value / slope;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        let change = (next - theta).abs();
        theta = next;
        if change <= 1e-14 * theta.abs() || change < 1e-16 || high - low < 1e-16 {
            break;
        }
    }
    theta
}

#[cfg(test)]
mod tests {
    use super::super::PairCounts;
    use super::*;

    #[test]
    fn conditions_are_met() {
        let cases =
            [[10, 20, 40, 30, 25], [0, 0, 0, 0, 20], [20, 0, 0, 0, 0], [0, 0, 9, 0, 0], [5, 0, 0, 0, 5], [0; 5]];
        for counts in cases {
            let seen = PairCounts(counts).shares();
            for elo in [-200.0, -20.0, 0.0, 3.0, 50.0, 200.0] {
                let shares = EloModel::Logistic.most_likely(elo, &seen);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{counts:?} {elo} {shares:?}");
                assert!((moments(&shares).0 - expected_score(elo)).abs() < 1e-9, "{counts:?} {elo}");

                let shares = EloModel::Normalised.most_likely(elo, &seen);
                let (mean, variance) = moments(&shares);
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{counts:?} {elo} {shares:?}");
                assert!(shares.iter().all(|&share| share > 0.0));
                let found = (mean - 0.5) / variance.sqrt() * NORMALISED_ELO / std::f64::consts::SQRT_2;
                let tolerance = if elo.abs() < 100.0 { 0.01 } else { 2.0 };
                assert!((found - elo).abs() < tolerance, "{counts:?} {elo} {found}");
            }
        }
    }

    #[test]
    fn no_solution_leaves_the_shares() {
        let seen = [0.1, 0.2, 0.4, 0.2, 0.1];
        assert_eq!(tilt(&seen, &[1.0, 2.0, 3.0, 4.0, 5.0]), seen);
        assert_eq!(tilt(&seen, &[0.0; 5]), seen);
    }

    #[test]
    fn names() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        let error = "elo".parse::<EloModel>().expect_err("no model");
        assert_eq!(error.to_string(), "model \"elo\": expected logistic or normalised");
    }
}
