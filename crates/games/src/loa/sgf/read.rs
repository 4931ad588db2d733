//! Reading SGF.

use lanista_core::{Ending, Outcome, ParseError, Reason, Side};

use super::result::claimed_ending;
use crate::files::{Bytes, FileGame, LONGEST_TAG, LONGEST_WORD, Place, decoded, push_limited, shortened};

/// Reads one game tree.
pub(super) fn read_game<const N: usize>(bytes: &mut Bytes<'_>) -> Result<Option<FileGame>, ParseError> {
    let Some(byte) = bytes.skip_white() else {
        return Ok(None);
    };
    let place = bytes.place();
    if byte != b'(' {
        bytes.skip_while(|byte| byte != b'(');
        return Err(place.error(format!("expected a game tree in (, found {:?}", char::from(byte))));
    }
    bytes.next();
    let mut tree =
        Tree::<N> { depth: 1, game: FileGame { line: place.line, ..FileGame::default() }, ..Tree::default() };
    let line = tree.read_main_line(bytes, place);
    skip_tree(bytes, tree.depth);
    line?;
    tree.finish(place).map(Some)
}

/// A game tree being read, on an N×N board.
#[derive(Default)]
struct Tree<const N: usize> {
    game: FileGame,
    /// How many ( are open. A count, not recursion: nesting has no limit.
    depth: u64,
    sized: bool,
    custom: bool,
    stones: Vec<(char, usize)>,
    to_move: Option<Side>,
    first_mover: Option<Side>,
}

impl<const N: usize> Tree<N> {
    /// Reads the nodes of the main line. The first child always comes first, so the line ends at the first ).
    fn read_main_line(&mut self, bytes: &mut Bytes<'_>, opened: Place) -> Result<(), ParseError> {
        while let Some(byte) = bytes.skip_white() {
            let place = bytes.place();
            match byte {
                b';' => {
                    bytes.next();
                }
                b'(' => {
                    bytes.next();
                    self.depth += 1;
                }
                b')' => {
                    bytes.next();
                    self.depth -= 1;
                    return Ok(());
                }
                _ if byte.is_ascii_alphabetic() => self.read_property(bytes)?,
                _ => {
                    return Err(place.error(format!("expected a property, ;, ( or ), found {:?}", char::from(byte))));
                }
            }
        }
        Err(opened.error("the game tree is not closed by )"))
    }

    /// `NAME[value][value]`
    fn read_property(&mut self, bytes: &mut Bytes<'_>) -> Result<(), ParseError> {
        let mut name = Vec::new();
        bytes.word(&mut name, LONGEST_WORD, |byte| byte.is_ascii_alphabetic())?;
        // Older versions allow small letters that mean nothing: SiZe is SZ.
        name.retain(u8::is_ascii_uppercase);
        let name = decoded(&name);
        if bytes.skip_white() != Some(b'[') {
            return Err(bytes.place().error(format!("expected [ after the property {name}")));
        }
        while bytes.skip_white() == Some(b'[') {
            let place = bytes.place();
            if matches!(name.as_str(), "C" | "GC") {
                skip_value(bytes)?;
            } else {
                let value = read_value(bytes)?;
                self.take(&name, value.trim(), place)?;
            }
        }
        Ok(())
    }

    /// Notes one value of a property.
    fn take(&mut self, name: &str, value: &str, place: Place) -> Result<(), ParseError> {
        let refuse = |expected: &str| {
            let value = shortened(value);
            Err(place.error(format!("{name}[{value}] is not supported; expected {expected}")))
        };
        match name {
            "B" => return self.take_move(Side::First, value, place),
            "W" => return self.take_move(Side::Second, value, place),
            "AB" | "AW" | "AE" if !self.game.moves.is_empty() || name == "AE" => {
                return refuse("stones to be put before the first move only");
            }
            "AB" | "AW" => {
                let Some(square) = square::<N>(value) else {
                    return refuse("a square of the board");
                };
                self.stones.push((if name == "AB" { 'b' } else { 'w' }, square));
            }
            "GM" if value != "9" => return refuse("9, Lines of Action"),
            "SZ" => {
                let wanted = N.to_string();
                self.sized = value.split(':').all(|side| side.trim() == wanted);
                if !self.sized {
                    return refuse(&wanted);
                }
            }
            "SU" if value.eq_ignore_ascii_case("custom") => self.custom = true,
            "SU" if !value.is_empty() && !value.eq_ignore_ascii_case("standard") => {
                return refuse("Standard or Custom");
            }
            "PL" if self.game.moves.is_empty() => {
                self.to_move = match value.get(..1) {
                    Some("B" | "b") => Some(Side::First),
                    Some("W" | "w") => Some(Side::Second),
                    _ => return refuse("B or W"),
                }
            }
            _ => {}
        }
        if !name.is_empty() && (self.game.moves.is_empty() || name == "RE") {
            self.game.push_tag(place, name.into(), value.into())?;
        }
        Ok(())
    }

