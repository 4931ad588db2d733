//! What a unit makes of its sum.
//!
//! Mathematical libraries differ in the last bit from system to system. So tanh is computed here by additions,
//! multiplications, one division and operations on bits, whose results IEEE 754 fixes. Rust never contracts a product
//! and a sum into one operation, so neither the compiler's settings nor the processor can change a bit.

use std::fmt;
use std::str::FromStr;

use lanista_core::{ParseError, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lanes::LANES;

/// The score of a network that is sure to win, in hundredths.
pub const SCORE_UNIT: f32 = 50_000.0;

/// A unit's output as a function of its sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// The hyperbolic tangent, from −1 to 1.
    Tanh,
    /// The logistic function, from 0 to 1.
    Sigmoid,
    /// The sum itself, 0 if it is negative.
    Relu,
    /// The sum itself, 0 if it is negative, 1 if it is above 1.
    ClippedRelu,
    /// The sum itself.
    Linear,
}

impl Activation {
    /// All of them.
    pub const ALL: [Activation; 5] =
        [Activation::Tanh, Activation::Sigmoid, Activation::Relu, Activation::ClippedRelu, Activation::Linear];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Activation::Tanh => "tanh",
            Activation::Sigmoid => "sigmoid",
            Activation::Relu => "relu",
            Activation::ClippedRelu => "clipped-relu",
            Activation::Linear => "linear",
        }
    }

    /// Replaces sums by outputs. Each place has the same bits whatever stands beside it.
    #[inline]
    pub fn apply(self, values: &mut [f32]) {
        match self {
            Activation::Tanh => each(values, tanh),
            Activation::Sigmoid => each(values, sigmoid),
            Activation::Relu => each(values, relu),
            Activation::ClippedRelu => each(values, clipped_relu),
            Activation::Linear => {}
        }
    }

    /// The output for one sum, the same bits as in [`Activation::apply`].
    #[inline]
    pub fn of(self, sum: f32) -> f32 {
        match self {
            Activation::Tanh => tanh(sum),
            Activation::Sigmoid => sigmoid(sum),
            Activation::Relu => relu(sum),
            Activation::ClippedRelu => clipped_relu(sum),
            Activation::Linear => sum,
        }
    }

    /// Hands the function to code that is compiled for each one anew, so that a loop does not ask which it is.
    #[inline]
    pub(crate) fn inlined<T>(self, user: impl Inlined<T>) -> T {
        match self {
            Activation::Tanh => user.with(tanh),
            Activation::Sigmoid => user.with(sigmoid),
            Activation::Relu => user.with(relu),
            Activation::ClippedRelu => user.with(clipped_relu),
            Activation::Linear => user.with(|sum| sum),
        }
    }

    /// [`Activation::inlined`] in 64 bits.
    #[inline]
    pub(crate) fn inlined_fine(self, user: impl InlinedFine) {
        match self {
            Activation::Tanh => user.with(|sum| 2.0 * fine_sigmoid(2.0 * sum) - 1.0),
            Activation::Sigmoid => user.with(fine_sigmoid),
            Activation::Relu => user.with(|sum| sum.max(0.0)),
            Activation::ClippedRelu => user.with(|sum| sum.clamp(0.0, 1.0)),
            Activation::Linear => user.with(|sum| sum),
        }
    }

    /// How fast the output grows with the sum, told from the output.
    #[inline]
    pub fn slope(self, output: f32) -> f32 {
        match self {
            Activation::Tanh => 1.0 - output * output,
            Activation::Sigmoid => output * (1.0 - output),
            Activation::Relu => f32::from(u8::from(output > 0.0)),
            Activation::ClippedRelu => f32::from(u8::from(output > 0.0 && output < 1.0)),
            Activation::Linear => 1.0,
        }
    }

    /// An output of the last layer as an opinion from −1, lost, to 1, won.
    #[inline]
    pub fn opinion(self, output: f32) -> f32 {
        let opinion = if self == Activation::Sigmoid { 2.0 * output - 1.0 } else { output };
        opinion.clamp(-1.0, 1.0)
    }

    /// An output of the last layer as a score: its opinion times [`SCORE_UNIT`], to the nearest, ties to even.
    #[inline]
    pub fn score(self, output: f32) -> Score {
        Score((self.opinion(output) * SCORE_UNIT).round_ties_even() as i32)
    }
}

/// What uses an activation in its inner loop.
pub(crate) trait Inlined<T> {
    /// Runs the loop.
    fn with(self, function: impl Fn(f32) -> f32) -> T;
}

