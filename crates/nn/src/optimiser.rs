//! Steps along a gradient.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Gradient, Network};

/// A way to turn a gradient into a step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Method {
    /// Against the gradient, times a rate.
    Sgd {
        /// The rate.
        rate: f32,
    },
    /// The same, with a share of the last step added.
    Momentum {
        /// The rate.
        rate: f32,
        /// The share, from 0 to 1.
        momentum: f32,
    },
    /// Each weight at its own pace, by running means of its slope and of its square (Kingma and Ba, 2015).
    Adam {
        /// The rate.
        rate: f32,
        /// How long the mean of slopes remembers; 0.9 is usual.
        beta1: f32,
        /// How long the mean of squares remembers; 0.999 is usual.
        beta2: f32,
        /// Added to the root of the mean of squares; 1e-8 is usual.
        epsilon: f32,
    },
}

impl Method {
    /// Adam with the usual constants.
    pub const fn adam(rate: f32) -> Method {
        Method::Adam { rate, beta1: 0.9, beta2: 0.999, epsilon: 1e-8 }
    }
}

/// A method and what it remembers. Written down and read back, training goes on as if nothing had happened, to the bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Optimiser {
    /// What is done; the rate may change while training.
    pub method: Method,
    steps: u64,
    /// Momentum's last step, or Adam's mean of slopes; laid out as the network's cells.
    first: Vec<f32>,
    /// Adam's mean of squares.
    second: Vec<f32>,
}

impl Optimiser {
    /// A fresh one for networks of one shape.
    pub fn new(method: Method, network: &Network) -> Optimiser {
        let (first, second) = needs(method);
        let memory = |needed: bool| vec![0.0; if needed { network.cells.len() } else { 0 }];
        Optimiser { method, steps: 0, first: memory(first), second: memory(second) }
    }

    /// Whether it can step networks of this shape: to be asked of one that was read from a file.
    pub fn fits(&self, network: &Network) -> bool {
        let (first, second) = needs(self.method);
        let fits = |needed: bool, memory: &[f32]| !needed || memory.len() == network.cells.len();
        fits(first, &self.first) && fits(second, &self.second)
    }

    /// How many steps it has taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Turns the network's weights so that the error, whose gradient this is, becomes smaller.
    ///
    /// # Panics
    ///
    /// If network, gradient and optimiser are not of one shape; see [`Optimiser::fits`].
    pub fn step(&mut self, network: &mut Network, gradient: &Gradient) {
        assert!(self.fits(network), "an optimiser of this shape");
        self.steps = self.steps.saturating_add(1);
        match self.method {
            Method::Sgd { rate } => network.nudge(gradient, -rate),
            Method::Momentum { rate, momentum } => {
                assert_eq!(gradient.cells.len(), network.cells.len(), "a gradient of this shape");
                let cells = network.cells.iter_mut().zip(&gradient.cells);
                for ((cell, slope), speed) in cells.zip(&mut self.first) {
                    *speed = without_dust(momentum * *speed - rate * without_dust(*slope, DUST), DUST);
                    *cell += *speed;
                }
            }
            Method::Adam { rate, beta1, beta2, epsilon } => {
                assert_eq!(gradient.cells.len(), network.cells.len(), "a gradient of this shape");
                // Means that start at 0 are too small at first, by these factors.
                let first_share = (1.0 - power(beta1.into(), self.steps)) as f32;
                let second_share = (1.0 - power(beta2.into(), self.steps)) as f32;
                let rate = rate / first_share;
                let cells = network.cells.iter_mut().zip(&gradient.cells);
                for ((cell, slope), (first, second)) in cells.zip(self.first.iter_mut().zip(&mut self.second)) {
                    let (slope, root) = (without_dust(*slope, DUST), without_dust(*slope, DUST_SQUARED));
                    *first = without_dust(beta1 * *first + (1.0 - beta1) * slope, DUST);
                    *second = without_dust(beta2 * *second + (1.0 - beta2) * (root * root), DUST);
                    *cell -= rate * *first / ((*second / second_share).sqrt() + epsilon);
                }
            }
        }
    }
}

/// Numbers below this are forgotten. A mean that gets no more slopes shrinks until it has lost its full precision, and
/// rounding then keeps it there for ever; processors need a hundred times as long for such numbers.
const DUST: f32 = 1e-35;

/// Numbers below this have squares that are dust, too small to be seen beside Adam's epsilon.
const DUST_SQUARED: f32 = 1e-16;

#[inline]
fn without_dust(number: f32, smallest: f32) -> f32 {
    if number.abs() < smallest { 0.0 } else { number }
}

