//! The numbers of each group, written straight from the board.

use lanista_core::Side;

use super::super::super::Loa;
use super::super::super::geometry::geometry;
use super::super::cluster::biggest_group;
use super::super::concentration::concentration;
use super::super::mobility::{movable, move_count};
use super::super::nonads::nonad;
use super::super::quads::quad_counts;
use super::InputGroup;

/// Writes the inputs of a group as `side` sees them.
pub(super) fn write<const N: usize>(group: InputGroup, position: &Loa<N>, side: Side, out: &mut [f32]) {
    let (own, other) = (position.pieces(side), position.pieces(!side));
    let has = |set: u64, square: usize| set >> square & 1 == 1;
    let square = |index: usize| index / N * 8 + index % N;
    let full = 2.0 * (N as f32 - 2.0);
    let pair = |measure: &dyn Fn(Side) -> f32| [measure(side), measure(!side)];
    match group {
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
        InputGroup::Freedom => {
            out.copy_from_slice(&pair(&|side| move_count(position, side) as f32 / (8.0 * full)));
        }
        InputGroup::Concentration => {
            out.copy_from_slice(&pair(&|side| concentration(position.pieces(side)) as f32 / 1000.0));
        }
        InputGroup::Cluster => {
            out.copy_from_slice(&pair(&|side| biggest_group(position.pieces(side)) as f32 / full));
        }
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Inputs;

    use super::super::BoardValues;
    use super::*;
    use crate::inputs::GroupedInputs;

    fn written<const N: usize>(group: InputGroup, text: &str, side: Side) -> Vec<f32> {
        let position: Loa<N> = text.parse().expect("a position");
        let inputs = GroupedInputs::<Loa<N>, _>::new(&[group]);
        let mut out = vec![f32::NAN; inputs.size()];
        inputs.write(&position, side, &mut out);
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
        assert_eq!(written::<4>(InputGroup::Board(BoardValues::SIGNED), TEXT, black), signed);
        assert_eq!(written::<4>(InputGroup::Board(BoardValues::SIGNED), TEXT, white), signed.map(|value| 0.0 - value));
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
        let inputs = GroupedInputs::<Loa<8>, _>::new(&[InputGroup::Board(BoardValues::PLOGANN), InputGroup::Nonads]);
        assert_eq!(inputs.size(), 100, "pLoGANN's network");
        let position: Loa<8> = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b".parse().expect("a position");
        let mut out = [0.0; 100];
        inputs.write(&position, Side::First, &mut out);
        assert_eq!(out[..3], [0.5, 0.75, 0.75]);
        // The window b1-d3: b1 and d1 corners, c1 side.
        assert_eq!(out[65], 0.8 + 0.75 * 2.0);
    }
}
