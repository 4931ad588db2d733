//! Training: cycles through all samples, at rates that change from stage to stage.

use std::ops::Range;

use lanista_core::Seed;
use lanista_nn::{Network, Optimiser};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::samples::Scale;
use super::{Part, Samples};
use crate::OptimiserName;
use crate::descent::Descent;
use crate::shuffle::shuffle;

/// Cycles at one rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Stage {
    /// The learning rate. (plogann: 0.2, then 0.05, then 0.01.)
    pub rate: f32,
    /// The rate towards which it goes evenly from cycle to cycle, and which the cycle behind the last would have; the same as `rate` if not
    /// given. (plogann: the same.)
    #[serde(default)]
    pub rate_to: Option<f32>,
    /// How often all samples are gone through at this rate. (plogann: 100 each.)
    pub cycles: u32,
}

impl Stage {
    /// So many cycles at one rate.
    pub const fn at(rate: f32, cycles: u32) -> Stage {
        Stage { rate, rate_to: None, cycles }
    }

    /// The rate of one of its cycles, counted from 0.
    fn rate_of(&self, cycle: u32) -> f32 {
        self.rate_to.map_or(self.rate, |last| self.rate + (last - self.rate) * cycle as f32 / self.cycles as f32)
    }
}

/// The cycles of all stages.
pub fn cycles_in_all(stages: &[Stage]) -> u32 {
    stages.iter().fold(0, |sum, stage| sum.saturating_add(stage.cycles))
}

/// How networks are trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// All stages.
    pub stages: Vec<Stage>,
    /// How weights follow their gradients.
    pub optimiser: OptimiserName,
    /// The share of the last step that `momentum` adds.
    pub momentum: f32,
    /// So many samples make one step, by the mean of their gradients.
    pub minibatch: u32,
}

impl Training {
    fn descent(&self, network: &Network) -> Descent {
        Descent::new(self.optimiser.method(0.0, self.momentum), self.minibatch, network)
    }

    /// Whether the optimiser can go on from what one remembered of earlier cycles.
    ///
    /// # Errors
    ///
    /// If the memory is of another optimiser or network.
    pub fn remembers(&self, memory: Option<&Optimiser>, network: &Network) -> Result<(), String> {
        self.descent(network).remember(memory.cloned(), network)
    }
}

/// Trains a network in these cycles, counted from 0 over all stages. Every cycle goes through the part for training once, in
/// an order of its own. `memory` is what the optimiser remembers of the cycles before. Calls `prepare` before each cycle, which
/// may write samples anew, and returns false to stop. Returns whether it came to the end.
///
/// # Errors
///
/// If the memory is of another optimiser or network.
pub fn train(
    network: &mut Network,
    memory: &mut Option<Optimiser>,
    samples: &mut Samples,
    training: &Training,
    cycles: Range<u32>,
    seed: Seed,
    prepare: &mut dyn FnMut(u32, &mut Samples) -> bool,
) -> Result<bool, String> {
    let scale = Scale::of(network);
    let method = |rate| training.optimiser.method(rate, training.momentum);
    let mut descent = training.descent(network);
    if let Some(memory) = memory.take() {
        descent.remember(Some(memory), network)?;
    }
    let mut order = Vec::new();
    for cycle in cycles {
        if !prepare(cycle, samples) {
            return Ok(false);
        }
        let Some(rate) = rate_in(&training.stages, cycle) else { break };
        descent.set_method(method(rate));
        order.clear();
        order.extend_from_slice(samples.of(Part::Training));
        shuffle(&mut order, &mut seed.child(u64::from(cycle)).stream());
        for &index in &order {
            let (inputs, value) = samples.sample(index);
            descent.learn(network, inputs, &mut [scale.target(value)]);
        }
        descent.step(network);
    }
    *memory = descent.memory().cloned();
    Ok(true)
}