/// Which memories a method has.
fn needs(method: Method) -> (bool, bool) {
    (!matches!(method, Method::Sgd { .. }), matches!(method, Method::Adam { .. }))
}

/// By squaring: the powers of mathematical libraries differ from system to system.
fn power(base: f64, exponent: u64) -> f64 {
    let (mut result, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Activation, Room, Shape, Start};
    use lanista_core::Seed;

    const METHODS: [Method; 3] =
        [Method::Sgd { rate: 0.1 }, Method::Momentum { rate: 0.05, momentum: 0.9 }, Method::adam(0.02)];

    /// A network of two weights, and its gradient.
    fn line() -> (Network, Gradient) {
        let layer = crate::Layer { size: 1, activation: Activation::Linear, bias: true };
        let shape = Shape { inputs: 1, layers: vec![layer] };
        let network = Network::random(shape, Start::Xavier, &mut Seed::new(1).stream()).unwrap();
        let gradient = Gradient::new(&network);
        (network, gradient)
    }

    /// The slope of a unit that has died is 0; what is remembered of better days must vanish some time.
    #[test]
    fn memories_of_dead_units_vanish() {
        for method in METHODS {
            let (mut network, mut gradient) = line();
            let mut optimiser = Optimiser::new(method, &network);
            gradient.cells.fill(1.0);
            optimiser.step(&mut network, &gradient);
            gradient.cells.fill(0.0);
            for _ in 0..100_000 {
                optimiser.step(&mut network, &gradient);
            }
            assert!(optimiser.first.iter().chain(&optimiser.second).all(|&memory| memory == 0.0), "{optimiser:?}");
        }
    }

    #[test]
    fn memories_have_full_precision_or_are_none() {
        for (method, power) in METHODS.into_iter().flat_map(|method| (-45..=0).map(move |power| (method, power))) {
            let (mut network, mut gradient) = line();
            let mut optimiser = Optimiser::new(method, &network);
            gradient.cells.fill(10f32.powi(power));
            optimiser.step(&mut network, &gradient);
            let mut memories = optimiser.first.iter().chain(&optimiser.second);
            assert!(memories.all(|memory| !memory.is_subnormal()), "1e{power}: {optimiser:?}");
            assert!(power < -32 || optimiser.first.iter().all(|&memory| memory != 0.0), "1e{power}: {optimiser:?}");
        }
    }

    fn exclusive_or(optimiser: &mut Optimiser, network: &mut Network, rounds: usize) -> f32 {
        let mut room = Room::new();
        let mut gradient = Gradient::new(network);
        let mut error = 0.0;
        for _ in 0..rounds {
            gradient.clear();
            error = 0.0;
            for (inputs, target) in [([-1., -1.], -0.8), ([-1., 1.], 0.8), ([1., -1.], 0.8), ([1., 1.], -0.8)] {
                let slope = network.forward(&inputs, &mut room)[0] - target;
                error += slope * slope;
                network.backward(&[slope], &mut room, &mut gradient);
            }
            optimiser.step(network, &gradient);
        }
        error
    }

    fn network() -> Network {
        let shape = Shape::uniform(2, &[6, 1], Activation::Tanh);
        Network::random(shape, Start::Xavier, &mut Seed::new(3).stream()).expect("a good shape")
    }

    #[test]
    fn all_learn_exclusive_or() {
        for method in METHODS {
            let mut network = network();
            let mut optimiser = Optimiser::new(method, &network);
            let error = exclusive_or(&mut optimiser, &mut network, 2000);
            assert!(error < 1e-3, "{method:?}: {error}");
            assert_eq!(optimiser.steps(), 2000);
        }
    }

    #[test]
    fn training_resumes_to_the_bit() {
        for method in METHODS {
            let mut through = network();
            let mut optimiser = Optimiser::new(method, &through);
            exclusive_or(&mut optimiser, &mut through, 70);
            let mut resumed = network();
            let mut first = Optimiser::new(method, &resumed);
            exclusive_or(&mut first, &mut resumed, 30);
            let text = serde_json::to_string(&first).expect("plain data");
            let mut second: Optimiser = serde_json::from_str(&text).expect("what was written");
            assert!(second == first && second.fits(&resumed));
            exclusive_or(&mut second, &mut resumed, 40);
            assert_eq!(resumed, through);
        }
    }

    #[test]
    fn powers() {
        assert_eq!([power(0.5, 0), power(0.5, 1), power(0.5, 10)], [1.0, 0.5, 1.0 / 1024.0]);
        assert!((power(0.999, 5000) - 0.999f64.powi(5000)).abs() < 1e-12);
    }
}
