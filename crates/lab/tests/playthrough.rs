//! Golden playthroughs: one random game of every registered game, written out for people and compared to the letter.
//!
//! They notice any change of rules, text, keys or random streams. `scripts/golden` writes them anew; read the difference
//! before you keep it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use lanista_core::{Budget, Game, MoveList, Record, Rules, Seed, play_game};
use lanista_lab::registry::{self, GameVisitor};
use lanista_search::RandomPlayer;

/// The game whose length comes closest to this is taken: long enough to show much, short enough to read.
const WANTED_PLIES: usize = 40;
/// Games to choose from.
const GAMES: u64 = 64;

/// The folder with the data of a game: the one whose perft file names it.
fn data_folder(id: &str) -> PathBuf {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/src");
    let names_it = |folder: &PathBuf| {
        let perft = fs::read_to_string(folder.join("perft.txt")).unwrap_or_default();
        perft.lines().any(|line| line.split(';').next().is_some_and(|game| game.trim() == id))
    };
    let folders = fs::read_dir(games).expect("the folder of the games").flatten();
    let found = folders.map(|folder| folder.path().join("data")).find(names_it);
    found.unwrap_or_else(|| panic!("{id}: no perft.txt next to its rules names it"))
}

fn random_game<G: Game>(rules: &Rules<G>) -> Record<G> {
    let budget = Budget::default();
    let play =
        |game| play_game(rules, [&mut RandomPlayer, &mut RandomPlayer], [&budget, &budget], Seed::new(1).child(game));
    let games = (0..GAMES).map(play);
    games.min_by_key(|record| record.moves.len().abs_diff(WANTED_PLIES)).expect("a game")
}

fn joined<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<String>>().join(" ")
}

/// The game as people read it.
fn written_out<G: Game>() -> Result<String, std::fmt::Error> {
    let rules = G::rules("").expect("default rules");
    let record = random_game(&rules);
    let ending = record.ending.expect("a finished game");
    let seed = record.seed.expect("a seed");
    let mut text = String::new();
    writeln!(text, "{}: a game of two random players. Written by scripts/golden; do not edit.\n", G::NAME)?;
    writeln!(text, "game   {}\nrules  {}\nseed   {seed}", G::ID, record.rules)?;
    writeln!(text, "plies  {}\nresult {} ({})", record.moves.len(), ending.outcome, ending.reason)?;
    let mut position = record.start;
    for ply in 0..=record.moves.len() {
        let side = position.side_to_move();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        writeln!(text, "\n--- ply {ply}\n\n{}", position.picture())?;
        writeln!(text, "position {position}\nkey      {:016x}", position.key())?;
        writeln!(text, "to move  {}\nmoves    {} {}", G::SIDES[side.index()], moves.len(), joined(&moves))?;
        if let Some(&mv) = record.moves.get(ply) {
            writeln!(text, "played   {mv} ({:?})", position.progress(mv))?;
            position.play(mv);
        }
    }
    Ok(text)
}

#[derive(Clone)]
struct Compare;

impl GameVisitor for Compare {
    type Output = ();

    fn visit<G: Game>(self) {
        let path = data_folder(G::ID).join(format!("playthrough-{}.txt", G::ID));
        let text = written_out::<G>().expect("text");
        if std::env::var_os("LANISTA_REGENERATE").is_some_and(|value| value == "1") {
            fs::write(&path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            return;
        }
        let golden = fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; scripts/golden writes it", path.display()));
        let lines = || golden.lines().zip(text.lines()).enumerate();
        if let Some((index, (old, new))) = lines().find(|(_, (old, new))| old != new) {
            panic!("{}:{}: file has {old:?}, the game is now {new:?}", path.display(), index + 1);
        }
        assert_eq!(golden, text, "{}", path.display());
    }
}

#[test]
fn every_game_plays_as_written() {
    registry::visit_all(&Compare);
}
