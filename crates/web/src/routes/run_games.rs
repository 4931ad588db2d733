//! Games that runs kept.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use lanista_core::{Outcome, Record, Rules};
use lanista_games::files::GameFiles;
use lanista_lab::export;
use lanista_lab::jobs::{reason_code, reason_from_code};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use lanista_lab::store::{GameFilter, KeptGame, RunRow, Store};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::runs::{all_runs, find_run};
use crate::board::{PositionView, replay};
use crate::error::{Answer, ApiError, ErrorBody};
use crate::extract::{Path, Query};
use crate::state::App;

/// The largest page.
const MOST_GAMES: usize = 200;

/// Which games.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Of this run; of all if not given.
    pub run: Option<i64>,
    /// Of this game.
    pub game: Option<String>,
    /// Of this trial, from 0.
    pub trial: Option<u32>,
    /// Of this meeting.
    pub meeting: Option<u32>,
    /// Of a player whose name contains this.
    pub player: Option<String>,
    /// With this result: `1-0`, `0-1` or `1/2-1/2`.
    pub result: Option<String>,
    /// That ended for this reason: `board`, `repetition`, `no-progress`, `ply-cap`, `resignation`, `agreement`, `forfeit`.
    pub reason: Option<String>,
    /// At least so many plies.
    pub shortest: Option<u32>,
    /// At most so many plies.
    pub longest: Option<u32>,
    /// Go on behind this place: `next` of the page before.
    pub after: Option<String>,
    /// How many, up to 200; 50 if not given.
    pub limit: Option<usize>,
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameRow {
    /// Its run.
    pub run: i64,
    /// Its place in the run.
    pub place: String,
    /// The id of the game.
    pub game: String,
    /// The trial, from 0.
    pub trial: u32,
    /// The meeting.
    pub meeting: u32,
    /// Its number in the meeting.
    pub number: u64,
    /// Who opened, and who answered, as tables call them.
    pub names: Vec<String>,
    /// Who opened, and who answered, as text.
    pub players: Vec<String>,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The side that won; none for a draw.
    pub winner: Option<u8>,
    /// Why it ended.
    pub reason: String,
    /// Its length.
    pub plies: usize,
    /// How many of the moves are the opening.
    pub opening: u16,
}

/// A page of games.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GamesAnswer {
    /// The games.
    pub games: Vec<GameRow>,
    /// Where the next page begins; none at the end.
    pub next: Option<String>,
}

/// A game with all its positions.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameView {
    /// What the list says of it.
    pub row: GameRow,
    /// The rules.
    pub rules: String,
    /// The position before the first move.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
    /// All positions from the start to the end.
    pub plies: Vec<PositionView>,
    /// The formats that it can be had in.
    pub formats: Vec<String>,
}

fn filter_of(query: &GamesQuery) -> Result<GameFilter, ApiError> {
    let outcome: Option<Outcome> = match query.result.as_deref().filter(|text| !text.is_empty()) {
        Some(text) => Some(text.parse().map_err(|error| ApiError::from(error).about("result"))?),
        None => None,
    };
    let reason = match query.reason.as_deref().filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let known: Vec<_> = (0..).map_while(reason_from_code).collect();
            let found = known.iter().find(|reason| reason.to_string() == text);
            let names: Vec<String> = known.iter().map(ToString::to_string).collect();
            let message = || format!("unknown reason {text:?}, expected one of: {}", names.join(", "));
            Some(reason_code(*found.ok_or_else(|| ApiError::wrong("reason", message()))?))
        }
    };
    Ok(GameFilter {
        trial: query.trial,
        meeting: query.meeting,
        player: query.player.clone().filter(|text| !text.is_empty()),
        outcome,
        reason,
        shortest: query.shortest,
        longest: query.longest,
    })
}

fn row_of(run: &RunRow, game: &KeptGame) -> GameRow {
    GameRow {
        run: run.run,
        place: format!("{}:{}", game.place.0, game.place.1),
        game: run.game.clone(),
        trial: game.trial,
        meeting: game.meeting,
        number: game.number,
        names: game.names.to_vec(),
        players: game.players.to_vec(),
        result: game.outcome.to_string(),
        winner: match game.outcome {
            Outcome::Win(side) => Some(side.index() as u8),
            Outcome::Draw => None,
        },
        reason: reason_from_code(game.reason).map_or(String::new(), |reason| reason.to_string()),
        plies: game.codes.len(),
        opening: game.opening,
    }
}

