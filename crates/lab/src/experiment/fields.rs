//! The fields of an experiment file. Their descriptions become `docs/experiments.md`.

use lanista_learn::evolve::Evolution;
use lanista_learn::steady::SteadyState;
use lanista_learn::td::TdSettings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::learner_fields::{LearnerFields, MeasureFields, NeatFields, OfflineFields, StrategyFields};
use super::located::Located;

/// An experiment: one file describes a study completely. Exactly one of the tables `match`, `tournament`, `depths`,
/// `positions`, `evolution`, `steady-state`, `strategy`, `neat`, `td` and `offline` says what kind it is.
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
    /// The rules: a preset of the game, with changes if need be, as in `mia,ply-cap=100`; `lanista games` lists them. The
    /// game's first preset if not given. (mia: `mia`; plogann: a tie after 50 moves of each side, `mia,ply-cap=100`;
    /// allsop: over after 40 moves of a side without a capture or a crowning.)
    #[serde(default)]
    pub rules: Located<String>,
    /// The root of all randomness. The same seed gives the same games.
    #[serde(default)]
    pub seed: u64,
    /// How often each setting is run, every time with another seed. (tdloa: 10; box: 10 for its best setting.)
    #[serde(default = "one")]
    pub replicates: Located<u32>,
    /// What is kept of the games: `counts`, or `games` with all moves. (allsop: every game in a database.)
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
    /// What learns, and how it plays.
    pub learner: Option<LearnerFields>,
    /// Evolution in generations. `preset` names one of `plogann`, `box` and `allsop`, and everything else changes it.
    #[schemars(with = "Option<Evolution>")]
    pub evolution: Option<Located<toml::Table>>,
    /// Evolution without generations: no worker ever waits.
    pub steady_state: Option<Located<SteadyState>>,
    /// Samples around a centre.
    pub strategy: Option<Located<StrategyFields>>,
    /// Networks that grow.
    pub neat: Option<Located<NeatFields>>,
    /// Learning from what comes after.
    pub td: Option<Located<TdSettings>>,
    /// Learning from positions that were sampled before.
    pub offline: Option<Located<OfflineFields>>,
    /// How a learner is measured; only its own figures are told if not given.
    pub measure: Option<MeasureFields>,
    /// Figures to compare the measured ones with.
    #[serde(default)]
    pub published: Vec<Published>,
    /// Figures for the overview of all studies.
    #[serde(default)]
    pub headline: Vec<Headline>,
    /// What the measured figures say: where they agree with the published ones, where not, and why. Stands behind them in reports.
    #[serde(default)]
    pub findings: String,
    /// What the original cost, as text: `175 core-hours`. Stands in reports beside what the run cost.
    #[serde(default)]
    pub cost_then: String,
    /// Smaller versions of the study: `[scale.NAME]` changes values, each as its path in quotes, `"match.pairs" = 10`; elements of
    /// lists by their number from 0, `"tournament.players.0.player"`. `lanista run FILE --scale NAME` runs it.
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, std::collections::BTreeMap<String, serde_json::Value>>")]
    pub scale: toml::Table,
    /// Which scale this text is; runs at a scale write it into what they store, nobody else does.
    pub scaled: Option<String>,
}

impl Experiment {
    /// The tables that say what kind of study it is, and whether they are given.
    pub(super) fn kinds(&self) -> [(&'static str, bool); 10] {
        [
            ("match", self.match_.is_some()),
            ("tournament", self.tournament.is_some()),
            ("depths", self.depths.is_some()),
            ("positions", self.positions.is_some()),
            ("evolution", self.evolution.is_some()),
            ("steady-state", self.steady_state.is_some()),
            ("strategy", self.strategy.is_some()),
            ("neat", self.neat.is_some()),
            ("td", self.td.is_some()),
            ("offline", self.offline.is_some()),
        ]
    }

    /// What kind of study it is: the name of its table.
    pub fn kind(&self) -> &'static str {
        self.kinds().iter().find(|(_, given)| *given).map_or("", |(kind, _)| kind)
    }

    /// Whether players meet in it: a match, a tournament, one player against itself by depth.
    pub fn is_contest(&self) -> bool {
        self.kinds()[..3].iter().any(|(_, given)| *given)
    }

    /// Whether something learns in it.
    pub fn is_learning(&self) -> bool {
        self.kinds()[4..].iter().any(|(_, given)| *given)
    }
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

/// Many trials: a grid of all combinations, a list of chosen ones, or a random search; 10,000 at most, replicates included.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Sweep {
    /// A grid: each name with its values; every combination is a trial, as in `grid.depth = [1, 2, 3]`. (mia: depths 4, 6, 8
    /// and 10; allsop: 20 to 80 ants × 100 to 400 forages.)
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, Vec<serde_json::Value>>")]
    pub grid: toml::Table,
    /// A list: each entry is a trial and gives the same names a value, as in `list = [{ a = 1, b = 5 }, { a = 2, b = 3 }]`.
    /// (allsop: 22 settings of the ant colony; box: its ten best settings.)
    #[serde(default)]
    #[schemars(with = "Vec<std::collections::BTreeMap<String, serde_json::Value>>")]
    pub list: Vec<toml::Table>,
    /// A random search: each name with its range, `{ from = 2, to = 200 }` for whole numbers, `{ from = 0.0, to = 1.7 }` for
    /// others, `{ of = ["a", "b"] }` for a choice. (box: nine settings of evolution, population 2 to 200, hidden neurons 1 to
    /// 50 …)
    #[serde(default)]
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub random: toml::Table,
    /// How many settings the random search draws. (box: 814.)
    pub trials: Option<Located<u32>>,
}

