//! Mutation: changed copies.

use lanista_core::RandomStream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::gaussian::gaussian;

/// How weights change by chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Mutation {
    /// Nothing changes.
    None {},
    /// A weight is forgotten and drawn anew. (plogann.)
    Reset {
        /// For each weight. (plogann: 0.15.)
        probability: f64,
        /// The least new value. (plogann: −1.)
        lo: f64,
        /// The greatest new value. (plogann: 1.)
        hi: f64,
    },
    /// A Gaussian number is added. (box.)
    Gaussian {
        /// For each weight. (box: 0 to 1; 0.31 in its fourth-best set.)
        probability: f64,
        /// The standard deviation: the *mutation rate*. (box: 0 to about 1.7; 0.11.)
        sd: f64,
    },
    /// A weight becomes larger or smaller by a share of itself, both equally likely. The share falls in a straight line from `rate` in
    /// the first generation to 0 behind the last one. (allsop: it falls; the line is our choice.)
    Multiply {
        /// For each weight. (allsop: 0.10.)
        probability: f64,
        /// The share in the first generation: the *learning rate*. (allsop: 0.25, 0.5 and 0.75.)
        rate: f64,
    },
}

impl Mutation {
    /// Changes weights. `progress` is the share of all generations that are over.
    pub fn apply(&self, weights: &mut [f32], progress: f64, stream: &mut RandomStream) {
        match *self {
            Mutation::None {} => {}
            Mutation::Reset { probability, lo, hi } => {
                for weight in weights {
                    if stream.unit() < probability {
                        *weight = (lo + (hi - lo) * stream.unit()) as f32;
                    }
                }
            }
            Mutation::Gaussian { probability, sd } => {
                for weight in weights {
                    if stream.unit() < probability {
                        *weight = (f64::from(*weight) + sd * gaussian(stream)) as f32;
                    }
                }
            }
            Mutation::Multiply { probability, rate } => {
                let share = rate * (1.0 - progress);
                for weight in weights {
                    if stream.unit() < probability {
                        let factor = if stream.below(2) == 0 { 1.0 + share } else { 1.0 - share };
                        *weight = (f64::from(*weight) * factor) as f32;
                    }
                }
            }
        }
    }

    /// An error says what is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        let (probability, numbers) = match *self {
            Mutation::None {} => return Ok(()),
            Mutation::Reset { probability, lo, hi } => (probability, [lo, hi]),
            Mutation::Gaussian { probability, sd } => (probability, [sd, 0.0]),
            Mutation::Multiply { probability, rate } => (probability, [rate, 0.0]),
        };
        if !(0.0..=1.0).contains(&probability) {
            return Err(format!("mutation: probability = {probability}: expected 0 to 1"));
        }
        if numbers.iter().any(|number| !number.is_finite()) {
            return Err("mutation: expected finite numbers".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    fn mutated(mutation: &Mutation, value: f32, progress: f64) -> Vec<f32> {
        let mut weights = vec![value; 100_000];
        mutation.apply(&mut weights, progress, &mut Seed::new(3).stream());
        weights
    }

    #[test]
    fn reset_by_statistics() {
        let weights = mutated(&Mutation::Reset { probability: 0.15, lo: -1.0, hi: 1.0 }, 5.0, 0.0);
        let changed: Vec<f32> = weights.into_iter().filter(|&weight| weight != 5.0).collect();
        // plogann: 306 of 2,041 on average.
        assert!((14_435..15_565).contains(&changed.len()), "{}", changed.len());
        assert!(changed.iter().all(|weight| (-1.0..=1.0).contains(weight)));
        let mean = changed.iter().sum::<f32>() / changed.len() as f32;
        assert!(mean.abs() < 0.03, "{mean}");
    }

    #[test]
    fn gaussian_by_statistics() {
        let weights = mutated(&Mutation::Gaussian { probability: 0.31, sd: 0.11 }, 1.0, 0.5);
        let steps: Vec<f32> = weights.iter().map(|weight| weight - 1.0).filter(|&step| step != 0.0).collect();
        assert!((30_100..31_900).contains(&steps.len()), "{}", steps.len());
        let variance = steps.iter().map(|step| step * step).sum::<f32>() / steps.len() as f32;
        assert!((variance.sqrt() - 0.11).abs() < 0.003, "{variance}");
    }

    #[test]
    fn multiply_falls_over_the_generations() {
        let mutation = Mutation::Multiply { probability: 0.1, rate: 0.5 };
        for (progress, values) in [(0.0, [3.0, 1.0]), (0.5, [2.5, 1.5]), (1.0, [2.0, 2.0])] {
            let weights = mutated(&mutation, 2.0, progress);
            assert!(weights.iter().all(|weight| *weight == 2.0 || values.contains(weight)));
            if progress < 1.0 {
                let counts = values.map(|value| weights.iter().filter(|&&weight| weight == value).count());
                assert!(counts.iter().all(|count| (4_600..5_400).contains(count)), "{counts:?}");
            }
        }
    }

    #[test]
    fn none_and_never_change_nothing() {
        assert!(mutated(&Mutation::None {}, 2.0, 0.0).iter().all(|&weight| weight == 2.0));
        let never = Mutation::Gaussian { probability: 0.0, sd: 1.0 };
        assert!(mutated(&never, 2.0, 0.0).iter().all(|&weight| weight == 2.0));
        assert!(Mutation::Reset { probability: 1.5, lo: 0.0, hi: 1.0 }.check().is_err());
    }
}
