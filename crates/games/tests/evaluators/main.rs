//! Laws that every evaluator of every game keeps, along random games: it stays below a proved win, it sees
//! symmetric positions alike, and following moves down and up again changes nothing.

use lanista_core::{Evaluator, Evaluators, Game, MoveList, Position, Score, Seed, Tactics};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;

/// A fresh evaluator's value.
fn fresh<G: Evaluators>(name: &str, position: &G) -> Score {
    let mut evaluator = made::<G>(name);
    evaluator.reset(position);
    evaluator.value(position)
}

fn made<G: Evaluators>(name: &str) -> Box<dyn Evaluator<G>> {
    match G::evaluator(name, None) {
        Ok(Some(evaluator)) => evaluator,
        other => panic!("{}: {name} is in the list but {:?}", G::ID, other.map(|_| "unknown")),
    }
}

fn keeps_the_laws<G: Evaluators + Tactics>(games: u64, plies: usize) {
    let start = G::presets().swap_remove(0).start;
    let mut moves = MoveList::new();
    for info in G::evaluators() {
        let name = info.name;
        let mut random = Seed::new(11).child(name.len() as u64).stream();
        let (mut evaluator, mut other) = (made::<G>(name), made::<G>(name));
        let mut distinct = std::collections::HashSet::new();
        for _ in 0..games {
            let mut line = vec![start];
            evaluator.reset(&start);
            while line.len() <= plies {
                let position = line[line.len() - 1];
                if position.outcome().is_some() {
                    break;
                }
                // Some moves forward, sometimes back, with and without asking for the value.
                if random.below(4) > 0 {
                    let value = evaluator.value(&position);
                    other.reset(&position);
                    assert_eq!(value, other.value(&position), "{name} after moves, {position}");
                    if random.below(16) == 0 {
                        assert_eq!(value, fresh(name, &position), "{name} remembers too much, {position}");
                    }
                    assert!(value < Score::PROVED && -value < Score::PROVED, "{name} {position}: {value:?}");
                    for index in 1..G::SYMMETRIES {
                        let symmetric = position.symmetric(index);
                        other.reset(&symmetric);
                        assert_eq!(other.value(&symmetric), value, "{name} {position} and {symmetric}");
                    }
                    if let Some(passed) = position.passed() {
                        other.reset(&passed);
                        assert_eq!(evaluator.value(&passed), other.value(&passed), "{name} after a null move");
                    }
                    distinct.insert(value);
                }
                if random.below(5) == 0 && line.len() > 1 {
                    line.pop();
                    evaluator.pop();
                    continue;
                }
                let mv = position.random_move(&mut random, &mut moves);
                let mut next = position;
                next.play(mv);
                evaluator.push(&position, mv, &next);
                line.push(next);
            }
        }
        assert!(distinct.len() > 3, "{name} tells positions apart");
    }
    assert!(G::evaluator("none-of-that-name", None).is_ok_and(|found| found.is_none()));
}

#[test]
fn lines_of_action() {
    keeps_the_laws::<Loa<4>>(20, 60);
    keeps_the_laws::<Loa<5>>(20, 60);
    keeps_the_laws::<Loa<6>>(10, 60);
    keeps_the_laws::<Loa<7>>(10, 60);
    keeps_the_laws::<Loa<8>>(20, 80);
}

#[test]
fn connect_four() {
    keeps_the_laws::<ConnectFour>(100, 42);
}

#[test]
fn draughts() {
    keeps_the_laws::<Draughts>(30, 120);
}

/// Greatest weights: still below a proved win.
#[test]
fn bounded_with_any_weights() {
    for name in ["mia1", "mia2", "mia3", "mia4"] {
        bounded::<Loa<8>>(name);
    }
    bounded::<ConnectFour>("threats");
    bounded::<Draughts>("allsop");
}

fn bounded<G: Evaluators>(name: &str) {
    let mut random = Seed::new(2).stream();
    let mut moves = MoveList::new();
    let linear = G::linear(name).expect("a sum of weights");
    for weight in [1e9, -1e9] {
        let file = linear.file(&vec![weight; linear.names().len()]);
        let mut evaluator = G::evaluator(name, Some(&file)).expect("weights").expect("an evaluator");
        for _ in 0..50 {
            let mut position = G::presets().swap_remove(0).start;
            for _ in 0..200 {
                if position.outcome().is_some() {
                    break;
                }
                evaluator.reset(&position);
                let value = evaluator.value(&position);
                assert!(value < Score::PROVED && -value < Score::PROVED, "{name} {position}: {value:?}");
                position.play(position.random_move(&mut random, &mut moves));
            }
        }
    }
}

/// Along whole games, where the cache of the first has many a side's value from before.
#[test]
fn the_cache_changes_no_value() {
    let mut random = Seed::new(3).stream();
    let mut moves = MoveList::new();
    let [mut cached, mut uncached] = ["mia4", "mia4-uncached"].map(made::<Loa<8>>);
    for _ in 0..50 {
        let mut position = Loa::<8>::presets().swap_remove(0).start;
        while position.outcome().is_none() {
            cached.reset(&position);
            uncached.reset(&position);
            assert_eq!(cached.value(&position), uncached.value(&position), "{position}");
            position.play(position.random_move(&mut random, &mut moves));
        }
    }
}

#[test]
fn files_are_refused_where_none_is_taken() {
    let error = Draughts::evaluator("material", Some(b"1")).err();
    assert_eq!(error.as_deref(), Some("material takes no file"));
    assert!(Loa::<5>::evaluator("com", Some(b"")).is_err());
    assert!(ConnectFour::evaluator("threats", Some(b"stacked = many")).is_err());
    assert!(Loa::<8>::evaluator("mia3", Some(b"mobility = fast")).is_err());
    assert!(Draughts::evaluator("allsop", Some(b"1 2")).is_err());
}
