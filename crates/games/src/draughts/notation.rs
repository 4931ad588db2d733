//! Positions and moves as text: draughts FEN and PDN.
//!
//! A position: side to move, white pieces, black pieces, kings marked: `B:W18,24,K10:B12,16,K22`. Read in either case
//! and order, with ranges (`W21-32`) and a trailing dot; written sorted, White first.
//! A move: `11-15`, `10x17x26` with every square it touches. Read with `-`, `x` or `:`; squares in the middle may be
//! left out where only one capture fits.

use std::fmt;
use std::str::FromStr;

use lanista_core::{MoveList, ParseError, Position, Side};

use super::geometry::{BIT_OF_SQUARE, KING_ROWS, SQUARE_OF_BIT};
use super::{Draughts, DraughtsMove};

/// A side starts with twelve pieces and never gets more.
const MOST_PIECES: u32 = 12;

impl fmt::Display for DraughtsMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.jumps() > 0 { "x" } else { "-" };
        let squares: Vec<String> = self.path().map(|bit| square_name(bit).to_string()).collect();
        f.pad(&squares.join(separator))
    }
}

impl fmt::Debug for DraughtsMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

fn square_name(bit: u32) -> u32 {
    u32::from(SQUARE_OF_BIT[bit as usize]) + 1
}

/// Reads a move with all its squares.
impl FromStr for DraughtsMove {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<DraughtsMove, ParseError> {
        DraughtsMove::along(&path_bits(text)?)
            .ok_or_else(|| ParseError::new(1, format!("{}: no step or jumps join the squares", shortened(text))))
    }
}

/// The bits of the squares in a move's text, at least two and at most one more than the longest capture.
fn path_bits(text: &str) -> Result<Vec<u32>, ParseError> {
    let mut bits = Vec::new();
    let mut column = 1;
    for part in text.split(['-', 'x', 'X', ':']) {
        let fail =
            || ParseError::new(column, format!("expected a move like 11-15 or 10x17x26, found {:?}", shortened(text)));
        bits.push(u32::from(BIT_OF_SQUARE[square_index(part).ok_or_else(fail)?]));
        if bits.len() > DraughtsMove::MOST_JUMPS + 1 {
            return Err(ParseError::new(column, "longer than any capture"));
        }
        column += part.chars().count() + 1;
    }
    if bits.len() < 2 {
        let found = shortened(text);
        return Err(ParseError::new(1, format!("expected a move like 11-15 or 10x17x26, found {found:?}")));
    }
    Ok(bits)
}

/// `1` to `32` as 0 to 31.
fn square_index(text: &str) -> Option<usize> {
    if text.is_empty() || text.len() > 2 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse::<usize>().ok().filter(|number| (1..=32).contains(number)).map(|number| number - 1)
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The legal move that a text names.
pub(super) fn parse_move(position: &Draughts, text: &str) -> Result<DraughtsMove, ParseError> {
    let bits = path_bits(text)?;
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let fits = |mv: &&DraughtsMove| {
        let mut path = mv.path();
        // The named squares in order, the first and the last in their places.
        mv.from() == bits[0] && Some(&mv.to()) == bits.last() && bits.iter().all(|&bit| path.any(|on| on == bit))
    };
    let exact = |mv: &&DraughtsMove| mv.path().eq(bits.iter().copied());
    if let Some(mv) = moves.iter().find(exact) {
        return Ok(*mv);
    }
    let fitting: Vec<&DraughtsMove> = moves.iter().filter(fits).collect();
    match fitting[..] {
        [mv] => Ok(*mv),
        [] => Err(ParseError::new(1, why_illegal(position, &moves, bits[0], &shortened(text)))),
        _ => {
            let paths: Vec<String> = fitting.iter().map(ToString::to_string).collect();
            Err(ParseError::new(1, format!("{text} is ambiguous: {}", paths.join(" or "))))
        }
    }
}

/// Why no legal move fits, for people.
fn why_illegal(position: &Draughts, moves: &[DraughtsMove], from: u32, text: &str) -> String {
    if moves.is_empty() {
        return format!("{text}: the game is over");
    }
    if position.pieces(position.side_to_move()) >> from & 1 == 0 {
        return format!("{text}: the side to move has no piece on {}", square_name(from));
    }
    let list: Vec<String> = moves.iter().take(12).map(ToString::to_string).collect();
    let more = if moves.len() > list.len() { ", …" } else { "" };
    let forced = if moves[0].jumps() > 0 { "a capture is forced" } else { "not a legal move" };
    format!("{text}: {forced}; legal: {}{more}", list.join(", "))
}

impl fmt::Display for Draughts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |side: Side| -> String {
            let squares = (0..32).filter(|&square| self.pieces(side) >> BIT_OF_SQUARE[square] & 1 == 1);
            let name = |square: usize| {
                let king = if self.kings() >> BIT_OF_SQUARE[square] & 1 == 1 { "K" } else { "" };
                format!("{king}{}", square + 1)
            };
            squares.map(name).collect::<Vec<String>>().join(",")
        };
        let mover = if self.side_to_move() == Side::First { 'B' } else { 'W' };
        f.pad(&format!("{mover}:W{}:B{}", list(Side::Second), list(Side::First)))
    }
}