/// `RUN:BATCH:NUMBER`, and `BATCH:NUMBER` within a run.
fn numbers<const N: usize>(text: &str) -> Option<[i64; N]> {
    let parts: Option<Vec<i64>> = text.split(':').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

fn search(app: &App, query: &GamesQuery) -> Result<GamesAnswer, ApiError> {
    let filter = filter_of(query)?;
    let limit = query.limit.unwrap_or(50).clamp(1, MOST_GAMES);
    let after = match query.after.as_deref().filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            let place = numbers::<3>(text);
            Some(place.ok_or_else(|| ApiError::wrong("after", format!("{text:?}: expected RUN:BATCH:GAME")))?)
        }
    };
    let runs = match query.run {
        Some(run) => vec![find_run(app, run)?.1],
        None => all_runs(app)?,
    };
    // The newest runs first; within a run in the order of play.
    let fits = |row: &&RunRow| {
        let is_later = after.is_none_or(|[run, _, _]| row.run <= run);
        is_later && query.game.as_ref().filter(|game| !game.is_empty()).is_none_or(|game| *game == row.game)
    };
    let mut games = Vec::new();
    let mut next = None;
    if !runs.is_empty() {
        let store = app.store()?;
        for row in runs.iter().rev().filter(fits) {
            let from = after.filter(|[run, _, _]| *run == row.run).map(|[_, batch, number]| (batch, number));
            let wanted = limit + 1 - games.len();
            let found = store.games(row.run, &filter, from, wanted)?;
            games.extend(found.iter().map(|game| row_of(row, game)));
            if games.len() > limit {
                games.truncate(limit);
                next = games.last().map(|game: &GameRow| format!("{}:{}", game.run, game.place));
                break;
            }
        }
    }
    Ok(GamesAnswer { games, next })
}

/// The archive: games of all runs, filtered, a page at a time.
#[utoipa::path(get, path = "/api/archive", operation_id = "search_games", tag = "archive", params(GamesQuery),
    responses((status = 200, body = GamesAnswer), (status = 422, body = ErrorBody)))]
pub async fn search_games(State(app): State<App>, Query(query): Query<GamesQuery>) -> Answer<GamesAnswer> {
    Ok(Json(app.blocking(move |app| search(app, &query)).await?))
}

/// The games of a run, filtered, a page at a time.
#[utoipa::path(get, path = "/api/runs/{run}/games", operation_id = "list_run_games", tag = "archive",
    params(("run" = i64, Path), GamesQuery),
    responses((status = 200, body = GamesAnswer), (status = 404, body = ErrorBody)))]
pub async fn list_run_games(
    State(app): State<App>,
    Path(run): Path<i64>,
    Query(query): Query<GamesQuery>,
) -> Answer<GamesAnswer> {
    let query = GamesQuery { run: Some(run), ..query };
    Ok(Json(app.blocking(move |app| search(app, &query)).await?))
}

/// A kept game of a run.
fn find_game(store: &Store, run: i64, place: &str) -> Result<KeptGame, ApiError> {
    let [batch, number] =
        numbers::<2>(place).ok_or_else(|| ApiError::missing(format!("{place:?}: expected BATCH:GAME")))?;
    let before = Some((batch, number - 1));
    let found = store.games(run, &GameFilter::default(), before, 1)?;
    let fits = |game: &KeptGame| game.place == (batch, number);
    found.into_iter().find(fits).ok_or_else(|| ApiError::missing(format!("run {run} has no game {place}")))
}

struct Replayed<'a> {
    run: &'a RunRow,
    game: &'a KeptGame,
}

impl GameVisitor for Replayed<'_> {
    type Output = Result<GameView, ApiError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let (rules, record) = record_of::<G>(self.run, self.game)?;
        Ok(GameView {
            row: row_of(self.run, self.game),
            rules: rules.name.clone(),
            start: rules.start.to_string(),
            moves: record.moves.iter().map(ToString::to_string).collect(),
            plies: replay(&rules, &record.moves, record.ending),
            formats: G::formats().iter().map(|format| format.id.to_string()).collect(),
        })
    }
}

