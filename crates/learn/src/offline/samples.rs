//! Positions as numbers, with what they are worth, in two parts.

use lanista_core::Seed;
use lanista_nn::{Activation, Network, Room};

/// What a sample is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Networks learn from it.
    Training,
    /// Networks never see it: it tells what they have understood.
    Validation,
}

impl Part {
    /// The part of a position. It hangs on the position alone, not on what else was sampled. Positions that are the same to a
    /// network should come with the same key.
    pub fn of(key: u64, share: f64, seed: Seed) -> Part {
        match share > 0.0 && seed.child(key).stream().unit() < share {
            true => Part::Validation,
            false => Part::Training,
        }
    }
}

/// Samples for networks with so many inputs.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    size: usize,
    inputs: Vec<f32>,
    values: Vec<f32>,
    parts: [Vec<u32>; 2],
}

impl Samples {
    /// None yet.
    pub fn new(size: usize) -> Samples {
        Samples { size, ..Samples::default() }
    }

    /// Adds a sample; `write` fills in its inputs, which are 0 before. `value` is what it is worth, 0 to 1.
    pub fn push(&mut self, part: Part, value: f64, write: impl FnOnce(&mut [f32])) {
        let from = self.inputs.len();
        self.inputs.resize(from + self.size, 0.0);
        write(&mut self.inputs[from..]);
        self.parts[part as usize].push(self.values.len() as u32);
        self.values.push(value as f32);
    }

    /// Writes the inputs of a sample anew; they are 0 before.
    pub fn rewrite(&mut self, index: u32, write: impl FnOnce(&mut [f32])) {
        let from = index as usize * self.size;
        let inputs = &mut self.inputs[from..from + self.size];
        inputs.fill(0.0);
        write(inputs);
    }

    /// The samples of a part.
    pub fn of(&self, part: Part) -> &[u32] {
        &self.parts[part as usize]
    }

    /// The inputs of a sample and its value.
    pub fn sample(&self, index: u32) -> (&[f32], f32) {
        let from = index as usize * self.size;
        (&self.inputs[from..from + self.size], self.values[index as usize])
    }

    /// The mean squared difference between what a network says and the values, 0 to 1; `None` if the part is empty.
    pub fn error(&self, network: &Network, part: Part) -> Option<f64> {
        let scale = Scale::of(network);
        let mut room = Room::new();
        self.mean(part, |inputs, value| {
            let difference = f64::from(scale.value(network.forward(inputs, &mut room)[0]) - value);
            difference * difference
        })
    }

    /// The same for a guess that knows no position: the mean value of the part for training. A network that does no better has
    /// understood nothing. `None` if either part is empty.
    pub fn constant_error(&self, part: Part) -> Option<f64> {
        let guess = self.mean(Part::Training, |_, value| f64::from(value))?;
        self.mean(part, |_, value| (f64::from(value) - guess) * (f64::from(value) - guess))
    }

    /// The mean of something over a part; `None` if the part is empty.
    fn mean(&self, part: Part, mut of: impl FnMut(&[f32], f32) -> f64) -> Option<f64> {
        let mut sum = 0.0;
        for &index in self.of(part) {
            let (inputs, value) = self.sample(index);
            sum += of(inputs, value);
        }
        let count = self.of(part).len();
        (count > 0).then(|| sum / count as f64)
    }
}

/// How values stand to outputs: the logistic function goes from 0 to 1 as they do, everything else says −1 for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    Values,
    Opinions,
}

impl Scale {
    pub(super) fn of(network: &Network) -> Scale {
        match network.shape().layers.last().map(|layer| layer.activation) {
            Some(Activation::Sigmoid) => Scale::Values,
            _ => Scale::Opinions,
        }
    }

    /// What an output should be.
    pub(super) fn target(self, value: f32) -> f32 {
        if self == Scale::Values { value } else { 2.0 * value - 1.0 }
    }

    /// What an output says.
    pub(super) fn value(self, output: f32) -> f32 {
        if self == Scale::Values { output } else { 0.5 * (output + 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use lanista_nn::Shape;

    use super::*;

    #[test]
    fn parts_hang_on_the_position_alone() {
        let seed = Seed::new(3);
        let parts: Vec<Part> = (0..10_000).map(|key| Part::of(key, 0.2, seed)).collect();
        let held_back = parts.iter().filter(|&&part| part == Part::Validation).count();
        assert!((1_760..2_240).contains(&held_back), "six standard deviations around a fifth: {held_back}");
        assert_eq!(Part::of(77, 0.2, seed), parts[77]);
        assert!((0..1000).all(|key| Part::of(key, 0.0, seed) == Part::Training));
        // A larger share only adds to the part.
        assert!(
            (0..10_000)
                .all(|key| parts[key as usize] == Part::Training || Part::of(key, 0.4, seed) == Part::Validation)
        );
    }

    #[test]
    fn errors_by_hand() {
        for (activation, output) in [(Activation::Sigmoid, 0.5), (Activation::Tanh, 0.5), (Activation::Linear, 0.5)] {
            let shape = Shape::uniform(2, &[1], activation);
            let network = Network::from_weights(shape, &[0.0; 3]).expect("three weights");
            let mut samples = Samples::new(2);
            assert_eq!(samples.error(&network, Part::Training), None);
            for (part, value) in [(Part::Training, 1.0), (Part::Validation, 0.25), (Part::Training, 0.5)] {
                samples.push(part, value, |inputs| inputs[0] = 1.0);
            }
            assert_eq!(samples.error(&network, Part::Training), Some((1.0 - output) * (1.0 - output) / 2.0));
            assert_eq!(samples.error(&network, Part::Validation), Some(0.0625));
            assert_eq!(samples.sample(1), (&[1.0, 0.0][..], 0.25));
        }
    }

    #[test]
    fn the_constant_guess_by_hand() {
        let mut samples = Samples::new(1);
        samples.push(Part::Validation, 0.25, |_| {});
        assert_eq!(samples.constant_error(Part::Validation), None, "nothing to guess by");
        samples.push(Part::Training, 1.0, |_| {});
        samples.push(Part::Training, 0.5, |_| {});
        // The mean of 1 and 0.5 is 0.75.
        assert_eq!(samples.constant_error(Part::Training), Some(0.0625));
        assert_eq!(samples.constant_error(Part::Validation), Some(0.25));
    }
}
