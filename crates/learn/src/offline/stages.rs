//! Training: cycles through all samples, at rates that change from stage to stage.

use std::ops::Range;

use lanista_core::Seed;
use lanista_nn::{Network, Room};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::samples::Scale;
use super::{Part, Samples};
use crate::shuffle::shuffle;

/// Cycles at one rate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Stage {
    /// The learning rate. (plogann: 0.2, then 0.05, then 0.01.)
    pub rate: f32,
    /// How often all samples are gone through at this rate. (plogann: 100 each.)
    pub cycles: u32,
}

/// The cycles of all stages.
pub fn cycles_in_all(stages: &[Stage]) -> u32 {
    stages.iter().fold(0, |sum, stage| sum.saturating_add(stage.cycles))
}

/// Trains a network in these cycles, counted from 0 over all stages. Every cycle goes through the part for training once, in
/// an order of its own, and every sample turns the weights: plain back-propagation. Asks `goes_on` before each cycle; returns
/// whether it came to the end.
pub fn train(
    network: &mut Network,
    samples: &Samples,
    stages: &[Stage],
    cycles: Range<u32>,
    seed: Seed,
    goes_on: &mut dyn FnMut() -> bool,
) -> bool {
    let scale = Scale::of(network);
    let mut room = Room::new();
    let mut order = Vec::new();
    for cycle in cycles {
        if !goes_on() {
            return false;
        }
        let Some(rate) = rate_in(stages, cycle) else { break };
        order.clear();
        order.extend_from_slice(samples.of(Part::Training));
        shuffle(&mut order, &mut seed.child(u64::from(cycle)).stream());
        for &index in &order {
            let (inputs, value) = samples.sample(index);
            network.train(inputs, &[scale.target(value)], rate, &mut room);
        }
    }
    true
}

/// The rate of a cycle; `None` behind the last.
fn rate_in(stages: &[Stage], cycle: u32) -> Option<f32> {
    let mut end = 0u32;
    let stage = stages.iter().find(|stage| {
        end = end.saturating_add(stage.cycles);
        cycle < end
    });
    stage.map(|stage| stage.rate)
}

#[cfg(test)]
mod tests {
    use lanista_nn::{Activation, Shape, Start};

    use super::*;

    const STAGES: [Stage; 2] = [Stage { rate: 0.2, cycles: 60 }, Stage { rate: 0.05, cycles: 40 }];

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
    }

    #[test]
    fn networks_learn_and_go_on_to_the_bit() {
        let samples = samples();
        for activation in [Activation::Sigmoid, Activation::Tanh] {
            let mut whole = network(activation);
            let before = samples.error(&whole, Part::Training);
            assert!(train(&mut whole, &samples, &STAGES, 0..100, Seed::new(9), &mut || true));
            let after = samples.error(&whole, Part::Training);
            assert!(after < before.map(|error| error / 4.0), "{activation}: {before:?}, {after:?}");
            let mut pieces = network(activation);
            for cycles in [0..7, 7..60, 60..61, 61..100] {
                train(&mut pieces, &samples, &STAGES, cycles, Seed::new(9), &mut || true);
            }
            assert_eq!(pieces.weights(), whole.weights());
            let mut stopped = network(activation);
            assert!(!train(&mut stopped, &samples, &STAGES, 0..100, Seed::new(9), &mut || false));
            assert_eq!(stopped, network(activation));
        }
    }
}
