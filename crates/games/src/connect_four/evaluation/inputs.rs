//! The network inputs of the Groningen thesis on evolved Connect Four networks (2015): 42, 85 or 129 numbers.
//!
//! The thesis tells what the inputs stand for, not their order. Decided here, for the side whose view is taken:
//!
//! | group | inputs | meaning |
//! |---|---|---|
//! | `board` | 42 | squares row by row from the bottom, each row from column 1: own stone 1, other's −1, empty 0 |
//! | `four` | 1 | a four in a row on the board: own 1, the other's −1, none 0 |
//! | `threes` | 42 | three in a row: 21 of the own side, then 21 of the other, each 1 if present and 0 if not |
//! | `twos` | 42 | the same for two in a row |
//! | `wins` | 2 | in how many columns the own side could win at once, and the other side |
//!
//! The 21: level by row (6), upright by column (7), rising by the row of the lowest stone (4), falling by the same (4).
//! Six and seven lines and four rows in which a diagonal three can begin are the one natural way to the published 42 for
//! both sides. A diagonal two can begin in a fifth row; it counts in the fourth, because the published size is the same.
//! A longer row contains shorter ones, and blocked rows count too.
//!
//! 42 inputs are `board`; 85 `board`, `four`, `threes`; 129 all five.
//!
//! All of them are sums of switches, which `switches` finds by bit tricks; here each group is written as its meaning says.

use lanista_core::{InputGroupInfo, Side, Switches};

use super::super::ConnectFour;
use super::lines::{STEPS, completions, landings, runs};
use super::switches::{self, Meaning};
use crate::inputs::Group;

/// A group of inputs. Groups stand in a network's input in the order in which they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputGroup {
    /// The stones.
    Board,
    /// Whether four in a row are on the board.
    Four,
    /// Three in a row, by place and direction.
    Threes,
    /// Two in a row, by place and direction.
    Twos,
    /// Immediate wins of both sides.
    Wins,
}

/// The groups for people to choose, in the order of [`InputGroup::ALL`].
pub(super) const INFOS: [InputGroupInfo; 5] = [
    InputGroupInfo { name: "board", about: "each square: 1 own, -1 other's, 0 empty" },
    InputGroupInfo { name: "four", about: "four in a row on the board: 1 own, -1 other's" },
    InputGroupInfo { name: "threes", about: "three in a row at 21 places: own, then other's" },
    InputGroupInfo { name: "twos", about: "two in a row at 21 places: own, then other's" },
    InputGroupInfo { name: "wins", about: "columns in which a side could win at once: own, other's" },
];

impl InputGroup {
    /// All groups, in the order of the largest input of the thesis.
    pub const ALL: [InputGroup; 5] =
        [InputGroup::Board, InputGroup::Four, InputGroup::Threes, InputGroup::Twos, InputGroup::Wins];

    /// The groups of the thesis' input sizes: 42, 85 or 129.
    pub fn of_size(inputs: usize) -> Option<&'static [InputGroup]> {
        match inputs {
            42 => Some(&Self::ALL[..1]),
            85 => Some(&Self::ALL[..3]),
            129 => Some(&Self::ALL),
            _ => None,
        }
    }
}

impl Group<ConnectFour> for InputGroup {
    const SWITCHES: usize = switches::COUNT;

    fn named(text: &str) -> Result<Option<InputGroup>, String> {
        Ok(INFOS.iter().position(|info| info.name == text).map(|index| Self::ALL[index]))
    }

    fn size(self) -> usize {
        match self {
            InputGroup::Board | InputGroup::Threes | InputGroup::Twos => 42,
            InputGroup::Four => 1,
            InputGroup::Wins => 2,
        }
    }

