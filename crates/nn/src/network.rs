//! Networks of layers.

use thiserror::Error;

use crate::layer::Plan;
use crate::{Room, Shape, ShapeError};

/// A feed-forward network: a shape and its weights.
///
/// # The chromosome
///
/// [`Network::from_weights`] and [`Network::weights`] speak of one flat list, the *chromosome*: layer by layer, in it
/// unit by unit, for each unit its weights from all inputs in order, then its bias if the layer has biases. Inside,
/// weights lie otherwise; see the head of `layer.rs`.
///
/// # Bits
///
/// The same weights and inputs give the same bits, whether rows come alone or in batches, and on every processor:
/// each sum has one fixed order (see `layer.rs` and `lanes.rs`), inputs that are 0 are always left out, and the
/// activations use exactly rounded operations only.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    shape: Shape,
    pub(crate) plans: Vec<Plan>,
    pub(crate) cells: Vec<f32>,
}

/// Why weights make no network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// The shape cannot be built.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The wrong number of weights.
    #[error("{found} weights: the shape has {expected}")]
    Count {
        /// As the shape has.
        expected: usize,
        /// As there are.
        found: usize,
    },
    /// A weight that is no finite number.
    #[error("weight {0} is not a finite number")]
    NotFinite(usize),
}

impl Network {
    /// A network from its chromosome.
    pub fn from_weights(shape: Shape, weights: &[f32]) -> Result<Network, NetworkError> {
        shape.check()?;
        let (plans, cells) = Plan::all(&shape);
        check_weights(&shape, weights)?;
        let mut network = Network { shape, plans, cells: vec![0.0; cells] };
        network.place(weights);
        Ok(network)
    }

    /// Replaces all weights by those of a chromosome.
    pub fn set_weights(&mut self, weights: &[f32]) -> Result<(), NetworkError> {
        check_weights(&self.shape, weights)?;
        self.place(weights);
        Ok(())
    }

    /// The chromosome.
    pub fn weights(&self) -> Vec<f32> {
        self.chromosome().map(|cell| self.cells[cell]).collect()
    }

    /// How it is built.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The outputs for `inputs`, of which there are as many as the shape says.
    ///
    /// # Panics
    ///
    /// If there are more or fewer.
    #[inline]
    pub fn forward<'room>(&self, inputs: &[f32], room: &'room mut Room) -> &'room [f32] {
        room.fit(&self.plans);
        room.values[0][..self.shape.inputs].copy_from_slice(inputs);
        self.forward_from(0, room);
        self.outputs(room)
    }

    /// The outputs for many rows of inputs, one row behind the other; the outputs go to `out` in the same way.
    ///
    /// # Panics
    ///
    /// If `rows` is no whole number of rows, or `out` has not the room for their outputs.
    pub fn forward_batch(&self, rows: &[f32], out: &mut [f32], room: &mut Room) {
        let (inputs, outputs) = (self.shape.inputs, self.shape.outputs());
        assert!(
            rows.len().is_multiple_of(inputs) && out.len() == rows.len() / inputs * outputs,
            "rows and outputs fit"
        );
        for (row, out) in rows.chunks_exact(inputs).zip(out.chunks_exact_mut(outputs)) {
            out.copy_from_slice(self.forward(row, room));
        }
    }

    /// Computes the layers from `first` up; what `first` sees is in the room, which fits.
    #[inline]
    pub(crate) fn forward_from(&self, first: usize, room: &mut Room) {
        for (number, plan) in self.plans.iter().enumerate().skip(first) {
            room.forward(number, plan, &self.cells);
        }
    }

    /// The outputs that were computed last.
    #[inline]
    pub(crate) fn outputs<'room>(&self, room: &'room Room) -> &'room [f32] {
        &room.values[self.plans.len()][..self.shape.outputs()]
    }

    /// The cells in the order of the chromosome.
    pub(crate) fn chromosome(&self) -> impl Iterator<Item = usize> {
        self.plans.iter().flat_map(Plan::chromosome)
    }

    /// Where there is a weight that is no finite number, its place in the chromosome.
    pub(crate) fn not_finite(&self) -> Option<usize> {
        // What only fills up is finite.
        match self.cells.iter().all(|cell| cell.is_finite()) {
            true => None,
            false => self.chromosome().position(|cell| !self.cells[cell].is_finite()),
        }
    }

    fn place(&mut self, weights: &[f32]) {
        let mut rest = weights;
        for plan in &self.plans {
            rest = plan.place(&mut self.cells, rest);
        }
    }
}

fn check_weights(shape: &Shape, weights: &[f32]) -> Result<(), NetworkError> {
    let expected = shape.weights();
    if weights.len() != expected {
        return Err(NetworkError::Count { expected, found: weights.len() });
    }
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(place) => Err(NetworkError::NotFinite(place)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Layer, Start};
    use lanista_core::Seed;

    #[test]
    fn a_network_by_hand() {
        // Two inputs; a layer of two without biases; one output with a bias.
        let layer = |size, bias| Layer { size, activation: Activation::Linear, bias };
        let shape = Shape { inputs: 2, layers: vec![layer(2, false), layer(1, true)] };
        let network = Network::from_weights(shape, &[1.0, 2.0, 3.0, 4.0, 10.0, 100.0, 0.5]).expect("seven weights");
        // (1·3 + 2·5) · 10 + (3·3 + 4·5) · 100 + 0.5
        assert_eq!(network.forward(&[3.0, 5.0], &mut Room::new()), [130.0 + 2900.0 + 0.5]);
    }

    #[test]
    fn weights_come_back_in_order() {
        for sizes in [&[3, 1][..], &[9, 17, 5], &[4, 5], &[1]] {
            let shape = Shape::uniform(11, sizes, Activation::Tanh);
            let weights: Vec<f32> = (0..shape.weights()).map(|index| index as f32).collect();
            let mut network = Network::from_weights(shape.clone(), &weights).expect("as many as needed");
            assert_eq!(network.weights(), weights);
            let negative: Vec<f32> = weights.iter().map(|weight| -weight).collect();
            network.set_weights(&negative).expect("as many as needed");
            assert_eq!(network.weights(), negative);
            let short = Network::from_weights(shape.clone(), &weights[1..]);
            assert_eq!(short, Err(NetworkError::Count { expected: weights.len(), found: weights.len() - 1 }));
            let mut bad = weights;
            bad[7] = f32::INFINITY;
            assert_eq!(Network::from_weights(shape, &bad), Err(NetworkError::NotFinite(7)));
        }
    }

    /// Stored experiments depend on these bits. Written down when they first came out.
    #[test]
    fn outputs_never_change() {
        let mut random = Seed::new(12).stream();
        let shape = Shape::uniform(100, &[20, 1], Activation::Tanh);
        let network = Network::random(shape, Start::Xavier, &mut random).expect("a good shape");
        let inputs: Vec<f32> = (0..100).map(|_| random.below(3) as f32 - 1.0).collect();
        assert_eq!(network.forward(&inputs, &mut Room::new())[0].to_bits(), 0x3e68_0568);
    }
}
