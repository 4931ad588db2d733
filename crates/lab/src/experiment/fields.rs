//! The fields of an experiment file. Their descriptions become `docs/experiments.md`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::located::Located;

/// An experiment: one file describes a study completely. Exactly one of the tables `match`, `tournament`, `depths` and
/// `positions` says what kind it is.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// What the study is called.
    pub title: String,
    /// What it is about and where it comes from, in a few sentences.
    #[serde(default)]
    pub about: String,
    /// The id of the game: see `lanista games`.
    pub game: Located<String>,
    /// The rules: a preset of the game, with changes if need be, as in `mia,ply-cap=100`. (mia: `mia`; plogann: ties after
    /// 100 plies, `ply-cap=100`; allsop: 40 moves a side without progress.)
    #[serde(default)]
    pub rules: Located<String>,
    /// The root of all randomness.
    #[serde(default)]
    pub seed: u64,
    /// How often the study is repeated with other seeds. (tdloa: 10 runs; box: the best setting 10 times.)
    #[serde(default = "one")]
    pub replicates: Located<u32>,
    /// What is kept of the games: `counts`, or `games` with all moves.
    #[serde(default)]
    pub record: Keep,
    /// Many trials from one file: every `{name}` in the file stands for a value.
    pub sweep: Option<Sweep>,
    /// How games begin.
    #[serde(default)]
    pub openings: Openings,
    /// When games are broken off before their end; never, if not given.
    pub adjudication: Option<AdjudicationFields>,
    /// Two players against each other.
    #[serde(rename = "match")]
    pub match_: Option<MatchFields>,
    /// Several players against each other.
    pub tournament: Option<TournamentFields>,
    /// One player against itself at different depths.
    pub depths: Option<DepthsFields>,
    /// Several players on the same positions, one decision each.
    pub positions: Option<PositionsFields>,
    /// Figures to compare the measured ones with.
    #[serde(default)]
    pub published: Vec<Published>,
}

fn one() -> Located<u32> {
    Located::new(1)
}

/// What is kept of the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// Wins, draws and losses only.
    Counts,
    /// Every game with its moves.
    #[default]
    Games,
}

/// Many trials: a grid of all combinations, a list of chosen ones, or a random search.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sweep {
    /// A grid: each name with its values; every combination is a trial. `grid.depth = [1, 2, 3]`
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Vec<serde_json::Value>>")]
    pub grid: toml::Table,
    /// A list: each entry is a trial and gives every name a value. (allsop: 22 settings of the ant colony.)
    #[serde(default)]
    #[schemars(with = "Vec<std::collections::BTreeMap<String, serde_json::Value>>")]
    pub list: Vec<toml::Table>,
    /// A random search: each name with its range, `{ from = 2, to = 200 }` for whole numbers, `{ from = 0.0, to = 1.7 }` for
    /// others, `{ of = ["a", "b"] }` for a choice. (box: nine settings of evolution.)
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub random: toml::Table,
    /// Trials of the random search. (box: 814.)
    pub trials: Option<Located<u32>>,
}

/// How games begin. One of the three; 4 random plies if none is given.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Openings {
    /// So many random plies, different for every pair where the game has so many.
    pub random_plies: Option<Located<u32>>,
    /// A file of openings, one game each, in any format that the game reads.
    pub file: Option<Located<String>>,
    /// The game's own book of balanced openings. (mia: ten start positions.)
    pub book: Option<bool>,
    /// Only the first so many of the file or the book. (mia: 10.)
    pub first: Option<Located<u32>>,
}

/// When games are broken off before the rules end them.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AdjudicationFields {
    /// A player that thinks its game at most −`resign-score` resigns, in the evaluator's unit.
    pub resign_score: Option<Located<f64>>,
    /// But only after so many of its own moves in a row.
    #[serde(default = "three")]
    pub resign_moves: u32,
    /// A game that both players think at most `draw-score` from even is a draw.
    pub draw_score: Option<Located<f64>>,
    /// But only after so many moves of each in a row.
    #[serde(default = "eight")]
    pub draw_moves: u32,
    /// And not before this ply.
    #[serde(default = "forty")]
    pub draw_from_ply: u32,
}

