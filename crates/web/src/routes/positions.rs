//! Positions: what is on the board, what can be played, and the position editor.

use axum::Json;
use axum::extract::State;
use lanista_core::{Cell, Game};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Drawing, PieceKind, PieceView, PositionView, game_under_way, position_view, replay, side_of};
use crate::error::{Answer, ApiError};
use crate::extract::Body;
use crate::state::App;

/// A game up to some position.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PositionRequest {
    /// The id of the game.
    pub game: String,
    /// The rules; those of the game if not given.
    #[serde(default)]
    pub rules: String,
    /// The position before the first move; that of the rules if not given.
    pub start: Option<String>,
    /// The moves played.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// A position, and how it came about.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PositionAnswer {
    /// The position after all moves.
    pub current: PositionView,
    /// All positions from the start on, without their legal moves.
    pub plies: Vec<PositionView>,
}

struct Look<'a>(&'a PositionRequest);

impl GameVisitor for Look<'_> {
    type Output = Result<PositionAnswer, ApiError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let (rules, game) = game_under_way::<G>(&self.0.rules, self.0.start.as_deref(), &self.0.moves)?;
        let plies = replay(&rules, game.moves(), game.ending());
        Ok(PositionAnswer { current: position_view(&rules, &game), plies })
    }
}

/// A position after some moves, with its legal moves, and all positions before it.
#[utoipa::path(post, path = "/api/position", operation_id = "look_at_position", tag = "games", request_body = PositionRequest,
    responses((status = 200, body = PositionAnswer), (status = 422, body = crate::error::ErrorBody)))]
pub async fn look_at_position(State(app): State<App>, Body(request): Body<PositionRequest>) -> Answer<PositionAnswer> {
    Ok(Json(app.blocking(move |_| registry::visit(&request.game, Look(&request))?).await?))
}

/// A board that somebody put together.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CheckPositionRequest {
    /// The id of the game.
    pub game: String,
    /// The rules; those of the game if not given.
    #[serde(default)]
    pub rules: String,
    /// The position in the game's notation; or else `pieces` and `side_to_move`.
    pub position: Option<String>,
    /// The pieces.
    #[serde(default)]
    pub pieces: Vec<PieceView>,
    /// Whose turn it is, 0 or 1.
    #[serde(default)]
    pub side_to_move: u8,
}

/// A position that the rules allow.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckPositionAnswer {
    /// The position in the game's notation.
    pub position: String,
    /// The position with its legal moves.
    pub view: PositionView,
}

struct Check<'a>(&'a CheckPositionRequest);

impl GameVisitor for Check<'_> {
    type Output = Result<CheckPositionAnswer, ApiError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let request = self.0;
        let text = match &request.position {
            Some(text) => text.clone(),
            None => text_of_pieces::<G>(request)?,
        };
        let field = if request.position.is_some() { "position" } else { "pieces" };
        let (rules, game) =
            game_under_way::<G>(&request.rules, Some(&text), &[]).map_err(|error| error.about(field))?;
        let view = position_view(&rules, &game);
        Ok(CheckPositionAnswer { position: view.position.clone(), view })
    }
}

fn text_of_pieces<G: Game>(request: &CheckPositionRequest) -> Result<String, ApiError> {
    let rules = G::rules(&request.rules).map_err(|error| ApiError::from(error).about("rules"))?;
    let drawing = Drawing::new(rules.start.picture());
    let mut rows = drawing.picture.rows.clone();
    for cell in rows.iter_mut().flatten().filter(|cell| matches!(cell, Cell::Piece(..))) {
        *cell = Cell::Empty;
    }
    for piece in &request.pieces {
        let wrong = |reason: &str| ApiError::wrong("pieces", format!("{}: {reason}", piece.square));
        let (row, column) = drawing.place(&piece.square).ok_or_else(|| wrong("there is no such square"))?;
        let side = side_of(piece.side).ok_or_else(|| wrong("side must be 0 or 1"))?;
        if rows[row][column] != Cell::Empty {
            return Err(wrong("two pieces on one square"));
        }
        rows[row][column] = Cell::Piece(side, if piece.kind == PieceKind::King { 'K' } else { 'm' });
    }
    let side = side_of(request.side_to_move).ok_or_else(|| ApiError::wrong("side_to_move", "expected 0 or 1"))?;
    let none = || ApiError::wrong("pieces", format!("{} has no position editor; give a position as text", G::ID));
    G::text_of_cells(&rows, side).ok_or_else(none)
}

/// Checks a position: the position editor's question.
#[utoipa::path(post, path = "/api/position/check", operation_id = "check_position", tag = "games",
    request_body = CheckPositionRequest,
    responses((status = 200, body = CheckPositionAnswer), (status = 422, body = crate::error::ErrorBody)))]
pub async fn check_position(
    State(app): State<App>,
    Body(request): Body<CheckPositionRequest>,
) -> Answer<CheckPositionAnswer> {
    Ok(Json(app.blocking(move |_| registry::visit(&request.game, Check(&request))?).await?))
}