    fn write(self, position: &ConnectFour, side: Side, out: &mut [f32]) {
        let (own, other) = (position.stones(side), position.stones(!side));
        match self {
            InputGroup::Board => {
                for (index, input) in out.iter_mut().enumerate() {
                    let square = index % 7 * 7 + index / 7;
                    *input = (own >> square & 1) as f32 - (other >> square & 1) as f32;
                }
            }
            InputGroup::Four => {
                let four = |stones| STEPS.iter().any(|&step| runs(stones, step, 4) != 0);
                out[0] = f32::from(u8::from(four(own))) - f32::from(u8::from(four(other)));
            }
            InputGroup::Threes => write_runs([own, other], 3, out),
            InputGroup::Twos => write_runs([own, other], 2, out),
            InputGroup::Wins => {
                let next = landings(own | other);
                for (input, stones) in out.iter_mut().zip([own, other]) {
                    *input = (completions(stones, own | other) & next).count_ones() as f32;
                }
            }
        }
    }

    fn effects(self, switch: usize) -> Vec<(usize, f32)> {
        let sign = |own: bool| if own { 1.0 } else { -1.0 };
        match (self, switches::meaning(switch)) {
            (InputGroup::Board, Some(Meaning::Stone { own, row, column })) => vec![(7 * row + column, sign(own))],
            (InputGroup::Four, Some(Meaning::Four { own })) => vec![(0, sign(own))],
            (InputGroup::Threes, Some(Meaning::Three { place })) => vec![(place, 1.0)],
            (InputGroup::Twos, Some(Meaning::Two { place })) => vec![(place, 1.0)],
            (InputGroup::Wins, Some(Meaning::Win { own })) => vec![(usize::from(!own), 1.0)],
            _ => Vec::new(),
        }
    }

    #[inline]
    fn on(position: &ConnectFour, side: Side, wanted: &Switches) -> Switches {
        let own = position.stones(side);
        // Cheaper than choosing a second time.
        switches::on(own, own ^ position.occupied(), wanted)
    }
}

