//! Positions and moves as text.
//!
//! A position is read as the moves that lead to it (`4455`) or as its six rows from the top, `x` the first side,
//! `o` the second, `.` empty, separated by `/` or white space; it is written as rows.

use std::fmt;
use std::str::FromStr;

use lanista_core::{Cell, ParseError, Position, Side};

use super::position::{HEIGHT, WIDTH, has_four};
use super::{Column, ConnectFour};

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&(self.index() + 1).to_string())
    }
}

impl fmt::Debug for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Column {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Column, ParseError> {
        match text.as_bytes() {
            &[digit @ b'1'..=b'7'] => Ok(Column::new(u32::from(digit - b'1'))),
            _ => {
                let start: String = text.chars().take(20).collect();
                Err(ParseError::new(1, format!("expected a column from 1 to {WIDTH}, found {start:?}")))
            }
        }
    }
}

impl fmt::Display for ConnectFour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows: Vec<String> = self.picture().rows.iter().map(|row| row_text(row)).collect();
        f.pad(&rows.join("/"))
    }
}

/// A row of the board, `x`, `o` and dots.
pub(super) fn row_text(cells: &[Cell]) -> String {
    let letter = |cell: &Cell| match *cell {
        Cell::Piece(Side::First, _) => 'x',
        Cell::Piece(Side::Second, _) => 'o',
        _ => '.',
    };
    cells.iter().map(letter).collect()
}

impl FromStr for ConnectFour {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<ConnectFour, ParseError> {
        if text.bytes().all(|byte| byte.is_ascii_digit()) { after_moves(text) } else { from_rows(text) }
    }
}

fn after_moves(text: &str) -> Result<ConnectFour, ParseError> {
    let mut position = ConnectFour::default();
    for (index, letter) in text.chars().enumerate() {
        let mv = position
            .parse_move(letter.encode_utf8(&mut [0; 4]))
            .map_err(|error| ParseError::new(index + 1, error.message))?;
        position.play(mv);
    }
    Ok(position)
}

fn from_rows(text: &str) -> Result<ConnectFour, ParseError> {
    let mut sets = [0u64; 2];
    let (mut row, mut column) = (HEIGHT, WIDTH);
    for (index, letter) in text.chars().enumerate() {
        let fail = |message: String| Err(ParseError::new(index + 1, message));
        let side = match letter {
            '/' if column == WIDTH && row > 0 && row < HEIGHT => {
                continue;
            }
            _ if letter.is_whitespace() && column == WIDTH => continue,
            'x' => Some(0),
            'o' => Some(1),
            '.' => None,
            _ => return fail(format!("expected x, o or . ({WIDTH} in each of {HEIGHT} rows), found {letter:?}")),
        };
        if column == WIDTH {
            if row == 0 {
                return fail(format!("more than {HEIGHT} rows of {WIDTH}"));
            }
            (row, column) = (row - 1, 0);
        }
        if let Some(side) = side {
            sets[side] |= 1u64 << (column * (HEIGHT + 1) + row);
        }
        column += 1;
    }
    let fail = |message: &str| Err(ParseError::new(1, message));
    if row > 0 || column < WIDTH {
        return fail("the board is not complete; expected 6 rows of 7, or moves like 4455");
    }
    let [first, second] = sets;
    let stones = first | second;
    let holes = (0..WIDTH).any(|column| {
        let height = stones >> (column * (HEIGHT + 1)) & 0x3f;
        height & (height + 1) != 0
    });
    if holes {
        return fail("a stone hangs in the air");
    }
    if first.count_ones() != second.count_ones() && first.count_ones() != second.count_ones() + 1 {
        return fail("x must have as many stones as o, or one more");
    }
    let first_moved_last = first.count_ones() > second.count_ones();
    if has_four(if first_moved_last { second } else { first }) {
        return fail("the side to move has four in a row already; the game ended earlier");
    }
    Ok(ConnectFour::from_stones(first, second))
}
