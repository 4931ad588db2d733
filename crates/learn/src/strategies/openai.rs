//! An evolution strategy with antithetic samples (Salimans, Ho, Chen, Sidor and Sutskever 2017).
//!
//! Every direction is tried forwards and backwards. Fitness is replaced by centred ranks, so it matters who is better, not by
//! how much. The paper lets Adam take the step; here it is a plain step with momentum.

use lanista_core::Seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Strategy;
use crate::gaussian::gaussian;
use crate::limits::check_individuals;
use crate::parts::SAMPLES;

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OpenAiSettings {
    /// Directions a generation; twice as many individuals.
    pub pairs: u32,
    /// The standard deviation of the samples. (The paper: 0.02 to 0.1.)
    pub sd: f64,
    /// The length of a step. (The paper: 0.01, with Adam.)
    pub learning_rate: f64,
    /// The share of the last step that is taken again. (0 for none.)
    #[serde(default)]
    pub momentum: f64,
    /// Weights shrink by this share of the learning rate a generation. (The paper: 0.005.)
    #[serde(default)]
    pub weight_decay: f64,
}

/// The centre and its motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenAiState {
    /// Where it stands.
    pub centre: Vec<f64>,
    /// How it moves.
    pub velocity: Vec<f64>,
}

/// The strategy.
#[derive(Clone, Debug)]
pub struct OpenAiEs {
    settings: OpenAiSettings,
    state: OpenAiState,
}

impl OpenAiEs {
    /// Begins at some weights. An error says which setting is wrong.
    pub fn new(settings: OpenAiSettings, start: &[f32]) -> Result<OpenAiEs, String> {
        let numbers = [settings.learning_rate, settings.momentum, settings.weight_decay];
        if settings.pairs == 0 || start.is_empty() {
            return Err("openai-es: expected one pair and one weight or more".into());
        }
        check_individuals("openai-es: pairs", 2 * u64::from(settings.pairs))?;
        if !(settings.sd.is_finite() && settings.sd > 0.0) || numbers.iter().any(|number| !number.is_finite()) {
            return Err("openai-es: expected finite numbers, sd more than 0".into());
        }
        let centre: Vec<f64> = start.iter().map(|&weight| f64::from(weight)).collect();
        Ok(OpenAiEs { settings, state: OpenAiState { velocity: vec![0.0; centre.len()], centre } })
    }

    fn direction(&self, pair: u32, seed: Seed) -> Vec<f64> {
        let mut stream = seed.child(SAMPLES).child(u64::from(pair)).stream();
        (0..self.state.centre.len()).map(|_| gaussian(&mut stream)).collect()
    }
}

impl Strategy for OpenAiEs {
    type State = OpenAiState;

    /// Both ends of the first direction, then of the second, and so on.
    fn size(&self) -> usize {
        2 * self.settings.pairs as usize
    }

    fn samples(&self, seed: Seed) -> Vec<Vec<f64>> {
        let mut samples = Vec::with_capacity(self.size());
        for pair in 0..self.settings.pairs {
            let direction = self.direction(pair, seed);
            for sign in [self.settings.sd, -self.settings.sd] {
                samples.push(self.state.centre.iter().zip(&direction).map(|(x, step)| x + sign * step).collect());
            }
        }
        samples
    }

    fn learn(&mut self, fitness: &[f64], seed: Seed) {
        let ranks = centred_ranks(fitness);
        let mut gradient = vec![0.0; self.state.centre.len()];
        for (pair, ranks) in ranks.chunks_exact(2).enumerate() {
            let direction = self.direction(pair as u32, seed);
            gradient.iter_mut().zip(direction).for_each(|(sum, step)| *sum += (ranks[0] - ranks[1]) * step);
        }
        let scale = 1.0 / (2.0 * f64::from(self.settings.pairs) * self.settings.sd);
        let OpenAiSettings { learning_rate, momentum, weight_decay, .. } = self.settings;
        for ((x, velocity), sum) in self.state.centre.iter_mut().zip(&mut self.state.velocity).zip(gradient) {
            *velocity = momentum * *velocity + scale * sum;
            *x += learning_rate * (*velocity - weight_decay * *x);
        }
    }

    fn centre(&self) -> &[f64] {
        &self.state.centre
    }

    fn state(&self) -> &OpenAiState {
        &self.state
    }

    fn adopt(&mut self, state: OpenAiState) -> Result<(), String> {
        let weights = self.state.centre.len();
        if state.centre.len() != weights || state.velocity.len() != weights {
            return Err("saved state: other weights".into());
        }
        self.state = state;
        Ok(())
    }
}

/// Ranks from −½ for the worst to ½ for the best; equals share the mean of their ranks, so that a generation that is all equal
/// moves nothing.
fn centred_ranks(fitness: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..fitness.len()).collect();
    order.sort_by(|&x, &y| fitness[x].total_cmp(&fitness[y]));
    let mut ranks = vec![0.0; fitness.len()];
    let last = (fitness.len().max(2) - 1) as f64;
    let mut start = 0;
    for equal in order.chunk_by(|&x, &y| fitness[x] == fitness[y]) {
        let middle = start as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|&who| ranks[who] = middle / last - 0.5);
        start += equal.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> OpenAiSettings {
        OpenAiSettings { pairs: 20, sd: 0.1, learning_rate: 0.05, momentum: 0.5, weight_decay: 0.0 }
    }

    #[test]
    fn ranks_are_centred() {
        assert_eq!(centred_ranks(&[3.0, 1.0, 2.0]), [0.5, -0.5, 0.0]);
        assert_eq!(centred_ranks(&[1.0, 1.0, 0.0, 0.0, 1.0]), [0.25, 0.25, -0.375, -0.375, 0.25]);
        assert_eq!(centred_ranks(&[7.0; 4]), [0.0; 4]);
    }

    #[test]
    fn samples_come_in_opposite_pairs() {
        let strategy = OpenAiEs::new(settings(), &[1.0, 2.0, 3.0]).unwrap();
        let samples = strategy.samples(Seed::new(1));
        assert_eq!(samples.len(), 40);
        for pair in samples.chunks_exact(2) {
            let middle: Vec<f64> = pair[0].iter().zip(&pair[1]).map(|(x, y)| (x + y) / 2.0).collect();
            assert!(middle.iter().zip([1.0, 2.0, 3.0]).all(|(x, y)| (x - y).abs() < 1e-12));
            assert!(pair[0] != pair[1]);
        }
    }

    #[test]
    fn it_rolls_down_a_bowl() {
        let mut strategy = OpenAiEs::new(settings(), &[1.0; 10]).unwrap();
        let bowl = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        for generation in 0..200 {
            let seed = Seed::new(2).child(generation);
            let fitness: Vec<f64> = strategy.samples(seed).iter().map(|x| -bowl(x)).collect();
            strategy.learn(&fitness, seed);
        }
        let left = bowl(strategy.centre());
        assert!(left < 0.05, "of 10: {left}");
    }

    #[test]
    fn weights_decay_where_nothing_is_learnt() {
        let settings = OpenAiSettings { weight_decay: 0.1, momentum: 0.0, learning_rate: 0.5, ..settings() };
        let mut strategy = OpenAiEs::new(settings, &[2.0]).unwrap();
        strategy.learn(&[0.5; 40], Seed::new(1));
        assert_eq!(strategy.centre(), [1.9]);
        assert!(OpenAiEs::new(OpenAiSettings { sd: 0.0, ..self::settings() }, &[1.0]).is_err());
    }
}
