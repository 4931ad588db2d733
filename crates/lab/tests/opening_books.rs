//! The openings that come with the games, and those that `lanista openings` makes.

use std::collections::HashMap;

use lanista_core::{Evaluators, Game, Referee, Score};
use lanista_games::connect_four::ConnectFour;
use lanista_games::files::GameFiles;
use lanista_lab::opening_sets::{OpeningRequest, OpeningSet, make, orbit, wins_at_once};
use lanista_lab::openings::Openings;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};

/// The lines of a game's book, without comments.
fn lines<G: GameFiles>() -> Vec<&'static str> {
    let lines = G::OPENING_BOOK.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    lines.filter(|line| !line.is_empty()).collect()
}

fn played<G: Game>(line: &str) -> Referee<G> {
    let mut game = Referee::new(&G::rules("").expect("default rules"));
    for mv in line.split_whitespace() {
        game.play_text(mv).unwrap_or_else(|error| panic!("{}: {line}: {error}", G::ID));
    }
    game
}

#[derive(Clone)]
struct CheckBook;

impl GameVisitor for CheckBook {
    type Output = (&'static str, usize);

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let mut seen = HashMap::new();
        for line in lines::<G>() {
            let game = played::<G>(line);
            assert_eq!(game.ending(), None, "{}: {line} ends the game", G::ID);
            assert!(!wins_at_once(game.position()), "{}: the mover wins at once after {line}", G::ID);
            if let Some(other) = seen.insert(orbit(game.position()), line) {
                panic!("{}: {line} and {other} lead to the same position", G::ID);
            }
        }
        if !seen.is_empty() {
            assert!(matches!(Openings::from_book(G::ID, ""), Ok(Openings::Lines(read)) if read.len() == seen.len()));
        }
        (G::ID, seen.len())
    }
}

#[test]
fn every_line_of_every_book_is_a_fair_and_distinct_start() {
    let sizes = registry::visit_all(&CheckBook);
    let books: Vec<(&str, usize)> = sizes.into_iter().filter(|(_, size)| *size > 0).collect();
    assert_eq!(books, [("loa", 100), ("connect-four", 100), ("draughts", 174)]);
}

#[test]
fn connect_four_openings_are_exact_draws() {
    let mut solve = ConnectFour::solver().expect("a solver");
    let book = lines::<ConnectFour>();
    for line in book.iter().step_by(book.len() / 5) {
        assert_eq!(solve(played::<ConnectFour>(line).position()), Score::DRAW, "{line}");
    }
    // And the solver does tell draws from wins.
    assert_eq!(solve(played::<ConnectFour>("4 4 4 4 4 4").position()), Score::win_in(35));
}

fn set(game: &str, judge: Option<&str>, count: usize, seed: u64) -> OpeningSet {
    let request = OpeningRequest {
        game: game.into(),
        rules: String::new(),
        plies: 4,
        count,
        within: Score(20),
        judge: judge.map(str::to_string),
        seed,
    };
    make(&request, &mut |_| {}).expect("a set")
}

#[test]
fn the_seed_alone_decides_a_set() {
    for game in ["loa6", "draughts"] {
        let ten = set(game, Some("pvs:depth=3"), 10, 1);
        assert_eq!(ten, set(game, Some("pvs:depth=3"), 10, 1));
        assert_eq!(ten.openings.len(), 10);
        assert_eq!(ten.openings[..4], set(game, Some("pvs:depth=3"), 4, 1).openings, "more are only more");
        assert_ne!(ten.openings, set(game, Some("pvs:depth=3"), 10, 2).openings);
        assert!(ten.openings.iter().all(|opening| opening.moves.len() == 4 && opening.value.0.abs() <= 20));
    }
}

#[test]
fn the_book_of_connect_four_is_made_as_it_says() {
    let request = OpeningRequest {
        game: "connect-four".into(),
        rules: String::new(),
        plies: 8,
        count: 2,
        within: Score(10),
        judge: None,
        seed: 1,
    };
    let set = make(&request, &mut |_| {}).expect("a set");
    let made: Vec<String> = set.openings.iter().map(|opening| opening.moves.join(" ")).collect();
    assert_eq!(made, lines::<ConnectFour>()[..2]);
}

#[test]
fn what_cannot_be_made_is_said_or_ends() {
    let request = |game: &str, judge: &str, plies| OpeningRequest {
        game: game.into(),
        rules: String::new(),
        plies,
        count: 3,
        within: Score(10),
        judge: Some(judge.into()),
        seed: 1,
    };
    let fails = |game, judge| make(&request(game, judge, 4), &mut |_| {}).expect_err("a reason");
    assert!(fails("chess", "random").contains("unknown game"));
    assert!(fails("loa", "pvs:deep=1").contains("has no parameter"));
    assert!(fails("loa", "random").contains("no opinion"));
    // Nothing lasts as long as that.
    let none = make(&request("connect-four", "pvs:depth=1", 60), &mut |_| {}).expect("an empty set");
    assert_eq!(none.openings, []);
}
