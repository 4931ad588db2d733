//! Strategies: searches that keep one centre and learn from samples around it. None of the documents has them; they are what
//! the genetic algorithms of plogann, box and allsop are compared with.

mod cholesky;
mod cma;
mod openai;

use lanista_core::Seed;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use cma::{CmaEs, CmaSettings, CmaState};
pub use openai::{OpenAiEs, OpenAiSettings, OpenAiState};

use crate::breeder::Breeder;
use crate::contest::{Contest, Entrant, Origin, Standing};
use crate::generations::{Contestant, Generations, Lineage};
use crate::hall_of_fame::HallOfFame;
use crate::round::Genome;

/// A search around a centre. More fitness is better, and only its order matters.
pub trait Strategy: Send {
    /// What it remembers.
    type State: Clone + Serialize + DeserializeOwned + Send;

    /// How many points are tried in a generation.
    fn size(&self) -> usize;

    /// The points to try in this generation, a function of the state and of the generation's seed.
    fn samples(&self, seed: Seed) -> Vec<Vec<f64>>;

    /// Learns from the fitness of those points.
    fn learn(&mut self, fitness: &[f64], seed: Seed);

    /// Where it stands.
    fn centre(&self) -> &[f64];

    /// The state.
    fn state(&self) -> &Self::State;

    /// Goes back to a state. An error says why it cannot be one.
    fn adopt(&mut self, state: Self::State) -> Result<(), String>;
}

/// The settings of a strategy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum StrategySettings {
    /// Antithetic samples and a gradient (Salimans et al. 2017).
    OpenaiEs(OpenAiSettings),
    /// Samples whose covariance adapts (Hansen 2016).
    CmaEs(CmaSettings),
}

impl StrategySettings {
    /// A learner that has not begun, at these weights. An error says which setting is wrong.
    pub fn begin(
        &self,
        start: &[f32],
        contest: Contest,
        hall: Option<HallOfFame>,
        generations: u32,
        seed: Seed,
    ) -> Result<Box<dyn Breeder>, String> {
        Ok(match self {
            StrategySettings::OpenaiEs(settings) => {
                let lineage = Search(OpenAiEs::new(settings.clone(), start)?);
                Box::new(Generations::new(lineage, contest, hall, generations, seed)?)
            }
            StrategySettings::CmaEs(settings) => {
                let lineage = Search(CmaEs::new(settings.clone(), start)?);
                Box::new(Generations::new(lineage, contest, hall, generations, seed)?)
            }
        })
    }
}

/// A strategy whose samples play.
pub struct Search<S: Strategy>(pub S);

impl<S: Strategy> Lineage for Search<S> {
    type State = S::State;

    fn size(&self) -> usize {
        self.0.size()
    }

    fn contestants(&self, generation: u32, seed: Seed) -> Vec<Contestant> {
        let entrant = Entrant { born: generation, origin: Origin::Old };
        let samples = self.0.samples(seed).into_iter();
        samples.map(|sample| Contestant { genome: weights(&sample), entrant }).collect()
    }

    fn succeed(&mut self, _: u32, contestants: &[Contestant], standing: &Standing, seed: Seed) -> Vec<bool> {
        self.0.learn(&standing.fitness, seed);
        vec![false; contestants.len()]
    }

    fn centre(&self) -> Option<Genome> {
        Some(weights(self.0.centre()))
    }

    fn state(&self) -> &S::State {
        self.0.state()
    }

    fn adopt(&mut self, state: S::State) -> Result<(), String> {
        self.0.adopt(state)
    }
}

fn weights(sample: &[f64]) -> Genome {
    Genome::Weights(sample.iter().map(|&weight| weight as f32).collect())
}
