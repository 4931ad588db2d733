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

use lanista_core::Side;

use super::super::Loa;
use super::super::geometry::geometry;
use super::cluster::biggest_group;
use super::concentration::concentration;
use super::lines::MoveValues;
use super::mobility::{mobility, movable};
use super::nonads::nonad;
use super::quads::quad_counts;

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

impl InputGroup {
    /// All groups, the board with its usual values.
    pub const ALL: [InputGroup; 10] = [
        InputGroup::Board(BoardValues::SIGNED),
        InputGroup::Lines,
        InputGroup::Diagonals,
        InputGroup::Quads,
        InputGroup::Nonads,
        InputGroup::Boards,
        InputGroup::Immobility,
        InputGroup::Freedom,
        InputGroup::Concentration,
        InputGroup::Cluster,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            InputGroup::Board(_) => "board",
            InputGroup::Lines => "lines",
            InputGroup::Diagonals => "diagonals",
            InputGroup::Quads => "quads",
            InputGroup::Nonads => "nonads",
            InputGroup::Boards => "boards",
            InputGroup::Immobility => "immobility",
            InputGroup::Freedom => "freedom",
            InputGroup::Concentration => "concentration",
            InputGroup::Cluster => "cluster",
        }
    }

    /// The group that a name stands for; `board=0.75/0.25/0.5` gives the values for own, other's and empty.
    pub fn named(text: &str) -> Option<InputGroup> {
        let Some(values) = text.strip_prefix("board=") else {
            return Self::ALL.into_iter().find(|group| group.name() == text);
        };
        let values: Vec<f32> = values.split('/').map_while(|value| value.parse().ok()).collect();
        let &[own, other, empty] = values.as_slice() else { return None };
        (text.matches('/').count() == 2 && values.iter().all(|value| value.is_finite()))
            .then_some(InputGroup::Board(BoardValues { own, other, empty }))
    }

    /// How many inputs it has on an N×N board.
    pub const fn size<const N: usize>(self) -> usize {
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

    /// Writes the inputs as `side` sees them. `out` has [`InputGroup::size`] places.
    pub fn write<const N: usize>(self, position: &Loa<N>, side: Side, out: &mut [f32]) {
        let (own, other) = (position.pieces(side), position.pieces(!side));
        let has = |set: u64, square: usize| set >> square & 1 == 1;
        let square = |index: usize| index / N * 8 + index % N;
        let full = 2.0 * (N as f32 - 2.0);
        let pair = |measure: &dyn Fn(Side) -> f32| [measure(side), measure(!side)];
        match self {
            InputGroup::Board(values) => {
                for (index, input) in out.iter_mut().enumerate() {
                    *input = match (has(own, square(index)), has(other, square(index))) {
                        (true, _) => values.own,
                        (_, true) => values.other,
                        _ => values.empty,
                    };
                }
            }
            InputGroup::Lines => {
                let rows = (0..N).map(|rank| 0xff << (8 * rank));
                let files = (0..N).map(|file| 0x0101_0101_0101_0101 << file);
                for (input, line) in out.iter_mut().zip(rows.chain(files)) {
                    *input = ((own | other) & line).count_ones() as f32;
                }
            }
            InputGroup::Diagonals => {
                // Rising lines by a square of the left edge from the top, then of the lower edge; falling lines by a
                // square of the left edge from the bottom, then of the upper edge.
                let rising = (0..N).rev().map(|rank| 8 * rank).chain(1..N).map(|square| (square, 2));
                let falling = (0..N).map(|rank| 8 * rank).chain((1..N).map(|file| 8 * (N - 1) + file));
                let falling = falling.map(|square| (square, 3));
                for (input, (square, axis)) in out.iter_mut().zip(rising.chain(falling)) {
                    *input = ((own | other) & geometry::<N>().lines[square][axis]).count_ones() as f32;
                }
            }
            InputGroup::Quads => {
                out.iter_mut().zip(quad_counts::<N>(own)).for_each(|(input, count)| *input = count as f32);
            }
            InputGroup::Nonads => {
                for (index, input) in out.iter_mut().enumerate() {
                    let corner = index / (N - 2) * 8 + index % (N - 2);
                    *input = nonad(own >> corner);
                }
            }
            InputGroup::Boards => {
                for (index, input) in out.iter_mut().enumerate() {
                    let set = if index < N * N { own } else { other };
                    *input = f32::from(u8::from(has(set, square(index % (N * N)))));
                }
            }
            InputGroup::Immobility => out.copy_from_slice(&pair(&|side| {
                let stuck = position.pieces(side) & !movable(position, side);
                stuck.count_ones() as f32 / full
            })),
            InputGroup::Freedom => out.copy_from_slice(&pair(&|side| {
                (mobility(position, side, MoveValues::Equal) / 4) as f32 / (8.0 * full)
            })),
            InputGroup::Concentration => {
                out.copy_from_slice(&pair(&|side| concentration(position.pieces(side)) as f32 / 1000.0));
            }
            InputGroup::Cluster => {
                out.copy_from_slice(&pair(&|side| biggest_group(position.pieces(side)) as f32 / full));
            }
        }
    }
}

