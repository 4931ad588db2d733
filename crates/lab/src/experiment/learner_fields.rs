//! The fields of learners in an experiment file.

use lanista_learn::contest::Contest;
use lanista_learn::evolve::Initial;
use lanista_learn::neat::NeatSettings;
use lanista_learn::strategies::StrategySettings;
use lanista_learn::HallOfFame;
use lanista_nn::{Activation, View};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fields::Entrant;
use super::located::Located;

/// What learns, and how it plays. Stands beside one of the tables `evolution`, `steady-state`, `strategy`, `neat` and `td`,
/// which say how it learns. It has either `inputs` and `layers`, a network, or `weights-of`, an evaluator of the game.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LearnerFields {
    /// How it plays: a player whose evaluator is `genome`. (plogann: `alphabeta:depth=3,eval=genome`; box, tdloa:
    /// `greedy:eval=genome`; allsop: `alphabeta-heuristic-order:depth=4,eval=genome`.)
    pub player: Located<String>,
    /// The groups of inputs of a network: `lanista players GAME` lists them. (plogann: `board=0.75/0.5/0.5` and `nonads`, 100
    /// inputs; box: `board`, 42, with `four` and `threes`, 85, with `twos` and `wins`, 129; tdloa: `board`, with one
    /// meta-feature.)
    #[serde(default)]
    pub inputs: Located<Vec<String>>,
    /// The layers of a network behind its inputs, the output last. Networks that grow have none.
    #[serde(default)]
    pub layers: Located<Vec<LayerFields>>,
    /// Whose view the inputs take: that of the side to move, or that of the side that has just moved. (tdloa: `waiting`.)
    #[serde(default)]
    pub view: View,
    /// The evaluator of the game whose weights are learnt. (allsop: `allsop`, 32 values of squares.)
    pub weights_of: Option<Located<String>>,
    /// Fixed players that its contests ask for by number. (box: `win-block`.)
    #[serde(default)]
    pub opponents: Located<Vec<String>>,
    /// The whole state is kept every so many generations or batches, to fork from, and at the end. (plogann: 10.)
    #[serde(default = "ten")]
    pub keep_every: Located<u32>,
}

/// A layer of a network.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LayerFields {
    /// How many units it has. (plogann: 20, then 1; box: 1 to 50, then 1; tdloa: 50, then 1.)
    pub size: usize,
    /// What a unit makes of its sum: `tanh`, `sigmoid`, `relu`, `clipped-relu` or `linear`. (plogann: `tanh`; box: `sigmoid`;
    /// tdloa: `sigmoid`, then `tanh`.)
    pub activation: Activation,
    /// Whether its units have a bias. (plogann, tdloa: yes; box: only the hidden ones.)
    #[serde(default = "yes")]
    pub bias: bool,
}

/// How a learner is measured while it learns and at its end. Measuring changes nothing of what it learns.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MeasureFields {
    /// Every so many generations or batches, and after the last; 0 for the last only. (plogann: 10; tdloa: 10 batches.)
    #[serde(default)]
    pub every: Located<u32>,
    /// The best so many of a generation are measured. (plogann: all 62; box: 5.)
    #[serde(default = "one")]
    pub top: Located<u32>,
    /// Games of each with each opponent. (plogann: 2; box: 50; tdloa: 1000.)
    #[serde(default = "fifty")]
    pub games: Located<u32>,
    /// Fresh games of the last generation's best with each opponent: only they tell how strong it is.
    #[serde(default = "thousand")]
    pub final_games: Located<u32>,
    /// How it plays when it is measured; as it learns, if not given. (tdloa: `best-three:eval=genome`.)
    pub player: Option<Located<String>>,
    /// Who it is measured against. (plogann: ALoA, `alphabeta:depth=5,eval=aloa`; box: `win-block`; tdloa: `random`, `com`.)
    #[serde(default)]
    pub opponents: Located<Vec<Entrant>>,
    /// So many positions of each length in `truth-plies` are judged by the solver of the game, if it has one: how often the
    /// move is a best one, how often it keeps the result, how many points it throws away.
    #[serde(default)]
    pub truth_positions: Located<u32>,
    /// Lengths of the random games that lead to those positions.
    #[serde(default = "middle_game")]
    pub truth_plies: Located<Vec<u32>>,
}

/// Learning by samples around a centre.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StrategyFields {
    /// How many generations there are.
    pub generations: u32,
    /// Where the first centre comes from.
    pub initial: Initial,
    /// How the samples are compared.
    pub contest: Contest,
    /// Past champions as opponents; none if not given.
    pub hall_of_fame: Option<HallOfFame>,
    /// The strategy.
    pub method: StrategySettings,
}

/// NEAT (Stanley and Miikkulainen, 2002): networks that grow.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NeatFields {
    /// How many generations there are.
    pub generations: u32,
    /// How individuals are compared.
    pub contest: Contest,
    /// Past champions as opponents; none if not given.
    pub hall_of_fame: Option<HallOfFame>,
    /// How networks grow, vary and form species.
    #[serde(default)]
    pub settings: NeatSettings,
}

fn ten() -> Located<u32> {
    Located::new(10)
}

fn one() -> Located<u32> {
    Located::new(1)
}

fn fifty() -> Located<u32> {
    Located::new(50)
}

fn thousand() -> Located<u32> {
    Located::new(1000)
}

fn yes() -> bool {
    true
}

fn middle_game() -> Located<Vec<u32>> {
    Located::new(vec![12, 16, 20, 24, 28])
}