/// The rate of a cycle; `None` behind the last.
fn rate_in(stages: &[Stage], cycle: u32) -> Option<f32> {
    let mut begin = 0u32;
    for stage in stages {
        let end = begin.saturating_add(stage.cycles);
        if cycle < end {
            return Some(stage.rate_of(cycle - begin));
        }
        begin = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use lanista_nn::{Activation, Shape, Start};

    use super::*;

    const STAGES: [Stage; 2] = [Stage::at(0.2, 60), Stage::at(0.05, 40)];

    fn network(activation: Activation) -> Network {
        let shape = Shape::uniform(3, &[4, 1], activation);
        Network::random(shape, Start::Xavier, &mut Seed::new(5).stream()).expect("a good shape")
    }

    fn samples() -> Samples {
        let mut samples = Samples::new(3);
        for number in 0..64u64 {
            let bits = [0, 1, 2].map(|bit| (number >> bit & 1) as f32);
            let value = f64::from(0.8 * bits[0] + 0.2 * bits[1] * bits[2]);
            samples.push(Part::of(number / 8, 0.25, Seed::new(1)), value, |inputs| inputs.copy_from_slice(&bits));
        }
        samples
    }

    #[test]
    fn stages_follow_each_other() {
        let rates = [0, 59, 60, 99, 100].map(|cycle| rate_in(&STAGES, cycle));
        assert_eq!(rates, [Some(0.2), Some(0.2), Some(0.05), Some(0.05), None]);
        assert_eq!(cycles_in_all(&STAGES), 100);
        let falling = [Stage::at(0.5, 1), Stage { rate_to: Some(0.1), ..Stage::at(0.2, 4) }];
        let rates = [0, 1, 2, 3, 4, 5].map(|cycle| rate_in(&falling, cycle));
        assert_eq!(rates, [Some(0.5), Some(0.2), Some(0.175), Some(0.15), Some(0.125), None]);
    }

    fn training(optimiser: OptimiserName, minibatch: u32) -> Training {
        let shrink = if optimiser == OptimiserName::Sgd { 1.0 } else { 0.1 };
        let stages = STAGES.map(|stage| Stage { rate: stage.rate * shrink, ..stage }).to_vec();
        Training { stages, optimiser, momentum: 0.9, minibatch }
    }

    #[test]
    fn networks_learn_and_go_on_to_the_bit() {
        let ways = [OptimiserName::Sgd, OptimiserName::Momentum, OptimiserName::Adam];
        let activations = [Activation::Sigmoid, Activation::Tanh];
        for (way, activation, minibatch) in
            ways.iter().flat_map(|&way| activations.iter().flat_map(move |&kind| [1, 3].map(|size| (way, kind, size))))
        {
            let training = training(way, minibatch);
            let learn = |network: &mut Network, memory: &mut Option<Optimiser>, cycles: Range<u32>| {
                let go_on = &mut |_, _: &mut Samples| true;
                train(network, memory, &mut samples(), &training, cycles, Seed::new(9), go_on)
                    .expect("a memory that fits")
            };
            let samples = samples();
            let mut whole = network(activation);
            let before = samples.error(&whole, Part::Training);
            assert!(learn(&mut whole, &mut None, 0..100));
            let after = samples.error(&whole, Part::Training);
            assert!(after < before.map(|error| error / 3.0), "{way:?} {activation} {minibatch}: {before:?}, {after:?}");
            let mut pieces = network(activation);
            let mut memory = None;
            for cycles in [0..7, 7..60, 60..61, 61..100] {
                learn(&mut pieces, &mut memory, cycles);
            }
            assert_eq!(pieces.weights(), whole.weights(), "{way:?} {activation} {minibatch}");
        }
    }

    #[test]
    fn training_stops_before_a_cycle() {
        let mut stopped = network(Activation::Tanh);
        let (mut seen, training) = (Vec::new(), training(OptimiserName::Sgd, 1));
        let prepare = &mut |cycle, _: &mut Samples| {
            seen.push(cycle);
            false
        };
        assert_eq!(train(&mut stopped, &mut None, &mut samples(), &training, 5..100, Seed::new(9), prepare), Ok(false));
        assert_eq!((stopped, seen), (network(Activation::Tanh), vec![5]));
    }

    #[test]
    fn what_is_written_anew_is_learnt() {
        let (mut all_alike, training) = (network(Activation::Tanh), training(OptimiserName::Sgd, 1));
        let prepare = &mut |_, samples: &mut Samples| {
            (0..64).for_each(|index| samples.rewrite(index, |inputs| inputs.fill(0.5)));
            true
        };
        let mut rows = samples();
        assert_eq!(train(&mut all_alike, &mut None, &mut rows, &training, 0..100, Seed::new(9), prepare), Ok(true));
        assert_eq!(rows.sample(9).0, [0.5; 3]);
        // It can say no more than the mean of what it has to learn from.
        let (error, constant) = (rows.error(&all_alike, Part::Training), rows.constant_error(Part::Training));
        let gap = error.zip(constant).map(|(error, constant)| error - constant).expect("two parts");
        assert!((0.0..0.01).contains(&gap), "{gap}");
    }
}
