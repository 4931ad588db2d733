//! Reading PDN.

use lanista_core::ParseError;

use super::result;
use crate::files::{Bytes, FileGame, LONGEST_TAG, LONGEST_WORD, Place, decoded, push_limited, shortened};

/// Reads one game.
pub(super) fn read_game(bytes: &mut Bytes<'_>) -> Result<Option<FileGame>, ParseError> {
    let mut game = FileGame::default();
    let mut in_moves = false;
    if let Err(error) = read_items(bytes, &mut game, &mut in_moves) {
        skip_game(bytes, in_moves);
        return Err(error);
    }
    if is_blank(&game) {
        return Ok(None);
    }
    settle(&mut game)?;
    Ok(Some(game))
}

fn is_blank(game: &FileGame) -> bool {
    game.tags.is_empty() && game.moves.is_empty()
}

/// Reads tags and moves up to the end of the game.
fn read_items(bytes: &mut Bytes<'_>, game: &mut FileGame, in_moves: &mut bool) -> Result<(), ParseError> {
    let mut word = Vec::new();
    while let Some(byte) = bytes.skip_white() {
        let place = bytes.place();
        *in_moves |= !matches!(byte, b'[' | b'{' | b';' | b'%');
        match byte {
            // Tags after moves belong to the next game.
            b'[' if !game.moves.is_empty() => return Ok(()),
            b'[' => read_tag(bytes, game)?,
            b'{' => skip_comment(bytes)?,
            b';' | b'%' => bytes.skip_line(),
            b'(' => skip_variation(bytes)?,
            b'$' => {
                bytes.next();
                bytes.skip_while(|byte| byte.is_ascii_digit());
            }
            // Marks of strength; the dots of `1...` and of unknown moves.
            b'!' | b'?' | b'.' => {
                bytes.next();
            }
            b'/' => return Err(place.error("a set-up inside a game (/FEN …/) is not supported")),
            b'*' => {
                bytes.next();
                // An end without a game: some files say the result twice.
                if !is_blank(game) {
                    return Ok(());
                }
            }
            _ if is_word(byte) => {
                bytes.word(&mut word, LONGEST_WORD, is_word)?;
                if read_word(bytes, game, place, &word)? {
                    return Ok(());
                }
            }
            _ => {
                // Taken, so that the reader gets ahead whatever stands there.
                bytes.next();
                let found = char::from(byte);
                return Err(place.error(format!("expected a tag, a move or a result, found {found:?}")));
            }
        }
    }
    Ok(())
}

/// What moves, move numbers and results are made of.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'/')
}

/// Notes a move, forgets a move number. `true` if the word ends the game.
fn read_word(bytes: &mut Bytes<'_>, game: &mut FileGame, place: Place, word: &[u8]) -> Result<bool, ParseError> {
    if bytes.peek() == Some(b'.') && word.iter().all(u8::is_ascii_digit) {
        return Ok(false);
    }
    let text = decoded(word);
    if let Some(outcome) = result(&text) {
        if is_blank(game) {
            return Ok(false);
        }
        if let Some(outcome) = outcome {
            game.claim(outcome);
        }
        return Ok(true);
    }
    if text.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        let word = shortened(&text);
        return Err(place.error(format!("{word:?}: expected squares as numbers, as in 11-15, not letters")));
    }
    if is_blank(game) {
        game.line = place.line;
    }
    game.push_move(place, text)?;
    // Right after a move, * marks it as forced.
    bytes.next_if(b'*');
    Ok(false)
}

/// What the tags say about the game.
fn settle(game: &mut FileGame) -> Result<(), ParseError> {
    let place = Place { line: game.line, column: 1 };
    if let Some(kind) = game.tag("GameType")
        && kind.split(',').next().is_some_and(|number| !matches!(number.trim(), "21" | "" | "?"))
    {
        return Err(place.error(format!("GameType {:?}: expected English draughts, 21", shortened(kind))));
    }
    if let Some(Some(outcome)) = game.tag("Result").and_then(|text| result(text.trim())) {
        game.claim(outcome);
    }
    let set_up = game.tag("SetUp").is_none_or(|value| value != "0");
    game.start = game.tag("FEN").map(str::trim).filter(|fen| set_up && !fen.is_empty()).map(Into::into);
    Ok(())
}

/// `[Name "value"]`
fn read_tag(bytes: &mut Bytes<'_>, game: &mut FileGame) -> Result<(), ParseError> {
    let place = bytes.place();
    if game.tags.is_empty() {
        game.line = place.line;
    }
    bytes.next();
    bytes.skip_white();
    let mut name = Vec::new();
    bytes.word(&mut name, LONGEST_WORD, |byte| byte.is_ascii_alphanumeric() || byte == b'_')?;
    bytes.skip_white();
    if name.is_empty() || !bytes.next_if(b'"') {
        return Err(bytes.place().error("expected a tag like [Event \"name\"]"));
    }
    let start = bytes.place();
    let mut value = Vec::new();
    loop {
        match bytes.next() {
            None | Some(b'\n' | b'\r') => return Err(start.error("the value of the tag is not closed by \"")),
            Some(b'"') => break,
            Some(b'\\') if matches!(bytes.peek(), Some(b'"' | b'\\')) => {
                push_limited(&mut value, bytes.next().unwrap_or_default(), LONGEST_TAG, start)?;
            }
            Some(byte) => push_limited(&mut value, byte, LONGEST_TAG, start)?,
        }
    }
    bytes.skip_white();
    if !bytes.next_if(b']') {
        return Err(bytes.place().error(format!("the tag {} is not closed by ]", decoded(&name))));
    }
    game.push_tag(place, decoded(&name), decoded(&value))
}

/// Passes over `{ … }`. Comments do not nest.
fn skip_comment(bytes: &mut Bytes<'_>) -> Result<(), ParseError> {
    let place = bytes.place();
    bytes.skip_while(|byte| byte != b'}');
    if bytes.next_if(b'}') { Ok(()) } else { Err(place.error("the comment is not closed by }")) }
}

/// Passes over `( … )` with all variations inside. A count, not recursion: nesting has no limit.
fn skip_variation(bytes: &mut Bytes<'_>) -> Result<(), ParseError> {
    let place = bytes.place();
    let mut depth = 0u64;
    loop {
        match bytes.peek() {
            Some(b'{') => {
                skip_comment(bytes)?;
                continue;
            }
            Some(b';') => bytes.skip_line(),
            Some(b'%') if bytes.place().column == 1 => bytes.skip_line(),
            Some(b'(') => depth += 1,
            Some(b')') => depth -= 1,
            // A tag: the next game has begun.
            Some(b'[') if bytes.place().column == 1 => break,
            None => break,
            _ => {}
        }
        bytes.next();
        if depth == 0 {
            return Ok(());
        }
    }
    Err(place.error("the variation is not closed by )"))
}

/// Passes over the rest of an unreadable game: to the first line that begins with `[` after moves.
fn skip_game(bytes: &mut Bytes<'_>, mut in_moves: bool) {
    if bytes.place().column > 1 {
        bytes.skip_line();
    }
    while let Some(byte) = bytes.skip_white() {
        if byte == b'[' && in_moves {
            return;
        }
        in_moves |= byte != b'[';
        bytes.skip_line();
    }
}
