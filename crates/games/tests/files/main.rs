//! Game files: what each format reads, refuses and writes.

mod limits;
mod pdn;
mod sgf;
mod text;

use lanista_core::Record;
use lanista_games::files::{FileGame, Format, GameFiles, ReadError, Tag, check};

/// The readable games of a file, and the errors with their places.
fn read<G: GameFiles>(id: &str, file: impl AsRef<[u8]>) -> (Vec<FileGame>, Vec<String>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for game in format::<G>(id).games(Box::new(file.as_ref())) {
        match game {
            Ok(game) => games.push(game),
            Err(ReadError::Parse(error)) => errors.push(error.to_string()),
            Err(error) => panic!("{error}"),
        }
    }
    (games, errors)
}

/// The only game of a file.
fn read_one<G: GameFiles>(id: &str, file: impl AsRef<[u8]>) -> FileGame {
    match read::<G>(id, file) {
        (games, errors) if games.len() == 1 && errors.is_empty() => games.into_iter().next().unwrap(),
        other => panic!("expected one game: {other:?}"),
    }
}

/// The only error of a file.
fn read_error<G: GameFiles>(id: &str, file: impl AsRef<[u8]>) -> String {
    match read::<G>(id, file) {
        (games, errors) if games.is_empty() && errors.len() == 1 => errors.into_iter().next().unwrap(),
        other => panic!("expected one error: {other:?}"),
    }
}

fn format<G: GameFiles>(id: &str) -> Format<G> {
    G::format(id).unwrap()
}

/// The record of a legal game, under the default rules.
fn played<G: GameFiles>(game: &FileGame) -> Record<G> {
    check(game, &G::presets()[0]).unwrap_or_else(|entry| panic!("{entry}"))
}

fn written<G: GameFiles>(id: &str, tags: &[Tag], record: &Record<G>) -> String {
    let mut file = Vec::new();
    format::<G>(id).write_game(&mut file, tags, record).unwrap();
    String::from_utf8(file).unwrap()
}

/// The texts of the moves, separated by spaces.
fn moves(game: &FileGame) -> String {
    game.moves.iter().map(|mv| mv.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn tags(game: &FileGame) -> Vec<(&str, &str)> {
    game.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}
