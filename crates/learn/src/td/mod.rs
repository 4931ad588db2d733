//! Temporal-difference learning: what a position is worth is learnt from what comes after it.
//!
//! TD(0) on afterstates in batches is that of the Groningen thesis on Lines of Action; TD(λ) is Sutton's (1988);
//! TD-Leaf(λ) learns from the leaves of a search instead. All three are the same here, because a learner is told chains of
//! inputs with a result and does not ask where they come from. An evaluator that is a sum of weighted features is a
//! network of one unit without bias, so it learns in the same way.

mod settings;

use lanista_core::Seed;
use lanista_nn::{Method, Network, Optimiser};
use serde::{Deserialize, Serialize};

pub use settings::{States, TdSettings};

use crate::descent::Descent;
use crate::shuffle::shuffle;

/// The states of one game that belong to one side, in the order of the game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chain {
    /// The inputs of all states, one after the other.
    pub inputs: Vec<f32>,
    /// 1 where the network's opinion of a state is the side's own, −1 where it is the other side's.
    pub signs: Vec<f32>,
    /// What the game came to for the side: 1, 0 or −1.
    pub result: f32,
}

impl Chain {
    /// How many states it has.
    pub fn len(&self) -> usize {
        self.signs.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.signs.is_empty()
    }

    /// Reads a little of a state, so that memory has it near when it is needed.
    #[inline]
    fn fetch(&self, state: usize, size: usize) {
        const LINE: usize = 16;
        let end = ((state + 2) * size).min(self.inputs.len());
        let touched: f32 = self.inputs[state * size..end].iter().step_by(LINE).sum();
        std::hint::black_box(touched);
    }

    fn inputs_of(&self, state: usize, size: usize) -> &[f32] {
        &self.inputs[state * size..(state + 1) * size]
    }
}

/// A network that learns.
#[derive(Clone, Debug)]
pub struct Student {
    network: Network,
    descent: Descent,
}

/// A student on paper.
#[derive(Serialize, Deserialize)]
struct Saved {
    weights: Vec<f32>,
    optimiser: Option<Optimiser>,
}

impl Student {
    /// A student who knows nothing yet.
    pub fn new(network: Network, method: Method) -> Student {
        let descent = Descent::new(method, 1, &network);
        Student { network, descent }
    }

    /// Goes on at another rate. The kind of method stays what it is.
    pub fn set_method(&mut self, method: Method) {
        self.descent.set_method(method);
    }

    /// The network as it is now.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// Learns from a batch of games. `predicted` is the number of outputs behind the first: they learn to tell the next
    /// values of the last inputs. Returns the mean of squared differences between opinions and what was learnt instead.
    pub fn study(&mut self, chains: &[Chain], settings: &TdSettings, predicted: usize, seed: Seed) -> f64 {
        let mut places: Vec<(u32, u32)> = chains
            .iter()
            .enumerate()
            .flat_map(|(chain, states)| (0..states.len()).map(move |state| (chain as u32, state as u32)))
            .collect();
        let size = self.network.shape().inputs;
        let mut targets = vec![0.0; 1 + predicted];
        let (mut sum, mut count) = (0.0, 0u64);
        for pass in 0..settings.passes {
            let returns = (settings.lambda > 0.0).then(|| self.returns(chains, settings));
            shuffle(&mut places, &mut seed.child(u64::from(pass)).stream());
            for (index, &(chain, state)) in places.iter().enumerate() {
                if let Some(&(chain, state)) = places.get(index + AHEAD) {
                    chains[chain as usize].fetch(state as usize, size);
                }
                let goal = returns.as_ref().map(|returns| returns[chain as usize][state as usize]);
                self.aim(&chains[chain as usize], state as usize, goal, settings.discount, &mut targets);
                let inputs = chains[chain as usize].inputs_of(state as usize, size);
                sum += f64::from(self.descent.learn(&mut self.network, inputs, &mut targets));
                count += 1;
            }
        }
        sum / count.max(1) as f64
    }

    /// Fills in what one state should have come to.
    fn aim(&mut self, chain: &Chain, state: usize, goal: Option<f32>, discount: f32, targets: &mut [f32]) {
        let size = self.network.shape().inputs;
        let is_last = state + 1 == chain.len();
        let goal = goal.unwrap_or_else(|| match is_last {
            true => chain.result,
            false => {
                let next = self.descent.forward(&self.network, chain.inputs_of(state + 1, size))[0];
                discount * chain.signs[state + 1] * next
            }
        });
        targets[0] = chain.signs[state] * goal;
        match &mut targets[1..] {
            [] => {}
            // Behind the end there is nothing to predict.
            predicted if is_last => {
                predicted.copy_from_slice(&self.descent.forward(&self.network, chain.inputs_of(state, size))[1..]);
            }
            predicted => {
                let next = chain.inputs_of(state + 1, size);
                predicted.copy_from_slice(&next[size - predicted.len()..]);
            }
        }
    }

