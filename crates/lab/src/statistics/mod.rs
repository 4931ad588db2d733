//! What a match says, and how sure that is; and what samples of measurements say.
//!
//! Games come in pairs: one opening, colours swapped. A pair scores 0, ¼, ½, ¾ or 1 for the first player, and pairs,
//! unlike the two games of a pair, are independent; so all intervals of matches rest on the five counts of pairs.
//!
//! All functions are total: where there is no answer they return [`None`], and what they return is finite where their
//! documentation does not say otherwise. Sums run in the order of the input, so results do not depend on threads.

mod comparisons;
mod distributions;
mod games;
mod pairs;
mod proportions;
mod ratings;
mod samples;
mod sprt;
mod sprt_likelihood;
mod trends;

pub use comparisons::{MannWhitney, Welch, mann_whitney, welch};
pub use distributions::{normal_cdf, student_p};
pub use games::GameCounts;
pub use pairs::{NORMALISED_ELO, PairCounts, elo, expected_score};
pub use proportions::{Distinct, Interval, wilson};
pub use ratings::{Rating, rate, ratings};
pub use samples::{Summary, mean, mean_error, median, ratio, variance};
pub use sprt::{Sprt, SprtError, SprtState, Verdict};
pub use sprt_likelihood::EloModel;
pub use trends::{Trend, moving_average, trend};

use serde::{Deserialize, Serialize};

/// The two-sided 95 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// An estimate with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Half the width of the interval.
    pub error: f64,
}

impl Estimate {
    /// The interval from `value - error` to `value + error`.
    pub fn interval(&self) -> Interval {
        Interval { low: self.value - self.error, high: self.value + self.error }
    }
}
