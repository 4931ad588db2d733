//! How a network is built, without its weights.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Activation;

/// Inputs and layers have at most this many units.
pub const MAX_SIZE: usize = 4096;

/// Networks have at most this many layers, the inputs not counted.
pub const MAX_LAYERS: usize = 8;

/// One layer: units that all see everything below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layer {
    /// How many units it has.
    pub size: usize,
    /// What each makes of its sum.
    pub activation: Activation,
    /// Whether each unit has a weight that is added whatever the inputs are.
    pub bias: bool,
}

/// The number of inputs and the layers, the outputs last.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Shape {
    /// How many numbers go in.
    pub inputs: usize,
    /// The layers above them.
    pub layers: Vec<Layer>,
}

/// Why a shape cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShapeError {
    /// No layer, or too many.
    #[error("{0} layers: a network has 1 to {MAX_LAYERS}")]
    Layers(usize),
    /// No inputs, or too many.
    #[error("{0} inputs: a network has 1 to {MAX_SIZE}")]
    Inputs(usize),
    /// A layer without units, or with too many.
    #[error("layer {layer} has {size} units: a layer has 1 to {MAX_SIZE}")]
    Size {
        /// Which layer, counted from 0.
        layer: usize,
        /// Its size.
        size: usize,
    },
}

impl Shape {
    /// A shape whose layers all have one activation and biases.
    pub fn uniform(inputs: usize, sizes: &[usize], activation: Activation) -> Shape {
        Shape { inputs, layers: sizes.iter().map(|&size| Layer { size, activation, bias: true }).collect() }
    }

    /// Whether a network of this shape can be built.
    pub fn check(&self) -> Result<(), ShapeError> {
        if !(1..=MAX_SIZE).contains(&self.inputs) {
            return Err(ShapeError::Inputs(self.inputs));
        }
        if !(1..=MAX_LAYERS).contains(&self.layers.len()) {
            return Err(ShapeError::Layers(self.layers.len()));
        }
        match self.layers.iter().position(|layer| !(1..=MAX_SIZE).contains(&layer.size)) {
            Some(layer) => Err(ShapeError::Size { layer, size: self.layers[layer].size }),
            None => Ok(()),
        }
    }

    /// How many weights a network of this shape has, biases included.
    pub fn weights(&self) -> usize {
        self.fans().zip(&self.layers).map(|(fan, layer)| layer.size * (fan + usize::from(layer.bias))).sum()
    }

    /// How many outputs it has.
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.size)
    }

    /// How many numbers each layer sees.
    pub(crate) fn fans(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.inputs).chain(self.layers.iter().map(|layer| layer.size))
    }
}

/// As `100-20-1 tanh tanh`: sizes, then activations; a layer without biases has a `!` behind its activation.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.inputs)?;
        self.layers.iter().try_for_each(|layer| write!(f, "-{}", layer.size))?;
        let mark = |layer: &Layer| if layer.bias { "" } else { "!" };
        self.layers.iter().try_for_each(|layer| write!(f, " {}{}", layer.activation, mark(layer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn layer(size: usize, activation: Activation, bias: bool) -> Layer {
        Layer { size, activation, bias }
    }

    #[test]
    fn weights_are_counted() {
        use Activation::{Sigmoid, Tanh};
        assert_eq!(Shape::uniform(100, &[20, 1], Tanh).weights(), 2_041, "Lines of Action, 100-20-1");
        let plain = Shape { inputs: 85, layers: vec![layer(25, Sigmoid, true), layer(1, Sigmoid, false)] };
        assert_eq!(plain.weights(), 2_175, "Connect Four, biases on the hidden layer only");
        assert_eq!(Shape::uniform(25, &[12, 1], Tanh).weights(), 325);
        let mixed = Shape { inputs: 64, layers: vec![layer(50, Sigmoid, true), layer(1, Tanh, true)] };
        assert_eq!(mixed.weights(), 3_301);
        assert_eq!(mixed.to_string(), "64-50-1 sigmoid tanh");
        assert_eq!(plain.to_string(), "85-25-1 sigmoid sigmoid!");
        assert_eq!(plain.outputs(), 1);
    }

    #[test]
    fn limits() {
        let uniform = |inputs, sizes: &[usize]| Shape::uniform(inputs, sizes, Activation::Relu).check();
        assert_eq!(uniform(1, &[4096; 8]), Ok(()));
        assert_eq!(uniform(0, &[1]), Err(ShapeError::Inputs(0)));
        assert_eq!(uniform(5000, &[1]), Err(ShapeError::Inputs(5000)));
        assert_eq!(uniform(1, &[]), Err(ShapeError::Layers(0)));
        assert_eq!(uniform(1, &[1; 9]), Err(ShapeError::Layers(9)));
        assert_eq!(uniform(1, &[1, 0, 1]), Err(ShapeError::Size { layer: 1, size: 0 }));
        let message = uniform(1, &[1, 9999]).map_err(|error| error.to_string());
        assert_eq!(message, Err("layer 1 has 9999 units: a layer has 1 to 4096".into()));
    }

    #[test]
    fn json_round_trip() {
        let shape = Shape::uniform(3, &[2], Activation::ClippedRelu);
        let text = serde_json::to_string(&shape).expect("plain data");
        assert_eq!(text, r#"{"inputs":3,"layers":[{"size":2,"activation":"clipped-relu","bias":true}]}"#);
        assert_eq!(serde_json::from_str::<Shape>(&text).expect("what was written"), shape);
    }
}
