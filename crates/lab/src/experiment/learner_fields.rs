//! The fields of learners in an experiment file.

use lanista_learn::HallOfFame;
use lanista_learn::OptimiserName;
use lanista_learn::contest::Contest;
use lanista_learn::evolve::Initial;
use lanista_learn::neat::NeatSettings;
use lanista_learn::offline::Stage;
use lanista_learn::strategies::StrategySettings;
use lanista_nn::{Activation, Order, Start, View};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fields::Entrant;
use super::located::Located;

/// What learns, and how it plays. Stands beside one of the tables `evolution`, `steady-state`, `strategy`, `neat`, `td` and
/// `offline`, which say how it learns. It has either `inputs` and `layers`, a network, or `weights-of`, an evaluator of the game.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LearnerFields {
    /// How it plays: a player whose evaluator is `genome`. (plogann: `alphabeta:depth=3,eval=genome`; box, tdloa:
    /// `greedy:eval=genome`; allsop: `alphabeta-heuristic-order:depth=4,eval=genome`.)
    pub player: Located<String>,
    /// The groups of inputs of a network: `lanista players GAME` lists them. Several may stand in one text, joined by `+`; `none` stands for no inputs. (plogann: `board=0.75/0.5/0.5` and `nonads`, 100
    /// inputs; box: `board`, 42, with `four` and `threes`, 85, with `twos` and `wins`, 129; tdloa: `board`, with one
    /// meta-feature.)
    #[serde(default)]
    pub inputs: Located<Vec<String>>,
    /// The layers of a network behind its inputs, the output last. Networks that grow have none.
    #[serde(default)]
    pub layers: Located<Vec<LayerFields>>,
    /// Whose view the inputs take: that of the side to move, or that of the side that has just moved. (tdloa: `waiting`.)
    #[serde(default)]
    pub view: Located<View>,
    /// In which order crossover sees what a network has for the squares of a board: `rows`, `snake` or `spiral`. (plogann:
    /// `rows`; the others are its ideas to keep neighbours together.)
    #[serde(default)]
    pub weight_order: Located<Order>,
    /// The evaluator of the game whose weights are learnt. (allsop: `allsop`, 32 values of squares.)
    pub weights_of: Option<Located<String>>,
    /// A file with what learning starts from, as `lanista champion` writes it: a network of the same inputs and layers, or the weights
    /// of the evaluator; for temporal differences and strategies. Without it networks start at random, evaluators from their own weights.
    pub start: Option<Located<String>>,
    /// Fixed players that its contests ask for by number. (box: `win-block`.)
    #[serde(default)]
    pub opponents: Located<Vec<String>>,
    /// So many random plies begin the games of its contests, the same in every two games that follow each other, 0 to 200. Players
    /// without chance meet in the same two games again and again if there are none. (None in the documents; allsop breaks ties at random.)
    #[serde(default)]
    pub random_plies: Located<u32>,
    /// The whole state is kept every so many generations or batches, to fork from, and at the end. (plogann: 10.)
    #[serde(default = "ten")]
    pub keep_every: Located<u32>,
}

/// The evaluator that reads the file of what was learnt, as in `eval=NAME@FILE`: weights of an evaluator, or of a network that
/// may grow.
pub fn evaluator_of(weights_of: Option<&str>, grows: bool) -> &str {
    match weights_of {
        Some(name) => name,
        None if grows => "neat",
        None => "mlp",
    }
}

/// The groups of inputs in some texts: those that a sweep chooses together stand in one.
pub(super) fn groups_in(texts: &[String]) -> Vec<String> {
    texts.iter().flat_map(|text| text.split('+')).map(str::to_string).collect()
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
    /// Every so many generations or batches, and after the last; 0 for the last only. The figures of the best at each time are `top`;
    /// `top-throughout` has the games of all these times together. (plogann: 10; tdloa: 10 batches.)
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
    /// The rules of these games; those of the experiment if not given. (plogann: 50 moves of each side, which are its 100 plies.)
    pub rules: Option<Located<String>>,
    /// So many random plies begin these games, the same in every two games that follow each other, 0 to 200. Players without chance
    /// repeat themselves if there are none.
    #[serde(default)]
    pub random_plies: Located<u32>,
    /// The same for the fresh games at the end; as `random-plies` if not given.
    pub final_random_plies: Option<Located<u32>>,
    /// The last so many generations or batches are measured, too; the mean of their scores is told as `closing-score`. (box: 5.)
    #[serde(default)]
    pub closing: Located<u32>,
    /// Whether it is told how fast games are won and lost: `game-score` and `match-score`. A game is worth 200 less its plies to who
    /// wins it, its plies to who loses it, 100 if nobody does; a match of two games is worth their sum. Also the shares of games
    /// (`decided`) and matches (`matches`) won, ties left out; with one win each the faster one decides. (plogann: yes.)
    #[serde(default)]
    pub match_scores: bool,
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
    /// At the end so many more games are played with the first opponent, and the solver judges every decision of the learner in them.
    #[serde(default)]
    pub truth_games: Located<u32>,
}

/// Learning by samples around a centre.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StrategyFields {
    /// How many generations there are.
    pub generations: u32,
    /// Where the first centre comes from; not given, from the file in `learner.start` or the own weights of `learner.weights-of`.
    pub initial: Option<Initial>,
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

