//! Samples of measurements: where they lie and how far they spread.

use serde::{Deserialize, Serialize};

use super::Estimate;
use super::distributions::student_quantile;

/// What a sample looks like.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// How many values.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// The one in the middle, or the mean of the two there.
    pub median: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
    /// The standard deviation, with n − 1; [`None`] for a single value.
    pub sd: Option<f64>,
    /// The standard error of the mean, sd/√n; [`None`] for a single value.
    pub standard_error: Option<f64>,
    /// Half the width of the 95 % interval of the mean by Student's t, t(n−1)·sd/√n; [`None`] for a single value, 0
    /// where all values are equal.
    pub mean_error: Option<f64>,
}

impl Summary {
    /// Looks at a sample. [`None`] if it is empty, if some value is infinite or no number, or if sums overflow.
    pub fn of(values: &[f64]) -> Option<Summary> {
        let count = values.len();
        let mean = mean(values)?;
        let sd = if count > 1 { Some(variance(values)?.sqrt()) } else { None };
        let standard_error = sd.map(|sd| sd / (count as f64).sqrt());
        let mean_error = match sd {
            Some(sd) => Some(mean_error(sd, count as u64)?),
            None => None,
        };
        Some(Summary {
            count,
            mean,
            median: median(values)?,
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            sd,
            standard_error,
            mean_error,
        })
    }

    /// The mean with its 95 % interval; [`None`] for a single value.
    pub fn estimate(&self) -> Option<Estimate> {
        self.mean_error.map(|error| Estimate { value: self.mean, error })
    }
}

/// Half the 95 % interval of the mean of so many values with this standard deviation, by Student's t. [`None`] for fewer than two.
pub fn mean_error(sd: f64, count: u64) -> Option<f64> {
    let quantile = student_quantile(count.checked_sub(1)? as f64)?;
    Some(quantile * (sd / (count as f64).sqrt()))
}

/// The mean. [`None`] for an empty sample, or if the sum is infinite or no number.
pub fn mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    (!values.is_empty() && sum.is_finite()).then(|| sum / values.len() as f64)
}

/// The variance of a sample, Σ(x − mean)²/(n − 1), in two passes. [`None`] for fewer than two values, or if a sum is
/// infinite or no number. Exactly 0 where all values are equal.
pub fn variance(values: &[f64]) -> Option<f64> {
    let (count, mean) = (values.len(), mean(values)?);
    if count < 2 {
        return None;
    }
    // The mean of equal values need not be their value: it is rounded.
    if values.iter().all(|value| *value == values[0]) {
        return Some(0.0);
    }
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    squares.is_finite().then(|| squares / (count - 1) as f64)
}

/// How often the second sum goes into the first, with its 95 % interval: the ratio of two means over the same things, its error
/// by the residuals a − r·b (the delta method) and Student's t. [`None`] for fewer than two pairs, or if a sum is 0, infinite or no number.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    let (above, below) = (mean(&first)?, mean(&second)?);
    let value = above / below;
    let residuals: Vec<f64> = pairs.iter().map(|(a, b)| a - value * b).collect();
    let error = Summary::of(&residuals)?.mean_error? / below.abs();
    (below != 0.0).then_some(Estimate { value, error })
}

/// The value in the middle, or the mean of the two there. [`None`] for an empty sample or if some value is infinite or
/// no number.
pub fn median(values: &[f64]) -> Option<f64> {
    if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    Some(if sorted.len() % 2 == 1 { sorted[middle] } else { sorted[middle - 1] / 2.0 + sorted[middle] / 2.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With x = [2.1, 3.4, 1.9, 5.6, 4.4, 2.8, 3.3]: `numpy.mean(x)`, `numpy.median(x)`, `numpy.std(x, ddof=1)`,
    /// `scipy.stats.sem(x)`, `scipy.stats.t.ppf(.975, 6) * scipy.stats.sem(x)`.
    #[test]
    fn summary_like_scipy() {
        let values = [2.1, 3.4, 1.9, 5.6, 4.4, 2.8, 3.3];
        let found = Summary::of(&values).expect("a summary");
        assert_eq!((found.count, found.min, found.max, found.median), (7, 1.9, 5.6, 3.3));
        let expected = [3.357142857142857, 1.2998168369134973, 0.4912845857725306, 1.2021300752116568];
        let found_values = [Some(found.mean), found.sd, found.standard_error, found.mean_error];
        for (found, expected) in found_values.into_iter().zip(expected) {
            assert!((found.expect("a value") - expected).abs() < 1e-12, "{found:?} {expected}");
        }
        let estimate = found.estimate().expect("an interval");
        assert_eq!(estimate.interval().high, found.mean + estimate.error);
    }

    /// With a = [12, 7, 30, 18], b = [6, 4, 14, 10]: r = a.sum() / b.sum();
    /// `scipy.stats.t.ppf(.975, 3) * scipy.stats.sem(a - r * b) / b.mean()`.
    #[test]
    fn ratios_like_numpy() {
        let found = ratio(&[(12.0, 6.0), (7.0, 4.0), (30.0, 14.0), (18.0, 10.0)]).expect("a ratio");
        assert!((found.value - 67.0 / 34.0).abs() < 1e-12, "{found:?}");
        assert!((found.error - 0.333_766_097_927_810_4).abs() < 1e-9, "{found:?}");
        let twice = ratio(&[(2.0, 1.0), (6.0, 3.0)]).expect("a ratio");
        assert_eq!((twice.value, twice.error), (2.0, 0.0));
        for bad in [&[][..], &[(1.0, 2.0)], &[(1.0, 0.0), (2.0, 0.0)], &[(f64::NAN, 1.0), (1.0, 1.0)]] {
            assert_eq!(ratio(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn odd_samples() {
        assert_eq!(Summary::of(&[]), None);
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(Summary::of(&[1.0, bad, 2.0]), None);
            assert_eq!(median(&[bad]), None);
        }
        assert_eq!(Summary::of(&[f64::MAX, f64::MAX]), None);
        let one = Summary::of(&[4.0]).expect("a summary");
        assert_eq!((one.mean, one.median, one.min, one.max), (4.0, 4.0, 4.0, 4.0));
        assert_eq!((one.sd, one.standard_error, one.mean_error, one.estimate()), (None, None, None, None));
        let equal = Summary::of(&[0.1; 3]).expect("a summary");
        assert_eq!((equal.sd, equal.mean_error), (Some(0.0), Some(0.0)));
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
    }
}
