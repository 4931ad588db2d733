//! Boards as pages draw them: pieces by square, moves with their paths, endings with the squares that decide.
//!
//! Nothing here knows a game. What a move does is seen by comparing the pictures before and after it.

mod score;
mod view;

pub use lanista_lab::drawing::Drawing;
pub use score::{ScoreKind, ScoreView};
pub use view::{
    PieceKind, PieceView, PositionView, game_under_way, position_view, replay, side_name, side_of, watched_view,
};
