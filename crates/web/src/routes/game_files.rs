//! Game files that people bring and take away.

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use lanista_core::Outcome;
use lanista_lab::import::{IllegalGame, ImportReport};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::positions::PositionRequest;
use super::run_games::{download, ending, write_game};
use crate::board::game_under_way;
use crate::error::{Answer, ApiError, ErrorBody};
use crate::extract::Body;
use crate::state::App;

/// The most games of a file that are handed back.
const MOST_GAMES: usize = 500;
/// The most tags of a game that are taken.
const MOST_TAGS: usize = 32;

/// A file to be checked.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CheckFileRequest {
    /// The id of the game.
    pub game: String,
    /// The rules; those of the game if not given.
    #[serde(default)]
    pub rules: String,
    /// The name of the file, which tells its format; it is not opened.
    #[serde(default)]
    pub name: String,
    /// What is in the file.
    pub text: String,
}

/// A legal game of a file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FileGameView {
    /// Which game of the file, from 1.
    pub number: u64,
    /// What the file says of it, as name and value.
    pub tags: Vec<Vec<String>>,
    /// The rules to replay it by: what looks back is off.
    pub rules: String,
    /// The position before the first move.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The result, if it has one.
    pub result: Option<String>,
    /// The side that won.
    pub winner: Option<u8>,
}

/// A game of a file with a fault.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FileFault {
    /// Which game of the file, from 1.
    pub number: u64,
    /// The ply of the fault, from 1; 0 if the game is unreadable.
    pub ply: u32,
    /// The move as the file writes it.
    #[serde(rename = "move")]
    pub mv: String,
    /// What is wrong, with line and column.
    pub reason: String,
}

/// What is in a file.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckFileAnswer {
    /// Games read.
    pub total: u64,
    /// Games without a fault.
    pub legal: u64,
    /// The first of them.
    pub games: Vec<FileGameView>,
    /// The others.
    pub faults: Vec<FileFault>,
}

struct CheckFile<'a>(&'a CheckFileRequest);

impl GameVisitor for CheckFile<'_> {
    type Output = Result<CheckFileAnswer, ApiError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let request = self.0;
        let rules = G::rules(&request.rules).map_err(|error| ApiError::from(error).about("rules"))?;
        let mut report = ImportReport::default();
        let (mut games, mut number) = (Vec::new(), 0);
        let format = G::format_of_file(&request.name);
        let mut each = |file: &lanista_games::files::FileGame, record: &lanista_core::Record<G>| {
            number += 1;
            if games.len() < MOST_GAMES {
                let outcome = record.ending.map(|ending| ending.outcome);
                games.push(FileGameView {
                    number,
                    tags: file.tags.iter().map(|(name, value)| vec![name.clone(), value.clone()]).collect(),
                    rules: record.rules.clone(),
                    start: record.start.to_string(),
                    moves: record.moves.iter().map(ToString::to_string).collect(),
                    result: outcome.map(|outcome| outcome.to_string()),
                    winner: match outcome {
                        Some(Outcome::Win(side)) => Some(side.index() as u8),
                        _ => None,
                    },
                });
            }
            Ok(())
        };
        let read = report.read_file(Box::new(request.text.as_bytes()), &format, &rules, &mut each);
        read.map_err(|error| ApiError::wrong("text", error.to_string()))?;
        let fault = |fault: IllegalGame| {
            let IllegalGame { game: number, ply, mv, reason } = fault;
            FileFault { number, ply, mv, reason }
        };
        let faults = report.illegal.into_iter().take(MOST_GAMES).map(fault).collect();
        Ok(CheckFileAnswer { total: report.games, legal: report.legal, games, faults })
    }
}

/// Reads a game file and checks every move.
#[utoipa::path(post, path = "/api/game-files", operation_id = "check_game_file", tag = "archive", request_body = CheckFileRequest,
    responses((status = 200, body = CheckFileAnswer), (status = 422, body = ErrorBody)))]
pub async fn check_game_file(State(app): State<App>, Body(request): Body<CheckFileRequest>) -> Answer<CheckFileAnswer> {
    Ok(Json(app.blocking(move |_| registry::visit(&request.game, CheckFile(&request))?).await?))
}

/// A game to be written as a file.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct WriteFileRequest {
    /// The game with its moves.
    #[serde(flatten)]
    pub game: PositionRequest,
    /// The format; the game's preferred one if not given.
    pub format: Option<String>,
    /// What the file says of it, as name and value.
    #[serde(default)]
    pub tags: Vec<Vec<String>>,
}

struct Write<'a>(&'a WriteFileRequest);

impl GameVisitor for Write<'_> {
    type Output = Result<(String, Vec<u8>), ApiError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let PositionRequest { rules, start, moves, .. } = &self.0.game;
        let (_, game) = game_under_way::<G>(rules, start.as_deref(), moves)?;
        let pair = |tag: &Vec<String>| match tag.as_slice() {
            [name, value] => Ok((name.clone(), value.clone())),
            _ => Err(ApiError::wrong("tags", "expected pairs of name and value")),
        };
        let tags = self.0.tags.iter().take(MOST_TAGS).map(pair).collect::<Result<Vec<_>, _>>()?;
        write_game::<G>(&game.record(None), &tags, self.0.format.as_deref())
    }
}

/// A game as a file to be saved.
#[utoipa::path(post, path = "/api/game-files/write", operation_id = "write_game_file", tag = "archive", request_body = WriteFileRequest,
    responses((status = 200, body = String, content_type = "text/plain"), (status = 422, body = ErrorBody)))]
pub async fn write_game_file(
    State(app): State<App>,
    Body(request): Body<WriteFileRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let (format, bytes) = app.blocking(move |_| registry::visit(&request.game.game, Write(&request))?).await?;
    Ok(download(&format!("game.{}", ending(&format)), "text/plain; charset=utf-8", bytes))
}
