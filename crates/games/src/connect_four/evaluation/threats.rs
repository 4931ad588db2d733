//! A simple evaluator: threats by the odd and even rule, and the centre.
//!
//! A threat is an empty square that would complete four in a row. When the columns fill up from below, the first side
//! gets the odd rows and the second the even ones (Allis 1988), so a threat is worth most on a row of its
//! owner's parity.

use lanista_core::{Evaluator, Linear, Position, Score, Side};

use super::super::ConnectFour;
use super::lines::{BOTTOM, completions, landings};
use crate::weights_text;

/// Rows 1, 3, 5.
const ODD: u64 = BOTTOM * 0b01_0101;
/// Columns 4; 3 and 5; 2 and 6.
const COLUMNS: [u64; 3] = [0x3f << 21, 0x3f << 14 | 0x3f << 28, 0x3f << 7 | 0x3f << 35];
/// No weight is further from zero: keeps every value below a proved win.
const LIMIT: i32 = 2000;

/// What each feature is worth, in hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreatWeights(pub [i32; 8]);

impl ThreatWeights {
    /// The names of the weights, in order:
    ///
    /// - stones in column 4; in columns 3 and 5; in columns 2 and 6;
    /// - threats on a row of the owner's parity, and on another, that cannot be filled yet;
    /// - pairs of threats of one side, one above the other: the enemy can block only one;
    /// - the mover's threats that can be filled at once, which win;
    /// - the enemy's, which cost the mover the choice: this one is taken off.
    pub const NAMES: [&'static str; 8] = [
        "column-4",
        "columns-3-5",
        "columns-2-6",
        "threat-good-row",
        "threat-other-row",
        "stacked",
        "win-at-once",
        "must-answer",
    ];

    /// First guesses.
    pub const DEFAULT: ThreatWeights = ThreatWeights([6, 4, 2, 60, 20, 150, 1000, 40]);

    /// The default weights, changed by lines of text: `name = whole number`; `#` begins a comment.
    pub fn read(data: &[u8]) -> Result<ThreatWeights, String> {
        let mut weights = ThreatWeights::DEFAULT;
        weights_text::read(data, |name, value| {
            let index = ThreatWeights::NAMES.iter().position(|known| *known == name).ok_or_else(|| {
                format!("threats has no weight {name:?}, expected one of: {}", ThreatWeights::NAMES.join(", "))
            })?;
            weights.0[index] = weights_text::whole_number(name, value, LIMIT)?;
            Ok(())
        })?;
        Ok(weights)
    }

    fn numbers(&self) -> Vec<f32> {
        self.0.map(|weight| weight as f32).to_vec()
    }
}

/// The evaluator.
#[derive(Clone, Copy, Debug)]
pub struct Threats {
    weights: ThreatWeights,
}

impl Threats {
    /// With these weights.
    pub fn new(weights: ThreatWeights) -> Threats {
        Threats { weights }
    }
}

/// How often each weight counts, from the mover's view.
#[inline]
fn features(position: &ConnectFour) -> [i32; 8] {
    let side = position.side_to_move();
    let all = position.stones(side) | position.stones(!side);
    let next = landings(all);
    let counts = |side: Side| {
        let stones = position.stones(side);
        let squares = completions(stones, all);
        let count = |set: u64| set.count_ones() as i32;
        let parity = if side == Side::First { ODD } else { !ODD };
        let later = squares & !next;
        let [fourth, third, second] = COLUMNS.map(|column| count(stones & column));
        let stacked = count(squares & squares >> 1);
        [fourth, third, second, count(later & parity), count(later & !parity), stacked, count(squares & next)]
    };
    let (own, enemy) = (counts(side), counts(!side));
    let lead = |index: usize| own[index] - enemy[index];
    [lead(0), lead(1), lead(2), lead(3), lead(4), lead(5), own[6], -enemy[6]]
}

impl Evaluator<ConnectFour> for Threats {
    #[inline]
    fn value(&mut self, position: &ConnectFour) -> Score {
        Score(features(position).iter().zip(self.weights.0).map(|(count, weight)| count * weight).sum())
    }
}

/// The evaluator as a sum of features times weights, which it is to the bit.
#[derive(Clone, Copy, Debug)]
pub struct ThreatFeatures;

impl Linear<ConnectFour> for ThreatFeatures {
    fn names(&self) -> Vec<String> {
        ThreatWeights::NAMES.map(String::from).to_vec()
    }

    fn weights(&self) -> Vec<f32> {
        ThreatWeights::DEFAULT.numbers()
    }

    fn read(&self, file: &[u8]) -> Result<Vec<f32>, String> {
        Ok(ThreatWeights::read(file)?.numbers())
    }

    fn features(&self, position: &ConnectFour, out: &mut [f32]) {
        out.iter_mut().zip(features(position)).for_each(|(feature, count)| *feature = count as f32);
    }

    fn file(&self, weights: &[f32]) -> Vec<u8> {
        let names = ThreatWeights::NAMES.iter().zip(weights);
        let lines = names.map(|(name, &weight)| format!("{name} = {}\n", weights_text::rounded(weight, LIMIT)));
        lines.collect::<String>().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> i32 {
        let position: ConnectFour = text.parse().expect("a position");
        Threats::new(ThreatWeights::DEFAULT).value(&position).0
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

    #[test]
    fn weights_as_text() {
        let default = ThreatFeatures.file(&ThreatFeatures.weights());
        assert_eq!(ThreatWeights::read(&default), Ok(ThreatWeights::DEFAULT));
        let changed = ThreatWeights::read(b"# learned\nstacked = -7\n").expect("weights");
        assert_eq!(changed.0, [6, 4, 2, 60, 20, -7, 1000, 40]);
        let fails = |data: &[u8]| ThreatWeights::read(data).expect_err("an error");
        assert!(
            fails(b"\ncentre = 1").starts_with("line 2: threats has no weight \"centre\", expected one of: column-4")
        );
        assert!(fails(b"stacked = 2001").contains("from -2000 to 2000"));
    }
}
