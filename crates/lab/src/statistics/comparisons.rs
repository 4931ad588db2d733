//! Two samples: do they differ?

use serde::{Deserialize, Serialize};

use super::{mean, normal_cdf, student_p, variance};

/// What Welch's test says of two samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Welch {
    /// The difference of the means in standard errors, first less second.
    pub t: f64,
    /// Degrees of freedom, not a whole number.
    pub df: f64,
    /// How likely a t so far from 0 is if the means are equal, both directions.
    pub p: f64,
}

/// Welch's t-test: are the means of two samples equal, if their variances need not be (B. L. Welch, "The
/// generalization of Student's problem when several different population variances are involved", 1947)?
///
/// [`None`] if a sample has fewer than two values or a value that is infinite or no number, or if all values of each
/// sample are equal: without spread there is nothing to measure a difference with.
pub fn welch(first: &[f64], second: &[f64]) -> Option<Welch> {
    let part = |values: &[f64]| Some((mean(values)?, variance(values)? / values.len() as f64, values.len() as f64));
    let ((mean1, error1, count1), (mean2, error2, count2)) = (part(first)?, part(second)?);
    let error = error1 + error2;
    // The shares of the error rather than the errors themselves: their squares might underflow.
    let (share1, share2) = (error1 / error, error2 / error);
    let t = (mean1 - mean2) / error.sqrt();
    let df = 1.0 / (share1 * share1 / (count1 - 1.0) + share2 * share2 / (count2 - 1.0));
    (error > 0.0 && t.is_finite()).then_some(())?;
    Some(Welch { t, df, p: student_p(t, df)? })
}

/// What the test of Mann and Whitney says of two samples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MannWhitney {
    /// In how many pairs of one value of each sample the first is the greater one; ties count a half.
    pub u: f64,
    /// The distance of U from its mean in standard deviations, half a step closer to 0 for continuity; above 0 if the
    /// first sample has the greater values.
    pub z: f64,
    /// How likely a U so far from its mean is if both samples come from one distribution, both directions.
    pub p: f64,
}

/// The U test of two samples (H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is
/// stochastically larger than the other", 1947), by the normal approximation with the corrections for ties and for
/// continuity, like SciPy's `mannwhitneyu(method="asymptotic")`. The approximation is good from about eight values a
/// sample on.
///
/// [`None`] if a sample is empty or has a value that is no number. If all values are equal, z is 0 and p is 1.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Option<MannWhitney> {
    let (count1, count2) = (first.len() as f64, second.len() as f64);
    let mut all: Vec<(f64, bool)> =
        first.iter().map(|&value| (value, true)).chain(second.iter().map(|&value| (value, false))).collect();
    if first.is_empty() || second.is_empty() || all.iter().any(|(value, _)| value.is_nan()) {
        return None;
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut ranks, mut ties, mut before) = (0.0, 0.0, 0.0);
    for equal in all.chunk_by(|a, b| a.0 == b.0) {
        let size = equal.len() as f64;
        // The mean of the places, from 1, that equal values take.
        ranks += equal.iter().filter(|(_, is_first)| *is_first).count() as f64 * (before + (size + 1.0) / 2.0);
        ties += size * size * size - size;
        before += size;
    }
    let u = ranks - count1 * (count1 + 1.0) / 2.0;
    let total = count1 + count2;
    let sd = (count1 * count2 / 12.0 * (total + 1.0 - ties / (total * (total - 1.0)))).max(0.0).sqrt();
    let distance = u - count1 * count2 / 2.0;
    if sd == 0.0 {
        return Some(MannWhitney { u, z: 0.0, p: 1.0 });
    }
    let size = ((distance.abs() - 0.5) / sd).max(0.0);
    Some(MannWhitney { u, z: if distance < 0.0 { -size } else { size }, p: (2.0 * normal_cdf(-size)).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const X: [f64; 7] = [2.1, 3.4, 1.9, 5.6, 4.4, 2.8, 3.3];
    const Y: [f64; 9] = [4.9, 6.1, 3.3, 7.2, 5.8, 6.6, 4.4, 5.0, 9.1];
    const A: [f64; 8] = [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 5.0];
    const B: [f64; 6] = [2.0, 3.0, 3.0, 1.0, 4.0, 2.0];

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-11 * expected.abs().max(1.0)
    }

    /// `scipy.stats.ttest_ind(x, y, equal_var=False)`: statistic, df, pvalue.
    #[test]
    fn welch_like_scipy() {
        let cases = [
            [-3.282176009582061, 13.99997315173884, 0.005452268985067094],
            [0.6103172860029517, 11.769810573131208, 0.5532538028198858],
        ];
        for ((first, second), [t, df, p]) in [(&X[..], &Y[..]), (&A[..], &B[..])].into_iter().zip(cases) {
            let found = welch(first, second).expect("a test");
            assert!(close(found.t, t) && close(found.df, df) && close(found.p, p), "{found:?}");
            let turned = welch(second, first).expect("a test");
            assert!(close(turned.t, -t) && close(turned.p, p));
        }
    }

    /// `scipy.stats.mannwhitneyu(x, y, method='asymptotic')`: statistic, pvalue.
    #[test]
    fn mann_whitney_like_scipy() {
        let cases = [[7.0, 0.010953663605627223], [28.0, 0.6393357909731128]];
        for ((first, second), [u, p]) in [(&X[..], &Y[..]), (&A[..], &B[..])].into_iter().zip(cases) {
            let found = mann_whitney(first, second).expect("a test");
            assert!(found.u == u && close(found.p, p), "{found:?}");
            let turned = mann_whitney(second, first).expect("a test");
            assert!(turned.u + u == (first.len() * second.len()) as f64 && close(turned.p, p) && turned.z == -found.z);
        }
    }

    #[test]
    fn odd_samples() {
        for (first, second) in [(&[][..], &X[..]), (&[1.0][..], &X[..]), (&[f64::NAN, 1.0][..], &X[..])] {
            assert_eq!((welch(first, second), welch(second, first)), (None, None));
        }
        assert_eq!(welch(&[1.0; 3], &[2.0; 3]), None);
        assert_eq!(welch(&[1.0; 3], &[1.0; 3]), None);
        assert!(welch(&[0.1; 3], &X).is_some_and(|found| found.df == 6.0));
        assert_eq!(mann_whitney(&[], &X), None);
        assert_eq!(mann_whitney(&X, &[f64::NAN]), None);
        assert_eq!(mann_whitney(&[1.0; 3], &[1.0; 4]), Some(MannWhitney { u: 6.0, z: 0.0, p: 1.0 }));
        assert_eq!(mann_whitney(&[1.0], &[1.0]), Some(MannWhitney { u: 0.5, z: 0.0, p: 1.0 }));
        assert_eq!(mann_whitney(&X, &X).map(|found| (found.z, found.p)), Some((0.0, 1.0)));
        assert_eq!(mann_whitney(&[0.0], &[-0.0]), mann_whitney(&[1.0], &[1.0]));
    }
}