    /// What each state should have been worth: λ-returns, by the opinions of now.
    fn returns(&mut self, chains: &[Chain], settings: &TdSettings) -> Vec<Vec<f32>> {
        let size = self.network.shape().inputs;
        let mut all = Vec::with_capacity(chains.len());
        for chain in chains {
            let mut goals = vec![0.0; chain.len()];
            let mut goal = chain.result;
            for state in (0..chain.len()).rev() {
                goals[state] = goal;
                let opinion = chain.signs[state] * self.descent.forward(&self.network, chain.inputs_of(state, size))[0];
                goal = settings.discount * ((1.0 - settings.lambda) * opinion + settings.lambda * goal);
            }
            all.push(goals);
        }
        all
    }

    /// Everything that learning has changed.
    pub fn save(&self) -> Vec<u8> {
        let saved = Saved { weights: self.network.weights(), optimiser: self.descent.memory().cloned() };
        // Writing to a vector cannot fail.
        postcard::to_stdvec(&saved).unwrap_or_default()
    }

    /// Goes back to a saved state. An error says why the bytes are none.
    pub fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let saved: Saved = postcard::from_bytes(state).map_err(|error| error.to_string())?;
        self.network.set_weights(&saved.weights).map_err(|error| error.to_string())?;
        self.descent.remember(saved.optimiser, &self.network)
    }
}

/// A batch is larger than a processor's own memory, and states are visited at random: they are fetched so many visits ahead.
const AHEAD: usize = 4;

#[cfg(test)]
mod tests {
    use lanista_nn::{Activation, Layer, Shape};

    use super::*;

    fn settings(lambda: f32) -> TdSettings {
        TdSettings {
            games: 1000,
            batch: 1,
            passes: 1,
            start: None,
            optimiser: crate::OptimiserName::Sgd,
            rate: 0.1,
            rate_to: None,
            momentum: 0.9,
            discount: 1.0,
            lambda,
            states: States::Afterstates,
            explore_from: 1.0,
            explore_to: 0.0,
            explore_until: 0.8,
            opponent: None,
            predict: Vec::new(),
        }
    }

    #[test]
    fn all_methods_tell_the_same_error() {
        let chains = [Chain { inputs: vec![1.0, 0.5], signs: vec![1.0; 2], result: 0.5 }];
        // The opinions of both states are 0 before the first step: 0 beside the second opinion, and 0.5 beside the result.
        for rate in [Method::Sgd { rate: 0.0 }, Method::Momentum { rate: 0.0, momentum: 0.9 }, Method::adam(0.0)] {
            let error = Student::new(linear(1), rate).study(&chains, &settings(0.0), 0, Seed::new(1));
            assert_eq!(error, 0.125, "{rate:?}");
        }
    }

    /// All inputs of a board may be predicted.
    #[test]
    fn many_outputs() {
        let shape = Shape { inputs: 100, layers: vec![Layer { size: 101, activation: Activation::Tanh, bias: true }] };
        let weights = vec![0.0; shape.weights()];
        let chains = [Chain { inputs: vec![0.5; 300], signs: vec![1.0; 3], result: 1.0 }];
        let mut student = Student::new(Network::from_weights(shape, &weights).expect("a network"), Method::adam(0.01));
        let error = |student: &mut Student| student.study(&chains, &settings(0.0), 100, Seed::new(1));
        let first = error(&mut student);
        (0..100).for_each(|_| _ = error(&mut student));
        assert!(error(&mut student) < 0.1 * first);
    }

    fn linear(inputs: usize) -> Network {
        let shape = Shape { inputs, layers: vec![Layer { size: 1, activation: Activation::Linear, bias: false }] };
        Network::from_weights(shape, &vec![0.0; inputs]).expect("a network")
    }

