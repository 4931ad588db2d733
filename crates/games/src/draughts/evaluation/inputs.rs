//! Network inputs: the board by kind of piece.
//!
//! Each side sees its own men go up the board, as White does: for Black the board is turned by half. Squares stand in the
//! order of their numbers.
//!
//! | group | inputs | meaning |
//! |---|---|---|
//! | `men` | 64 | own men 1 and all else 0, then the same for the other side's men |
//! | `kings` | 64 | the same for kings |
//! | `pieces` | 32 | a man 1, a king 2, the other side's negative; `pieces=K` gives the value of a king |
//!
//! Switches, each 32 in the order of the board's bits: own men, own kings, the other side's men, its kings.

use lanista_core::{InputGroupInfo, Side, Switches};

use super::super::Draughts;
use super::super::geometry::{BIT_OF_SQUARE, SQUARE_OF_BIT, turned};
use crate::inputs::Group;

/// A group of inputs; see the module for their meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InputGroup {
    /// Men of both sides.
    Men,
    /// Kings of both sides.
    Kings,
    /// All pieces on one board.
    Pieces {
        /// What a king counts; a man counts 1.
        king: f32,
    },
}

/// The value of a king where none is given.
const KING: f32 = 2.0;

/// The groups for people to choose.
pub(super) const INFOS: [InputGroupInfo; 3] = [
    InputGroupInfo { name: "men", about: "1 for an own man on each square, then 1 for an enemy man" },
    InputGroupInfo { name: "kings", about: "1 for an own king on each square, then 1 for an enemy king" },
    InputGroupInfo {
        name: "pieces",
        about: "each square: 1 own man, 2 own king, the enemy's negative; pieces=K gives another value of a king",
    },
];

/// One side's men and kings, as the side whose view is taken sees the board.
struct Army {
    men: u32,
    kings: u32,
}

impl Army {
    #[inline]
    fn of(position: &Draughts, side: Side, viewer: Side) -> Army {
        let seen = |set: u32| if viewer == Side::First { turned(set) } else { set };
        let pieces = position.pieces(side);
        Army { men: seen(pieces & !position.kings()), kings: seen(pieces & position.kings()) }
    }
}

impl Group<Draughts> for InputGroup {
    const SWITCHES: usize = 128;

    fn named(text: &str) -> Result<Option<InputGroup>, String> {
        Ok(match text.split_once('=') {
            None if text == "men" => Some(InputGroup::Men),
            None if text == "kings" => Some(InputGroup::Kings),
            None if text == "pieces" => Some(InputGroup::Pieces { king: KING }),
            Some(("pieces", value)) => match value.parse() {
                Ok(king) if f32::is_finite(king) => Some(InputGroup::Pieces { king }),
                _ => return Err(format!("{text:?}: expected the value of a king: pieces=2")),
            },
            _ => None,
        })
    }

    fn size(self) -> usize {
        match self {
            InputGroup::Men | InputGroup::Kings => 64,
            InputGroup::Pieces { .. } => 32,
        }
    }

    fn write(self, position: &Draughts, side: Side, out: &mut [f32]) {
        let (own, other) = (Army::of(position, side, side), Army::of(position, !side, side));
        let at = |set: u32, square: usize| (set >> BIT_OF_SQUARE[square] & 1) as f32;
        for (index, input) in out.iter_mut().enumerate() {
            let (army, square) = (if index < 32 { &own } else { &other }, index % 32);
            *input = match self {
                InputGroup::Men => at(army.men, square),
                InputGroup::Kings => at(army.kings, square),
                InputGroup::Pieces { king } => {
                    at(own.men, square) - at(other.men, square)
                        + king * (at(own.kings, square) - at(other.kings, square))
                }
            };
        }
    }

    fn effects(self, switch: usize) -> Vec<(usize, f32)> {
        let (own, is_king, square) = (switch < 64, switch / 32 % 2 == 1, usize::from(SQUARE_OF_BIT[switch % 32]));
        let place = if own { square } else { 32 + square };
        match (self, is_king) {
            (InputGroup::Men, false) | (InputGroup::Kings, true) => vec![(place, 1.0)],
            (InputGroup::Pieces { king }, _) => {
                let worth = if is_king { king } else { 1.0 };
                vec![(square, if own { worth } else { -worth })]
            }
            _ => Vec::new(),
        }
    }

    #[inline]
    fn on(position: &Draughts, side: Side, _wanted: &Switches) -> Switches {
        let word = |army: Army| u64::from(army.men) | u64::from(army.kings) << 32;
        [word(Army::of(position, side, side)), word(Army::of(position, !side, side)), 0, 0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(group: InputGroup, text: &str, side: Side) -> Vec<(usize, f32)> {
        let position: Draughts = text.parse().expect("a position");
        let mut out = vec![f32::NAN; group.size()];
        group.write(&position, side, &mut out);
        // Places by the numbers of their squares.
        out.into_iter()
            .enumerate()
            .filter(|&(_, input)| input != 0.0)
            .map(|(index, input)| (index + 1, input))
            .collect()
    }

    #[test]
    fn both_sides_by_hand() {
        let text = "W:W5,K32:B12,K29";
        // Black sees 12 where White sees 21, 29 as 4, 5 as 28, 32 as 1.
        assert_eq!(written(InputGroup::Men, text, Side::Second), [(5, 1.0), (32 + 12, 1.0)]);
        assert_eq!(written(InputGroup::Men, text, Side::First), [(21, 1.0), (32 + 28, 1.0)]);
        assert_eq!(written(InputGroup::Kings, text, Side::Second), [(32, 1.0), (32 + 29, 1.0)]);
        assert_eq!(written(InputGroup::Kings, text, Side::First), [(4, 1.0), (32 + 1, 1.0)]);
        let pieces = |king, side| written(InputGroup::Pieces { king }, text, side);
        assert_eq!(pieces(2.0, Side::Second), [(5, 1.0), (12, -1.0), (29, -2.0), (32, 2.0)]);
        assert_eq!(pieces(1.5, Side::First), [(1, -1.5), (4, 1.5), (21, 1.0), (28, -1.0)]);
    }

    #[test]
    fn names() {
        assert_eq!(InputGroup::named("pieces"), Ok(Some(InputGroup::Pieces { king: 2.0 })));
        assert_eq!(InputGroup::named("pieces=1.3"), Ok(Some(InputGroup::Pieces { king: 1.3 })));
        assert!(InputGroup::named("pieces=inf").is_err() && InputGroup::named("pieces=").is_err());
        assert_eq!(InputGroup::named("men=1"), Ok(None));
        assert!(INFOS.iter().all(|info| InputGroup::named(info.name).is_ok_and(|group| group.is_some())));
    }
}
