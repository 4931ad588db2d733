//! The sequential probability ratio test: play until it is clear.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::pairs::NORMALISED_ELO;
use super::{EloModel, PairCounts, expected_score};

/// A sequential test of "the first player is `elo1` better" (H1) against "it is `elo0` better" (H0), after pairs of
/// games (Wald's SPRT in its generalised form, as Fishtest does it).
///
/// ```
/// use lanista_lab::statistics::{PairCounts, Sprt, Verdict};
/// let test: Sprt = "0,10".parse().unwrap();
/// let state = test.status(&PairCounts([10, 20, 40, 30, 25]));
/// assert!((state.llr - 1.2203).abs() < 0.0001);
/// assert_eq!(state.verdict, Verdict::Undecided);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields", into = "Fields")]
pub struct Sprt(Fields);

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Fields {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// What is wrong with a test.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// Not two numbers with a comma.
    #[error("test {0:?}: expected two bounds in Elo with a comma between, like 0,10")]
    Text(String),
    /// A bound too far out.
    #[error("bound {0} of the test: expected {MOST_ELO} Elo at most, up or down")]
    Bound(f64),
    /// Bounds in the wrong order or too close.
    #[error("bounds {0},{1} of the test: expected the second to be at least {LEAST_DISTANCE} above the first")]
    Order(f64, f64),
    /// An error rate that is none.
    #[error("error rate {0} of the test: expected a number from {LEAST_RATE} to 0.49")]
    Rate(f64),
    /// No such model.
    #[error("model {0:?}: expected logistic or normalised")]
    Model(String),
}

/// Beyond this the maximum likelihood of the normalised model need not exist.
const MOST_ELO: f64 = 200.0;
const LEAST_DISTANCE: f64 = 0.01;
const LEAST_RATE: f64 = 1e-6;

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// More games are needed.
    Undecided,
    /// The first player is not `elo1` better.
    AcceptH0,
    /// The first player is more than `elo0` better.
    AcceptH1,
}

/// Where a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The logarithm of the likelihood ratio of H1 to H0.
    pub llr: f64,
    /// At this ratio or below H0 is accepted.
    pub lower: f64,
    /// At this ratio or above H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub verdict: Verdict,
    /// How many games are still to be expected if the players go on as they did, 0 when the test is decided. A rough
    /// guess, and after few games a bad one.
    ///
    /// The ratio is taken for a Brownian motion with the drift and the variance a pair had so far. The most likely
    /// shares p0, p1 do not move to first order, so these are the mean and the variance of ln(p1/p0) over the pairs.
    pub games_left: f64,
}

impl TryFrom<Fields> for Sprt {
    type Error = SprtError;

    fn try_from(fields: Fields) -> Result<Sprt, SprtError> {
        let Fields { elo0, elo1, alpha, beta, .. } = fields;
        // Written so that what is no number is an error.
        if let Some(&bound) = [elo0, elo1].iter().find(|bound| !(-MOST_ELO..=MOST_ELO).contains(*bound)) {
            return Err(SprtError::Bound(bound));
        }
        if elo1 - elo0 < LEAST_DISTANCE {
            return Err(SprtError::Order(elo0, elo1));
        }
        match [alpha, beta].iter().find(|rate| !(LEAST_RATE..=0.49).contains(*rate)) {
            Some(&rate) => Err(SprtError::Rate(rate)),
            None => Ok(Sprt(fields)),
        }
    }
}

impl From<Sprt> for Fields {
    fn from(test: Sprt) -> Fields {
        test.0
    }
}

/// `elo0,elo1`: error rates of 0.05, normalised Elo. See [`Sprt::with_model`] and [`Sprt::with_errors`] for others.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let number = |part: &str| part.trim().parse::<f64>().map_err(|_| SprtError::Text(text.to_string()));
        let (elo0, elo1) = text.split_once(',').ok_or_else(|| SprtError::Text(text.to_string()))?;
        Sprt::new(number(elo0)?, number(elo1)?, 0.05, 0.05, EloModel::default())
    }
}

