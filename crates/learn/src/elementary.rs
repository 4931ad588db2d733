//! Exponential and logarithm with the same bits on every platform.
//!
//! The functions of the standard library may differ in the last bit from one system to the next, and one bit is another
//! evolution. These use only + − × ÷ and the bits of a number, whose results are fixed by IEEE 754.

/// ln 2 in two parts: the first has so few bits that a small whole number times it is exact.
const LN_2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];

/// The natural logarithm, within 2 units of the last place. Not a number below 0, −∞ at 0.
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    // Numbers below the normal range get a normal exponent first.
    let (x, lift) = if x < f64::MIN_POSITIVE { (x * TWO_54, -54) } else { (x, 0) };
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i32 - 1023 + lift;
    let mut mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh s with s = (m − 1) / (m + 1), and |s| < 0.172.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut series = 0.0;
    for odd in (1..=13).rev().map(|term| f64::from(2 * term + 1)) {
        series = square * (1.0 / odd + series);
    }
    let exponent = f64::from(exponent);
    exponent * LN_2[0] + (2.0 * s + (2.0 * s * series + exponent * LN_2[1]))
}

/// The exponential function, within 2 units of the last place.
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.78 {
        return f64::INFINITY;
    }
    if x < -708.0 {
        return 0.0;
    }
    let turns = (x * std::f64::consts::LOG2_E).round();
    let rest = (x - turns * LN_2[0]) - turns * LN_2[1];
    let mut series = 1.0;
    for divisor in (1..=14).rev() {
        series = 1.0 + rest * series / f64::from(divisor);
    }
    // In two steps, since 2^1024 is no number.
    let half = turns as i32 / 2;
    series * power_of_two(half) * power_of_two(turns as i32 - half)
}

/// tanh, for networks in tests and tools.
pub fn tanh(x: f64) -> f64 {
    if x.abs() > 20.0 {
        return x.signum();
    }
    let e = exp(2.0 * x);
    (e - 1.0) / (e + 1.0)
}

const TWO_54: f64 = (1u64 << 54) as f64;

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_the_standard_library() {
        for step in -7000..7000 {
            let x = f64::from(step) * 0.1 + 0.013;
            let (ours, theirs) = (exp(x), x.exp());
            assert!((ours - theirs).abs() <= 4e-16 * theirs.abs() * 2.0, "exp({x}): {ours} {theirs}");
            let positive = theirs;
            if positive > 0.0 && positive.is_finite() {
                let (ours, theirs) = (ln(positive), positive.ln());
                assert!((ours - theirs).abs() <= 5e-16 * theirs.abs().max(0.01), "ln({positive}): {ours} {theirs}");
            }
        }
        for x in [1e-310, 5e-324, 0.5, 0.9999, 1.0001, 2.0, 1e300] {
            assert!((ln(x) - x.ln()).abs() <= 5e-16 * x.ln().abs().max(1e-3), "ln({x})");
        }
        assert_eq!((ln(1.0), exp(0.0), ln(0.0)), (0.0, 1.0, f64::NEG_INFINITY));
        assert!(ln(-1.0).is_nan() && exp(1000.0).is_infinite() && exp(-1000.0) == 0.0);
        assert!((tanh(0.5) - 0.5f64.tanh()).abs() < 1e-15 && tanh(-50.0) == -1.0);
    }

    /// Saved experiments depend on these bits.
    #[test]
    fn bits_never_change() {
        let values = [exp(1.0), exp(-0.3), ln(11.0), ln(0.3)].map(f64::to_bits);
        let known: [f64; 4] =
            [2.718_281_828_459_045_5, 0.740_818_220_681_717_9, 2.397_895_272_798_370_7, -1.203_972_804_325_936_1];
        assert_eq!(values, known.map(f64::to_bits));
    }
}
