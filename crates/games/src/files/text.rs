//! Text lines: one game a line, for every game.
//!
//! ```text
//! # a line that begins with # is a comment
//! the name<TAB>d1-b3 h5-g4 b1-b4 1-0
//! 4455 0-1
//! another start<TAB>[B:W18,24:B12,K22] 12-16 *
//! ```
//!
//! The name and its tab may be missing; so may the result (`1-0` the first side won, `0-1` the second, `1/2-1/2`, `*`
//! unfinished). A start position other than that of the rules stands in brackets before the moves.
//! After an unreadable line the reader goes on with the next.

use std::io::{self, Write};

use lanista_core::{Outcome, ParseError, Record};

use super::{Bytes, FileGame, Format, GameFiles, LONGEST_WORD, MOST_MOVES, Place, Tag, decoded};

/// The name of the format.
pub(super) const ID: &str = "text";
/// The longest line, in bytes: room for the most moves, were they all nine-fold captures.
const LONGEST_LINE: usize = MOST_MOVES * 32;

pub(super) fn format<G: GameFiles>() -> Format<G> {
    Format { id: ID, about: "one game a line: name, tab, moves, result", read: read::<G>, write: write::<G> }
}

fn read<G: GameFiles>(bytes: &mut Bytes<'_>) -> Result<Option<FileGame>, ParseError> {
    loop {
        match bytes.skip_white() {
            None => return Ok(None),
            Some(b'#') => bytes.skip_line(),
            Some(_) => break,
        }
    }
    let place = bytes.place();
    let mut line = Vec::new();
    let fits = bytes.word(&mut line, LONGEST_LINE, |byte| byte != b'\n' && byte != b'\r');
    bytes.skip_line();
    fits?;
    read_line::<G>(place, &decoded(&line)).map(Some)
}

fn read_line<G: GameFiles>(place: Place, line: &str) -> Result<FileGame, ParseError> {
    let mut game = FileGame { line: place.line, ..FileGame::default() };
    let (name, mut rest) = line.split_once('\t').unwrap_or(("", line));
    if line.contains('\t') {
        if name.len() > LONGEST_WORD {
            return Err(place.error(format!("the name is longer than {LONGEST_WORD} bytes")));
        }
        game.push_tag(place, G::NAME_TAG.into(), name.trim().into())?;
    }
    // Every rest is a tail of the line: its length tells its column.
    let place_of = |rest: &str| {
        let before = line[..line.len() - rest.len()].chars().count();
        Place { line: place.line, column: place.column + before as u64 }
    };
    rest = rest.trim_start();
    if let Some(inside) = rest.strip_prefix('[') {
        let (start, after) =
            inside.split_once(']').ok_or_else(|| place_of(rest).error("the start position is not closed by ]"))?;
        game.start = Some(start.into());
        rest = after;
    }
    let mut ended = false;
    let mut column = place_of(rest).column;
    for word in rest.split(char::is_whitespace) {
        let place = Place { line: place.line, column };
        column += word.chars().count() as u64 + 1;
        if word.is_empty() {
            continue;
        }
        if ended {
            return Err(place.error("the line goes on after the result"));
        }
        ended = read_word::<G>(&mut game, place, word)?;
    }
    Ok(game)
}

/// Notes moves or a result; `true` for a result.
fn read_word<G: GameFiles>(game: &mut FileGame, place: Place, word: &str) -> Result<bool, ParseError> {
    if let Ok(outcome) = word.parse::<Outcome>() {
        game.claim(outcome);
        return Ok(true);
    }
    if word == "*" {
        return Ok(true);
    }
    if G::JOINED_MOVES {
        for (column, letter) in (place.column..).zip(word.chars()) {
            game.push_move(Place { line: place.line, column }, letter.into())?;
        }
    } else {
        game.push_move(place, word.into())?;
    }
    Ok(false)
}

fn write<G: GameFiles>(out: &mut dyn Write, tags: &[Tag], record: &Record<G>) -> io::Result<()> {
    let name = tags.iter().find(|(name, _)| name.eq_ignore_ascii_case(G::NAME_TAG)).map_or("", |(_, name)| name);
    // A name that would be taken for something else is changed until it cannot be.
    let name = name.replace(char::is_control, " ");
    let name =
        name.trim_start_matches(|letter: char| "#\u{feff}".contains(letter) || letter.is_whitespace()).trim_end();
    if !name.is_empty() {
        let end = name.floor_char_boundary(LONGEST_WORD);
        write!(out, "{}\t", &name[..end])?;
    }
    let usual_start = G::rules(&record.rules).is_ok_and(|rules| rules.start == record.start);
    if !usual_start {
        write!(out, "[{}] ", record.start)?;
    }
    let gap = if G::JOINED_MOVES { "" } else { " " };
    for (index, mv) in record.moves.iter().enumerate() {
        write!(out, "{}{mv}", if index > 0 { gap } else { "" })?;
    }
    let gap = if record.moves.is_empty() { "" } else { " " };
    match record.ending {
        Some(ending) => writeln!(out, "{gap}{}", ending.outcome),
        None => writeln!(out, "{gap}*"),
    }
}