/// The 21 places of rows of one length, for both sides.
fn write_runs(sides: [u64; 2], length: u32, out: &mut [f32]) {
    const ROW: u64 = 0x0000_0408_1020_4081;
    for (stones, places) in sides.into_iter().zip(out.chunks_exact_mut(21)) {
        let [upright, level, rising, falling] = STEPS.map(|step| runs(stones, step, length));
        // A falling row is found at its leftmost stone, the highest.
        let falling = falling >> (length - 1);
        let in_row = |set: u64, row: usize| set & ROW << row != 0;
        for (index, place) in places.iter_mut().enumerate() {
            let present = match index {
                0..6 => in_row(level, index),
                6..13 => upright >> (7 * (index - 6)) & 0x3f != 0,
                13..17 => in_row(rising, index - 13) || index == 16 && in_row(rising, 4),
                _ => in_row(falling, index - 17) || index == 20 && in_row(falling, 4),
            };
            *place = f32::from(u8::from(present));
        }
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Inputs, Position};

    use super::*;
    use crate::inputs::GroupedInputs;

    fn written(group: InputGroup, position: &ConnectFour, side: Side) -> Vec<f32> {
        let mut out = vec![f32::NAN; group.size()];
        group.write(position, side, &mut out);
        out
    }

    fn position() -> ConnectFour {
        "....... \
         ....... \
         ....... \
         .ox.x.. \
         .xoxx.. \
         .ooxoxo"
            .parse()
            .expect("a position")
    }

    /// The places of a `threes` or `twos` group that are 1, one side after the other.
    fn present(inputs: &[f32]) -> Vec<usize> {
        assert!(inputs.iter().all(|&input| input == 0.0 || input == 1.0));
        (0..inputs.len()).filter(|&index| inputs[index] == 1.0).collect()
    }

    #[test]
    fn board() {
        let own = written(InputGroup::Board, &position(), Side::First);
        assert_eq!(own[..7], [0., -1., -1., 1., -1., 1., -1.], "the bottom row");
        assert_eq!(own[14..21], [0., -1., 1., 0., 1., 0., 0.], "the third row");
        let other: Vec<f32> = own.iter().map(|value| 0.0 - value).collect();
        assert_eq!(written(InputGroup::Board, &position(), Side::Second), other);
    }

    #[test]
    fn threes_and_twos_by_hand() {
        let threes = written(InputGroup::Threes, &position(), Side::First);
        assert_eq!(present(&threes), [0; 0]);
        let twos = written(InputGroup::Twos, &position(), Side::First);
        // x (places 0 to 20): level row 2: 4-5 (place 1). Upright: column 4 (rows 1, 2) place 9, column 5 (rows 2, 3)
        // place 10. Rising from row 1: 4-1 to 5-2 (place 13); from row 2: 2-2 to 3-3, 4-2 to 5-3 (place 14). Falling,
        // lowest in row 1: 6-1, 5-2 (place 17); in row 2: 4-2, 3-3 (place 18).
        // o (places 21 to 41): level row 1: 2-3 (place 21). Upright: column 3 (rows 1, 2): place 21 + 6 + 2 = 29.
        // Rising from row 1: 2-1 to 3-2 (place 34). Falling, lowest in row 2: 3-2, 2-3 (place 39).
        assert_eq!(present(&twos), [1, 9, 10, 13, 14, 17, 18, 21, 29, 34, 39]);
        // The other side sees the same with the halves exchanged.
        let seen = written(InputGroup::Twos, &position(), Side::Second);
        assert_eq!([&seen[21..], &seen[..21]].concat(), twos);
    }

    #[test]
    fn threes_wins_and_four_by_hand() {
        let mut position: ConnectFour = "....... \
             ....... \
             o...... \
             oo....x \
             oxo...x \
             xxx.oox"
            .parse()
            .expect("a position");
        let (own, other) = (Side::First, Side::Second);
        // x: row 1, columns 1 to 3 (place 0), and column 7 (place 12). o: column 1, rows 2 to 4 (place 21 + 6), and the
        // fall from column 1, row 4, lowest in row 2 (place 21 + 18).
        assert_eq!(present(&written(InputGroup::Threes, &position, own)), [0, 12, 27, 39]);
        // x wins in columns 4 and 7, o in column 1 and, at the foot of the fall, in column 4.
        assert_eq!(written(InputGroup::Wins, &position, own), [2.0, 2.0]);
        assert_eq!(written(InputGroup::Four, &position, own), [0.0]);
        position.play(position.parse_move("4").expect("a move"));
        assert_eq!(written(InputGroup::Four, &position, own), [1.0]);
        assert_eq!(written(InputGroup::Four, &position, other), [-1.0]);
    }

    /// The mirror exchanges columns, and rising with falling; everything else stays.
    #[test]
    fn mirrored() {
        let (plain, mirrored) = (position(), position().symmetric(1));
        for group in [InputGroup::Threes, InputGroup::Twos] {
            let (a, b) = (written(group, &plain, Side::First), written(group, &mirrored, Side::First));
            for side in [0, 21] {
                assert_eq!(a[side..side + 6], b[side..side + 6], "rows");
                let columns: Vec<f32> = b[side + 6..side + 13].iter().rev().copied().collect();
                assert_eq!(a[side + 6..side + 13], columns);
                assert_eq!(a[side + 13..side + 17], b[side + 17..side + 21]);
                assert_eq!(a[side + 17..side + 21], b[side + 13..side + 17]);
            }
        }
        let wins = |position| written(InputGroup::Wins, position, Side::First);
        assert_eq!(wins(&plain), wins(&mirrored));
    }

    #[test]
    fn sizes_and_names() {
        for size in [42, 85, 129] {
            let inputs = InputGroup::of_size(size).map(GroupedInputs::<ConnectFour, _>::new);
            assert_eq!(inputs.map(|inputs| inputs.size()), Some(size));
        }
        assert_eq!(InputGroup::of_size(43), None);
        let groups = INFOS.map(|info| InputGroup::named(info.name));
        assert_eq!(groups, InputGroup::ALL.map(|group| Ok(Some(group))));
        let mut out = [f32::NAN; 129];
        GroupedInputs::new(&InputGroup::ALL).write(&position(), Side::First, &mut out);
        assert!(out.iter().all(|input| input.is_finite()));
        assert_eq!(out[42], 0.0, "no four in a row");
    }
}
