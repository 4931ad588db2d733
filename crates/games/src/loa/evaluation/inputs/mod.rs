//! Network inputs: the focused heuristics of the AFIT thesis on evolved networks (2010) and the meta-features of the
//! Groningen thesis on temporal-difference learning.
//!
//! Groups may be combined at will; each is written as one side sees the board, and the groups stand in the order in
//! which they are asked for. Squares and windows run row by row from the bottom, each row from file a.
//!
//! | group | inputs on N×N | meaning |
//! |---|---|---|
//! | `board` | N² | a value for own pieces, other's and empty squares: 1, −1 and 0 unless given |
//! | `lines` | 2N | pieces of both sides in each row, then in each file |
//! | `diagonals` | 2(2N−1) | the same for the diagonals that rise to the right, from the upper left corner to the lower right one, then for those that fall to the right, from the lower left corner to the upper right one |
//! | `quads` | 6 | 2×2 windows, with a border of empty squares around the board, that hold 0, 1, 2 side by side, 3, 4, and 2 diagonal own pieces |
//! | `nonads` | (N−2)² | own pieces in each 3×3 window: 1.0 in its middle, 0.8 at its sides, 0.75 at its corners |
//! | `boards` | 2N² | own pieces 1 and all else 0, then the same for the other side |
//! | `immobility` | 2 | pieces without a move, as a share of the pieces at the start: own, other's |
//! | `freedom` | 2 | moves, as a share of eight for each piece at the start: own, other's |
//! | `concentration` | 2 | [`super::concentration()`], from 0 to 1: own, other's |
//! | `cluster` | 2 | pieces in the biggest group, as a share of the pieces at the start: own, other's |
//!
//! The AFIT thesis counts 2N² inputs for rows and files and again for diagonals, because it feeds the cells of each line as
//! well; those are the board over again and are not repeated here.
//!
//! Switches: an own piece on a square (the bits of the board), then the other side's. `quads` and the last four groups are
//! free.

mod values;

use lanista_core::{InputGroupInfo, Side, Switches};

use super::super::Loa;
use crate::inputs::Group;

/// What the `board` group writes for each square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardValues {
    /// An own piece.
    pub own: f32,
    /// A piece of the other side.
    pub other: f32,
    /// An empty square.
    pub empty: f32,
}

impl BoardValues {
    /// 1, −1, 0: the focused heuristic, and the Groningen thesis.
    pub const SIGNED: BoardValues = BoardValues { own: 1.0, other: -1.0, empty: 0.0 };
    /// 0.75, 0.5, 0.5: pLoGANN as its text prints it, which leaves the other side invisible.
    pub const PLOGANN: BoardValues = BoardValues { own: 0.75, other: 0.5, empty: 0.5 };
    /// 0.75, 0.25, 0.5: pLoGANN as it was probably meant.
    pub const PLOGANN_CORRECTED: BoardValues = BoardValues { own: 0.75, other: 0.25, empty: 0.5 };

    /// Three numbers with `/` between them.
    fn read(text: &str) -> Option<BoardValues> {
        let values: Option<Vec<f32>> = text.split('/').map(|value| value.parse().ok()).collect();
        match values.as_deref() {
            Some(&[own, other, empty]) if own.is_finite() && other.is_finite() && empty.is_finite() => {
                Some(BoardValues { own, other, empty })
            }
            _ => None,
        }
    }
}

/// A group of inputs; see the module for their meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputGroup {
    /// The board.
    Board(BoardValues),
    /// Counts by row and file.
    Lines,
    /// Counts by diagonal.
    Diagonals,
    /// Counts of 2×2 windows by kind.
    Quads,
    /// Weighted counts of 3×3 windows.
    Nonads,
    /// One board for each side.
    Boards,
    /// Pieces without a move.
    Immobility,
    /// Moves.
    Freedom,
    /// Concentration.
    Concentration,
    /// The biggest group.
    Cluster,
}

/// The groups with their names, the board with its usual values.
const GROUPS: [(&str, InputGroup, &str); 10] = [
    (
        "board",
        InputGroup::Board(BoardValues::SIGNED),
        "each square: 1 own, -1 other's, 0 empty; board=OWN/OTHER/EMPTY gives other values",
    ),
    ("lines", InputGroup::Lines, "pieces of both sides in each row and each file"),
    ("diagonals", InputGroup::Diagonals, "pieces of both sides in each diagonal"),
    ("quads", InputGroup::Quads, "own 2×2 windows by kind: 0, 1, 2 side by side, 3, 4, 2 diagonal pieces"),
    ("nonads", InputGroup::Nonads, "own pieces in each 3×3 window: middle 1, sides 0.8, corners 0.75"),
    ("boards", InputGroup::Boards, "two boards: 1 for an own piece, 1 for the other's"),
    ("immobility", InputGroup::Immobility, "share of pieces without a move: own, other's"),
    ("freedom", InputGroup::Freedom, "moves as a share of eight for each piece: own, other's"),
    ("concentration", InputGroup::Concentration, "how near the pieces are to their centre of mass: own, other's"),
    ("cluster", InputGroup::Cluster, "share of pieces in the biggest group: own, other's"),
];