fn three() -> u32 {
    3
}

fn eight() -> u32 {
    8
}

fn forty() -> u32 {
    40
}

/// A match between two players.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchFields {
    /// The first player, as text: see `lanista players`.
    pub a: Located<String>,
    /// The second player.
    pub b: Located<String>,
    /// What the first player may spend a move: `depth=6`, `nodes=10000`, `movetime=100` (milliseconds) or
    /// `clock=60+0.6` (seconds a game + seconds a move). Only its own limits if not given.
    #[serde(default)]
    pub limit_a: Located<String>,
    /// What the second player may spend.
    #[serde(default)]
    pub limit_b: Located<String>,
    /// Pairs of games: one opening, seats changed.
    pub pairs: Located<u64>,
    /// Stops as soon as a sequential test decides between two Elo differences: `[0, 10]`.
    pub sprt: Option<Located<[f64; 2]>>,
    /// The scale of `sprt`.
    #[serde(default)]
    pub sprt_model: SprtModel,
}

/// The scale on which a sequential test measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SprtModel {
    /// Elo as the score tells it.
    Logistic,
    /// Elo in units of the spread of results: the length of the test does not depend on the share of draws.
    #[default]
    Normalised,
}

/// A tournament.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TournamentFields {
    /// Who meets whom. (mia: `round-robin`.)
    #[serde(default)]
    pub format: Format,
    /// The players, at least two.
    pub players: Vec<Entrant>,
    /// Pairs of games a meeting. (mia: 1,000 games, 500 pairs.)
    pub pairs: Located<u64>,
    /// Rounds of a Swiss tournament; as many as decide it if not given.
    pub rounds: Option<Located<u32>>,
}

/// A player of a tournament or a test.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entrant {
    /// What tables call it; its text if not given.
    pub name: Option<String>,
    /// The player, as text: see `lanista players`.
    pub player: Located<String>,
    /// What it may spend a move, as in `match.limit-a`.
    #[serde(default)]
    pub limit: Located<String>,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Rounds in which players with equal points meet.
    Swiss,
    /// Who loses a meeting is out; on equal points the one listed first goes on.
    KnockOut,
}

/// One player against itself at different depths: every depth meets every depth. (allsop, experiment 2.)
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DepthsFields {
    /// The player, without its depth. (allsop: `alphabeta-heuristic-order`.)
    pub player: Located<String>,
    /// The depths. (allsop: 1 to 6.)
    pub depths: Located<Vec<u32>>,
    /// Pairs of games a meeting. (allsop: 100 games, 50 pairs.)
    pub pairs: Located<u64>,
}

/// Several players on the same positions: nodes, time, and whether they agree. (allsop, experiment 1.)
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PositionsFields {
    /// The players.
    pub players: Vec<Entrant>,
    /// The depths to which each searches; only its own limits if empty. (allsop: 1 to 6.)
    #[serde(default)]
    pub depths: Vec<u32>,
    /// Positions come from random games of these lengths. (allsop: 2, 4 … 50.)
    pub plies: Located<Vec<u32>>,
    /// Positions of each length. (allsop: 40.)
    pub per_length: Located<u32>,
    /// The name of the player whose value the others must find; none is compared if not given. (allsop: all agree.)
    pub agree_with: Option<Located<String>>,
}

/// A published figure, or a row of them.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Published {
    /// Where it was published.
    pub source: String,
    /// The measurement that it belongs to, as `lanista show` names it: `score`, `points`, `nodes` …
    pub measurement: Located<String>,
    /// What it was measured for, as `lanista show` prints it: `row=IV column=I`.
    #[serde(default)]
    pub of: String,
    /// The figure.
    pub value: f64,
    /// Half its 95 % interval, if it was published.
    pub error: Option<f64>,
    /// What a reader should know of it.
    #[serde(default)]
    pub note: String,
}
