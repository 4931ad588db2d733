//! How a learner that follows gradients sees positions, and the network that learns from what it sees.

use std::sync::Arc;

use lanista_core::{Evaluators, Inputs, Linear, Side};
use lanista_nn::{Activation, Layer, Shape, View};

use super::body::{Body, linear};

/// Evaluators that are sums of features learn as tanh of their value in this unit: ten times what they call 1.
const LINEAR_UNIT: f32 = 1000.0;

/// What turns positions into inputs.
pub struct Eyes<G> {
    seen: Seen<G>,
    shape: Shape,
}

enum Seen<G> {
    Inputs(Arc<dyn Inputs<G>>, View),
    Features(Box<dyn Linear<G>>),
}

impl<G: Evaluators> Eyes<G> {
    /// Those of a body. An error says why it has none.
    pub fn of(body: &Body) -> Result<Eyes<G>, String> {
        match body {
            Body::Network { groups, view, shape } => {
                let inputs = G::inputs(groups)?;
                if inputs.size() != shape.inputs {
                    return Err(format!("{} inputs, the network takes {}", inputs.size(), shape.inputs));
                }
                Ok(Eyes { seen: Seen::Inputs(inputs.into(), *view), shape: shape.clone() })
            }
            Body::Linear { evaluator } => {
                let linear = linear::<G>(evaluator)?;
                let shape = sum_of_features(linear.weights().len());
                Ok(Eyes { seen: Seen::Features(linear), shape })
            }
            Body::Graph { .. } => Err("a network that grows does not follow gradients".into()),
            Body::OneOf(_) => Err("only one network at a time follows gradients".into()),
        }
    }

    /// The network that learns.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Whose view a position is seen from.
    pub fn viewer(&self, position: &G) -> Side {
        match &self.seen {
            Seen::Inputs(_, view) => view.of(position.side_to_move()),
            Seen::Features(_) => position.side_to_move(),
        }
    }

    /// Writes what a position looks like. All numbers are 0 before.
    pub fn write(&self, position: &G, row: &mut [f32]) {
        match &self.seen {
            Seen::Inputs(inputs, _) => inputs.write(position, self.viewer(position), row),
            Seen::Features(linear) => {
                linear.features(position, row);
                row.iter_mut().for_each(|feature| *feature /= LINEAR_UNIT);
            }
        }
    }
}

/// An evaluator that is a sum of so many weighted features, as a network: one unit without bias.
pub fn sum_of_features(weights: usize) -> Shape {
    Shape { inputs: weights, layers: vec![Layer { size: 1, activation: Activation::Tanh, bias: false }] }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, MoveList, Position, Seed};
    use lanista_games::loa::Loa;
    use lanista_nn::{Network, Room};

    use super::*;

    /// An evaluator as a network says tanh of its own value, in tens.
    #[test]
    fn a_sum_of_features_keeps_the_unit_of_its_evaluator() {
        let body = Body::Linear { evaluator: "mia4".into() };
        let eyes = Eyes::<Loa<6>>::of(&body).expect("features");
        let weights = linear::<Loa<6>>("mia4").expect("weights").weights();
        let network = Network::from_weights(eyes.shape().clone(), &weights).expect("a network");
        let mut evaluator = Loa::<6>::evaluator("mia4", None).expect("no file").expect("an evaluator");
        let (mut room, mut random) = (Room::new(), Seed::new(5).stream());
        let (mut moves, mut greatest) = (MoveList::new(), 0.0f32);
        let mut position = <Loa<6> as Game>::rules("").expect("rules").start;
        while position.outcome().is_none() {
            let mut row = vec![0.0; weights.len()];
            eyes.write(&position, &mut row);
            let said = network.forward(&row, &mut room)[0];
            evaluator.reset(&position);
            let value = (evaluator.value(&position).0 as f32 / 1000.0).tanh();
            // The evaluator cuts its value to whole numbers.
            assert!((said - value).abs() < 0.002, "{position}: {said} {value}");
            greatest = greatest.max(value.abs());
            position.play(position.random_move(&mut random, &mut moves));
        }
        assert!(greatest > 0.1, "the test shows little: {greatest}");
    }
}
