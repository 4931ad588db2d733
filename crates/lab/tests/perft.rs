//! Perft of every registered game against the counts in `perft.txt` next to its rules.
//!
//! `LANISTA_DEEP=1` also checks the deeper counts that the files keep, which takes minutes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lanista_core::{Game, perft};
use lanista_lab::registry::{self, GameVisitor};

/// One position and its counts.
#[derive(Clone)]
struct Line {
    /// File and line, for messages.
    place: String,
    game: String,
    position: String,
    counts: Vec<u64>,
    deeper: Vec<u64>,
}

/// The files of all games: what a new game brings is found unasked.
fn files() -> Vec<PathBuf> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/src");
    let folders = fs::read_dir(&games).expect("the folder of the games");
    let mut files: Vec<PathBuf> = folders
        .map(|folder| folder.expect("a folder").path().join("data/perft.txt"))
        .filter(|file| file.exists())
        .collect();
    files.sort();
    files
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for file in files() {
        let text = fs::read_to_string(&file).expect("a readable file");
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let place = format!("{}:{}", file.display(), index + 1);
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let &[game, position, counts, deeper] = &fields[..] else {
                panic!("{place}: expected game ; position ; counts ; deeper counts");
            };
            let numbers = |text: &str| -> Vec<u64> {
                text.split_whitespace().map(|word| word.parse().unwrap_or_else(|_| panic!("{place}: {word}"))).collect()
            };
            let (counts, deeper) = (numbers(counts), numbers(deeper));
            assert!(!counts.is_empty(), "{place}: no counts");
            lines.push(Line { place: place.clone(), game: game.into(), position: position.into(), counts, deeper });
        }
    }
    lines
}

/// Checks the lines of one game and says how many there are.
#[derive(Clone)]
struct Check(Vec<Line>);

impl GameVisitor for Check {
    type Output = (&'static str, usize);

    fn visit<G: Game>(self) -> Self::Output {
        let deep = std::env::var_os("LANISTA_DEEP").is_some_and(|value| value == "1");
        let rules = G::rules("").expect("default rules");
        let of_game: Vec<Line> = self.0.into_iter().filter(|line| line.game == G::ID).collect();
        for Line { place, position: text, counts, deeper, .. } in &of_game {
            let position = match text.as_str() {
                "start" => rules.start,
                text => G::position(text, &rules).unwrap_or_else(|error| panic!("{place}: {error}")),
            };
            let expected = counts.iter().chain(deeper.iter().filter(|_| deep));
            for (depth, &leaves) in (1..).zip(expected) {
                assert_eq!(perft(&position, depth).leaves, leaves, "{place}: depth {depth}");
            }
        }
        (G::ID, of_game.len())
    }
}

#[test]
fn every_game_counts_right() {
    let lines = lines();
    for (id, checked) in registry::visit_all(&Check(lines.clone())) {
        assert!(checked > 0, "{id} has no line in any perft.txt");
    }
    let known: BTreeSet<&str> = registry::ids().into_iter().collect();
    for line in lines {
        assert!(known.contains(line.game.as_str()), "{}: no registered game {}", line.place, line.game);
    }
}