/// How games begin: one of `random-plies`, `file` and `book`; 4 random plies if none is given. Both games of a pair begin
/// alike.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Openings {
    /// So many random plies, 0 to 200, different for every pair as long as there are different ones.
    pub random_plies: Option<Located<u32>>,
    /// A file of openings, one game each, in any format that the game reads; `lanista openings` makes one. It is looked for
    /// beside the experiment, then in the present folder. From the first again when they are used up.
    pub file: Option<Located<String>>,
    /// The game's own book of balanced openings: 174 ballots of draughts, 100 openings of Lines of Action, 100 of Connect Four.
    /// (mia: ten start positions, shown as pictures.)
    pub book: Option<Located<bool>>,
    /// Only the first so many of the file or the book; all if not given. (mia: 10.)
    pub first: Option<Located<u32>>,
}

/// When games are broken off before the rules end them: it saves time where results are clear. At least one of the two scores
/// must be given.
#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AdjudicationFields {
    /// A player that values its game at −`resign-score` or less resigns, in the evaluator's unit.
    pub resign_score: Option<Located<f64>>,
    /// But only after so many of its own moves in a row.
    #[serde(default = "three")]
    pub resign_moves: Located<u32>,
    /// A game that both players value at most `draw-score` from even is a draw.
    pub draw_score: Option<Located<f64>>,
    /// But only after so many moves of each in a row.
    #[serde(default = "eight")]
    pub draw_moves: Located<u32>,
    /// And not before this ply.
    #[serde(default = "forty")]
    pub draw_from_ply: Located<u32>,
}

fn three() -> Located<u32> {
    Located::new(3)
}

fn eight() -> Located<u32> {
    Located::new(8)
}

fn forty() -> Located<u32> {
    Located::new(40)
}

/// A match between two players.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MatchFields {
    /// The first player, as text: see `lanista players`. (allsop: the learned matrix against all ones; plogann: the network
    /// against the stochastic player.)
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
    /// Pairs of games: one opening, seats changed. (plogann: 62,000 matches of two games; allsop: 100 games, 50 pairs.)
    pub pairs: Located<u64>,
    /// Stops as soon as a sequential test decides between two Elo differences, the lower one first: `[0, 10]`. Both errors are
    /// 5 %. All pairs are played if not given.
    pub sprt: Option<Located<[f64; 2]>>,
    /// The scale of `sprt`.
    #[serde(default)]
    pub sprt_model: SprtModel,
    /// Whether it is told how fast games are won and lost, as in `measure.match-scores`, and which share of games (`decided`) and of
    /// pairs (`matches`) the first player wins, ties left out. (plogann: yes.)
    #[serde(default)]
    pub match_scores: bool,
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
    /// The players, 2 to 256. (mia: four evaluators in one engine.)
    pub players: Located<Vec<Entrant>>,
    /// Pairs of games a meeting. (mia: 1,000 games, 500 pairs.)
    pub pairs: Located<u64>,
    /// Rounds of a Swiss tournament, which alone has them; as many as decide it if not given.
    pub rounds: Option<Located<u32>>,
}

/// A player of a tournament or a test.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entrant {
    /// What tables call it, 1 to 60 characters; its text and limit if not given. (mia: I, II, III and IV.)
    pub name: Option<Located<String>>,
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
    /// The depths, each once. (allsop: 1 to 6.)
    pub depths: Located<Vec<u32>>,
    /// Pairs of games a meeting. (allsop: 100 games, 50 pairs.)
    pub pairs: Located<u64>,
}

/// Several players on the same positions: nodes, time, and whether they agree. (allsop, experiment 1.)
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PositionsFields {
    /// The players, 1 to 256. (allsop: random and four of the minimax family, later the ant colony.)
    pub players: Located<Vec<Entrant>>,
    /// The depths to which each searches; only its own limits if empty. (allsop: 1 to 6.)
    #[serde(default)]
    pub depths: Located<Vec<u32>>,
    /// Positions come from random games of these lengths. (allsop: 2, 4 … 50.)
    pub plies: Located<Vec<u32>>,
    /// Positions of each length. (allsop: 40.)
    pub per_length: Located<u32>,
    /// The name of the player whose value the others must find; none is compared if not given. (allsop: all agree.)
    pub agree_with: Option<Located<String>>,
    /// Whether that player judges the moves of the others: their value is then what it finds after the move, one ply less deep, not what
    /// they think themselves. (allsop: what the ant colony's moves are worth.)
    #[serde(default)]
    pub judge_moves: Located<bool>,
}

/// A published figure.
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
    /// The figure, in the unit of the measurement: a score of 741 points in 1,000 games is 0.741.
    pub value: Located<f64>,
    /// Half its 95 % interval, if it was published.
    pub error: Option<Located<f64>>,
    /// What a reader should know of it.
    #[serde(default)]
    pub note: String,
}

/// A figure for the overview of all studies, which `lanista studies` writes.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Headline {
    /// What a reader would call it.
    pub name: Located<String>,
    /// The measurement, as `lanista show` names it. What was published for the same measurement and the same `of` stands beside it.
    pub measurement: Located<String>,
    /// What it was measured for, as `lanista show` prints it.
    #[serde(default)]
    pub of: String,
}
