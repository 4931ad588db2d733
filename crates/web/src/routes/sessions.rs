//! Games that people play.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use lanista_core::Budget;
use lanista_lab::limits::Limit;
use lanista_lab::thinking::{Question, check};
use serde::Deserialize;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;
use utoipa::ToSchema;

use super::analysis::{best_move, decide};
use super::players::USUAL_PLAYER;
use crate::error::{Answer, ApiError, ErrorBody};
use crate::events::{events, line};
use crate::extract::{Body, NoBody, Path};
use crate::play::{Following, Seat, Session, SessionEvent, SessionSetup, SessionView, Thinking, checked_player};
use crate::state::App;

/// The longest pause between moves of players.
const LONGEST_PAUSE: u64 = 10_000;
/// How long a hint is thought about where nobody says more.
const HINT_TIME: Duration = Duration::from_millis(500);

/// A game to be played.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SessionRequest {
    /// The id of the game.
    pub game: String,
    /// The rules; those of the game if not given.
    #[serde(default)]
    pub rules: String,
    /// The position before the first move; that of the rules if not given.
    pub start: Option<String>,
    /// Who plays: two times `human` or a player's text.
    pub players: Vec<String>,
    /// What each may spend: `depth=6`, `nodes=10000`, `movetime=500`, `clock=60+0.6`; nothing if not given.
    #[serde(default)]
    pub limits: Vec<String>,
    /// Milliseconds between moves where two players play each other.
    #[serde(default)]
    pub pause_ms: Option<u64>,
    /// The seed of random choices; a new one if not given.
    pub seed: Option<u64>,
}

/// A move.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct MoveRequest {
    /// In the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// The revision that the page shows; a game that has gone on refuses the move.
    pub revision: Option<u64>,
}

/// Who is asked for a hint.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct HintRequest {
    /// The player; a good one if not given.
    pub player: Option<String>,
}

fn seat(app: &App, text: &str, index: usize) -> Result<Seat, ApiError> {
    if text == "human" {
        return Ok(Seat::Human);
    }
    let field = format!("players.{index}");
    let (player, memory) = checked_player(text).map_err(|error| error.about(&field))?;
    let blobs = app.blobs_for(&[&player]).map_err(|error| error.about(&field))?;
    Ok(Seat::Engine { text: text.to_string(), player, memory, blobs })
}

fn setup(app: &App, request: SessionRequest) -> Result<SessionSetup, ApiError> {
    let [first, second] = request.players.as_slice() else {
        return Err(ApiError::wrong("players", format!("{} players, expected 2", request.players.len())));
    };
    let seats = [seat(app, first, 0)?, seat(app, second, 1)?];
    for (index, seat) in seats.iter().enumerate() {
        if let Seat::Engine { player, blobs, memory, .. } = seat {
            let _reserved = app.memory.reserve(*memory)?;
            let (game, player) = (request.game.clone(), player.clone());
            let (rules, start, moves) = (String::new(), None, Vec::new());
            let question = Question { game, rules, start, moves, player, budget: Budget::default(), seed: 0 };
            check(&question, blobs).map_err(|error| ApiError::from(error).about(&format!("players.{index}")))?;
        }
    }
    let limit = |index: usize| {
        let text = request.limits.get(index).map_or("", String::as_str);
        Limit::parse(text).map_err(|error| ApiError::from(error).about(&format!("limits.{index}")))
    };
    let seed = match request.seed {
        Some(seed) => seed,
        None => getrandom::u64().map_err(|error| ApiError::failed(format!("no random numbers: {error}")))?,
    };
    Ok(SessionSetup {
        limits: [limit(0)?, limit(1)?],
        game: request.game,
        rules: request.rules,
        start: request.start.filter(|text| !text.is_empty()),
        seats,
        pause: Duration::from_millis(request.pause_ms.unwrap_or(400).min(LONGEST_PAUSE)),
        seed,
    })
}

/// Begins a game. The server moves for players by itself.
#[utoipa::path(post, path = "/api/sessions", operation_id = "begin_session", tag = "play", request_body = SessionRequest,
    responses((status = 201, body = SessionView), (status = 422, body = ErrorBody)))]
