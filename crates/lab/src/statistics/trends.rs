//! Series: straight lines through them, and smoothing.

use serde::{Deserialize, Serialize};

use super::{mean, student_p};

/// The straight line of least squares through points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// How much y grows with x.
    pub slope: f64,
    /// y at x = 0.
    pub intercept: f64,
    /// The share of the variance of y that the line explains; [`None`] if all y are equal.
    pub r_squared: Option<f64>,
    /// The standard error of the slope; [`None`] for fewer than three points.
    pub standard_error: Option<f64>,
    /// The slope in standard errors; [`None`] where there is no standard error or it is 0.
    pub t: Option<f64>,
    /// How likely a slope so far from 0 is if there is none, both directions, by Student's t with n − 2 degrees of
    /// freedom; [`None`] like `t`.
    pub p: Option<f64>,
}

/// The straight line of least squares through the points (x, y): slope Sxy/Sxx, standard error √(SSE/(n−2)/Sxx).
///
/// [`None`] for fewer than two points, if all x are equal, or if a value is infinite or no number.
pub fn trend(points: &[(f64, f64)]) -> Option<Trend> {
    let xs: Vec<f64> = points.iter().map(|point| point.0).collect();
    let ys: Vec<f64> = points.iter().map(|point| point.1).collect();
    let (mean_x, mean_y) = (mean(&xs)?, mean(&ys)?);
    let equal = |values: &[f64]| values.iter().all(|value| *value == values[0]);
    if equal(&xs) {
        return None;
    }
    let spread = |values: &[f64], mean: f64| values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    let (sxx, syy) = (spread(&xs, mean_x), if equal(&ys) { 0.0 } else { spread(&ys, mean_y) });
    let sxy = if syy == 0.0 { 0.0 } else { points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() };
    let slope = sxy / sxx;
    let intercept = mean_y - slope * mean_x;
    if sxx == 0.0 || ![sxx, syy, sxy, slope, intercept].iter().all(|value| value.is_finite()) {
        return None;
    }
    let rest = |(x, y): &(f64, f64)| y - mean_y - slope * (x - mean_x);
    let errors: f64 = if syy == 0.0 { 0.0 } else { points.iter().map(|point| rest(point) * rest(point)).sum() };
    let freedom = points.len() as f64 - 2.0;
    let standard_error = (points.len() > 2).then(|| (errors / freedom / sxx).sqrt());
    let t = standard_error.filter(|error| *error > 0.0).map(|error| slope / error).filter(|t| t.is_finite());
    Some(Trend {
        slope,
        intercept,
        r_squared: (syy > 0.0).then(|| (1.0 - errors / syy).clamp(0.0, 1.0)),
        standard_error,
        t,
        p: t.and_then(|t| student_p(t, freedom)),
    })
}

/// The centred moving average: each value becomes the mean of `width` values around it, of those that are there at the
/// ends. An even width takes one value more before than after; a width of 0 means 1. As many values as before; one that
/// is no number spoils the means it is part of, and no others.
pub fn moving_average(values: &[f64], width: usize) -> Vec<f64> {
    let width = width.max(1);
    (0..values.len())
        .map(|at| {
            let from = at.saturating_sub(width / 2);
            let to = at.saturating_add((width - 1) / 2).min(values.len() - 1);
            let window = &values[from..=to];
            window.iter().sum::<f64>() / window.len() as f64
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.linregress(x, y)`: slope, intercept, rvalue**2, stderr, slope/stderr, pvalue.
    #[test]
    fn trend_like_scipy() {
        let ys = [2.1, 3.4, 1.9, 5.6, 4.4, 2.8, 3.3, 6.1];
        let points: Vec<(f64, f64)> = ys.iter().enumerate().map(|(x, y)| (x as f64 * 10.0 + 5.0, *y)).collect();
        let found = trend(&points).expect("a line");
        let expected = [
            0.03452380952380952,
            2.319047619047619,
            0.2993990658464341,
            0.02156022169380493,
            1.6012734012716352,
            0.1604352167369407,
        ];
        let all = [Some(found.slope), Some(found.intercept), found.r_squared, found.standard_error, found.t, found.p];
        for (found, expected) in all.into_iter().zip(expected) {
            assert!((found.expect("a value") - expected).abs() < 1e-12, "{found:?} {expected}");
        }
    }

    #[test]
    fn odd_series() {
        assert_eq!(trend(&[]), None);
        assert_eq!(trend(&[(1.0, 2.0)]), None);
        assert_eq!(trend(&[(1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(trend(&[(1.0, 2.0), (f64::NAN, 3.0)]), None);
        assert_eq!(trend(&[(1.0, 2.0), (2.0, f64::INFINITY)]), None);
        let two = trend(&[(1.0, 2.0), (2.0, 4.0)]).expect("a line");
        assert_eq!((two.slope, two.intercept, two.r_squared, two.standard_error), (2.0, 0.0, Some(1.0), None));
        let flat = trend(&[(1.0, 0.1), (2.0, 0.1), (3.0, 0.1)]).expect("a line");
        assert_eq!((flat.slope, flat.r_squared, flat.standard_error), (0.0, None, Some(0.0)));
        assert_eq!((flat.t, flat.p), (None, None));
        let exact = trend(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]).expect("a line");
        assert_eq!((exact.slope, exact.standard_error, exact.t, exact.p), (1.0, Some(0.0), None, None));
    }

    #[test]
    fn smoothing() {
        let values = [1.0, 2.0, 6.0, 3.0, 8.0];
        assert_eq!(moving_average(&values, 3), [1.5, 3.0, 11.0 / 3.0, 17.0 / 3.0, 5.5]);
        assert_eq!(moving_average(&values, 2), [1.0, 1.5, 4.0, 4.5, 5.5]);
        assert_eq!(moving_average(&values, 1), values);
        assert_eq!(moving_average(&values, 0), values);
        assert_eq!(moving_average(&values, usize::MAX), [4.0; 5]);
        assert!(moving_average(&[], 3).is_empty());
        assert_eq!(moving_average(&[f64::NAN, 1.0, 1.0, 1.0], 3)[2..], [1.0, 1.0]);
    }
}
