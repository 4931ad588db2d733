//! Figures that others have published about the games, measured anew.

use std::collections::HashSet;

use lanista_core::{Game, MoveList, Outcome, Position, RandomGame, RandomStream, Reason, Referee, Seed, Side};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;

/// What random games come to, in percent and plies.
#[derive(Debug)]
struct Totals {
    first: f64,
    second: f64,
    draws: f64,
    plies: f64,
}

/// Plays games with `play`, which returns the outcome and the number of plies.
fn totals(games: u32, mut play: impl FnMut(&mut RandomStream) -> (Outcome, u32)) -> Totals {
    let mut random = Seed::new(2024).stream();
    let (mut first, mut second, mut draws, mut plies) = (0u32, 0u32, 0u32, 0u64);
    for _ in 0..games {
        let (outcome, length) = play(&mut random);
        match outcome {
            Outcome::Win(Side::First) => first += 1,
            Outcome::Win(Side::Second) => second += 1,
            Outcome::Draw => draws += 1,
        }
        plies += u64::from(length);
    }
    let share = |count: u32| 100.0 * f64::from(count) / f64::from(games);
    Totals { first: share(first), second: share(second), draws: share(draws), plies: plies as f64 / f64::from(games) }
}

fn random_play<G: Game>(games: u32) -> Totals {
    let rules = G::rules("").expect("default rules");
    let mut room = RandomGame::new(&rules);
    totals(games, |random| {
        let (ending, plies) = room.play(rules.start, random);
        (ending.outcome, plies)
    })
}

/// Four standard deviations of the share of `games` games, in percent.
fn tolerance(percent: f64, games: u32) -> f64 {
    4.0 * (percent * (100.0 - percent) / f64::from(games)).sqrt()
}

/// First 55.55 %, second 44.20 %, draws 0.25 %, 21.32 plies.
#[test]
fn random_connect_four() {
    const GAMES: u32 = 400_000;
    let totals = random_play::<ConnectFour>(GAMES);
    for (found, published) in [(totals.first, 55.55), (totals.second, 44.20), (totals.draws, 0.25)] {
        // The published figures are rounded to the second place.
        assert!((found - published).abs() <= tolerance(published, GAMES) + 0.005, "{totals:?}");
    }
    assert!((totals.plies - 21.32).abs() < 0.06, "{totals:?}");
}

/// 190 to 215 plies a game, in various programs with various rules.
#[test]
fn random_lines_of_action() {
    let totals = random_play::<Loa<8>>(3_000);
    assert!((190.0..=215.0).contains(&totals.plies), "{totals:?}");
    assert!((totals.first - totals.second).abs() < 6.0, "the first move is worth little at random: {totals:?}");
}

/// First 42–43 %, second 43–45 %, draws 13 %, 66–69 plies, in programs that draw after 40 plies without a capture
/// (crowning does not help, which the rules here cannot say).
#[test]
fn random_draughts() {
    const GAMES: u32 = 20_000;
    let mut room = MoveList::new();
    let totals = totals(GAMES, |random| {
        let mut position = Draughts::default();
        let (mut plies, mut idle) = (0, 0);
        loop {
            if let Some(outcome) = position.outcome() {
                return (outcome, plies);
            }
            if idle == 40 {
                return (Outcome::Draw, plies);
            }
            let mv = position.random_move(random, &mut room);
            idle = if mv.jumps() > 0 { 0 } else { idle + 1 };
            position.play(mv);
            plies += 1;
        }
    });
    let near = |found: f64, least: f64, most: f64| {
        let slack = tolerance(most, GAMES);
        (least - slack..=most + slack).contains(&found)
    };
    assert!(near(totals.first, 42.0, 43.0) && near(totals.second, 43.0, 45.0), "{totals:?}");
    assert!(near(totals.draws, 12.5, 13.5), "{totals:?}");
    assert!((66.0..=69.0).contains(&totals.plies), "{totals:?}");
}

/// The number of distinct positions after each ply, counted by their keys.
#[test]
fn connect_four_positions_by_ply() {
    let mut level = vec![ConnectFour::default()];
    for expected in [7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186] {
        let mut keys = HashSet::new();
        let mut next = Vec::new();
        for position in &level {
            let mut moves = MoveList::new();
            position.legal_moves(&mut moves);
            for &mv in moves.iter() {
                let mut child = *position;
                child.play(mv);
                if keys.insert(child.key()) {
                    next.push(child);
                }
            }
        }
        assert_eq!(next.len(), expected);
        level = next;
    }
}

/// The games of Winands' theses and the shortest possible one, as collected by OpenSpiel: every move is legal, and the
/// last one ends the game on the board.
#[test]
fn published_lines_of_action_games() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/src/loa/data/published-games.txt");
    let text = std::fs::read_to_string(file).expect("the published games");
    let mut games = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, moves) = line.split_once('\t').expect("a name, a tab, moves");
        let mut referee = Referee::new(&<Loa<8> as Game>::rules("").expect("default rules"));
        for mv in moves.split_whitespace() {
            referee.play_text(mv).unwrap_or_else(|error| panic!("{name}: {mv}: {error}"));
            let capture = referee.moves().last().is_some_and(|mv| mv.is_capture());
            assert_eq!(capture, mv.contains('x'), "{name}: {mv}");
        }
        let reason = referee.ending().map(|ending| ending.reason);
        let complete = !name.ends_with("incomplete");
        assert_eq!(reason, complete.then_some(Reason::Board), "{name}: {}", referee.position());
        games += 1;
    }
    assert_eq!(games, 16);
}
