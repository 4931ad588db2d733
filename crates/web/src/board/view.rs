//! Positions, moves and endings as data for pages.

use lanista_core::{
    Cell, ClosedWay, Ending, Game, IllegalMove, MoveList, Obstacle, Outcome, Position, Referee, Rules, Side,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Drawing;
use crate::error::ApiError;

/// The longest game that is taken from a client, in plies.
const MOST_MOVES: usize = 10_000;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    /// A plain piece: a man, a stone.
    Man,
    /// A promoted piece.
    King,
}

/// A piece on its square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PieceView {
    /// Where it stands: `a1`, or the number of the square.
    pub square: String,
    /// Whose it is: 0 for the side that opens the game, 1 for the other.
    pub side: u8,
    /// What it is.
    pub kind: PieceKind,
}

/// A move and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoveView {
    /// In the game's notation.
    pub text: String,
    /// The square it leaves; none for a stone that is dropped, and for a pass.
    pub from: Option<String>,
    /// The square it reaches; none for a pass.
    pub to: Option<String>,
    /// All squares it touches, the first and the last included.
    pub path: Vec<String>,
    /// The squares of the pieces that it takes.
    pub captured: Vec<String>,
    /// How many squares it goes; 0 for a stone that is dropped.
    pub distance: u32,
}

/// A way that a piece may not go although the board says how far it would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClosedWayView {
    /// Where the piece stands.
    pub from: String,
    /// Where the way ends: at the piece that closes it, or at the last square of the board.
    pub end: String,
    /// How far the piece would have to go.
    pub distance: u32,
    /// Why it may not, for people, in a line.
    pub text: String,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct EndingView {
    /// The side that won; none for a draw.
    pub winner: Option<u8>,
    /// Why: `board`, `repetition`, `no-progress`, `ply-cap`, `resignation`, `agreement` or `forfeit`.
    pub reason: String,
    /// For people, in a line.
    pub text: String,
    /// The squares that show it: four in a row, a connected group.
    pub squares: Vec<String>,
}

/// A position as a page draws it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PositionView {
    /// The position in the game's notation.
    pub position: String,
    /// Whose turn it is.
    pub side_to_move: u8,
    /// Moves played before it.
    pub ply: u32,
    /// The pieces.
    pub pieces: Vec<PieceView>,
    /// The legal moves; empty if the game is over, and in replays.
    pub moves: Vec<MoveView>,
    /// Ways that pieces of the side to move may not go, where the board says how far they would; with the legal moves.
    pub closed: Vec<ClosedWayView>,
    /// Whether every legal move captures: then a capture is forced.
    pub forced_capture: bool,
    /// The move that led here.
    pub last_move: Option<MoveView>,
    /// How the game ended, if it has.
    pub outcome: Option<EndingView>,
}

/// A game at the position after some moves; an error names the move that is wrong.
pub fn game_under_way<G: Game>(
    rules: &str,
    start: Option<&str>,
    moves: &[String],
) -> Result<(Rules<G>, Referee<G>), ApiError> {
    let mut rules = G::rules(rules).map_err(|error| ApiError::from(error).about("rules"))?;
    if let Some(text) = start.filter(|text| !text.is_empty()) {
        rules.start = G::position(text, &rules).map_err(|error| ApiError::from(error).about("start"))?;
    }
    if moves.len() > MOST_MOVES {
        return Err(ApiError::wrong("moves", format!("{} moves, expected at most {MOST_MOVES}", moves.len())));
    }
    let mut game = Referee::new(&rules);
    for (index, text) in moves.iter().enumerate() {
        game.play_text(text).map_err(|error| {
            let reason = match error {
                IllegalMove::Unreadable(error) => error.message,
                other => other.to_string(),
            };
            ApiError::wrong("moves", format!("move {}: {reason}", index + 1))
        })?;
    }
    Ok((rules, game))
}

/// The present position of a game, with its legal moves.
pub fn position_view<G: Game>(rules: &Rules<G>, game: &Referee<G>) -> PositionView {
    present(rules, game, true)
}

/// The present position of a game for those who only watch: without its legal moves.
pub fn watched_view<G: Game>(rules: &Rules<G>, game: &Referee<G>) -> PositionView {
    present(rules, game, false)
}

fn present<G: Game>(rules: &Rules<G>, game: &Referee<G>, with_moves: bool) -> PositionView {
    let last = game.moves().split_last().map(|(&mv, before)| {
        let position = before.iter().fold(rules.start, |mut position, &mv| {
            position.play(mv);
            position
        });
        move_view(&position, mv)
    });
    view(game.position(), game.moves().len() as u32, last, game.ending(), with_moves)
}

/// All positions of a game, from the start to the end, without their legal moves.
pub fn replay<G: Game>(rules: &Rules<G>, moves: &[G::Move], ending: Option<Ending>) -> Vec<PositionView> {
    let mut position = rules.start;
    let mut views = vec![view(&position, 0, None, ending.filter(|_| moves.is_empty()), false)];
    for (index, &mv) in moves.iter().enumerate() {
        let last = move_view(&position, mv);
        position.play(mv);
        let ending = ending.filter(|_| index + 1 == moves.len());
        views.push(view(&position, index as u32 + 1, Some(last), ending, false));
    }
    views
}

