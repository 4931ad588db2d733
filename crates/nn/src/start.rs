//! The weights that a network begins with.

use lanista_core::RandomStream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Network, NetworkError, Shape};

/// How first weights are drawn, one by one in the order of the chromosome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Start {
    /// All weights, biases too, evenly between two numbers.
    Uniform {
        /// From here.
        low: f32,
        /// To here, which is never reached.
        high: f32,
    },
    /// Evenly within ±√(6 / (n + m)) for a layer of m units that see n numbers each; biases 0. Keeps the spread of
    /// signals the same in both directions (Glorot and Bengio, 2010).
    Xavier,
    /// Evenly within ±√(6 / n); biases 0. The same for layers that cut off half of what they see (He and others, 2015).
    He,
}

impl Network {
    /// A network with random weights.
    pub fn random(shape: Shape, start: Start, random: &mut RandomStream) -> Result<Network, NetworkError> {
        shape.check()?;
        let mut weights = Vec::with_capacity(shape.weights());
        // A square root is correctly rounded everywhere, so these bits are the same on every processor, too.
        let mut between = |low: f64, high: f64| (low + (high - low) * random.unit()) as f32;
        for (fan, layer) in shape.fans().zip(&shape.layers) {
            let limit = match start {
                Start::Uniform { .. } => 0.0,
                Start::Xavier => (6.0 / (fan + layer.size) as f64).sqrt(),
                Start::He => (6.0 / fan as f64).sqrt(),
            };
            for _ in 0..layer.size {
                match start {
                    Start::Uniform { low, high } => {
                        let count = fan + usize::from(layer.bias);
                        weights.extend((0..count).map(|_| between(low.into(), high.into())));
                    }
                    Start::Xavier | Start::He => {
                        weights.extend((0..fan).map(|_| between(-limit, limit)));
                        weights.extend(layer.bias.then_some(0.0));
                    }
                }
            }
        }
        Network::from_weights(shape, &weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Activation;
    use lanista_core::Seed;

    #[test]
    fn ranges_and_biases() {
        let shape = Shape::uniform(30, &[20, 5], Activation::Tanh);
        let drawn =
            |start| Network::random(shape.clone(), start, &mut Seed::new(4).stream()).expect("a good shape").weights();
        let uniform = drawn(Start::Uniform { low: -0.5, high: 2.0 });
        assert!(uniform.iter().all(|weight| (-0.5..2.0).contains(weight)));
        assert!(uniform.iter().any(|&weight| weight < -0.45) && uniform.iter().any(|&weight| weight > 1.95));
        for (start, limit) in [(Start::Xavier, 6.0 / 50.0), (Start::He, 6.0 / 30.0f32)] {
            let weights = drawn(start);
            let first: Vec<&[f32]> = weights[..620].chunks(31).collect();
            assert!(first.iter().all(|unit| unit[30] == 0.0), "biases");
            let widest = first.iter().flat_map(|unit| &unit[..30]).fold(0.0f32, |most, weight| most.max(weight.abs()));
            assert!(widest <= limit.sqrt() && widest > 0.98 * limit.sqrt(), "{widest}");
        }
        assert!(
            Network::random(shape, Start::Uniform { low: 0.0, high: f32::NAN }, &mut Seed::new(4).stream()).is_err()
        );
    }
}
