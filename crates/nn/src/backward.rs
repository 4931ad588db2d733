//! Which way to turn the weights.

use crate::lanes::padded;
use crate::{Network, Room};

/// The slopes of an error by each weight of a network, summed over samples. As an eligibility trace it holds the
/// slopes of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// Laid out as the network's cells.
    pub(crate) cells: Vec<f32>,
}

impl Gradient {
    /// All zero, for networks of one shape.
    pub fn new(network: &Network) -> Gradient {
        Gradient { cells: vec![0.0; network.cells.len()] }
    }

    /// Makes all zero.
    pub fn clear(&mut self) {
        self.cells.fill(0.0);
    }

    /// Multiplies all by a factor.
    pub fn scale(&mut self, factor: f32) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    /// Adds another, from a network of the same shape.
    pub fn add(&mut self, other: &Gradient) {
        assert_eq!(self.cells.len(), other.cells.len(), "gradients of one shape");
        self.cells.iter_mut().zip(&other.cells).for_each(|(cell, other)| *cell += other);
    }

    /// The slopes in the order of the chromosome.
    pub fn weights(&self, network: &Network) -> Vec<f32> {
        network.chromosome().map(|cell| self.cells[cell]).collect()
    }
}

impl Network {
    /// Adds the slopes by all weights to `gradient`, given the slope of the error by each output. `room` comes from
    /// [`Network::forward`] for the sample.
    ///
    /// # Panics
    ///
    /// If room, gradient or the number of slopes belong to another shape.
    pub fn backward(&self, output_slopes: &[f32], room: &mut Room, gradient: &mut Gradient) {
        assert_eq!(gradient.cells.len(), self.cells.len(), "a gradient of this shape");
        assert_eq!(output_slopes.len(), self.shape().outputs(), "one slope for each output");
        self.start_back(room, |output, _| output_slopes[output]);
        for (number, plan) in self.plans.iter().enumerate().rev() {
            self.look_down(number, room);
            let (inputs, live) = room.seen(number);
            plan.spread(&mut gradient.cells, inputs, live, room.slopes(plan), |cell, slope| *cell += slope);
            std::mem::swap(&mut room.slopes, &mut room.below);
        }
    }

    /// Adds a gradient times a factor to the weights; a negative factor makes the error smaller.
    ///
    /// # Panics
    ///
    /// If the gradient belongs to another shape.
    pub fn nudge(&mut self, gradient: &Gradient, factor: f32) {
        assert_eq!(gradient.cells.len(), self.cells.len(), "a gradient of this shape");
        self.cells.iter_mut().zip(&gradient.cells).for_each(|(cell, slope)| *cell += factor * slope);
    }

    /// One step of gradient descent on one sample, for the error ½·Σ(output − target)². Returns that error, from before
    /// the step. The same bits as forward, backward and [`crate::Optimiser`] with plain descent, in one go.
    ///
    /// # Panics
    ///
    /// If the numbers of inputs or targets are not those of the shape.
    pub fn train(&mut self, inputs: &[f32], targets: &[f32], rate: f32, room: &mut Room) -> f32 {
        assert_eq!(targets.len(), self.shape().outputs(), "one target for each output");
        let outputs = self.forward(inputs, room);
        let error: f32 =
            outputs.iter().zip(targets).map(|(output, target)| (output - target) * (output - target)).sum();
        self.start_back(room, |output, value| value - targets[output]);
        for number in (0..self.plans.len()).rev() {
            // Before the weights change.
            self.look_down(number, room);
            let plan = &self.plans[number];
            let (inputs, live) = room.seen(number);
            plan.spread(&mut self.cells, inputs, live, room.slopes(plan), |cell, slope| *cell += -rate * slope);
            std::mem::swap(&mut room.slopes, &mut room.below);
        }
        0.5 * error
    }

    /// Computes the slopes at the sums of the layer below `number` into the room; below the first there is none.
    fn look_down(&self, number: usize, room: &mut Room) {
        let Some(under) = number.checked_sub(1) else { return };
        let plan = &self.plans[number];
        let activation = self.plans[under].layer.activation;
        let below = &mut room.below[..padded(plan.inputs)];
        plan.back(&self.cells, &room.slopes[..padded(plan.layer.size)], below);
        below.iter_mut().zip(&room.values[number]).for_each(|(below, &value)| *below *= activation.slope(value));
    }

    /// Fills in the slopes at the sums of the last layer.
    fn start_back(&self, room: &mut Room, slope: impl Fn(usize, f32) -> f32) {
        let last = &self.plans[self.plans.len() - 1].layer;
        let outputs = &room.values[self.plans.len()];
        room.slopes[..padded(last.size)].fill(0.0);
        for (output, &value) in outputs[..last.size].iter().enumerate() {
            room.slopes[output] = slope(output, value) * last.activation.slope(value);
        }
    }
}