/// The number of inputs of several groups together, on an N×N board.
pub fn input_size<const N: usize>(groups: &[InputGroup]) -> usize {
    groups.iter().map(|group| group.size::<N>()).sum()
}

/// Writes several groups one after the other. `out` has [`input_size`] places.
pub fn write_inputs<const N: usize>(groups: &[InputGroup], position: &Loa<N>, side: Side, out: &mut [f32]) {
    let mut rest = out;
    for group in groups {
        let (inputs, behind) = rest.split_at_mut(group.size::<N>());
        group.write(position, side, inputs);
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written<const N: usize>(group: InputGroup, text: &str, side: Side) -> Vec<f32> {
        let position: Loa<N> = text.parse().expect("a position");
        let mut out = vec![f32::NAN; group.size::<N>()];
        group.write(&position, side, &mut out);
        out
    }

    /// b . . w
    /// . b . .
    /// . b . w
    /// . . . .
    const TEXT: &str = "b2w/1b2/1b1w/4 b";

    #[test]
    fn boards() {
        let (black, white) = (Side::First, Side::Second);
        let signed = [0, 0, 0, 0, 0, 1, 0, -1, 0, 1, 0, 0, 1, 0, 0, -1].map(|value| value as f32);
        assert_eq!(written::<4>(InputGroup::ALL[0], TEXT, black), signed);
        assert_eq!(written::<4>(InputGroup::ALL[0], TEXT, white), signed.map(|value| 0.0 - value));
        let group = InputGroup::Board(BoardValues::PLOGANN_CORRECTED);
        assert_eq!(written::<4>(group, TEXT, white)[12..], [0.25, 0.5, 0.5, 0.75], "the top row");
        let boards = written::<4>(InputGroup::Boards, TEXT, black);
        assert_eq!(boards[..16], signed.map(|value| value.max(0.0)));
        assert_eq!(boards[16..], signed.map(|value| (0.0 - value).max(0.0)));
    }

    #[test]
    fn counts_by_line() {
        // Rows from below, then files.
        assert_eq!(written::<4>(InputGroup::Lines, TEXT, Side::First), [0., 2., 1., 2., 1., 2., 0., 2.]);
        // Rising: a4 | a3-b4 | a2-b3-c4 | a1-d4 | b1-c2-d3 | c1-d2 | d1. Falling: a1 | a2-b1 | a3-b2-c1 | a4-d1 |
        // b4-c3-d2 | c4-d3 | d4.
        let rising = [1., 0., 1., 2., 0., 1., 0.];
        let falling = [0., 0., 1., 2., 1., 0., 1.];
        assert_eq!(written::<4>(InputGroup::Diagonals, TEXT, Side::First), [rising, falling].concat());
    }

    #[test]
    fn windows() {
        // Black a4, b3, b2. Windows by lower left corner, the border included; 25 in all. Diagonal: a3 (a4, b3).
        // Side by side: a2 and b2 (b2, b3). One piece: a4 alone in three more (border upper left, left, above),
        // b3 alone in b3, b2 alone in a1 and b1. That is 3 + 1 + 2 = 6; none: 25 - 6 - 2 - 1 = 16.
        assert_eq!(written::<4>(InputGroup::Quads, TEXT, Side::First), [16., 6., 2., 0., 0., 1.]);
        // White d4, d2, apart: four windows each; 17 hold none.
        assert_eq!(written::<4>(InputGroup::Quads, TEXT, Side::Second), [17., 8., 0., 0., 0., 0.]);
        // Windows a1-c3, b1-d3, a2-c4, b2-d4. Black: b2 middle, b3 side: 1.8; b2 side, b3 corner: 1.55;
        // b2 side, b3 middle, a4 corner: 2.55; b2 corner, b3 side: 1.55.
        let nonads = written::<4>(InputGroup::Nonads, TEXT, Side::First);
        assert_eq!(nonads, [1.0 + 0.8, 0.8 + 0.75, 1.0 + 0.8 + 0.75, 0.8 + 0.75]);
    }

    #[test]
    fn meta_features() {
        // Black: a4-b3-b2 is one group of three; four pieces at the start of 4×4. White: two groups of one.
        assert_eq!(written::<4>(InputGroup::Cluster, TEXT, Side::First), [0.75, 0.25]);
        assert_eq!(written::<4>(InputGroup::Cluster, TEXT, Side::Second), [0.25, 0.75]);
        // w w b .
        // w b b .
        // . . . .
        // b . . .
        let text = "wwb1/wbb1/4/b3 w";
        // White's b4: along its row of three pieces it would leave the board; down its file of two, and down the
        // diagonal b4-c3-d2 of two, it would jump Black; the diagonal a3-b4 of two leads off the board: stuck.
        // a4 takes a1 (file a has three pieces, and only its own a3 is between); a3 goes to b2, alone on a3-c1.
        // Black: b3-b1, c4-c2 (over its own c3), c3-c1, a1-b1: nobody is stuck.
        assert_eq!(written::<4>(InputGroup::Immobility, text, Side::Second), [0.25, 0.0]);
        // White's two moves are all: a4 would jump Black along its row and its diagonal, a3 along its row.
        assert_eq!(written::<4>(InputGroup::Freedom, text, Side::Second)[0], 2.0 / 32.0);
        let both = written::<4>(InputGroup::Concentration, TEXT, Side::First);
        // Black: centre of mass (2/3, 2), nearest b3: b3 0, b2 1, a4 1: no surplus. White: (3, 2): 1 each, less 1: 1/2.
        assert_eq!(both, [1.0, 2.0 / 3.0].map(|value| (value * 1000.0f32).trunc() / 1000.0));
    }

    #[test]
    fn combinations() {
        let groups = [InputGroup::Board(BoardValues::PLOGANN), InputGroup::Nonads];
        assert_eq!(input_size::<8>(&groups), 100, "pLoGANN's network");
        let sizes = InputGroup::ALL.map(InputGroup::size::<8>);
        assert_eq!(sizes, [64, 16, 30, 6, 36, 128, 2, 2, 2, 2]);
        let position: Loa<8> = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b".parse().expect("a position");
        let mut out = [0.0; 100];
        write_inputs(&groups, &position, Side::First, &mut out);
        assert_eq!(out[..3], [0.5, 0.75, 0.75]);
        // The window b1-d3: b1 and d1 corners, c1 side.
        assert_eq!(out[65], 0.8 + 0.75 * 2.0);
        for group in InputGroup::ALL {
            assert_eq!(InputGroup::named(group.name()), Some(group));
        }
        assert_eq!(InputGroup::named("board=0.75/0.5/0.5"), Some(InputGroup::Board(BoardValues::PLOGANN)));
        assert_eq!(InputGroup::named("board=0.75/x/0.5"), None);
        assert_eq!(InputGroup::named("board=1/2/3/4"), None);
        assert_eq!(InputGroup::named("squares"), None);
    }
}
