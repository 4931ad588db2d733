//! Learning by gradients: from sample to sample, or by the mean of several.

use lanista_nn::{Gradient, Method, Network, Optimiser, Room};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A way to follow gradients.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OptimiserName {
    /// Plain steps against the gradient.
    #[default]
    Sgd,
    /// Steps that keep some of the last one.
    Momentum,
    /// Every weight at its own pace (Kingma and Ba, 2015).
    Adam,
}

impl OptimiserName {
    /// This way at a rate, with a share of the last step for `momentum`.
    pub fn method(self, rate: f32, momentum: f32) -> Method {
        match self {
            OptimiserName::Sgd => Method::Sgd { rate },
            OptimiserName::Momentum => Method::Momentum { rate, momentum },
            OptimiserName::Adam => Method::adam(rate),
        }
    }
}

/// A network's way down its error, sample by sample. Each sample goes into a gradient; after so many of them the network takes a step
/// along the mean.
#[derive(Clone, Debug)]
pub(crate) struct Descent {
    method: Method,
    minibatch: u32,
    /// With the gradient of the samples that wait for a step.
    optimiser: Option<(Optimiser, Gradient)>,
    waiting: u32,
    room: Room,
}

impl Descent {
    /// At the top.
    pub fn new(method: Method, minibatch: u32, network: &Network) -> Descent {
        // Plain descent by single samples has nothing to remember and a path of its own, which is much faster.
        let optimiser = match (method, minibatch) {
            (Method::Sgd { .. }, 1) => None,
            _ => Some((Optimiser::new(method, network), Gradient::new(network))),
        };
        Descent { method, minibatch, optimiser, waiting: 0, room: Room::new() }
    }

    /// Goes on at another rate. The kind of method stays what it is.
    pub fn set_method(&mut self, method: Method) {
        debug_assert_eq!(std::mem::discriminant(&method), std::mem::discriminant(&self.method));
        self.method = method;
        if let Some((optimiser, _)) = &mut self.optimiser {
            optimiser.method = method;
        }
    }

    /// What a network says.
    pub fn forward(&mut self, network: &Network, inputs: &[f32]) -> &[f32] {
        network.forward(inputs, &mut self.room)
    }

    /// Learns that outputs should be `targets`, which become slopes. Returns the squared difference, from before.
    pub fn learn(&mut self, network: &mut Network, inputs: &[f32], targets: &mut [f32]) -> f32 {
        match (&mut self.optimiser, self.method) {
            (None, Method::Sgd { rate }) => 2.0 * network.train(inputs, targets, rate, &mut self.room),
            (None, _) => unreachable!("all but plain descent have an optimiser"),
            (Some((_, gradient)), _) => {
                let outputs = network.forward(inputs, &mut self.room);
                targets.iter_mut().zip(outputs).for_each(|(target, output)| *target = output - *target);
                network.backward(targets, &mut self.room, gradient);
                self.waiting += 1;
                if self.waiting == self.minibatch {
                    self.step(network);
                }
                targets.iter().map(|slope| slope * slope).sum()
            }
        }
    }

    /// The step of the samples that still wait for one, if any do.
    pub fn step(&mut self, network: &mut Network) {
        if let (Some((optimiser, gradient)), 1..) = (&mut self.optimiser, self.waiting) {
            if self.waiting > 1 {
                gradient.scale(1.0 / self.waiting as f32);
            }
            optimiser.step(network, gradient);
            gradient.clear();
            self.waiting = 0;
        }
    }

    /// What the method remembers between two steps.
    pub fn memory(&self) -> Option<&Optimiser> {
        self.optimiser.as_ref().map(|(optimiser, _)| optimiser)
    }

    /// Goes back to what the method remembered, at the present rate. An error if it is of another method or network.
    pub fn remember(&mut self, memory: Option<Optimiser>, network: &Network) -> Result<(), String> {
        match (&mut self.optimiser, memory) {
            (None, None) => Ok(()),
            (Some((own, _)), Some(memory))
                if memory.fits(network)
                    && std::mem::discriminant(&memory.method) == std::mem::discriminant(&self.method) =>
            {
                // Whoever forks may change the rate.
                *own = memory;
                own.method = self.method;
                Ok(())
            }
            _ => Err("the way of learning is another".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;
    use lanista_nn::{Activation, Shape, Start};

    use super::*;

    const SAMPLES: [([f32; 2], f32); 4] =
        [([1.0, 0.0], 0.3), ([0.0, 1.0], -0.2), ([1.0, 1.0], 0.9), ([-1.0, 0.5], 0.1)];

    fn network() -> Network {
        let shape = Shape::uniform(2, &[3, 1], Activation::Tanh);
        Network::random(shape, Start::Xavier, &mut Seed::new(4).stream()).expect("a good shape")
    }

    fn learn(name: OptimiserName, minibatch: u32, samples: &[([f32; 2], f32)]) -> Network {
        let mut network = network();
        let mut descent = Descent::new(name.method(0.1, 0.9), minibatch, &network);
        for (inputs, target) in samples {
            descent.learn(&mut network, inputs, &mut [*target]);
        }
        descent.step(&mut network);
        network
    }

    /// The same sample several times has the mean of its gradients, which is its gradient.
    #[test]
    fn a_step_follows_the_mean() {
        for name in [OptimiserName::Sgd, OptimiserName::Momentum, OptimiserName::Adam] {
            let [single, double, ..] = [1, 2, 4].map(|times| learn(name, times, &vec![SAMPLES[0]; times as usize]));
            for (single, double) in single.weights().iter().zip(double.weights()) {
                assert!((single - double).abs() < 1e-6, "{name:?}: {single} {double}");
            }
            assert_ne!(single, network());
            assert_ne!(learn(name, 4, &SAMPLES), learn(name, 1, &SAMPLES), "{name:?} turns after every sample");
        }
    }

    #[test]
    fn the_last_samples_are_not_lost() {
        for name in [OptimiserName::Sgd, OptimiserName::Momentum, OptimiserName::Adam] {
            assert_eq!(learn(name, 100, &SAMPLES), learn(name, 4, &SAMPLES));
            assert_ne!(learn(name, 3, &SAMPLES), learn(name, 3, &SAMPLES[..3]));
        }
    }

    #[test]
    fn memories_of_other_ways_are_refused() {
        let network = network();
        let adam = Descent::new(OptimiserName::Adam.method(0.1, 0.9), 2, &network);
        let mut plain = Descent::new(OptimiserName::Sgd.method(0.1, 0.9), 1, &network);
        let mut momentum = Descent::new(OptimiserName::Momentum.method(0.1, 0.9), 2, &network);
        assert!(plain.remember(adam.memory().cloned(), &network).is_err());
        assert!(momentum.remember(adam.memory().cloned(), &network).is_err());
        assert!(momentum.remember(None, &network).is_err());
        assert!(plain.remember(None, &network).is_ok());
        assert!(adam.clone().remember(adam.memory().cloned(), &network).is_ok());
    }
}
