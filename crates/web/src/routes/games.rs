//! The games and their boards.

use axum::Json;
use lanista_core::{Cell, DrawRules, Game, MoveList};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::{Drawing, side_name};
use crate::error::Answer;

/// How a board is played on.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoardShape {
    /// Pieces move on all squares.
    Squares,
    /// Pieces move on the dark squares.
    DarkSquares,
    /// Stones are dropped into columns.
    Columns,
}

/// A board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoardInfo {
    /// Squares in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
    /// How it is played on.
    pub shape: BoardShape,
    /// The names of the squares, rows from the top; none where a square is never used.
    pub squares: Vec<Vec<Option<String>>>,
    /// Whether pieces are promoted.
    pub has_kings: bool,
}

/// A side of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SideInfo {
    /// What it is called.
    pub name: &'static str,
    /// The colour of its pieces.
    pub colour: &'static str,
}

/// A named set of rules.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RulesInfo {
    /// Its name.
    pub name: String,
    /// What sets it apart.
    pub about: &'static str,
    /// What draws a game.
    pub draws: String,
    /// The position before the first move.
    pub start: String,
}

/// Something with a name and a description.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct NamedInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is, or what it takes.
    pub about: &'static str,
}

/// A game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameInfo {
    /// Its id in all requests.
    pub id: &'static str,
    /// Its name for people.
    pub name: &'static str,
    /// Games of one family are the same game on boards of other sizes.
    pub family: String,
    /// Its board.
    pub board: BoardInfo,
    /// The side that opens the game, and the other one.
    pub sides: Vec<SideInfo>,
    /// Sets of rules, the default first.
    pub presets: Vec<RulesInfo>,
    /// Changes to rules: `preset,name=value`.
    pub rule_parameters: Vec<NamedInfo>,
    /// The start position of the default rules.
    pub start: String,
    /// Formats of game files, the preferred one first.
    pub formats: Vec<NamedInfo>,
    /// Whether the exact value of every position can be had.
    pub is_solved: bool,
}

#[derive(Clone)]
struct Describe;

impl GameVisitor for Describe {
    type Output = GameInfo;

    fn visit<G: RegisteredGame>(self) -> GameInfo {
        let presets = G::presets();
        let start = presets.first().map(|rules| rules.start);
        let own = G::PARAMETERS.iter().map(|parameter| (parameter.name, parameter.about));
        let named = |(name, about)| NamedInfo { name, about };
        GameInfo {
            id: G::ID,
            name: G::NAME,
            family: G::ID.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_string(),
            board: board_info(start.as_ref()),
            sides: (0..2).map(|side| SideInfo { name: side_name(G::SIDES[side]), colour: G::COLOURS[side] }).collect(),
            rule_parameters: own.chain(DrawRules::PARAMETERS).map(named).collect(),
            start: start.map(|start| start.to_string()).unwrap_or_default(),
            formats: G::formats().iter().map(|format| named((format.id, format.about))).collect(),
            is_solved: G::ID == lanista_games::connect_four::ConnectFour::ID,
            presets: presets
                .into_iter()
                .map(|rules| RulesInfo {
                    name: rules.name,
                    about: rules.about,
                    draws: rules.draws.to_string(),
                    start: rules.start.to_string(),
                })
                .collect(),
        }
    }
}

fn board_info<G: Game>(start: Option<&G>) -> BoardInfo {
    let Some(start) = start else {
        return BoardInfo { columns: 0, rows: 0, shape: BoardShape::Squares, squares: Vec::new(), has_kings: false };
    };
    let drawing = Drawing::new(start.picture());
    let squares = drawing.names().to_vec();
    let has_unused = drawing.cells().any(|(_, cell)| cell == Cell::Unused);
    let mut moves = MoveList::new();
    start.legal_moves(&mut moves);
    // Moves that name no square name a column.
    let drops = moves.first().is_some_and(|mv| mv.to_string().split(['-', 'x']).count() == 1);
    BoardInfo {
        columns: squares.first().map_or(0, Vec::len),
        rows: squares.len(),
        shape: match (drops, has_unused) {
            (true, _) => BoardShape::Columns,
            (false, true) => BoardShape::DarkSquares,
            (false, false) => BoardShape::Squares,
        },
        squares,
        has_kings: has_unused,
    }
}

/// The games with their boards and rules.
#[utoipa::path(get, path = "/api/games", operation_id = "list_games", tag = "games", responses((status = 200, body = Vec<GameInfo>)))]
pub async fn list_games() -> Answer<Vec<GameInfo>> {
    Ok(Json(registry::visit_all(&Describe)))
}