fn record_of<G: RegisteredGame>(run: &RunRow, game: &KeptGame) -> Result<(Rules<G>, Record<G>), ApiError> {
    let damaged =
        |reason: String| ApiError::failed(format!("run {}: {reason}; `lanista doctor` may repair it", run.run));
    let rules = G::rules(&run.rules).map_err(|error| damaged(error.to_string()))?;
    let record = export::record_of(&rules, game).map_err(|error| damaged(error.to_string()))?;
    Ok((rules, record))
}

/// A kept game with all its positions.
pub fn game_view(run: &RunRow, game: &KeptGame) -> Result<GameView, ApiError> {
    registry::visit(&run.game, Replayed { run, game })?
}

/// A kept game with all its positions.
#[utoipa::path(get, path = "/api/runs/{run}/games/{place}", operation_id = "show_game", tag = "archive",
    params(("run" = i64, Path), ("place" = String, Path)),
    responses((status = 200, body = GameView), (status = 404, body = ErrorBody)))]
pub async fn show_game(State(app): State<App>, Path((run, place)): Path<(i64, String)>) -> Answer<GameView> {
    let view = app.blocking(move |app| {
        let (store, row) = find_run(app, run)?;
        game_view(&row, &find_game(&store, run, &place)?)
    });
    Ok(Json(view.await?))
}

/// Which format.
#[derive(Clone, Debug, Deserialize, IntoParams)]
pub struct FormatQuery {
    /// The format; the game's preferred one if not given.
    pub format: Option<String>,
}

struct Written<'a> {
    run: &'a RunRow,
    game: &'a KeptGame,
    format: Option<&'a str>,
}

impl GameVisitor for Written<'_> {
    type Output = Result<(String, Vec<u8>), ApiError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let (_, record) = record_of::<G>(self.run, self.game)?;
        write_game::<G>(&record, &export::tags_of(self.run, self.game), self.format)
    }
}

/// A game as a file: its format and its bytes.
pub fn write_game<G: GameFiles>(
    record: &Record<G>,
    tags: &[(String, String)],
    format: Option<&str>,
) -> Result<(String, Vec<u8>), ApiError> {
    let formats = G::formats();
    let found = match format.filter(|id| !id.is_empty()) {
        None => formats.first(),
        Some(id) => formats.iter().find(|format| format.id == id),
    };
    let known = || formats.iter().map(|format| format.id).collect::<Vec<_>>().join(", ");
    let unknown = || ApiError::wrong("format", format!("unknown format, expected one of: {}", known()));
    let format = found.ok_or_else(unknown)?;
    let mut bytes = Vec::new();
    format.write_game(&mut bytes, tags, record).map_err(|error| ApiError::failed(error.to_string()))?;
    Ok((format.id.to_string(), bytes))
}

/// A file to be saved.
pub fn download<B: IntoResponse>(name: &str, kind: &'static str, body: B) -> impl IntoResponse + use<B> {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, disposition)], body)
}

/// The ending of a file in a format.
pub fn ending(format: &str) -> &str {
    if format == "text" { "txt" } else { format }
}

/// A kept game as a file.
#[utoipa::path(get, path = "/api/runs/{run}/games/{place}/file", operation_id = "download_game", tag = "archive",
    params(("run" = i64, Path), ("place" = String, Path), FormatQuery),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = ErrorBody)))]
pub async fn download_game(
    State(app): State<App>,
    Path((run, place)): Path<(i64, String)>,
    Query(query): Query<FormatQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let written = app.blocking(move |app| {
        let (store, row) = find_run(app, run)?;
        let game = find_game(&store, run, &place)?;
        let format = query.format.as_deref();
        let (format, bytes) = registry::visit(&row.game, Written { run: &row, game: &game, format })??;
        Ok((format!("run-{run}-game-{}-{}.{}", game.place.0, game.place.1, ending(&format)), bytes))
    });
    let (name, bytes) = written.await?;
    Ok(download(&name, "text/plain; charset=utf-8", bytes))
}
