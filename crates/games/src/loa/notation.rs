//! Positions and moves as text.
//!
//! A position is its rows from the top, `b` Black, `w` White, a digit for that many empty squares,
//! then the side to move: `1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b`. Other programs use upper case for one
//! side, and do not agree for which; here upper case is refused. Rules that differ from the default follow as a
//! third field: `both-connected=mover-wins,no-move=loss`.

use std::fmt;
use std::str::FromStr;

use lanista_core::{Cell, ParseError, Position, Side};

use super::geometry::{STEPS, geometry};
use super::{BoardRules, Loa, LoaMove};

impl fmt::Display for LoaMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.pad("pass");
        }
        let separator = if self.is_capture() { 'x' } else { '-' };
        f.pad(&format!("{}{separator}{}", square_name(self.from()), square_name(self.to())))
    }
}

impl fmt::Debug for LoaMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Reads `b8-b6`, `b8xb6`, `b8:b6` (captures) and `pass`, in either case.
impl FromStr for LoaMove {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<LoaMove, ParseError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(LoaMove::PASS);
        }
        let letters: Vec<char> = text.chars().take(6).collect();
        let expected = "expected a move like b8-b6, b8xb6 or pass";
        let &[file, rank, separator, to_file, to_rank] = letters.as_slice() else {
            return Err(ParseError::new(1, format!("{expected}, found {:?}", shortened(text))));
        };
        let from = square(file, rank).ok_or_else(|| ParseError::new(1, expected))?;
        let to = square(to_file, to_rank).ok_or_else(|| ParseError::new(4, expected))?;
        let capture = match separator {
            '-' => false,
            'x' | 'X' | ':' => true,
            _ => return Err(ParseError::new(3, expected)),
        };
        Ok(LoaMove::new(from, to, capture))
    }
}

/// `b8` for 57.
pub(super) fn square_name(square: u32) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

fn square(file: char, rank: char) -> Option<u32> {
    let file = ('a'..='h').position(|letter| letter == file.to_ascii_lowercase())?;
    let rank = ('1'..='8').position(|letter| letter == rank)?;
    Some((rank * 8 + file) as u32)
}

/// The start of a text that came from outside, for messages.
fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Why a readable move is not legal, for people.
pub(super) fn why_illegal<const N: usize>(position: &Loa<N>, mv: LoaMove) -> String {
    if position.outcome().is_some() {
        return format!("{mv}: the game is over");
    }
    if mv.is_pass() {
        return "pass: only a side without any other move may pass".into();
    }
    let (from, to) = (mv.from(), mv.to());
    for square in [from, to] {
        if Loa::<N>::BOARD >> square & 1 == 0 {
            return format!("{mv}: {} is not on the {N}×{N} board", square_name(square));
        }
    }
    let (own, enemy) = (position.pieces(position.side_to_move()), position.pieces(!position.side_to_move()));
    if own >> from & 1 == 0 {
        return format!("{mv}: the side to move has no piece on {}", square_name(from));
    }
    let lines = &geometry::<N>().lines[from as usize];
    let Some(axis) = (0..4).find(|&axis| lines[axis] >> to & 1 == 1 && from != to) else {
        return format!("{mv}: the squares are not on one line");
    };
    let count = ((own | enemy) & lines[axis]).count_ones();
    let distance = from.abs_diff(to) / STEPS[axis];
    if count != distance {
        return format!("{mv}: the line has {count} pieces, so the move must go {count} squares, not {distance}");
    }
    if own >> to & 1 == 1 {
        return format!("{mv}: {} holds a piece of the same side", square_name(to));
    }
    format!("{mv}: an enemy piece is in the way")
}

impl<const N: usize> fmt::Display for Loa<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for rank in (0..N).rev() {
            let mut empty = 0;
            for file in 0..N {
                let square = rank * 8 + file;
                let letter = match Side::BOTH.map(|side| self.pieces(side) >> square & 1) {
                    [1, _] => 'b',
                    [_, 1] => 'w',
                    _ => {
                        empty += 1;
                        continue;
                    }
                };
                push_count(&mut text, &mut empty);
                text.push(letter);
            }
            push_count(&mut text, &mut empty);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push(if self.side_to_move() == Side::First { 'b' } else { 'w' });
        let rules = self.rules().differences();
        if !rules.is_empty() {
            text = format!("{text} {rules}");
        }
        f.pad(&text)
    }
}

