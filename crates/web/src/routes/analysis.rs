//! Analysis: what players think of positions, and what is true of them.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use lanista_core::{Budget, Game};
use lanista_games::connect_four::ConnectFour;
use lanista_games::connect_four::solver::{Solution, Solver};
use lanista_lab::thinking::{Question, ThinkError, check};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;
use utoipa::{IntoParams, ToSchema};

use super::players::USUAL_PLAYER;
use super::positions::PositionRequest;
use crate::board::{ScoreKind, ScoreView, game_under_way};
use crate::error::{Answer, ApiError, ErrorBody};
use crate::events::{events, line};
use crate::extract::{Body, Query};
use crate::play::{Stop, StopOnDrop, Thinking, checked_player, think};
use crate::state::App;

/// An analysis lasts no longer than this.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(600);
/// The most positions of an evaluation graph.
const MOST_EVALUATED: usize = 600;
/// The whole of an evaluation graph may visit so many positions.
const NODES_OF_GRAPH: u64 = 2_000_000;
/// The table of the solver.
const SOLVER_BYTES: usize = 64 << 20;

/// What is to be analysed.
#[derive(Clone, Debug, Deserialize, IntoParams)]
pub struct AnalysisQuery {
    /// The id of the game.
    pub game: String,
    /// The rules; those of the game if not given.
    #[serde(default)]
    pub rules: String,
    /// The position before the first move; that of the rules if not given.
    pub start: Option<String>,
    /// The moves played, with commas between them.
    #[serde(default)]
    pub moves: String,
    /// Who thinks; a good player if not given.
    pub player: Option<String>,
    /// Plies to look ahead at most.
    pub depth: Option<u32>,
    /// Seconds to think at most.
    pub seconds: Option<f64>,
}

/// What an analysis tells.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum AnalysisEvent {
    /// It waits for its turn or has nothing to tell yet.
    Started,
    /// What the player thinks so far; the last one has `done`.
    Thinking {
        /// The thought.
        thinking: Thinking,
    },
    /// It cannot go on.
    Failed {
        /// Why.
        error: String,
    },
}

/// A player thinks about a position until the page leaves or a limit is reached, as server-sent events.
#[utoipa::path(get, path = "/api/analysis", operation_id = "analyse", tag = "analysis", params(AnalysisQuery),
    responses((status = 200, body = AnalysisEvent, content_type = "text/event-stream"), (status = 422, body = ErrorBody)))]
pub async fn analyse(
    State(app): State<App>,
    Query(query): Query<AnalysisQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let place = app.stream_place()?;
    let (player, memory) = checked_player(query.player.as_deref().unwrap_or(USUAL_PLAYER))?;
    let reserved = app.memory.reserve(memory)?;
    let seconds = query.seconds.filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    let time =
        seconds.map_or(LONGEST_ANALYSIS, |seconds| Duration::from_secs_f64(seconds.min(1e6))).min(LONGEST_ANALYSIS);
    let order = Question {
        game: query.game,
        rules: query.rules,
        start: query.start,
        moves: query.moves.split(',').filter(|text| !text.is_empty()).map(String::from).collect(),
        player,
        budget: Budget { depth: Some(query.depth.unwrap_or(100)), nodes: None, time: Some(time) },
        seed: 0,
    };
    let blobs = app
        .blocking({
            let order = order.clone();
            move |app| {
                let blobs = app.blobs_for(&[&order.player])?;
                check(&order, &blobs)?;
                Ok(blobs)
            }
        })
        .await?;
    let (sender, receiver) = watch::channel(AnalysisEvent::Started);
    let stop = Stop::default();
    let (turns, its_stop) = (Arc::clone(&app.turns), stop.clone());
    let work = move || {
        let _reserved = reserved;
        let sender = Arc::new(sender);
        let told = Arc::clone(&sender);
        let tell = Arc::new(move |thinking| {
            told.send_replace(AnalysisEvent::Thinking { thinking });
        });
        if let Err(error) = think(&order, &blobs, &turns, &its_stop, tell) {
            sender.send_replace(AnalysisEvent::Failed { error: error.text().to_string() });
        }
    };
    let thread = std::thread::Builder::new().name("analysis".into());
    thread.spawn(work).map_err(|error| ApiError::busy(format!("no thread for the analysis: {error}")))?;
    // The stream ends with the thought that is done: the sender is gone then.
    Ok(events(WatchStream::new(receiver).map(|event| line(&event)), place, StopOnDrop(stop)))
}

/// One decision, thought about on a thread of its own.
pub async fn decide(app: &App, order: Question, memory: u64) -> Result<Option<Thinking>, ApiError> {
    let reserved = app.memory.reserve(memory)?;
    let stop = StopOnDrop(Stop::default());
    let its_stop = stop.0.clone();
    let decided = app.thinking(move |app| {
        let _reserved = reserved;
        let blobs = app.blobs_for(&[&order.player])?;
        think(&order, &blobs, &app.turns, &its_stop, Arc::new(|_| {}))
    });
    decided.await
}

/// The decision that must be there.
pub fn best_move(decided: Option<Thinking>) -> Result<Thinking, ApiError> {
    decided.ok_or_else(|| ApiError::busy("the player was stopped before it had an opinion"))
}