/// Learning from positions that were sampled before: games are played or read, every position in them gets a value from the
/// results, and networks of several structures are trained on the same values. The one with the least error on positions that it
/// never saw is the champion. The measurement `mse` tells the errors of each (`structure=25-12-1 part=validation`), and beside them
/// those of a guess that knows no position, the mean of the values for training (`structure=constant`): a network that does no better has
/// understood nothing. An evaluator whose weights are learnt (`weights-of`) starts from its own ones and learns as tanh of its
/// value in tens: three points of four are a value of 549 hundredths. (plogann: the small-board study and appendix C.)
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct OfflineFields {
    /// How many games are played; none if only those of `file` are wanted. (plogann: 10,000.)
    #[serde(default)]
    pub games: Located<u64>,
    /// So many games are a step, after which the samples can be kept to fork from. (plogann: 1,000.)
    #[serde(default = "thousand_games")]
    pub batch: Located<u64>,
    /// Who plays them. It opens every other game. (plogann: `random`.)
    #[serde(default)]
    pub player: Option<Located<String>>,
    /// Who it plays against; itself if not given. (plogann: ALoA, `alphabeta:depth=5,eval=aloa`.)
    #[serde(default)]
    pub opponent: Option<Located<String>>,
    /// A file of games that all have a result, in any format that the game reads. It is looked for beside the experiment, then in
    /// the present folder. Its games come before those that are played. `lanista records RUN --to FORMAT -o FILE` writes one with the
    /// games that any run kept.
    #[serde(default)]
    pub file: Option<Located<String>>,
    /// The discount γ: how much of what the next position is worth comes back to the one before it, 0 to 1. (plogann: below 1,
    /// not told.)
    #[serde(default = "most")]
    pub discount: Located<f64>,
    /// What positions far from the end are worth, 0 to 1, if γ is below 1. (plogann prints a formula in which it is 0, and lets
    /// positions begin at ½.)
    #[serde(default = "half")]
    pub towards: Located<f64>,
    /// What positions become that are seen again: the mean of all that came back to them if not given. With a rate, they begin at
    /// ½ and go this share of the way to the discounted value that the table has for the next position. (plogann: slowly, by a
    /// rate that is not told.)
    #[serde(default)]
    pub table_rate: Option<Located<f64>>,
    /// A player that says what the positions are worth, beside the results of the games. It is asked once for each position, in ten
    /// steps between games and training. The measurement `opinion` is the mean of what it says, for the side to move. (plogann: none.)
    #[serde(default)]
    pub judge: Option<Located<String>>,
    /// How much of a value is the judge's opinion, 0 to 1; the rest is what came back from results. At 0 it is not asked.
    #[serde(default = "whole")]
    pub judge_share: Located<f64>,
    /// The judge's score, in hundredths, that is worth three points of four.
    #[serde(default = "hundred")]
    pub judge_scale: Located<u64>,
    /// The share of positions that networks do not learn from, 0 to 0.9; a position and its reflections are always on the same
    /// side. (plogann: 0.)
    #[serde(default = "tenth")]
    pub validation: Located<f64>,
    /// The networks to be trained; what `[learner]` says if not given.
    #[serde(default)]
    pub structures: Located<Vec<StructureFields>>,
    /// How they are trained: rates and cycles, one stage after the other. (plogann: 100 cycles each at 0.2, 0.05 and 0.01.)
    #[serde(default = "three_stages")]
    pub stages: Located<Vec<Stage>>,
    /// How weights follow their gradients. (plogann: `sgd`.)
    #[serde(default)]
    pub optimiser: OptimiserName,
    /// The share of the last step that `momentum` adds, 0 to 1.
    #[serde(default = "most")]
    pub momentum: Located<f64>,
    /// So many positions are seen before weights turn, by the mean of their gradients. (plogann: 1.)
    #[serde(default = "one")]
    pub minibatch: Located<u32>,
    /// Whether each cycle shows every position turned or mirrored at random, as the symmetries of the rules allow, so that networks
    /// need not learn that this changes nothing. (plogann: no.)
    #[serde(default)]
    pub symmetries: bool,
    /// So many cycles are a step, after which errors are told.
    #[serde(default = "ten")]
    pub cycles_a_step: Located<u32>,
    /// Where first weights come from; an evaluator (`weights-of`) starts from its own. (plogann: not told; JavaNNS, which it used, draws them evenly from −1 to 1.)
    #[serde(default = "even_start")]
    pub start: Start,
}

/// A network to be trained offline.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct StructureFields {
    /// What tables call it, without spaces, and not `constant`; its sizes if not given, as in `25-12-1`.
    #[serde(default)]
    pub name: Option<Located<String>>,
    /// Its groups of inputs; those of `[learner]` if not given.
    #[serde(default)]
    pub inputs: Located<Vec<String>>,
    /// Its layers behind the inputs, the output last. (plogann: 12, then 1.)
    pub layers: Located<Vec<LayerFields>>,
}

fn thousand_games() -> Located<u64> {
    Located::new(1000)
}

fn whole() -> Located<f64> {
    Located::new(1.0)
}

fn hundred() -> Located<u64> {
    Located::new(100)
}

fn most() -> Located<f64> {
    Located::new(0.9)
}

fn half() -> Located<f64> {
    Located::new(0.5)
}

fn tenth() -> Located<f64> {
    Located::new(0.1)
}

fn three_stages() -> Located<Vec<Stage>> {
    Located::new([0.2, 0.05, 0.01].map(|rate| Stage::at(rate, 100)).to_vec())
}

fn even_start() -> Start {
    Start::Uniform { low: -1.0, high: 1.0 }
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
