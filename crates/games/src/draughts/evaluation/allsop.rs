//! Allsop's evaluation (Durham, 2013): every piece, 1 for a man and 2 for a king, times the value of its square.
//!
//! The matrix B holds a value for each of the 32 squares as White sees it; Black sees it with the board turned by
//! half. The small random term that the thesis adds to break ties belongs to the players, not here.

use lanista_core::{Evaluator, Linear, Position, Score, Side};

use super::super::Draughts;
use super::super::geometry::{BIT_OF_SQUARE, turned};

/// The fixed point of square values.
const ONE: i32 = 10_000;
/// No value is further from zero: keeps every sum below a proved win.
const LIMIT: i32 = 100;

/// A value for each square, in ten-thousandths, in the order of the squares' numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareMatrix(pub [i32; 32]);

impl SquareMatrix {
    /// All ones: plain material.
    pub const ONES: SquareMatrix = SquareMatrix([ONE; 32]);

    /// The matrix with these numbers in plain units, rounded and kept within limits.
    pub fn from_numbers(numbers: &[f32; 32]) -> SquareMatrix {
        let limit = LIMIT as f32;
        // The conversion makes 0 of what is no number.
        SquareMatrix(numbers.map(|number| (number.clamp(-limit, limit) * ONE as f32).round() as i32))
    }

    /// The numbers in plain units.
    fn numbers(&self) -> Vec<f32> {
        self.0.map(|value| value as f32 / ONE as f32).to_vec()
    }

    /// The matrix as text that [`SquareMatrix::read`] reads back: a row of the board on each line.
    pub fn text(&self) -> String {
        let number = |&value: &i32| (f64::from(value) / f64::from(ONE)).to_string();
        let row = |row: &[i32]| row.iter().map(number).collect::<Vec<_>>().join(" ") + "\n";
        self.0.chunks(4).map(row).collect()
    }

    /// Reads 32 numbers, separated by white space or commas; `#` begins a comment.
    pub fn read(data: &[u8]) -> Result<SquareMatrix, String> {
        let text =
            std::str::from_utf8(data).map_err(|_| "square values: expected text, found other bytes".to_string())?;
        let mut values = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default();
            for word in
                line.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|word| !word.is_empty())
            {
                let value = fixed_point(word).ok_or_else(|| {
                    format!("line {}: {word:?}: expected a number from -{LIMIT} to {LIMIT}", index + 1)
                })?;
                values.push(value);
            }
        }
        let count = values.len();
        let values = values.try_into().map_err(|_| format!("{count} square values, expected 32"))?;
        Ok(SquareMatrix(values))
    }
}

/// The nearest ten-thousandth.
fn fixed_point(word: &str) -> Option<i32> {
    let number: f64 = word.parse().ok()?;
    if !(-f64::from(LIMIT)..=f64::from(LIMIT)).contains(&number) {
        return None;
    }
    // Reading is exact to the last bit everywhere, and so are a product and a sum.
    Some((number * f64::from(ONE) + if number < 0.0 { -0.5 } else { 0.5 }) as i32)
}

/// The evaluator: sums over the board, a byte of squares at a time.
pub struct Allsop {
    sums: Box<[[[i32; 256]; 4]; 2]>,
}

impl Allsop {
    /// With these square values.
    pub fn new(matrix: &SquareMatrix) -> Allsop {
        let mut sums = Box::new([[[0; 256]; 4]; 2]);
        for side in Side::BOTH {
            for byte in 0..4 {
                for set in 0..256 {
                    let squares = (set as u32) << (8 * byte);
                    let seen = if side == Side::First { turned(squares) } else { squares };
                    let worth = |square: usize| matrix.0[square] * (seen >> BIT_OF_SQUARE[square] & 1) as i32;
                    sums[side.index()][byte][set] = (0..32).map(worth).sum();
                }
            }
        }
        Allsop { sums }
    }

    #[inline]
    fn sum(&self, side: Side, set: u32) -> i32 {
        let sums = &self.sums[side.index()];
        let [a, b, c, d] = set.to_le_bytes().map(usize::from);
        sums[0][a] + sums[1][b] + sums[2][c] + sums[3][d]
    }
}

impl Evaluator<Draughts> for Allsop {
    #[inline]
    fn value(&mut self, position: &Draughts) -> Score {
        let worth = |side| {
            let pieces = position.pieces(side);
            self.sum(side, pieces) + self.sum(side, pieces & position.kings())
        };
        let side = position.side_to_move();
        Score((worth(side) - worth(!side)) / (ONE / 100))
    }
}

