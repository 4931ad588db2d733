//! Ways that are closed to a piece, for games in which the board says how far pieces go.

/// A way that a piece of the side to move may not go, as people want to see it. Cells are rows from the top and columns from
/// the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClosedWay {
    /// Where the piece stands.
    pub from: (usize, usize),
    /// Where the way ends: at the piece that closes it, or at the last cell of the board.
    pub end: (usize, usize),
    /// How far the piece would have to go.
    pub distance: u32,
    /// What closes it.
    pub obstacle: Obstacle,
}

/// What closes a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// The board ends before.
    Edge,
    /// A piece of the same side stands on the target.
    Own,
    /// A piece of the other side stands on the way.
    Enemy,
}