impl FromStr for Draughts {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Draughts, ParseError> {
        let body = text.strip_suffix('.').unwrap_or(text);
        let mut fields = body.split(':');
        let mut column = 1;
        let side = match fields.next() {
            Some("B" | "b") => Side::First,
            Some("W" | "w") => Side::Second,
            _ => return Err(ParseError::new(1, "expected the side to move, B or W, as in B:W18,24:B12,K22")),
        };
        let mut pieces = [0u32; 2];
        let mut kings = 0u32;
        let mut seen = [false; 2];
        column += 2;
        for field in fields {
            let owner = match field.chars().next() {
                Some('B' | 'b') => Side::First,
                Some('W' | 'w') => Side::Second,
                _ => return Err(ParseError::new(column, "expected W or B and a list of squares")),
            };
            if std::mem::replace(&mut seen[owner.index()], true) {
                return Err(ParseError::new(column, "the pieces of one side are given twice"));
            }
            for (column, item) in items(&field[1..], column + 1) {
                let (men, item_kings) = parse_item(item, column)?;
                let set = men | item_kings;
                if set & (pieces[0] | pieces[1]) != 0 {
                    return Err(ParseError::new(column, format!("{item}: the square is taken already")));
                }
                if men & KING_ROWS[owner.index()] != 0 {
                    return Err(ParseError::new(column, format!("{item}: a man on its king row would be a king")));
                }
                pieces[owner.index()] |= set;
                kings |= item_kings;
            }
            column += field.chars().count() + 1;
        }
        if seen != [true, true] {
            let end = text.chars().count() + 1;
            return Err(ParseError::new(end, "expected the pieces of both sides, as in B:W18,24:B12,K22"));
        }
        for (name, set) in [("black", pieces[0]), ("white", pieces[1])] {
            if set.count_ones() > MOST_PIECES {
                let count = set.count_ones();
                return Err(ParseError::new(1, format!("{count} {name} pieces; a side has at most {MOST_PIECES}")));
            }
        }
        Ok(Draughts::new(pieces, kings, side))
    }
}

/// The items of a list with their columns; none for an empty list.
fn items(list: &str, column: usize) -> impl Iterator<Item = (usize, &str)> {
    let parts = if list.is_empty() { None } else { Some(list.split(',')) };
    parts.into_iter().flatten().scan(column, |column, item| {
        let start = *column;
        *column += item.chars().count() + 1;
        Some((start, item.trim()))
    })
}

/// A square or a range as bits of men and of kings.
fn parse_item(item: &str, column: usize) -> Result<(u32, u32), ParseError> {
    let fail = |message: &str| ParseError::new(column, format!("{:?}: {message}", shortened(item)));
    let (king, numbers) = match item.strip_prefix(['K', 'k']) {
        Some(numbers) => (true, numbers),
        None => (false, item),
    };
    let (first, last) = match numbers.split_once('-') {
        Some((first, last)) => (first, if king { last.strip_prefix(['K', 'k']).unwrap_or(last) } else { last }),
        None => (numbers, numbers),
    };
    let square =
        |text| square_index(text).ok_or_else(|| fail("expected a square from 1 to 32, K before a king, or a range"));
    let (first, last) = (square(first)?, square(last)?);
    if first > last {
        return Err(fail("the range runs backwards"));
    }
    let set = (first..=last).fold(0u32, |set, square| set | 1 << BIT_OF_SQUARE[square]);
    Ok(if king { (0, set) } else { (set, 0) })
}