fn view<G: Game>(
    position: &G,
    ply: u32,
    last_move: Option<MoveView>,
    ending: Option<Ending>,
    with_moves: bool,
) -> PositionView {
    let drawing = Drawing::new(position.picture());
    let pieces = drawing.cells().filter_map(|(place, cell)| match cell {
        Cell::Piece(side, letter) => Some(PieceView {
            square: drawing.name(place),
            side: side.index() as u8,
            kind: if letter.is_uppercase() { PieceKind::King } else { PieceKind::Man },
        }),
        _ => None,
    });
    let mut legal = MoveList::new();
    position.legal_moves(&mut legal);
    let is_open = ending.is_none() && with_moves;
    let moves: Vec<MoveView> = legal.iter().filter(|_| is_open).map(|&mv| move_view(position, mv)).collect();
    let closed = if is_open { position.closed_ways() } else { Vec::new() };
    PositionView {
        position: position.to_string(),
        side_to_move: position.side_to_move().index() as u8,
        ply,
        pieces: pieces.collect(),
        forced_capture: !moves.is_empty() && moves.iter().all(|mv| !mv.captured.is_empty()),
        moves,
        closed: closed.into_iter().map(|way| closed_view(way, &drawing)).collect(),
        last_move,
        outcome: ending.map(|ending| ending_view(position, ending, &drawing)),
    }
}

fn closed_view(way: ClosedWay, drawing: &Drawing) -> ClosedWayView {
    let (end, distance) = (drawing.name(way.end), way.distance);
    let squares = if distance == 1 { "1 square".to_string() } else { format!("{distance} squares") };
    let text = match way.obstacle {
        Obstacle::Edge => format!("{squares} towards {end} would leave the board"),
        Obstacle::Own => format!("{squares} would end on {end}, on a piece of the same side"),
        Obstacle::Enemy => format!("{squares} would jump over the other side on {end}"),
    };
    ClosedWayView { from: drawing.name(way.from), end, distance, text }
}

fn ending_view<G: Game>(position: &G, ending: Ending, drawing: &Drawing) -> EndingView {
    let winner = match ending.outcome {
        Outcome::Win(side) => Some(side),
        Outcome::Draw => None,
    };
    let reason = ending.reason.to_string();
    let why = match reason.as_str() {
        "board" => String::new(),
        "repetition" => " by repetition".into(),
        "no-progress" => ": too long without progress".into(),
        "ply-cap" => ": the longest length was reached".into(),
        other => format!(" by {other}"),
    };
    let text = match winner {
        Some(side) => format!("{} wins{why}", side_name(G::SIDES[side.index()])),
        None => format!("A draw{why}"),
    };
    EndingView {
        winner: winner.map(|side| side.index() as u8),
        reason,
        text,
        squares: position.decisive_cells().into_iter().map(|place| drawing.name(place)).collect(),
    }
}

/// What a legal move does.
fn move_view<P: Position>(position: &P, mv: P::Move) -> MoveView {
    let side = position.side_to_move();
    let mut after = *position;
    after.play(mv);
    let (before, after) = (Drawing::new(position.picture()), after.picture());
    let owner = |cell: Cell| match cell {
        Cell::Piece(side, _) => Some(side),
        _ => None,
    };
    let (mut left, mut reached, mut captured) = (None, None, Vec::new());
    for (place, cell) in before.cells() {
        let now = after.rows[place.0][place.1];
        match (owner(cell), owner(now)) {
            (Some(was), Some(is)) if was == is => {}
            (Some(was), is) if was == side => {
                left = Some(place);
                debug_assert!(is.is_none());
            }
            (Some(_), is) => {
                captured.push(before.name(place));
                reached = is.map(|_| place).or(reached);
            }
            (None, Some(_)) => reached = Some(place),
            (None, None) => {}
        }
    }
    let text = mv.to_string();
    // A move's text may name squares on the way, and a king that jumps in a circle ends where it began.
    let named: Vec<&str> = text.split(['-', 'x']).collect();
    let path: Vec<String> = match named.iter().all(|name| before.place(name).is_some()) && named.len() > 1 {
        true => named.into_iter().map(String::from).collect(),
        false => left.into_iter().chain(reached).map(|place| before.name(place)).collect(),
    };
    let places: Vec<(usize, usize)> = path.iter().filter_map(|name| before.place(name)).collect();
    let steps = places.windows(2).map(|pair| pair[0].0.abs_diff(pair[1].0).max(pair[0].1.abs_diff(pair[1].1)) as u32);
    MoveView {
        from: if path.len() > 1 { path.first().cloned() } else { None },
        to: path.last().cloned(),
        distance: steps.sum(),
        text,
        path,
        captured,
    }
}

/// The side of a number, for requests.
pub fn side_of(number: u8) -> Option<Side> {
    Side::BOTH.get(usize::from(number)).copied()
}

/// What pages call a side: without the letter that stands for its pieces in a terminal.
pub fn side_name(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}
