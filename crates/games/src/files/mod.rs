//! Game files: what all formats and games share.
//!
//! A format turns bytes into [`FileGame`]s, one after the other, and knows nothing of legality; [`check`] plays a
//! `FileGame` by the rules of its game and makes a [`Record`] of it; the format's writer turns a record into text.
//!
//! Only one game is in memory at a time, and its size is limited ([`MOST_MOVES`], [`MOST_TAGS`], …): what is skipped
//! (comments, variations) is never stored, so a file may be of any size and shape.
//! Files are UTF-8; where a text is not, it is taken for Latin-1, which never fails.

mod bytes;
mod check;
mod text;
mod wrap;

use std::io::{self, Read, Write};

use lanista_core::{Ending, Game, Outcome, ParseError, Reason, Record, Rules};

pub(crate) use bytes::{Bytes, Place, decoded, push_limited, shortened};
pub use check::{IllegalEntry, check};
pub(crate) use wrap::Wrapped;

/// The most moves that a game in a file may have.
pub const MOST_MOVES: usize = 10_000;
/// The most tags that a game in a file may have.
pub const MOST_TAGS: usize = 256;
/// The longest value of a tag, in bytes.
pub const LONGEST_TAG: usize = 4096;
/// The longest name or move, in bytes.
pub const LONGEST_WORD: usize = 256;

/// A tag of a game: name and value.
pub type Tag = (String, String);

/// One game as a file tells it: readable, but not checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileGame {
    /// The line where it begins.
    pub line: u64,
    /// Names and values, in the order of the file.
    pub tags: Vec<Tag>,
    /// The position before the first move, as text that [`Game::position`] reads; `None` for that of the rules.
    pub start: Option<String>,
    /// The moves in order.
    pub moves: Vec<FileMove>,
    /// The result that the file claims. Files rarely say why: unless they do, a side gave up, or both agreed to a draw.
    pub ending: Option<Ending>,
}

/// One move as a file writes it, without marks and comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMove {
    /// What [`lanista_core::Position::parse_move`] is asked to read.
    pub text: String,
    /// Line in the file.
    pub line: u64,
    /// Column in the line.
    pub column: u64,
}

impl FileGame {
    /// The value of a tag, whatever the case of its name: programs do not agree on it.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The position before the first move.
    pub fn start_position<G: Game>(&self, rules: &Rules<G>) -> Result<G, ParseError> {
        match &self.start {
            None => Ok(rules.start),
            Some(text) => G::position(text, rules).map_err(|error| {
                let (text, column) = (shortened(text), error.column);
                ParseError::at(self.line, 1, format!("start position {text:?}: column {column}: {}", error.message))
            }),
        }
    }

    /// Notes a result that the file gives without a reason.
    pub(crate) fn claim(&mut self, outcome: Outcome) {
        let reason = if outcome == Outcome::Draw { Reason::Agreement } else { Reason::Resignation };
        self.ending = Some(Ending { outcome, reason });
    }

    pub(crate) fn push_tag(&mut self, place: Place, name: String, value: String) -> Result<(), ParseError> {
        if self.tags.len() == MOST_TAGS {
            return Err(place.error(format!("more than {MOST_TAGS} tags in one game")));
        }
        if value.len() > LONGEST_TAG {
            return Err(place.error(format!("{:?}: longer than {LONGEST_TAG} bytes", shortened(&value))));
        }
        self.tags.push((name, value));
        Ok(())
    }

    pub(crate) fn push_move(&mut self, place: Place, text: String) -> Result<(), ParseError> {
        if text.len() > LONGEST_WORD {
            return Err(place.error(format!("{:?}: longer than any move", shortened(&text))));
        }
        if self.moves.len() == MOST_MOVES {
            return Err(place.error(format!("more than {MOST_MOVES} moves in one game")));
        }
        self.moves.push(FileMove { text, line: place.line, column: place.column });
        Ok(())
    }
}

/// Why a game could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be read on. Nothing follows.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The game is not of the format; later games may be. Line and column are set.
    #[error(transparent)]
    Parse(#[from] ParseError),
}

/// What reads one game. `Ok(None)` at the end of the file. After an error the bytes stand where the next game may
/// begin, at least one byte further.
pub(crate) type ReadGame = fn(&mut Bytes<'_>) -> Result<Option<FileGame>, ParseError>;

/// What writes one game.
pub(crate) type WriteGame<G> = fn(&mut dyn Write, &[Tag], &Record<G>) -> io::Result<()>;

/// A way to write down games.
#[derive(Clone, Copy, Debug)]
pub struct Format<G: GameFiles> {
    /// Its name, and the usual end of its files' names.
    pub id: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    pub(crate) read: ReadGame,
    pub(crate) write: WriteGame<G>,
}

impl<G: GameFiles> Format<G> {
    /// The games of a file, one at a time.
    pub fn games<'a>(&self, input: Box<dyn Read + 'a>) -> Games<'a> {
        Games { bytes: Bytes::new(input), read: self.read, done: false }
    }

    /// Writes one game. Tags that tell what the record tells (result, start position, …) are written from the record.
    pub fn write_game(&self, out: &mut dyn Write, tags: &[Tag], record: &Record<G>) -> io::Result<()> {
        // Room for the tags that formats add: what is written can be read again.
        let most = tags.len().min(MOST_TAGS - 64);
        (self.write)(out, &tags[..most], record)
    }
}

/// The games of one file. An unreadable game is an error; the next one may be fine again.
pub struct Games<'a> {
    bytes: Bytes<'a>,
    read: ReadGame,
    done: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<FileGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let game = (self.read)(&mut self.bytes);
        if let Some(error) = self.bytes.take_failure() {
            // What looked like the end of the file was not: the game may be cut off.
            self.done = true;
            return Some(Err(error.into()));
        }
        self.done = matches!(game, Ok(None));
        game.map_err(ReadError::Parse).transpose()
    }
}

/// The files of a game. Text lines come for free; a game with a format of its own says so.
pub trait GameFiles: Game {
    /// The tag that holds the name of a game, where a format has room for one name only.
    const NAME_TAG: &'static str = "Name";
    /// Whether every move is one character, so that moves can be written without spaces.
    const JOINED_MOVES: bool = false;
    /// Openings for matches: one a line, moves in the game's notation, `#` begins a comment.
    const OPENING_BOOK: &'static str = "";

    /// The formats, the preferred one first.
    fn formats() -> Vec<Format<Self>> {
        vec![text::format()]
    }

    /// The format of that id.
    fn format(id: &str) -> Option<Format<Self>> {
        Self::formats().into_iter().find(|format| format.id == id)
    }

    /// The format of a file, by the end of its name (`.txt` for text lines); the preferred one if that tells nothing.
    fn format_of_file(name: &str) -> Format<Self> {
        let end = name.rsplit_once('.').map_or("", |(_, end)| end).to_ascii_lowercase();
        let id = if end == "txt" { text::ID } else { &end };
        Self::format(id).unwrap_or_else(|| Self::formats().swap_remove(0))
    }

    /// Text lines: the format that every game has.
    fn text_lines() -> Format<Self> {
        text::format()
    }
}
