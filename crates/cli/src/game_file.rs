//! Opening files of games, with their names in the errors.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use indicatif::ProgressBar;
use lanista_core::Rules;
use lanista_games::files::{Format, GameFiles, check};

/// The file of that name, `-` being standard input, with the bar counting its bytes.
pub fn open(path: &str, bar: &ProgressBar) -> anyhow::Result<Box<dyn Read>> {
    if path == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path).with_context(|| format!("cannot open {path}"))?;
    let size = file.metadata().with_context(|| format!("cannot read {path}"))?;
    anyhow::ensure!(!size.is_dir(), "{path} is a folder, expected a file of games");
    bar.set_length(size.len());
    bar.set_position(0);
    Ok(Box::new(bar.wrap_read(file)))
}

/// The format of that id, or the one that the file's name tells.
pub fn format<G: GameFiles>(id: Option<&str>, path: &str) -> anyhow::Result<Format<G>> {
    match id {
        None => Ok(G::format_of_file(path)),
        Some(id) => G::format(id).with_context(|| {
            let known: Vec<&str> = G::formats().iter().map(|format| format.id).collect();
            format!("unknown format {id:?} for {}, expected one of: {}", G::ID, known.join(", "))
        }),
    }
}

/// Whether a file holds games as they would be written there, by its first one; `is_single` allows no second one.
pub fn holds_games<G: GameFiles>(path: &Path, format: &Format<G>, rules: &Rules<G>, is_single: bool) -> bool {
    // The first games of a file of ours end long before.
    const ENOUGH: u64 = 1 << 20;
    let Ok(file) = File::open(path) else { return false };
    let mut games = format.games(Box::new(file.take(ENOUGH)));
    let is_first_good = games.next().and_then(Result::ok).is_some_and(|game| check(&game, rules).is_ok());
    is_first_good && !(is_single && games.next().is_some())
}
