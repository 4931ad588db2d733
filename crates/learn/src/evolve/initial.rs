//! What the first generation is made of.

use lanista_core::RandomStream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gaussian::gaussian;

/// Where first weights come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Initial {
    /// Every weight anywhere in a range. (plogann: −1 to 1.)
    Uniform {
        /// The least value.
        lo: f64,
        /// The greatest value.
        hi: f64,
    },
    /// Gaussian weights around 0.
    Gaussian {
        /// The standard deviation.
        sd: f64,
    },
    /// All weights the same. (allsop: the matrix of ones that the learned one is compared with.)
    Constant {
        /// The weight.
        value: f64,
    },
    /// Uniform weights between ±√(6 / (inputs + outputs)) of their layer, biases 0 (Glorot and Bengio 2010; tdloa). Unit
    /// by unit, the bias behind the weights; the last layer may do without biases, as in box.
    Xavier {
        /// The sizes of all layers, the inputs first. (tdloa: 64, 50, 1.)
        layers: Vec<usize>,
    },
}

impl Initial {
    /// Draws an individual of so many weights.
    pub fn draw(&self, weights: usize, stream: &mut RandomStream) -> Vec<f32> {
        match self {
            Initial::Uniform { lo, hi } => (0..weights).map(|_| (lo + (hi - lo) * stream.unit()) as f32).collect(),
            Initial::Gaussian { sd } => (0..weights).map(|_| (sd * gaussian(stream)) as f32).collect(),
            Initial::Constant { value } => vec![*value as f32; weights],
            Initial::Xavier { layers } => {
                let mut drawn = Vec::with_capacity(weights);
                let last = layers.len().saturating_sub(2);
                let all: usize = layers.windows(2).map(|sizes| (sizes[0] + 1) * sizes[1]).sum();
                for (number, sizes) in layers.windows(2).enumerate() {
                    let limit = (6.0 / (sizes[0] + sizes[1]) as f64).sqrt();
                    for _ in 0..sizes[1] {
                        drawn.extend((0..sizes[0]).map(|_| (limit * (2.0 * stream.unit() - 1.0)) as f32));
                        drawn.extend((number != last || weights == all).then_some(0.0));
                    }
                }
                drawn
            }
        }
    }

    /// Whether individuals of so many weights can be drawn. An error says what is wrong.
    pub fn check(&self, weights: usize) -> Result<(), String> {
        match self {
            Initial::Uniform { lo, hi } if !(lo.is_finite() && hi.is_finite() && lo <= hi) => {
                Err(format!("initial: lo = {lo}, hi = {hi}: expected two numbers, the smaller one first"))
            }
            Initial::Gaussian { sd } if !(sd.is_finite() && *sd >= 0.0) => {
                Err(format!("initial: sd = {sd}: expected a number, 0 or more"))
            }
            Initial::Constant { value } if !value.is_finite() => {
                Err(format!("initial: value = {value}: expected a number"))
            }
            Initial::Xavier { layers } => {
                let sizes = |pair: &[usize]| pair[0].saturating_mul(pair[1]).saturating_add(pair[1]);
                let all = layers.windows(2).map(sizes).fold(0, usize::saturating_add);
                let without = all.saturating_sub(layers.last().copied().unwrap_or(0));
                if layers.len() >= 2 && (weights == all || weights == without) {
                    Ok(())
                } else {
                    Err(format!("initial: layers {layers:?} have {all} weights and biases, expected {weights}"))
                }
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    #[test]
    fn each_kind() {
        let mut stream = Seed::new(1).stream();
        let uniform = Initial::Uniform { lo: -1.0, hi: 1.0 }.draw(2_041, &mut stream);
        assert_eq!(uniform.len(), 2_041);
        assert!(uniform.iter().all(|weight| (-1.0..=1.0).contains(weight)));
        assert!(uniform.iter().sum::<f32>().abs() / 2_041.0 < 0.07);
        assert_eq!(Initial::Constant { value: 1.0 }.draw(32, &mut stream), [1.0; 32]);
        let gaussian = Initial::Gaussian { sd: 0.1 }.draw(10_000, &mut stream);
        let variance = gaussian.iter().map(|weight| weight * weight).sum::<f32>() / 10_000.0;
        assert!((variance - 0.01).abs() < 0.0008, "{variance}");
    }

    #[test]
    fn xavier_has_the_right_shape() {
        // 100–20–1 with all biases has plogann's 2,041 weights, 85–25–1 without the last has box's 2,175.
        let initial = Initial::Xavier { layers: vec![100, 20, 1] };
        assert_eq!(initial.check(2_041), Ok(()));
        assert_eq!(Initial::Xavier { layers: vec![85, 25, 1] }.check(2_175), Ok(()));
        assert!(initial.check(2_039).is_err());
        let drawn = initial.draw(2_041, &mut Seed::new(2).stream());
        assert!(drawn[..2_020].iter().skip(100).step_by(101).all(|bias| *bias == 0.0) && drawn[2_040] == 0.0);
        assert_eq!(drawn.len(), 2_041);
        let limit = (6.0f32 / 120.0).sqrt();
        let largest = drawn[..2_020].iter().fold(0.0f32, |largest, weight| largest.max(weight.abs()));
        assert!(largest <= limit && largest > 0.98 * limit);
    }
}