/// The groups for people to choose.
pub(super) const INFOS: [InputGroupInfo; GROUPS.len()] = {
    let mut infos = [InputGroupInfo { name: "", about: "" }; GROUPS.len()];
    let mut index = 0;
    while index < GROUPS.len() {
        infos[index] = InputGroupInfo { name: GROUPS[index].0, about: GROUPS[index].2 };
        index += 1;
    }
    infos
};

impl<const N: usize> Group<Loa<N>> for InputGroup {
    const SWITCHES: usize = 128;

    fn named(text: &str) -> Result<Option<InputGroup>, String> {
        let Some(values) = text.strip_prefix("board=") else {
            return Ok(GROUPS.iter().find(|(name, ..)| *name == text).map(|&(_, group, _)| group));
        };
        let values = BoardValues::read(values)
            .ok_or_else(|| format!("{text:?}: expected three numbers for own, other's and empty: board=1/-1/0"))?;
        Ok(Some(InputGroup::Board(values)))
    }

    fn size(self) -> usize {
        match self {
            InputGroup::Board(_) => N * N,
            InputGroup::Lines => 2 * N,
            InputGroup::Diagonals => 2 * (2 * N - 1),
            InputGroup::Quads => 6,
            InputGroup::Nonads => (N - 2) * (N - 2),
            InputGroup::Boards => 2 * N * N,
            _ => 2,
        }
    }

    fn write(self, position: &Loa<N>, side: Side, out: &mut [f32]) {
        values::write(self, position, side, out);
    }

    fn base(self) -> f32 {
        if let InputGroup::Board(values) = self { values.empty } else { 0.0 }
    }

    fn effects(self, switch: usize) -> Vec<(usize, f32)> {
        let (own, file, rank) = (switch < 64, switch % 8, switch / 8 % 8);
        if file >= N || rank >= N {
            return Vec::new();
        }
        let square = rank * N + file;
        match self {
            InputGroup::Board(values) => vec![(square, if own { values.own } else { values.other } - values.empty)],
            InputGroup::Lines => vec![(rank, 1.0), (N + file, 1.0)],
            InputGroup::Diagonals => vec![(N - 1 + file - rank, 1.0), (2 * N - 1 + file + rank, 1.0)],
            InputGroup::Nonads if own => nonads_around::<N>(file, rank),
            InputGroup::Boards => vec![(if own { square } else { N * N + square }, 1.0)],
            _ => Vec::new(),
        }
    }

    fn is_free(self) -> bool {
        match self {
            InputGroup::Board(_)
            | InputGroup::Lines
            | InputGroup::Diagonals
            | InputGroup::Nonads
            | InputGroup::Boards => false,
            InputGroup::Quads
            | InputGroup::Immobility
            | InputGroup::Freedom
            | InputGroup::Concentration
            | InputGroup::Cluster => true,
        }
    }

    #[inline]
    fn on(position: &Loa<N>, side: Side, _wanted: &Switches) -> Switches {
        [position.pieces(side), position.pieces(!side), 0, 0]
    }
}

/// The 3×3 windows that hold a square, with what a piece there counts in each.
fn nonads_around<const N: usize>(file: usize, rank: usize) -> Vec<(usize, f32)> {
    let mut windows = Vec::new();
    for (bottom, left) in (0..N - 2).flat_map(|bottom| (0..N - 2).map(move |left| (bottom, left))) {
        if (left..left + 3).contains(&file) && (bottom..bottom + 3).contains(&rank) {
            let amount = match (file == left + 1, rank == bottom + 1) {
                (true, true) => 1.0,
                (false, false) => 0.75,
                _ => 0.8,
            };
            windows.push((bottom * (N - 2) + left, amount));
        }
    }
    windows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Result<Option<InputGroup>, String> {
        <InputGroup as Group<Loa<8>>>::named(text)
    }

    #[test]
    fn names_and_sizes() {
        let sizes = GROUPS.map(|(_, group, _)| Group::<Loa<8>>::size(group));
        assert_eq!(sizes, [64, 16, 30, 6, 36, 128, 2, 2, 2, 2]);
        for (name, group, _) in GROUPS {
            assert_eq!(named(name), Ok(Some(group)));
        }
        assert_eq!(named("squares"), Ok(None));
        assert_eq!(named("lines=2"), Ok(None));
    }

    #[test]
    fn values_of_the_board() {
        assert_eq!(named("board=0.75/0.5/0.5"), Ok(Some(InputGroup::Board(BoardValues::PLOGANN))));
        for wrong in ["board=0.75/x/0.5", "board=1/2", "board=1/2/3/4", "board=", "board=1/inf/0", "board=1/NaN/0"] {
            assert!(named(wrong).is_err_and(|error| error.contains(wrong) && error.contains("three numbers")));
        }
    }
}