/// A board as text, whatever is on it.
pub(super) fn text_of_cells(rows: &[Vec<Cell>], side: Side) -> String {
    let row_text = |cells: &Vec<Cell>| {
        let (mut text, mut empty) = (String::new(), 0);
        for cell in cells {
            let letter = match cell {
                Cell::Piece(Side::First, _) => 'b',
                Cell::Piece(Side::Second, _) => 'w',
                _ => {
                    empty += 1;
                    continue;
                }
            };
            push_count(&mut text, &mut empty);
            text.push(letter);
        }
        push_count(&mut text, &mut empty);
        text
    };
    let rows: Vec<String> = rows.iter().map(row_text).collect();
    format!("{} {}", rows.join("/"), if side == Side::First { 'b' } else { 'w' })
}

fn push_count(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

impl<const N: usize> FromStr for Loa<N> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text, BoardRules::default())
    }
}

impl<const N: usize> Loa<N> {
    /// Reads a position; `rules` apply unless the text tells its own.
    pub(super) fn parse(text: &str, rules: BoardRules) -> Result<Self, ParseError> {
        let mut letters = text.chars().enumerate().map(|(index, letter)| (index + 1, letter));
        let pieces = parse_rows::<N>(&mut letters)?;
        let end = text.chars().count() + 1;
        let side = match letters.next() {
            Some((_, 'b')) => Side::First,
            Some((_, 'w')) => Side::Second,
            other => {
                let column = other.map_or(end, |(column, _)| column);
                return Err(ParseError::new(column, "expected the side to move, b or w"));
            }
        };
        let mut rules = rules;
        match letters.next() {
            None => {}
            Some((column, ' ')) => {
                rules = BoardRules::default();
                let rest: String = letters.map(|(_, letter)| letter).collect();
                for part in rest.split(',') {
                    let fail = |message: String| ParseError::new(column + 1, message);
                    let (name, value) =
                        part.split_once('=').ok_or_else(|| fail(format!("rules {rest:?}: expected name=value,…")))?;
                    if !rules.set(name, value).map_err(fail)? {
                        return Err(fail(format!("unknown rule {name:?}, expected both-connected or no-move")));
                    }
                }
            }
            Some((column, _)) => return Err(ParseError::new(column, "expected the end, or a space and rules")),
        }
        Ok(Self::new(pieces, side, rules))
    }
}

/// The rows, up to and with the space after them.
fn parse_rows<const N: usize>(letters: &mut impl Iterator<Item = (usize, char)>) -> Result<[u64; 2], ParseError> {
    let mut pieces = [0u64; 2];
    let mut last = 0;
    for rank in (0..N).rev() {
        let mut file = 0;
        loop {
            let Some((column, letter)) = letters.next() else {
                return Err(ParseError::new(last + 1, format!("the text ends in row {}, expected {N} rows", rank + 1)));
            };
            last = column;
            let end = if rank > 0 { '/' } else { ' ' };
            let square = rank * 8 + file;
            match letter {
                'b' | 'w' if file < N => {
                    pieces[usize::from(letter == 'w')] |= 1 << square;
                    file += 1;
                }
                '1'..='8' if file + (letter as usize - '0' as usize) <= N => file += letter as usize - '0' as usize,
                _ if letter == end && file == N => break,
                _ => {
                    let expected = if file == N {
                        format!("row {} is full; expected {:?}", rank + 1, end)
                    } else {
                        format!("expected b, w or a digit of at most {} in row {}", N - file, rank + 1)
                    };
                    return Err(ParseError::new(column, format!("{expected}, found {letter:?}")));
                }
            }
        }
    }
    for (name, set) in [("black", pieces[0]), ("white", pieces[1])] {
        if set == 0 {
            return Err(ParseError::new(1, format!("there is no {name} piece; each side needs at least one")));
        }
        if set.count_ones() as usize > 2 * (N - 2) {
            let most = 2 * (N - 2);
            return Err(ParseError::new(1, format!("{} {name} pieces; a side has at most {most}", set.count_ones())));
        }
    }
    Ok(pieces)
}