/// What uses an activation in 64 bits in its inner loop.
pub(crate) trait InlinedFine {
    /// Runs the loop.
    fn with(self, function: impl Fn(f64) -> f64);
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Activation {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Activation, ParseError> {
        Activation::ALL.into_iter().find(|activation| activation.name() == text).ok_or_else(|| {
            let names = Activation::ALL.map(Activation::name).join(", ");
            ParseError::new(1, format!("activation {text:?}: expected one of {names}"))
        })
    }
}

/// Whole vectors first: a loop over a length that the compiler knows is unrolled into vector instructions.
#[inline]
fn each(values: &mut [f32], function: impl Fn(f32) -> f32) {
    let (chunks, rest) = values.as_chunks_mut::<LANES>();
    for chunk in chunks {
        for value in chunk {
            *value = function(*value);
        }
    }
    for value in rest {
        *value = function(*value);
    }
}

/// tanh |x| = 1 − 2 / (e^2|x| + 1), which never falls as the power grows, whatever is rounded.
///
/// The power is 2^(k + f) with a whole k and f in 0..1. All coefficients of 2^f − 1 = f·q(f) are positive, so every
/// rounded step grows with f, and q(1) is a little below 1, so the pieces for k and k + 1 meet in order. The
/// coefficients are the minimax polynomial of relative error 5·10⁻⁷.
#[inline(always)]
fn tanh(x: f32) -> f32 {
    /// Beyond this the result rounds to 1.
    const LIMIT: f32 = 9.1;
    const TWICE_LOG2_E: f32 = 2.0 * std::f32::consts::LOG2_E;
    /// 1.5·2²³: added to a small number, it leaves no bits behind the point, and the whole part in the low bits.
    const WHOLE: f32 = 12_582_912.0;
    const Q: [f32; 5] = [0.693_147_54, 0.240_208_83, 0.055_648_66, 0.009_213_075, 0.001_781_432_3];
    let size = x.abs();
    // A comparison that is false for NaN, which so becomes the limit.
    let size = if size < LIMIT { size } else { LIMIT };
    let y = size * TWICE_LOG2_E;
    let shifted = (y - 0.5) + WHOLE;
    let f = y - (shifted - WHOLE);
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    // In pairs: fewer steps wait for each other than in Horner's order.
    let f2 = f * f;
    let q = ((Q[0] + Q[1] * f) + f2 * (Q[2] + Q[3] * f)) + (f2 * f2) * Q[4];
    let result = 1.0 - 2.0 / ((power + 1.0) + (power * f) * q);
    if x < 0.0 { -result } else { result }
}

#[inline(always)]
fn sigmoid(x: f32) -> f32 {
    0.5 + 0.5 * tanh(0.5 * x)
}

/// 1 / n! for the powers of the exponential function.
const EXP_SERIES: [f64; 13] = {
    let mut series = [1.0; 13];
    let mut power = 1;
    while power < 13 {
        series[power] = series[power - 1] / power as f64;
        power += 1;
    }
    series
};

/// 1 / (1 + e^−x), right to twelve digits on both sides: near 0 as well, and near 1 as far as 64 bits go.
///
/// e^−|x| is 2^−k·e^−r with a whole k and |r| up to half of ln 2; for e^−r the Taylor series does.
#[inline(always)]
fn fine_sigmoid(x: f64) -> f64 {
    /// Beyond this the smaller side is no number of full precision any more.
    const LIMIT: f64 = 700.0;
    /// 1.5·2⁵²: as in [`tanh`].
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let size = x.abs();
    let size = if size < LIMIT { size } else { LIMIT };
    let y = size * std::f64::consts::LOG2_E;
    let shifted = y + WHOLE;
    let r = (y - (shifted - WHOLE)) * -std::f64::consts::LN_2;
    let power = f64::from_bits(0x3ff0_0000_0000_0000u64.wrapping_sub(shifted.to_bits() << 52));
    let small = power * EXP_SERIES.iter().rev().fold(0.0, |sum, factor| sum * r + factor);
    (if x < 0.0 { small } else { 1.0 }) / (1.0 + small)
}

#[inline(always)]
fn relu(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

#[inline(always)]
fn clipped_relu(x: f32) -> f32 {
    let x = relu(x);
    if x < 1.0 { x } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every 2⁻¹⁶ from −10 to 10.
    fn sweep() -> impl Iterator<Item = f32> {
        (-655_360..=655_360).map(|step| step as f32 / 65_536.0)
    }

    #[test]
    fn tanh_is_right() {
        let worst = sweep().map(|x| (f64::from(tanh(x)) - f64::from(x).tanh()).abs()).fold(0.0, f64::max);
        assert!(worst <= 2e-7, "{worst}");
        let worst = sweep().map(|x| (f64::from(sigmoid(x)) - 1.0 / (1.0 + f64::from(-x).exp())).abs());
        let worst = worst.fold(0.0, f64::max);
        assert!(worst <= 2e-7, "{worst}");
    }

    #[test]
    fn fine_sigmoid_is_right_on_both_sides() {
        for x in sweep().map(|x| f64::from(x) * 70.0).chain([-1e9, 1e9, f64::MIN, f64::MAX]) {
            let (ours, truth) = (fine_sigmoid(x), 1.0 / (1.0 + (-x.max(-700.0)).exp()));
            assert!((ours / truth - 1.0).abs() < 1e-12, "{x}: {ours} {truth}");
        }
        let bits = [-30.0, -2.5, 0.0, 0.3, 7.0].map(|x| fine_sigmoid(x).to_bits());
        assert_eq!(bits, GOLDEN_FINE_SIGMOID);
    }

    #[test]
    fn tanh_is_odd_bounded_and_never_falls() {
        assert_eq!(tanh(0.0), 0.0);
        let mut last = -1.0;
        for x in sweep() {
            let y = tanh(x);
            assert_eq!(y, -tanh(-x), "{x}");
            assert!(y >= last && y <= 1.0, "{x}");
            last = y;
        }
        // All numbers around a place where two powers meet, and near the limit.
        for middle in [0.346_573_6f32, std::f32::consts::LN_2, 2.0, 8.0, 9.0] {
            let middle = middle.to_bits();
            let values: Vec<f32> = (middle - 20_000..middle + 20_000).map(|bits| tanh(f32::from_bits(bits))).collect();
            assert!(values.is_sorted());
        }
        for extreme in [9.1, 100.0, f32::MAX, f32::INFINITY] {
            assert_eq!([tanh(extreme), tanh(-extreme)], [1.0, -1.0]);
        }
        assert_eq!(tanh(f32::NAN), 1.0, "any number, but always the same");
    }

    /// Stored experiments depend on these bits. They were computed from the formula by a program that shares nothing
    /// with this one.
    #[test]
    fn bits_never_change() {
        let bits = |function: fn(f32) -> f32| [0.001f32, 0.1, 0.3, 0.5, 1.0, 2.5, 7.0].map(|x| function(x).to_bits());
        assert_eq!(bits(tanh), GOLDEN_TANH);
        assert_eq!(bits(sigmoid), GOLDEN_SIGMOID);
    }

    const GOLDEN_TANH: [u32; 7] =
        [0x3a83_1200, 0x3dcc_1ec0, 0x3e95_26f0, 0x3eec_9aa0, 0x3f42_f7d6, 0x3f7c_92c1, 0x3f7f_ffe4];
    const GOLDEN_SIGMOID: [u32; 7] =
        [0x3f00_1062, 0x3f06_650a, 0x3f13_0eab, 0x3f1f_597e, 0x3f3b_26a8, 0x3f6c_948f, 0x3f7f_c44b];

    const GOLDEN_FINE_SIGMOID: [u64; 5] = [
        0x3d3a_56e0_c2ac_7cc8,
        0x3fb3_6b71_1253_4847,
        0x3fe0_0000_0000_0000,
        0x3fe2_61d5_45e4_6a8b,
        0x3fef_f889_631d_483c,
    ];

    #[test]
    fn the_same_in_any_company() {
        for activation in Activation::ALL {
            let mut together: Vec<f32> = (0..29).map(|index| (index as f32 - 14.0) * 0.21).collect();
            let mut alone = together.clone();
            activation.apply(&mut together);
            alone.iter_mut().for_each(|value| *value = activation.of(*value));
            assert_eq!(together, alone);
        }
    }

    #[test]
    fn slopes_match_differences() {
        for activation in Activation::ALL {
            for x in [-3.0f32, -0.7, -0.1, 0.2, 0.9, 1.4] {
                let mut near = [x - 1e-3, x, x + 1e-3];
                activation.apply(&mut near);
                let difference = (near[2] - near[0]) / 2e-3;
                assert!((activation.slope(near[1]) - difference).abs() < 1e-3, "{activation} at {x}");
            }
        }
    }

    #[test]
    fn names_and_scores() {
        for activation in Activation::ALL {
            assert_eq!(activation.name().parse(), Ok(activation));
            assert_eq!(serde_json::to_string(&activation).ok(), Some(format!("\"{activation}\"")));
        }
        assert!("swish".parse::<Activation>().is_err());
        assert_eq!(Activation::Tanh.score(0.5), Score(25_000));
        assert_eq!(Activation::Sigmoid.score(0.25), Score(-25_000));
        assert_eq!(Activation::Linear.score(7.0), Score(50_000));
        assert_eq!(Activation::Linear.score(f32::NAN), Score(0));
    }
}