    /// Sutton's random walk (1988): five places, left end 0, right end 1 (here −1 and 1); the values of the places are
    /// known: −2/3, −1/3, 0, 1/3, 2/3.
    #[test]
    fn random_walk() {
        for lambda in [0.0, 0.5, 1.0] {
            let settings = TdSettings { rate: 0.01, ..settings(lambda) };
            let mut student = Student::new(linear(5), settings.method(0));
            for game in 0..8000 {
                let mut random = Seed::new(7).child(game).stream();
                let mut place = 2i32;
                let mut chain = Chain::default();
                while (0..5).contains(&place) {
                    chain.inputs.extend((0..5).map(|index| if index == place { 1.0 } else { 0.0 }));
                    chain.signs.push(1.0);
                    place += if random.below(2) == 0 { -1 } else { 1 };
                }
                chain.result = if place < 0 { -1.0 } else { 1.0 };
                student.study(&[chain], &settings, 0, Seed::new(game));
            }
            let truth = [-2.0, -1.0, 0.0, 1.0, 2.0].map(|third| third / 3.0);
            for (weight, truth) in student.network().weights().iter().zip(truth) {
                assert!((weight - truth).abs() < 0.12, "λ = {lambda}: {weight} instead of {truth}");
            }
        }
    }

    /// The same walk told by the other side: opinions with their signs turned are the same lesson.
    #[test]
    fn signs_turn_opinions() {
        let chain = |sign: f32| Chain { inputs: vec![1.0, 0.0, 0.0, 1.0], signs: vec![sign, sign], result: sign };
        let mut weights = [1.0, -1.0].map(|sign| {
            let mut student = Student::new(linear(2), Method::Sgd { rate: 0.1 });
            (0..50).for_each(|step| {
                student.study(&[chain(sign)], &settings(0.0), 0, Seed::new(step));
            });
            student.network().weights()
        });
        weights.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        assert_eq!(weights[0], weights[1]);
        assert!(weights[0].iter().all(|&weight| weight > 0.5), "{weights:?}");
    }

    #[test]
    fn predictions_follow_the_next_inputs() {
        let shape = Shape { inputs: 2, layers: vec![Layer { size: 2, activation: Activation::Linear, bias: true }] };
        let network = Network::from_weights(shape, &[0.0; 6]).expect("a network");
        let mut student = Student::new(network, Method::Sgd { rate: 0.1 });
        let chain = Chain { inputs: vec![1.0, 0.25, 0.0, 0.75], signs: vec![1.0; 2], result: 1.0 };
        for step in 0..2000 {
            student.study(std::slice::from_ref(&chain), &settings(0.0), 1, Seed::new(step));
        }
        let outputs = student.network().forward(&[1.0, 0.25], &mut lanista_nn::Room::new()).to_vec();
        assert!((outputs[0] - 1.0).abs() < 0.01 && (outputs[1] - 0.75).abs() < 0.01, "{outputs:?}");
    }

    #[test]
    fn exploration_falls_evenly_to_its_end() {
        let settings = settings(0.0);
        let shares = [0, 400, 800, 999].map(|game| settings.exploration(game));
        assert_eq!(shares, [1.0, 0.5, 0.0, 0.0]);
    }

    #[test]
    fn rates_fall_evenly_to_their_end() {
        let rates = |rate_to| {
            let settings = TdSettings { rate: 0.4, rate_to, ..settings(0.0) };
            [0, 500, 1000].map(|game| settings.method(game))
        };
        assert_eq!(rates(None), [0.4; 3].map(|rate| Method::Sgd { rate }));
        assert_eq!(rates(Some(0.2)), [0.4, 0.3, 0.2].map(|rate| Method::Sgd { rate }));
        let chain = Chain { inputs: vec![1.0, 0.0], signs: vec![1.0], result: 1.0 };
        for method in [Method::Sgd { rate: 0.1 }, Method::adam(0.1)] {
            let mut student = Student::new(linear(2), method);
            student.set_method(match method {
                Method::Sgd { .. } => Method::Sgd { rate: 0.001 },
                _ => Method::adam(0.001),
            });
            student.study(std::slice::from_ref(&chain), &settings(0.0), 0, Seed::new(1));
            let weight = student.network().weights()[0];
            assert!(weight > 0.0 && weight < 0.01, "{method:?}: {weight}");
        }
    }

    #[test]
    fn students_go_on_where_they_were_left() {
        for method in [Method::Sgd { rate: 0.1 }, Method::adam(0.01)] {
            let chain = Chain { inputs: vec![1.0, 0.0, 0.0, 1.0], signs: vec![1.0; 2], result: 1.0 };
            let mut student = Student::new(linear(2), method);
            student.study(std::slice::from_ref(&chain), &settings(0.5), 0, Seed::new(1));
            let mut other = Student::new(linear(2), method);
            other.restore(&student.save()).expect("a state");
            for student in [&mut student, &mut other] {
                student.study(std::slice::from_ref(&chain), &settings(0.5), 0, Seed::new(2));
            }
            assert_eq!(student.save(), other.save());
            assert!(other.restore(b"nothing").is_err());
        }
    }
}
