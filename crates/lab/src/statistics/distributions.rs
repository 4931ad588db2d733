//! The two distributions that tests and intervals need, from `statrs`.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::erfc;

use super::QUANTILE;

/// Above so many degrees of freedom series in 1/df replace `statrs`, whose logarithms of the gamma function lose digits
/// there.
const MANY: f64 = 1e5;

/// The normal distribution function, Φ(x) = erfc(−x/√2)/2, right to ten digits, far below 0 too. Not a number only if
/// `x` is not.
pub fn normal_cdf(x: f64) -> f64 {
    erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// How likely Student's t is at least as far from 0 as `t` (the two-sided p), with `df` degrees of freedom.
/// [`None`] if `t` is not a number or `df` is not above 0.
///
/// Above 10⁵ degrees of freedom by the normal distribution at t(1 − 1/(4df))/√(1 + t²/(2df)) (Abramowitz and Stegun
/// 26.7.8).
pub fn student_p(t: f64, df: f64) -> Option<f64> {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return None;
    }
    if t.is_infinite() {
        return Some(0.0);
    }
    if df > MANY {
        return Some(2.0 * normal_cdf(-t.abs() * (1.0 - 0.25 / df) / (1.0 + t * t / (2.0 * df)).sqrt()));
    }
    let tail = StudentsT::new(0.0, 1.0, df).ok()?.sf(t.abs());
    Some((2.0 * tail).min(1.0))
}

/// The two-sided 95 % quantile of Student's t with `df` degrees of freedom, at least one: where [`student_p`] is 0.05,
/// by bisection. `statrs` has an inverse too, but for many degrees of freedom it is wrong from the fifth digit on, or
/// does not end.
///
/// Above 10⁵ degrees of freedom by the series z + (z³+z)/(4df) (Abramowitz and Stegun 26.7.5).
pub(super) fn student_quantile(df: f64) -> Option<f64> {
    let z = QUANTILE;
    if df > MANY {
        return Some(z + (z * z * z + z) / (4.0 * df));
    }
    // With one degree of freedom it is 12.7.
    let (mut low, mut high) = (z, 13.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if student_p(middle, df)? > 0.05 { low = middle } else { high = middle }
    }
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.norm.cdf(x)` of SciPy 1.17.1.
    #[test]
    fn normal_distribution() {
        let cases = [
            (-8.0, 6.220_960_574_271_74e-16),
            (-1.96, 0.024_997_895_148_220_435),
            (-0.1, 0.460_172_162_722_971),
            (0.0, 0.5),
            (0.3, 0.617_911_422_188_952_6),
            (1.0, 0.841_344_746_068_542_9),
            (3.0, 0.998_650_101_968_369_9),
            (6.0, 0.999_999_999_013_412_3),
            (40.0, 1.0),
        ];
        for (x, share) in cases {
            let found = normal_cdf(x);
            assert!((found / share - 1.0).abs() < 1e-10, "{x}: {found:e}");
        }
        assert!((normal_cdf(QUANTILE) - 0.975).abs() < 1e-11);
        assert_eq!([f64::NEG_INFINITY, f64::INFINITY].map(normal_cdf), [0.0, 1.0]);
        assert!(normal_cdf(f64::NAN).is_nan());
    }

    /// `scipy.stats.t.ppf(.975, df), 2*scipy.stats.t.sf(x, df) for x in (.3, 2.5, 10)` of SciPy 1.17.1.
    #[test]
    fn student_distribution() {
        #[rustfmt::skip]
        let cases = [
            (1.0, 12.706204736174694, [0.8144528418445154, 0.24223788318168682, 0.06345103486110713]),
            (1.5, 6.016663104427929, [0.8004721968035851, 0.16980650261469604, 0.023659355113621557]),
            (2.0, 4.302652729749462, [0.7924856608401776, 0.12961172022151082, 0.00985245702332569]),
            (3.0, 3.1824463052837078, [0.783763292039919, 0.08770664700806556, 0.0021283990584141503]),
            (7.3, 2.345066736547703, [0.77254053617971, 0.03965023466560043, 1.6100255201481012e-05]),
            (30.0, 2.0422724563012378, [0.7662461052843528, 0.01811564906806669, 4.575251408229618e-11]),
            (100.0, 1.9839715185235518, [0.7647998803003035, 0.014045789124077172, 9.90168898459413e-17]),
            (10000.0, 1.960201239890626, [0.7641833912293323, 0.012435219550583698, 1.963280742866382e-23]),
            (1e6, 1.959966356814107, [0.7641772179789942, 0.012419489502163254, 1.527861076817818e-23]),
            (1e9, 1.959963986912325, [0.7641771556844518, 0.012419330810402493, 1.5239744906091104e-23]),
        ];
        for (df, quantile, ps) in cases {
            let found = student_quantile(df).expect("a quantile");
            assert!((found / quantile - 1.0).abs() < 1e-10, "{df}: {found}");
            for (t, p) in [0.3, 2.5, 10.0].into_iter().zip(ps) {
                let found = student_p(t, df).expect("a p");
                let tolerance = if df > MANY { 1e-7 } else { 1e-9 };
                assert!((found / p - 1.0).abs() < tolerance, "{df} {t}: {found}");
                assert_eq!(student_p(-t, df), Some(found));
            }
        }
    }

    #[test]
    fn student_at_the_edges() {
        assert_eq!(student_p(f64::INFINITY, 3.0), Some(0.0));
        assert_eq!(student_p(0.0, 3.0), Some(1.0));
        assert_eq!(student_p(f64::NAN, 3.0), None);
        assert_eq!([0.0, -1.0, f64::NAN].map(|df| student_p(1.0, df)), [None; 3]);
        assert_eq!(student_p(0.0, f64::INFINITY), Some(1.0));
    }
}
