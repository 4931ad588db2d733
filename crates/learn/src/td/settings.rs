//! The settings of temporal-difference learning. They are written as `[td]` in an experiment.

use lanista_nn::{Method, Start};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::OptimiserName;

/// How a player learns from the games that it plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TdSettings {
    /// Games in all. (tdloa: 250,000.)
    pub games: u64,
    /// Games played with the same weights before they are learnt from. (tdloa: 500.)
    #[serde(default = "default_batch")]
    pub batch: u64,
    /// How often each batch is gone through, every time in another random order. (tdloa: 3.)
    #[serde(default = "default_passes")]
    pub passes: u32,
    /// Where first weights come from; `"xavier"` if not given. Evaluators of the game begin with the weights they have. (tdloa:
    /// Xavier.)
    pub start: Option<Start>,
    /// How weights follow their gradients. (tdloa: `sgd`.)
    #[serde(default)]
    pub optimiser: OptimiserName,
    /// How far they go at a time. Weights of evaluators are large: there, 1 is a good rate of `adam`. (tdloa: 0.001.)
    #[serde(default = "default_rate")]
    pub rate: f32,
    /// How far they go at the end; between, the rate falls evenly from batch to batch. The same as `rate` if not given. (tdloa: the
    /// same.)
    #[serde(default)]
    pub rate_to: Option<f32>,
    /// The share of the last step that `momentum` adds.
    #[serde(default = "default_momentum")]
    pub momentum: f32,
    /// What a position is worth is what the next one is worth, times this. (tdloa: 1.)
    #[serde(default = "default_discount")]
    pub discount: f32,
    /// 0 looks one step ahead, as TD(0); 1 looks only at the end; between, TD(λ). (tdloa: 0.)
    #[serde(default)]
    pub lambda: f32,
    /// What is learnt from.
    #[serde(default)]
    pub states: States,
    /// The share of random moves at the first game. (tdloa: 1.)
    #[serde(default = "default_explore_from")]
    pub explore_from: f64,
    /// The share of random moves at the end; between, it falls evenly. (tdloa: 0.)
    #[serde(default)]
    pub explore_to: f64,
    /// After this share of all games the last value is reached. (tdloa: 0.8.)
    #[serde(default = "default_explore_until")]
    pub explore_until: f64,
    /// Who is played against: a player, or `itself` for the learner itself, both sides learning, which is also what nothing
    /// means. (tdloa: `random`, `com`, `itself`.)
    #[serde(default)]
    pub opponent: Option<String>,
    /// Groups of inputs whose next values the network also predicts: one output each, after the first. They must be the last
    /// inputs. (tdloa: `immobility`, `freedom`, `concentration` or `cluster`.)
    #[serde(default)]
    pub predict: Vec<String>,
}

/// What a learner learns from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum States {
    /// The positions behind its own moves. (tdloa.)
    #[default]
    Afterstates,
    /// The positions at the ends of the lines that its search expects: TD-Leaf(λ) (Baxter, Tridgell and Weaver, 1998).
    Leaves,
}

fn default_batch() -> u64 {
    500
}

fn default_passes() -> u32 {
    3
}

fn default_rate() -> f32 {
    0.001
}

fn default_momentum() -> f32 {
    0.9
}

fn default_discount() -> f32 {
    1.0
}

fn default_explore_from() -> f64 {
    1.0
}

fn default_explore_until() -> f64 {
    0.8
}

impl TdSettings {
    /// An error names the setting that is wrong.
    pub fn check(&self) -> Result<(), String> {
        let share = |name: &str, value: f64| match (0.0..=1.0).contains(&value) {
            true => Ok(()),
            false => Err(format!("{name} = {value}: expected 0 to 1")),
        };
        share("discount", f64::from(self.discount))?;
        share("lambda", f64::from(self.lambda))?;
        share("explore-from", self.explore_from)?;
        share("explore-to", self.explore_to)?;
        share("explore-until", self.explore_until)?;
        share("momentum", f64::from(self.momentum))?;
        for (name, rate) in [("rate", self.rate), ("rate-to", self.rate_to.unwrap_or(self.rate))] {
            if !(rate > 0.0 && rate <= 1000.0) {
                return Err(format!("{name} = {rate}: expected more than 0, at most 1000"));
            }
        }
        let whole = |name: &str, value: u64, most: u64| match (1..=most).contains(&value) {
            true => Ok(()),
            false => Err(format!("{name} = {value}: expected 1 to {most}")),
        };
        whole("games", self.games, 1_000_000_000)?;
        whole("batch", self.batch, 1_000_000)?;
        whole("passes", u64::from(self.passes), 1000)
    }

    /// How weights follow their gradients after the batch that begins with this game.
    pub fn method(&self, game: u64) -> Method {
        let way = game as f32 / self.games as f32;
        let rate = self.rate + (self.rate_to.unwrap_or(self.rate) - self.rate) * way;
        self.optimiser.method(rate, self.momentum)
    }

    /// The share of random moves in a game.
    pub fn exploration(&self, game: u64) -> f64 {
        let reach = self.explore_until * self.games as f64;
        let way = if reach > 0.0 { (game as f64 / reach).min(1.0) } else { 1.0 };
        self.explore_from + (self.explore_to - self.explore_from) * way
    }
}
