//! Logarithms and powers that are the same everywhere.
//!
//! The functions of the standard library come from the platform, and platforms round differently. These use nothing
//! but + − × ÷ on 64-bit floats in a fixed order, which every processor computes alike. A crate would do the same with
//! tables for the last bit; choices need no last bit, so two short series do.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// The logarithm to the base 2. Numbers below the smallest normal one count as that one.
pub(crate) fn log2(number: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = number.max(f64::MIN_POSITIVE).to_bits();
    let mut exponent = (bits >> 52) as f64 - 1023.0;
    let mut mantissa = f64::from_bits(bits & FRACTION | 1023 << 52);
    if mantissa > SQRT_2 {
        mantissa *= 0.5;
        exponent += 1.0;
    }
    // ln m = 2 (s + s³/3 + s⁵/5 + …) for s = (m − 1)/(m + 1); here |s| < 0.172, so ten terms are beyond precision.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * square + 1.0 / odd;
    }
    exponent + 2.0 * s * sum * LOG2_E
}

/// The natural logarithm.
pub(crate) fn ln(number: f64) -> f64 {
    log2(number) * LN_2
}

/// Two to the power of `exponent`, which is kept within what a float can hold.
pub(crate) fn exp2(exponent: f64) -> f64 {
    let exponent = exponent.clamp(-1022.0, 1023.0);
    let whole = (exponent + 0.5).floor().min(1023.0);
    // eˣ = 1 + x (1 + x/2 (1 + x/3 (…))) for |x| < 0.35.
    let x = (exponent - whole) * LN_2;
    let mut sum = 1.0;
    for step in [13.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        sum = sum * x / step + 1.0;
    }
    sum * f64::from_bits(((whole + 1023.0) as u64) << 52)
}

/// A positive number to a power.
pub(crate) fn power(base: f64, exponent: f64) -> f64 {
    exp2(exponent * log2(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 2e-15 * expected.abs().max(1.0)
    }

    /// The platform's functions are right to the last bit or nearly so: good enough to measure these by.
    #[test]
    fn agree_with_the_platform() {
        for step in 1..4000 {
            let number = f64::from(step) * 0.01;
            assert!(close(log2(number), number.log2()), "log2 {number}");
            assert!(close(log2(1.0 / number), -number.log2()), "log2 1/{number}");
            let exponent = f64::from(step - 2000) * 0.013;
            assert!((exp2(exponent) / exponent.exp2() - 1.0).abs() < 1e-15, "exp2 {exponent}");
            for exponent in [0.6, 0.8, 1.0, -1.0, 2.5] {
                let ratio = power(number, exponent) / number.powf(exponent);
                assert!((ratio - 1.0).abs() < 1e-14, "{number}^{exponent}");
            }
        }
    }

    #[test]
    fn exact_where_it_should_be() {
        assert_eq!([log2(1.0), log2(8.0), log2(0.125)], [0.0, 3.0, -3.0]);
        assert_eq!([exp2(0.0), exp2(10.0), exp2(-3.0)], [1.0, 1024.0, 0.125]);
        assert_eq!((power(1.0, 0.6), power(0.3, 0.0)), (1.0, 1.0));
    }

    #[test]
    fn stay_finite() {
        assert_eq!(log2(0.0), -1022.0);
        assert!(exp2(1e9).is_finite() && exp2(-1e9) > 0.0);
        assert!(power(0.0, 5.0) > 0.0 && power(1e300, 5.0).is_finite());
    }

    /// These bits are part of the players: experiments repeat only while they stay.
    #[test]
    fn bits_never_change() {
        let bits = [ln(10.0), exp2(0.3), power(0.37, 0.6), power(123.456, 0.8)].map(f64::to_bits);
        let known = [0x4002_6bb1_bbb5_5515, 0x3ff3_b2c4_7bff_8329, 0x3fe1_9f65_7344_9fc5, 0x4047_8f6c_15ff_d246];
        assert_eq!(bits, known, "{bits:#x?}");
    }
}
