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
        // x has 7 stones, o 6, so o is to move.
        let picture = "\
            ....... \
            ....... \
            ....... \
            .oxxx.. \
            .xoox.. \
            .oxoo.x";
        // Centre: x 4 (row 1, column 3), 2 + 4 (row 2), 4 + 6 + 4 (row 3): 24; o 2 + 6 + 4, 4 + 6, 2: 24.
        // x: three in row 3 are completed in column 6, which is empty: an odd row for the first side, 60.
        // o: the fall from column 2, row 3 to column 4, row 1 is completed in column 1, row 4: an even row for
        // the second side, 60.
        assert_eq!(value(picture), (24 + 60) - (24 + 60));
        // With x in column 6 instead of 7: 2 more in the centre, and a fall from column 4, row 3 that column 3, row 4
        // completes at once, where o must answer: 40.
        assert_eq!(value(&picture.replace(".oxoo.x", ".oxoox.")), (24 + 60) - (26 + 60 + 40));
    }

    #[test]
    fn wins_at_once_and_stacked_threats() {
        // Three upright in column 4. o to move: 2 for column 2, less 18 and 40; x to move: 18 and 1000, less 2 + 4.
        assert_eq!(value("41424"), 2 - 58);
        assert_eq!(value("414243"), 1018 - 6);
        let picture = "\
            ....... \
            ....... \
            ....... \
            .oxxx.. \
            .oxxx.. \
            oxooo.o";
        // x to move. Centre 2 + 8 + 12 + 8 = 30. Rows 2 and 3 are completed in column 6, one above the other, both out of
        // reach: 20 for the even row, 60 for the odd one, 150 for the pair. Column 2, row 1 rises to column 5, row 4,
        // which can be filled now: 1000. o: centre 4 + 4 + 6 + 4 = 18; column 6, row 1 completes the bottom row: 40.
        assert_eq!(value(picture), (30 + 20 + 60 + 150 + 1000) - (18 + 40));
    }
}
