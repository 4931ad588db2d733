//! What holds for every parser, whatever it is fed. Shared by the mutation run and by the fuzz targets.

use std::io::Read;

use lanista_core::{Game, MoveList, ParseError, Position, Record, Rules};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::files::{FileGame, Format, GameFiles, MOST_MOVES, MOST_TAGS, ReadError, check};
use lanista_games::loa::Loa;

/// A law about some input.
pub type Law = fn(&[u8]);

/// The laws, each with the folder of its corpus.
pub const LAWS: [(&str, Law); 6] =
    [("moves", moves), ("positions", positions), ("rules", rules), ("pdn", pdn), ("sgf", sgf), ("text", text)];

/// Words as moves, one after the other.
pub fn moves(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    move_law::<Loa<8>>(&text);
    move_law::<Loa<5>>(&text);
    move_law::<ConnectFour>(&text);
    move_law::<Draughts>(&text);
}

/// The whole text as a position.
pub fn positions(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    position_law::<Loa<8>>(&text);
    position_law::<Loa<5>>(&text);
    position_law::<Loa<4>>(&text);
    position_law::<ConnectFour>(&text);
    position_law::<Draughts>(&text);
}

/// The whole text as rules.
pub fn rules(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    rules_law::<Loa<8>>(&text);
    rules_law::<ConnectFour>(&text);
    rules_law::<Draughts>(&text);
}

/// The input as a PDN file.
pub fn pdn(data: &[u8]) {
    file_law::<Draughts>("pdn", data);
}

/// The input as an SGF file.
pub fn sgf(data: &[u8]) {
    file_law::<Loa<8>>("sgf", data);
    file_law::<Loa<5>>("sgf", data);
}

/// The input as text lines.
pub fn text(data: &[u8]) {
    file_law::<Loa<8>>("text", data);
    file_law::<ConnectFour>("text", data);
    file_law::<Draughts>("text", data);
}

fn standard<G: Game>() -> Rules<G> {
    G::presets().swap_remove(0)
}

/// An error in a text without lines names a column of it, or the one behind its end.
fn names_column(error: &ParseError, text: &str) {
    let columns = 1..=text.chars().count() as u64 + 1;
    assert!(error.line == 0 && columns.contains(&error.column), "{error:?} in {text:?}");
}

fn move_law<G: Game>(text: &str) {
    let mut position = standard::<G>().start;
    for word in text.split_whitespace() {
        match word.parse::<G::Move>() {
            Ok(mv) => assert_eq!(mv.to_string().parse(), Ok(mv), "{word:?}"),
            Err(error) => names_column(&error, word),
        }
        match position.parse_move(word) {
            Ok(mv) => {
                assert!(legal(&position).contains(&mv), "{word:?} is read as {mv}, which is not legal in {position}");
                position.play(mv);
            }
            Err(error) => names_column(&error, word),
        }
    }
}

fn position_law<G: Game>(text: &str) {
    for parsed in [text.parse::<G>(), G::position(text, &standard())] {
        match parsed {
            Ok(position) => {
                assert_eq!(position.to_string().parse(), Ok(position), "{text:?}");
                assert_eq!(position.key(), position.recomputed_key(), "{text:?}");
                let moves = legal(&position);
                assert_eq!(moves.is_empty(), position.outcome().is_some(), "{text:?}");
                for &mv in moves.iter() {
                    assert_eq!(position.parse_move(&mv.to_string()), Ok(mv), "{text:?}");
                    let mut next = position;
                    next.play(mv);
                    assert_eq!(next.to_string().parse(), Ok(next), "{text:?} after {mv}");
                }
            }
            Err(error) => names_column(&error, text),
        }
    }
}

fn rules_law<G: Game>(text: &str) {
    match G::rules(text) {
        Ok(rules) => assert_eq!(G::rules(&rules.name), Ok(rules), "{text:?}"),
        Err(error) => names_column(&error, text),
    }
}

fn legal<P: Position>(position: &P) -> MoveList<P::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves
}

/// Gives little at a time, so that everything is cut somewhere.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = buffer.len().min(1 + self.0.len() % 3);
        self.0.read(&mut buffer[..count])
    }
}

fn file_law<G: GameFiles>(id: &str, data: &[u8]) {
    let format = G::format(id).expect("every law names a format of its game");
    let mut again = format.games(Box::new(Trickle(data)));
    let mut count = 0;
    for game in format.games(Box::new(data)) {
        count += 1;
        assert!(count <= data.len(), "more games than bytes: the reader does not get ahead");
        let twin = again.next();
        match game {
            Ok(game) => {
                assert!(matches!(twin, Some(Ok(twin)) if twin == game), "the size of the reads matters");
                game_law(&format, &game);
            }
            Err(ReadError::Parse(error)) => {
                assert!(error.line > 0 && error.column > 0, "{error:?}");
                assert!(matches!(twin, Some(Err(twin)) if twin.to_string() == error.to_string()));
            }
            Err(ReadError::Io(error)) => panic!("memory cannot fail: {error}"),
        }
    }
    assert!(again.next().is_none());
}

/// What was read and is legal comes back from every format.
fn game_law<G: GameFiles>(format: &Format<G>, game: &FileGame) {
    assert!(game.line > 0 && game.moves.len() <= MOST_MOVES && game.tags.len() <= MOST_TAGS);
    let record = match check(game, &standard::<G>()) {
        Ok(record) => record,
        Err(entry) => {
            assert!(entry.line > 0 && entry.column > 0, "{entry:?}");
            return;
        }
    };
    let again = round_trip(format, game, &record);
    assert_eq!(again, record);
    for other in G::formats().iter().filter(|other| other.id != format.id) {
        // Not every format can tell why a game ended.
        let again = round_trip(other, game, &record);
        let outcome = |record: &Record<G>| record.ending.map(|ending| ending.outcome);
        assert_eq!((&again.start, &again.moves, outcome(&again)), (&record.start, &record.moves, outcome(&record)));
    }
}

fn round_trip<G: GameFiles>(format: &Format<G>, game: &FileGame, record: &Record<G>) -> Record<G> {
    let mut file = Vec::new();
    format.write_game(&mut file, &game.tags, record).expect("memory does not fail");
    let mut games = format.games(Box::new(file.as_slice()));
    let Some(Ok(back)) = games.next() else {
        panic!("what was written cannot be read: {:?}", String::from_utf8_lossy(&file));
    };
    assert!(games.next().is_none(), "one game became several: {:?}", String::from_utf8_lossy(&file));
    match check(&back, &standard()) {
        Ok(record) => record,
        Err(entry) => panic!("what was written is not legal: {entry}: {:?}", String::from_utf8_lossy(&file)),
    }
}
