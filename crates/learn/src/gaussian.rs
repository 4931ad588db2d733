//! Gaussian numbers with the same bits on every platform.
//!
//! One uniform number becomes one Gaussian number through the inverse of the normal distribution (Wichura 1988, algorithm
//! AS 241, 16 digits). It takes one number of the stream each, so a number's place in a stream never depends on luck.

use lanista_core::RandomStream;

use crate::elementary::ln;

/// A number from the normal distribution with mean 0 and standard deviation 1.
pub fn gaussian(stream: &mut RandomStream) -> f64 {
    // The middle of one of 2⁵³ equal parts of (0, 1): never 0 and never 1.
    let unit = ((stream.bits() >> 11) as f64 + 0.5) * (1.0 / (1u64 << 53) as f64);
    quantile(unit)
}

/// Where the standard normal distribution has this share below it. `share` lies strictly between 0 and 1.
pub fn quantile(share: f64) -> f64 {
    let q = share - 0.5;
    if q.abs() <= 0.425 {
        let r = 0.180625 - q * q;
        return q * polynomial(&CENTRE.0, r) / polynomial(&CENTRE.1, r);
    }
    let tail = if q < 0.0 { share } else { 1.0 - share };
    let r = (-ln(tail)).sqrt();
    let value = if r <= 5.0 {
        polynomial(&MIDDLE.0, r - 1.6) / polynomial(&MIDDLE.1, r - 1.6)
    } else {
        polynomial(&FAR.0, r - 5.0) / polynomial(&FAR.1, r - 5.0)
    };
    if q < 0.0 { -value } else { value }
}

/// Lowest power first.
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

type Ratio = ([f64; 8], [f64; 8]);

const CENTRE: Ratio = (
    [
        3.387_132_872_796_366_6,
        1.331_416_678_917_843_8e2,
        1.971_590_950_306_551_4e3,
        1.373_169_376_550_946e4,
        4.592_195_393_154_987e4,
        6.726_577_092_700_87e4,
        3.343_057_558_358_813e4,
        2.509_080_928_730_122_7e3,
    ],
    [
        1.0,
        4.231_333_070_160_091e1,
        6.871_870_074_920_579e2,
        5.394_196_021_424_751e3,
        2.121_379_430_158_659_7e4,
        3.930_789_580_009_271e4,
        2.872_908_573_572_194_3e4,
        5.226_495_278_852_545e3,
    ],
);

const MIDDLE: Ratio = (
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        2.417_807_251_774_506e-1,
        2.272_384_498_926_918_4e-2,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        6.897_673_349_851e-1,
        1.481_039_764_274_800_8e-1,
        1.519_866_656_361_645_7e-2,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
);

const FAR: Ratio = (
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        2.965_605_718_285_048_7e-1,
        2.653_218_952_657_612_4e-2,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        5.998_322_065_558_88e-1,
        1.369_298_809_227_358e-1,
        1.487_536_129_085_061_5e-2,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_7e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
);

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    #[test]
    fn known_quantiles() {
        // From tables of the normal distribution.
        for (share, value) in [
            (0.5, 0.0),
            (0.841_344_746_068_542_9, 1.0),
            (0.975, 1.959_963_984_540_054),
            (0.001, -3.090_232_306_167_813_5),
            (1e-10, -6.361_340_902_404_056),
            (1e-16, -8.222_082_216_130_435),
        ] {
            assert!((quantile(share) - value).abs() < 1e-13, "{share}: {}", quantile(share));
        }
    }

    #[test]
    fn moments_and_tails() {
        let mut stream = Seed::new(5).stream();
        let count = 1_000_000;
        let numbers: Vec<f64> = (0..count).map(|_| gaussian(&mut stream)).collect();
        let moment = |power: i32| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / f64::from(count);
        // Five standard errors each: 1, √2, √15, √96 over a thousand.
        assert!(moment(1).abs() < 0.005, "mean {}", moment(1));
        assert!((moment(2) - 1.0).abs() < 0.007, "variance {}", moment(2));
        assert!(moment(3).abs() < 0.02, "skewness {}", moment(3));
        assert!((moment(4) - 3.0).abs() < 0.05, "fourth moment {}", moment(4));
        let beyond = |limit: f64| numbers.iter().filter(|x| x.abs() > limit).count() as f64 / f64::from(count);
        assert!((beyond(2.0) - 0.0455).abs() < 0.001);
        assert!((beyond(3.0) - 0.0027).abs() < 0.00026);
        assert!((beyond(4.0) - 0.000_063).abs() < 0.000_04);
    }
}