/// A game whose positions are to be scored.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct EvaluateRequest {
    /// The game with its moves.
    #[serde(flatten)]
    pub game: PositionRequest,
    /// Who thinks; a good player if not given.
    pub player: Option<String>,
    /// Positions to visit for each score; shared out among all positions if not given.
    pub nodes: Option<u64>,
}

/// The scores of a game's positions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EvaluateAnswer {
    /// One for each position, the start first; none where the game is over or the player has no opinion.
    pub scores: Vec<Option<ScoreView>>,
}

/// Quick scores of all positions of a game, for the evaluation graph.
#[utoipa::path(post, path = "/api/evaluate", operation_id = "evaluate", tag = "analysis", request_body = EvaluateRequest,
    responses((status = 200, body = EvaluateAnswer), (status = 422, body = ErrorBody)))]
pub async fn evaluate(State(app): State<App>, Body(request): Body<EvaluateRequest>) -> Answer<EvaluateAnswer> {
    let (player, memory) = checked_player(request.player.as_deref().unwrap_or(USUAL_PLAYER))?;
    let plies = request.game.moves.len() + 1;
    if plies > MOST_EVALUATED {
        return Err(ApiError::wrong("moves", format!("{plies} positions, expected at most {MOST_EVALUATED}")));
    }
    let share = NODES_OF_GRAPH / plies as u64;
    let nodes = request.nodes.unwrap_or(share).clamp(1, share);
    let reserved = app.memory.reserve(memory)?;
    let stop = StopOnDrop(Stop::default());
    let its_stop = stop.0.clone();
    let scores = app.thinking(move |app| {
        let _reserved = reserved;
        let PositionRequest { game, rules, start, moves } = request.game;
        let blobs = app.blobs_for(&[&player])?;
        let mut scores = Vec::with_capacity(plies);
        for ply in 0..plies {
            let budget = Budget { depth: Some(100), nodes: Some(nodes), time: Some(Duration::from_secs(2)) };
            let moves = moves[..ply].to_vec();
            let (game, rules, start, player) = (game.clone(), rules.clone(), start.clone(), player.clone());
            let order = Question { game, rules, start, moves, player, budget, seed: 0 };
            let thought = match check(&order, &blobs) {
                Ok(()) => think(&order, &blobs, &app.turns, &its_stop, Arc::new(|_| {}))?,
                // The last position may be the end of the game.
                Err(ThinkError::Over(_)) if ply + 1 == plies => None,
                Err(error) => return Err(error.into()),
            };
            scores.push(thought.and_then(|thought| thought.score));
        }
        Ok(scores)
    });
    Ok(Json(EvaluateAnswer { scores: scores.await? }))
}

/// A position to be solved.
#[derive(Clone, Debug, Deserialize, IntoParams)]
pub struct SolveQuery {
    /// The position before the first move; the empty board if not given.
    pub start: Option<String>,
    /// The moves played, as columns one after the other, commas allowed: `4455`.
    #[serde(default)]
    pub moves: String,
}

/// The exact value of a column.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ColumnValue {
    /// The column, from 1.
    pub column: usize,
    /// 22 less the stones of the winner at the end; negative if the mover loses, 0 for a draw.
    pub score: i32,
    /// What the column comes to, for the side to move.
    pub kind: ScoreKind,
    /// Plies to the end of the game with best play, this move included.
    pub plies_to_end: u32,
}

/// A solved position.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SolveAnswer {
    /// The score of the position for the side to move.
    pub score: i32,
    /// What it comes to, for the side to move.
    pub kind: ScoreKind,
    /// Plies to the end of the game with best play.
    pub plies_to_end: u32,
    /// All columns that can be played.
    pub columns: Vec<ColumnValue>,
}

fn kind_of(score: i32) -> ScoreKind {
    match score {
        0 => ScoreKind::Draw,
        1.. => ScoreKind::Win,
        _ => ScoreKind::Loss,
    }
}

/// The exact value of a Connect Four position and of every column.
#[utoipa::path(get, path = "/api/solve", operation_id = "solve", tag = "analysis", params(SolveQuery),
    responses((status = 200, body = SolveAnswer), (status = 422, body = ErrorBody)))]
pub async fn solve(State(app): State<App>, Query(query): Query<SolveQuery>) -> Answer<SolveAnswer> {
    let moves: Vec<String> = query.moves.chars().filter(|letter| *letter != ',').map(String::from).collect();
    let (_, game) = game_under_way::<ConnectFour>(&ConnectFour::presets()[0].name, query.start.as_deref(), &moves)?;
    let answer = app.solving(move |app| {
        let mut solver = app.solver.lock().unwrap_or_else(PoisonError::into_inner);
        let solver = solver.get_or_insert_with(|| Solver::new(SOLVER_BYTES));
        let position = *game.position();
        let analysis = solver.analyse(&position);
        let columns = analysis.moves.iter().map(|&(column, score)| {
            let plies_to_end = Solution::new(score, position.ply()).distance;
            ColumnValue { column: column.index() + 1, score, kind: kind_of(score), plies_to_end }
        });
        Ok(SolveAnswer {
            score: analysis.solution.score,
            kind: kind_of(analysis.solution.score),
            plies_to_end: analysis.solution.distance,
            columns: columns.collect(),
        })
    });
    Ok(Json(answer.await?))
}
