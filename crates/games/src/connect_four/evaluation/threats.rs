//! A simple evaluator: threats by the odd and even rule, and the centre.
//!
//! A threat is an empty square that would complete four in a row. When the columns fill up from below, the first side
//! gets the odd rows and the second the even ones (Allis 1988), so a threat is worth most on a row of its
//! owner's parity. Values are first guesses.

use lanista_core::{Evaluator, Position, Score, Side};

use super::super::ConnectFour;
use super::lines::{BOTTOM, completions, landings};

/// Rows 1, 3, 5.
const ODD: u64 = BOTTOM * 0b01_0101;
/// A threat on a row of the owner's parity, and on another.
const THREAT: [i32; 2] = [60, 20];
/// Two threats of one side, one above the other: the enemy can block only one.
const STACKED: i32 = 150;
/// A threat that can be filled at once: the mover has won; the enemy's costs the mover the choice.
const AT_ONCE: [i32; 2] = [1000, 40];
/// Columns 4; 3 and 5; 2 and 6.
const COLUMNS: [(u64, i32); 3] = [(0x3f << 21, 6), (0x3f << 14 | 0x3f << 28, 4), (0x3f << 7 | 0x3f << 35, 2)];

/// The evaluator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Evaluator<ConnectFour> for Threats {
    #[inline]
    fn value(&mut self, position: &ConnectFour) -> Score {
        let side = position.side_to_move();
        let all = position.stones(side) | position.stones(!side);
        let next = landings(all);
        let worth = |side: Side, at_once: i32| {
            let stones = position.stones(side);
            let squares = completions(stones, all);
            let count = |set: u64| set.count_ones() as i32;
            let parity = if side == Side::First { ODD } else { !ODD };
            let later = squares & !next;
            let centre: i32 = COLUMNS.iter().map(|&(column, value)| value * count(stones & column)).sum();
            centre
                + THREAT[0] * count(later & parity)
                + THREAT[1] * count(later & !parity)
                + STACKED * count(squares & squares >> 1)
                + at_once * count(squares & next)
        };
        Score(worth(side, AT_ONCE[0]) - worth(!side, AT_ONCE[1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> i32 {
        let position: ConnectFour = text.parse().expect("a position");
        Threats.value(&position).0
    }

    #[test]
    fn centre_columns() {
        assert_eq!(value(""), 0);
        assert_eq!(value("4"), -6, "the second side sees the stone in the centre");
        assert_eq!(value("43"), 6 - 4);
        assert_eq!(value("71"), 0);
    }

    #[test]
    fn threats_by_row() {
        // x to move. x: columns 3, 4, 5 of row 3 (o in row 3 of column 2 blocks one end): 6-3 completes it; column 6 is
        // empty, so not yet: an odd row of the first side, 60. o has no line of three.
        // Centre: x 3-3, 4-3, 5-3, 4-1, 2-2, 1-1: 4 + 6 + 4 + 6 + 2 = 22; o: 3-1, 3-2, 4-2, 5-1, 2-1?, see the picture.
        let picture = "\
            ....... \
            ....... \
            ....... \
            .oxxx.. \
            .xoox.. \
            .oxoo.x";
        // x: row 1 column 3 (4) and 7 (0); row 2 column 2 (2), 5 (4); row 3 columns 3, 4, 5 (4 + 6 + 4): 24.
        // o: row 1 columns 2, 4, 5 (2 + 6 + 4); row 2 columns 3, 4 (4 + 6); row 3 column 2 (2): 24.
        // o's threats: 2-3, 3-2 falling leads to 4-1 (o!) and 1-4: o at 2-3, 3-2, 4-1 completes at 1-4: an even row
        // of the second side, column 1 is empty: 60; x's other lines: 5-2, 4-3 falling: 3-4, 2-5 and 6-1 are empty.
        // x 5-3, 5-2 upright: two only. o to move, as x has one stone more.
        assert_eq!(value(picture), 24 + 60 - 24 - 60);
    }
}
