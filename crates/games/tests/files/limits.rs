//! Files of any size and shape need little memory. Inputs are made while they are read; nothing here is stored.

use std::io::{self, Cursor, Read};

use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::files::{GameFiles, MOST_MOVES, ReadError};
use lanista_games::loa::Loa;

/// Many times what a game may hold.
const LONG: u64 = 4 << 20;

/// A start, then one byte very often, then an end.
fn long(start: &'static str, byte: u8, end: &'static str) -> Box<dyn Read> {
    Box::new(Cursor::new(start).chain(io::repeat(byte).take(LONG)).chain(Cursor::new(end)))
}

/// What a file holds: the number of moves of each game, or what is wrong with it.
fn outline<G: GameFiles>(id: &str, input: Box<dyn Read>) -> Vec<Result<usize, String>> {
    let games = G::format(id).unwrap().games(input);
    games.map(|game| game.map(|game| game.moves.len()).map_err(|error| error.to_string())).collect()
}

#[test]
fn what_is_skipped_may_be_long() {
    let comment = long("1. 9-13 {", b'x', "} 22-18 *");
    assert_eq!(outline::<Draughts>("pdn", comment), [Ok(2)]);
    let variations = Box::new(Cursor::new("9-13 ").chain(long("", b'(', "x")).chain(long("", b')', " 22-18")));
    assert_eq!(outline::<Draughts>("pdn", variations), [Ok(2)]);
    let comment = long("(;C[", b'x', "];B[d1-b3])");
    assert_eq!(outline::<Loa<8>>("sgf", comment), [Ok(1)]);
    let variations = Box::new(long("", b'(', ";B[d1-b3]").chain(long("", b')', "(;)")));
    assert_eq!(outline::<Loa<8>>("sgf", variations), [Ok(1), Ok(0)]);
    let comment = long("#", b'x', "\n4455");
    assert_eq!(outline::<ConnectFour>("text", comment), [Ok(4)]);
}

#[test]
fn what_is_kept_is_limited() {
    let too_long = |length: usize| format!("\"{}…\": longer than {length} bytes", "x".repeat(40));
    let next = "\n1. 9-13 *\n[Event \"next\"]\n1. 9-13 *";
    let value = outline::<Draughts>("pdn", long("[Event \"", b'x', next));
    assert_eq!(value, [Err(format!("line 1, column 9: {}", too_long(4096))), Ok(1)]);
    let name = outline::<Draughts>("pdn", long("[", b'x', next));
    assert_eq!(name, [Err(format!("line 1, column 2: {}", too_long(256))), Ok(1)]);
    let word = outline::<Draughts>("pdn", long("9-13 ", b'x', next));
    assert_eq!(word, [Err(format!("line 1, column 6: {}", too_long(256))), Ok(1)]);
    let value = outline::<Loa<8>>("sgf", long("(;PB[", b'x', "];B[d1-b3])(;B[d1-b3])"));
    assert_eq!(value, [Err(format!("line 1, column 5: {}", too_long(4096))), Ok(1)]);
    let line = outline::<Draughts>("text", long("", b'x', "\n9-13"));
    assert_eq!(line, [Err(format!("line 1, column 1: {}", too_long(320_000))), Ok(1)]);
}

#[test]
fn moves_and_tags_are_counted() {
    let moves = format!("{}\n[Event \"next\"]\n9-13", "9-13 ".repeat(MOST_MOVES + 1));
    let found = outline::<Draughts>("pdn", Box::new(Cursor::new(moves)));
    assert_eq!(found, [Err(format!("line 1, column 50001: more than {MOST_MOVES} moves in one game")), Ok(1)]);
    let tags = format!("{}9-13\n[Event \"next\"]\n9-13", "[A \"\"]\n".repeat(300));
    let found = outline::<Draughts>("pdn", Box::new(Cursor::new(tags)));
    assert_eq!(found, [Err("line 257, column 1: more than 256 tags in one game".into()), Ok(1)]);
    let joined = outline::<ConnectFour>("text", Box::new(Cursor::new("4".repeat(MOST_MOVES + 1) + "\n4")));
    assert_eq!(joined, [Err(format!("line 1, column 10001: more than {MOST_MOVES} moves in one game")), Ok(1)]);
}

/// A disk that breaks.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}

#[test]
fn a_failure_is_not_the_end_of_the_file() {
    let input = Box::new(Cursor::new("9-13 *\n9-14 22-18").chain(Broken));
    let mut games = Draughts::format("pdn").unwrap().games(input);
    assert_eq!(games.next().unwrap().unwrap().moves.len(), 1);
    assert!(matches!(games.next(), Some(Err(ReadError::Io(_)))), "the second game is cut off");
    assert!(games.next().is_none());
}
