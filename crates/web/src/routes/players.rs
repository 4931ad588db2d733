//! Players and evaluators with what can be set, so that a page can build forms from it.

use axum::Json;
use lanista_lab::engine::client::ENGINE;
use lanista_lab::players::PLAYERS;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use lanista_search::parameters::{Kind, Parameter};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::error::Answer;
use crate::extract::Query;

/// What a parameter takes.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ParameterKind {
    /// `true` or `false`.
    Flag,
    /// A whole number from `least` to `most`.
    Whole,
    /// A number from `least` to `most`.
    Real,
    /// One of `choices`.
    Choice,
    /// An evaluator of the game; one of `choices`, or `NAME@REFERENCE`.
    Evaluator,
    /// A player's text in round brackets.
    Player,
}

/// A parameter of a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ParameterInfo {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: ParameterKind,
    /// Its value where none is given; empty for none.
    pub default: &'static str,
    /// The least number.
    pub least: Option<f64>,
    /// The greatest number.
    pub most: Option<f64>,
    /// The words to choose from.
    pub choices: Vec<&'static str>,
    /// What it means.
    pub about: &'static str,
}

/// A player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerKind {
    /// Its name; a player's text is `NAME:parameter=value,…`.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// What can be set.
    pub parameters: Vec<ParameterInfo>,
}

/// An evaluator.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EvaluatorKind {
    /// Its name: `eval=NAME`.
    pub name: &'static str,
    /// What it looks at.
    pub about: &'static str,
    /// What its file holds, if it takes one: `eval=NAME@REFERENCE`.
    pub file: Option<&'static str>,
}

/// The players of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayersAnswer {
    /// The players, in the order in which people should meet them.
    pub players: Vec<PlayerKind>,
    /// The evaluators of the game, the default first.
    pub evaluators: Vec<EvaluatorKind>,
    /// A good player for analysis and hints.
    pub usual: &'static str,
}

/// Which game.
#[derive(Debug, Deserialize, IntoParams)]
pub struct GameQuery {
    /// The id of a game.
    pub game: String,
}

/// Evaluators that every game has.
const PLAIN_EVALUATORS: [EvaluatorKind; 2] = [
    EvaluatorKind { name: "zero", about: "every position is even", file: None },
    EvaluatorKind { name: "hash-random", about: "a fixed random value for every position", file: None },
];

/// The player for analysis and hints where nobody asks for another.
pub const USUAL_PLAYER: &str = "pvs";

struct List;

impl GameVisitor for List {
    type Output = PlayersAnswer;

    fn visit<G: RegisteredGame>(self) -> PlayersAnswer {
        let own = G::evaluators().iter();
        let own = own.map(|info| EvaluatorKind { name: info.name, about: info.about, file: info.file });
        let evaluators: Vec<EvaluatorKind> = own.chain(PLAIN_EVALUATORS).collect();
        let names: Vec<&'static str> = evaluators.iter().map(|info| info.name).collect();
        let is_here =
            |name: &str| name != ENGINE.name && (name != lanista_games::loa::COM_NAME || G::own_player(name).is_some());
        let players = PLAYERS.iter().filter(|info| is_here(info.name)).map(|info| PlayerKind {
            name: info.name,
            about: info.about,
            parameters: info.parameters.iter().map(|parameter| parameter_info(parameter, &names)).collect(),
        });
        PlayersAnswer { players: players.collect(), evaluators, usual: USUAL_PLAYER }
    }
}

fn parameter_info(parameter: &Parameter, evaluators: &[&'static str]) -> ParameterInfo {
    let (kind, least, most, choices) = match parameter.kind {
        Kind::Flag => (ParameterKind::Flag, None, None, Vec::new()),
        Kind::Whole { least, most } => (ParameterKind::Whole, Some(least as f64), Some(most as f64), Vec::new()),
        Kind::Real { least, most } => (ParameterKind::Real, Some(least), Some(most), Vec::new()),
        Kind::Choice(choices) => (ParameterKind::Choice, None, None, choices.to_vec()),
        Kind::Evaluator => (ParameterKind::Evaluator, None, None, evaluators.to_vec()),
        Kind::Player => (ParameterKind::Player, None, None, Vec::new()),
    };
    let Parameter { name, default, about, .. } = *parameter;
    ParameterInfo { name, kind, default, least, most, choices, about }
}

/// The players and evaluators of a game, with all their parameters.
#[utoipa::path(get, path = "/api/players", operation_id = "list_players", tag = "games", params(GameQuery), responses((status = 200, body = PlayersAnswer)))]
pub async fn list_players(Query(query): Query<GameQuery>) -> Answer<PlayersAnswer> {
    Ok(Json(registry::visit(&query.game, List)?))
}