    fn take_move(&mut self, side: Side, value: &str, place: Place) -> Result<(), ParseError> {
        let colour = if side == Side::First { "B" } else { "W" };
        let fail = |message: &str| Err(place.error(format!("{colour}[{}]: {message}", shortened(value))));
        if self.game.ending.is_some() {
            return fail("the game has been given up before");
        }
        let reason = match value.to_ascii_lowercase().as_str() {
            "resign" | "resigns" => Some(Reason::Resignation),
            "forfeit" | "forfeits" => Some(Reason::Forfeit),
            _ => None,
        };
        if let Some(reason) = reason {
            self.game.ending = Some(Ending { outcome: Outcome::Win(!side), reason });
            return Ok(());
        }
        let first = *self.first_mover.get_or_insert(side);
        let mover = if self.game.moves.len().is_multiple_of(2) { first } else { !first };
        if side != mover {
            return fail("two moves of one side in a row");
        }
        self.game.push_move(place, move_text(value))
    }

    /// What can be known only when the whole line is read.
    fn finish(mut self, place: Place) -> Result<FileGame, ParseError> {
        if !self.sized && N != 8 {
            return Err(place.error(format!("SZ is missing, so the board is 8×8; expected SZ[{N}]")));
        }
        if !self.custom && !self.stones.is_empty() {
            return Err(place.error("AB and AW without SU[Custom] are not supported"));
        }
        let to_move = self.to_move.unwrap_or(Side::First);
        if self.first_mover.is_some_and(|first| first != to_move) {
            let (first, other) = if to_move == Side::First { ("B", "W") } else { ("W", "B") };
            return Err(place.error(format!("{other} moves first; expected {first}")));
        }
        if self.custom || to_move == Side::Second {
            self.game.start = Some(self.start_text(to_move));
        }
        if self.game.ending.is_none() {
            self.game.ending = claimed_ending(&self.game);
        }
        Ok(self.game)
    }

    /// The start position in our own notation.
    fn start_text(&self, to_move: Side) -> String {
        let mut board = vec!['1'; N * N];
        if self.custom {
            for &(stone, square) in &self.stones {
                board[square] = stone;
            }
        } else {
            for at in 1..N - 1 {
                (board[at], board[(N - 1) * N + at]) = ('b', 'b');
                (board[at * N], board[at * N + N - 1]) = ('w', 'w');
            }
        }
        let rows: Vec<String> = board.chunks(N).rev().map(|row| row.iter().collect()).collect();
        format!("{} {}", rows.join("/"), if to_move == Side::First { 'b' } else { 'w' })
    }
}

/// A square like `b8`, counted from a1 along the ranks.
fn square<const N: usize>(text: &str) -> Option<usize> {
    let &[file, rank] = text.as_bytes() else {
        return None;
    };
    let file = usize::from(file.to_ascii_lowercase()).checked_sub(usize::from(b'a'))?;
    let rank = usize::from(rank).checked_sub(usize::from(b'1'))?;
    (file < N && rank < N).then_some(rank * N + file)
}

/// The move as our notation has it: without marks, with one separator. What is no move stays as it is.
fn move_text(value: &str) -> String {
    let bare = value.trim_end_matches(|letter: char| letter.is_whitespace() || "+!?#".contains(letter));
    if bare.is_empty() {
        return "pass".into();
    }
    let is_separator = |letter: char| letter.is_whitespace() || "-:xX".contains(letter);
    let Some((from, rest)) =
        bare.split_at_checked(2).filter(|(from, _)| from.ends_with(|last: char| last.is_ascii_digit()))
    else {
        return bare.into();
    };
    let to = rest.trim_start_matches(is_separator);
    let capture = rest[..rest.len() - to.len()].contains([':', 'x', 'X']);
    format!("{from}{}{to}", if capture { 'x' } else { '-' })
}

/// A value with its escapes resolved and its line ends as spaces.
fn read_value(bytes: &mut Bytes<'_>) -> Result<String, ParseError> {
    let place = bytes.place();
    bytes.next();
    let mut value = Vec::new();
    loop {
        let byte = match bytes.next() {
            None => return Err(place.error("the value is not closed by ]")),
            Some(b']') => return Ok(decoded(&value)),
            Some(b'\\') => match bytes.next() {
                // An escaped line end is no line end at all.
                Some(b'\r') => {
                    bytes.next_if(b'\n');
                    continue;
                }
                Some(b'\n') | None => continue,
                Some(escaped) => escaped,
            },
            Some(byte) => byte,
        };
        let byte = if byte.is_ascii_whitespace() { b' ' } else { byte };
        push_limited(&mut value, byte, LONGEST_TAG, place)?;
    }
}

/// Passes over a value.
fn skip_value(bytes: &mut Bytes<'_>) -> Result<(), ParseError> {
    let place = bytes.place();
    bytes.next();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b']' => return Ok(()),
            _ => {}
        }
    }
    Err(place.error("the value is not closed by ]"))
}

/// Passes over the rest of a tree of which `depth` ( are open.
fn skip_tree(bytes: &mut Bytes<'_>, mut depth: u64) {
    while depth > 0 {
        match bytes.peek() {
            None => return,
            Some(b'[') => {
                // Not closed before the end: nothing follows.
                if skip_value(bytes).is_err() {
                    return;
                }
                continue;
            }
            Some(b'(') => depth += 1,
            Some(b')') => depth -= 1,
            _ => {}
        }
        bytes.next();
    }
}