impl Sprt {
    /// A test. Bounds are within ±200 and at least 0.01 apart, error rates from 10⁻⁶ to 0.49.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, SprtError> {
        Fields { elo0, elo1, alpha, beta, model }.try_into()
    }

    /// The same test with its bounds in that model.
    pub fn with_model(self, model: EloModel) -> Sprt {
        Sprt(Fields { model, ..self.0 })
    }

    /// The same test with other error rates.
    pub fn with_errors(self, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        Fields { alpha, beta, ..self.0 }.try_into()
    }

    /// The difference in strength under H0.
    pub fn elo0(&self) -> f64 {
        self.0.elo0
    }

    /// The difference in strength under H1.
    pub fn elo1(&self) -> f64 {
        self.0.elo1
    }

    /// How often H1 is accepted though H0 is true.
    pub fn alpha(&self) -> f64 {
        self.0.alpha
    }

    /// How often H0 is accepted though H1 is true.
    pub fn beta(&self) -> f64 {
        self.0.beta
    }

    /// What the bounds are measured in.
    pub fn model(&self) -> EloModel {
        self.0.model
    }

    /// The two ratios at which the test ends: ln(β/(1−α)) and ln((1−β)/α) (A. Wald, "Sequential tests of statistical
    /// hypotheses", 1945).
    pub fn bounds(&self) -> (f64, f64) {
        let Fields { alpha, beta, .. } = self.0;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// Where the test stands after these pairs: LLR = N Σ p̂ᵢ ln(p1ᵢ/p0ᵢ), with the N pairs' shares p̂ and the most
    /// likely shares p0, p1 under the hypotheses. Without pairs it is undecided.
    pub fn status(&self, counts: &PairCounts) -> SprtState {
        let Fields { elo0, elo1, model, .. } = self.0;
        let seen = counts.shares();
        let (p0, p1) = (model.most_likely(elo0, &seen), model.most_likely(elo1, &seen));
        let steps: [f64; 5] = std::array::from_fn(|kind| (p1[kind] / p0[kind]).ln());
        let drift: f64 = seen.shares.iter().zip(steps).map(|(share, step)| share * step).sum();
        let spread = seen.shares.iter().zip(steps).map(|(share, step)| share * (step - drift) * (step - drift)).sum();
        let llr = seen.total * drift;
        let (lower, upper) = self.bounds();
        let verdict = match llr {
            // A count of zero weighs something, but nothing is decided by no games.
            _ if counts.pairs() == 0 => Verdict::Undecided,
            llr if llr >= upper => Verdict::AcceptH1,
            llr if llr <= lower => Verdict::AcceptH0,
            _ => Verdict::Undecided,
        };
        let games_left = match verdict {
            Verdict::Undecided => 2.0 * steps_to_exit(llr, (lower, upper), drift, spread),
            _ => 0.0,
        };
        SprtState { llr, lower, upper, verdict, games_left }
    }

    /// How many games the test takes on average if the first player is `elo` better, in the Elo of the test's model.
    /// `pair_variance` is that of a pair's score, of use to the logistic model only (0.05 to 0.1 are usual, 0.125 is
    /// that of two independent games without draws).
    ///
    /// By Wald's approximation: the ratio is a Brownian motion with the drift d(2t − t0 − t1)/2 and the variance d² a
    /// pair, with d = t1 − t0 and strengths t in standard deviations. For rates of 0.05 that is 5.30(347.4/Δ)² games
    /// when `elo` is a bound and 8.67(347.4/Δ)² in the middle, Δ normalised Elo between the bounds. Tests with real
    /// pairs take a little longer: the last pair jumps over the bound. Infinite if `elo` or the variance is no number
    /// or the variance not above 0.
    pub fn expected_games(&self, elo: f64, pair_variance: f64) -> f64 {
        let Fields { elo0, elo1, model, .. } = self.0;
        let [t, t0, t1] = [elo, elo0, elo1].map(|elo| match model {
            EloModel::Logistic => (expected_score(elo) - 0.5) / pair_variance.sqrt(),
            EloModel::Normalised => std::f64::consts::SQRT_2 * elo / NORMALISED_ELO,
        });
        let d = t1 - t0;
        2.0 * steps_to_exit(0.0, self.bounds(), d * (2.0 * t - t0 - t1) / 2.0, d * d)
    }
}

/// The mean time a Brownian motion from `start` needs to leave `bounds`: (P·upper + (1−P)·lower − start)/drift with the
/// chance P = (1 − e^(−k(start−lower)))/(1 − e^(−k(upper−lower))), k = 2·drift/variance, to leave at the upper one;
/// without drift (start−lower)(upper−start)/variance. At least one, and infinite if it does not move.
fn steps_to_exit(start: f64, bounds: (f64, f64), drift: f64, variance: f64) -> f64 {
    let (below, above) = (start - bounds.0, bounds.1 - start);
    let k = 2.0 * drift / variance;
    let steps = if !k.is_finite() || variance <= 0.0 {
        return f64::INFINITY;
    } else if (k * (below + above)).abs() < 1e-4 {
        below * above / variance
    } else {
        // Numerator and denominator have the same sign; both are written for a positive k to avoid overflow.
        let up = if k > 0.0 {
            (-k * below).exp_m1() / (-k * (below + above)).exp_m1()
        } else {
            1.0 - (k * above).exp_m1() / (k * (below + above)).exp_m1()
        };
        (up * above - (1.0 - up) * below) / drift
    };
    if steps.is_nan() { f64::INFINITY } else { steps.max(1.0) }
}

#[cfg(test)]
#[path = "sprt_tests.rs"]
mod tests;