/// The evaluator as a sum of features times square values. It cuts the sum to hundredths (toward zero), so its value
/// differs from the sum by less than 1.
#[derive(Clone, Copy, Debug)]
pub struct AllsopFeatures;

impl Linear<Draughts> for AllsopFeatures {
    fn names(&self) -> Vec<String> {
        (1..=32).map(|square| format!("square-{square}")).collect()
    }

    fn weights(&self) -> Vec<f32> {
        SquareMatrix::ONES.numbers()
    }

    fn read(&self, file: &[u8]) -> Result<Vec<f32>, String> {
        Ok(SquareMatrix::read(file)?.numbers())
    }

    /// For each square: hundredths of a man that the mover has there, less those that the enemy has there with its eyes.
    fn features(&self, position: &Draughts, out: &mut [f32]) {
        let worth = |side: Side, square: usize| {
            let seen = |set: u32| if side == Side::First { turned(set) } else { set } >> BIT_OF_SQUARE[square] & 1;
            let pieces = position.pieces(side);
            100.0 * (seen(pieces) + seen(pieces & position.kings())) as f32
        };
        let side = position.side_to_move();
        for (square, feature) in out.iter_mut().enumerate().take(32) {
            *feature = worth(side, square) - worth(!side, square);
        }
    }

    fn file(&self, weights: &[f32]) -> Vec<u8> {
        // What is missing keeps its value.
        let mut numbers = [1.0; 32];
        numbers.iter_mut().zip(weights).for_each(|(number, &weight)| *number = weight);
        SquareMatrix::from_numbers(&numbers).text().into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Material;
    use super::*;

    /// The matrix of the thesis' table 5.2.
    const LEARNED: &str = "
        1.0 1.0 0.9 1.0
        0.8 0.8 0.7 0.7
        0.6 0.6 0.5 0.6
        0.6 0.6 0.5 0.4
        0.5 0.4 0.5 0.6
        0.4 0.3 0.5 0.3
        0.2 0.3 0.2 0.4
        0.3 0.2 0.3 0.4";

    fn position(text: &str) -> Draughts {
        text.parse().expect("a position")
    }

    #[test]
    fn the_matrix_as_each_side_sees_it() {
        let mut learned = Allsop::new(&SquareMatrix::read(LEARNED.as_bytes()).expect("32 numbers"));
        // White: man on 5 (0.8), king on 32 (2 × 0.4). Black sees its man on 12 where White sees 21 (0.4), and its king on
        // 29 where White sees 4 (2 × 1.0).
        let board = position("W:W5,K32:B12,K29");
        assert_eq!(learned.value(&board), Score(80 + 80 - 40 - 200));
        assert_eq!(learned.value(&position("B:W5,K32:B12,K29")), Score(80));
        let mut ones = Allsop::new(&SquareMatrix::ONES);
        assert_eq!(ones.value(&board), Material.value(&board));
    }

    #[test]
    fn files_that_are_wrong() {
        let fails = |data: &[u8]| SquareMatrix::read(data).expect_err("an error");
        assert_eq!(fails(b"1 2 3"), "3 square values, expected 32");
        assert_eq!(fails(b"1\n0.5, x"), "line 2: \"x\": expected a number from -100 to 100");
        assert!(fails(b"101").starts_with("line 1: \"101\""));
        assert!(fails(b"NaN").starts_with("line 1: \"NaN\""));
        let commas = [b"# all\n".to_vec(), b"1, ".repeat(32)].concat();
        assert_eq!(SquareMatrix::read(&commas), Ok(SquareMatrix::ONES));
        assert_eq!(fixed_point("-0.00016"), Some(-2), "the nearest ten-thousandth");
    }

    #[test]
    fn text_round_trip() {
        let learned = SquareMatrix::read(LEARNED.as_bytes()).expect("32 numbers");
        assert_eq!(SquareMatrix::read(learned.text().as_bytes()), Ok(learned));
        let mut numbers = [0.0; 32];
        numbers[..6].copy_from_slice(&[1e9, -1e9, f32::NAN, 0.12344, -0.00016, 1.5]);
        let matrix = SquareMatrix::from_numbers(&numbers);
        assert_eq!(matrix.0[..7], [1_000_000, -1_000_000, 0, 1234, -2, 15_000, 0]);
        assert_eq!(SquareMatrix::read(&AllsopFeatures.file(&numbers)), Ok(matrix));
        assert_eq!(SquareMatrix::read(&AllsopFeatures.file(&AllsopFeatures.weights())), Ok(SquareMatrix::ONES));
    }
}