pub async fn begin_session(
    State(app): State<App>,
    Body(request): Body<SessionRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let view = app
        .blocking(move |app| {
            let setup = setup(app, request)?;
            let number = getrandom::u64().map_err(|error| ApiError::failed(format!("no random numbers: {error}")))?;
            let session = Session::begin(format!("{number:016x}"), setup, &app.turns, &app.memory)?;
            if let Err(error) = app.sessions.add(Arc::clone(&session)) {
                // Its players think already.
                session.close();
                return Err(error);
            }
            session.view()
        })
        .await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// A game as it stands.
#[utoipa::path(get, path = "/api/sessions/{id}", operation_id = "show_session", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = SessionView), (status = 404, body = ErrorBody)))]
pub async fn show_session(State(app): State<App>, Path(id): Path<String>) -> Answer<SessionView> {
    Ok(Json(app.sessions.find(&id)?.view()?))
}

/// Plays a move.
#[utoipa::path(post, path = "/api/sessions/{id}/moves", operation_id = "play_move", tag = "play", params(("id" = String, Path)),
    request_body = MoveRequest,
    responses((status = 200, body = SessionView), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn play_move(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(request): Body<MoveRequest>,
) -> Answer<SessionView> {
    Ok(Json(app.sessions.find(&id)?.play(&request.mv, request.revision)?))
}

/// Takes moves back until it is a person's turn again.
#[utoipa::path(post, path = "/api/sessions/{id}/undo", operation_id = "undo_move", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = SessionView), (status = 409, body = ErrorBody)))]
pub async fn undo_move(State(app): State<App>, Path(id): Path<String>, _: NoBody) -> Answer<SessionView> {
    Ok(Json(app.sessions.find(&id)?.undo()?))
}

/// Plays moves again that were taken back.
#[utoipa::path(post, path = "/api/sessions/{id}/redo", operation_id = "redo_move", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = SessionView), (status = 409, body = ErrorBody)))]
pub async fn redo_move(State(app): State<App>, Path(id): Path<String>, _: NoBody) -> Answer<SessionView> {
    Ok(Json(app.sessions.find(&id)?.redo()?))
}

/// Gives the game up.
#[utoipa::path(post, path = "/api/sessions/{id}/resign", operation_id = "resign", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = SessionView), (status = 409, body = ErrorBody)))]
pub async fn resign(State(app): State<App>, Path(id): Path<String>, _: NoBody) -> Answer<SessionView> {
    Ok(Json(app.sessions.find(&id)?.resign()?))
}

/// Asks a player for a hint.
#[utoipa::path(post, path = "/api/sessions/{id}/hint", operation_id = "hint", tag = "play", params(("id" = String, Path)),
    request_body = HintRequest,
    responses((status = 200, body = Thinking), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn hint(
    State(app): State<App>,
    Path(id): Path<String>,
    Body(request): Body<HintRequest>,
) -> Answer<Thinking> {
    let session = app.sessions.find(&id)?;
    let text = request.player.unwrap_or_else(|| USUAL_PLAYER.to_string());
    let (player, memory) = checked_player(&text)?;
    let budget = Budget { time: Some(HINT_TIME), depth: Some(100), nodes: None };
    let order = session.order(player, budget);
    let decided = decide(&app, order, memory).await?;
    Ok(Json(best_move(decided)?))
}

/// Ends a game.
#[utoipa::path(delete, path = "/api/sessions/{id}", operation_id = "end_session", tag = "play", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = ErrorBody)))]
pub async fn end_session(State(app): State<App>, Path(id): Path<String>) -> Result<StatusCode, ApiError> {
    app.sessions.remove(&id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Everything that happens in a game, as server-sent events; the first is its whole state.
#[utoipa::path(get, path = "/api/sessions/{id}/events", operation_id = "follow_session", tag = "play", params(("id" = String, Path)),
    responses((status = 200, body = SessionEvent, content_type = "text/event-stream"), (status = 404, body = ErrorBody)))]
pub async fn follow_session(State(app): State<App>, Path(id): Path<String>) -> Result<impl IntoResponse, ApiError> {
    let session = app.sessions.find(&id)?;
    let place = app.stream_place()?;
    let Following { present, changes, thoughts } = session.follow()?;
    let thoughts =
        WatchStream::from_changes(thoughts).filter_map(|thinking| Some(SessionEvent::Thinking { thinking: thinking? }));
    let later = WatchStream::from_changes(changes).merge(thoughts);
    Ok(events(tokio_stream::once(present).chain(later).map(|event| line(&event)), place, ()))
}
