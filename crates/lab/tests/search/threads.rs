//! Several threads that share one table (lazy SMP): what is true stays true, and limits hold for all of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lanista_core::{Budget, Decision, Observer, Outcome, Player, Referee, Score, Seed};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};

use crate::oracle::{engine, negamax};
use crate::under_way::random_game;

const THREADS: [u32; 2] = [2, 4];

/// Calls a generic function for every game that there is.
macro_rules! for_all_games {
    ($law:ident) => {{
        #[derive(Clone)]
        struct Visit;
        impl GameVisitor for Visit {
            type Output = ();
            fn visit<G: RegisteredGame>(self) {
                $law::<G>();
            }
        }
        registry::visit_all(&Visit);
    }};
}

fn decide<G: RegisteredGame>(settings: &str, game: &Referee<G>, budget: &Budget) -> Decision<G::Move> {
    let decision = engine::<G>(settings).choose(game, budget, &mut Seed::new(0).stream()).expect("it does not resign");
    assert_legal(settings, game, &decision);
    decision
}

fn assert_legal<G: RegisteredGame>(settings: &str, game: &Referee<G>, decision: &Decision<G::Move>) {
    let place = format!("{}: {settings}: {}", G::ID, game.position());
    assert_eq!(decision.line.first(), Some(&decision.mv), "{place}");
    let mut line = game.clone();
    for &mv in &decision.line {
        line.play(mv).unwrap_or_else(|error| panic!("{place}: {:?}: {error}", decision.line));
    }
}

/// Games under way: at random points, and some plies before the mover won.
fn games<G: RegisteredGame>() -> Vec<Referee<G>> {
    let rules = &G::presets()[0];
    let mut games: Vec<Referee<G>> =
        (0..4).map(|index| random_game(rules, Seed::new(index), 7 * index as u32)).collect();
    for plies_left in [1, 1, 2, 3] {
        let seed = games.len() as u64;
        let mut random = Seed::new(seed).stream();
        games.push(loop {
            let mut game = Referee::new(rules);
            game.play_random(u32::MAX, &mut random);
            let position = game.position();
            let won = position.outcome() == Some(Outcome::Win(!position.side_to_move()));
            if won && game.moves().len() >= plies_left {
                (0..plies_left).for_each(|_| assert!(game.undo()));
                break game;
            }
        });
    }
    games
}

#[test]
fn exact_values_do_not_depend_on_threads() {
    fn law<G: RegisteredGame>() {
        let mut decided = 0;
        for game in games::<G>() {
            let expected = negamax(game.position(), &mut game.history().clone(), false, 3, 0);
            decided += u32::from(expected.plies_to_end().is_some());
            for threads in THREADS {
                let settings = format!("exact=true,depth=3,table=1,lookback=false,threads={threads}");
                let decision = decide(&settings, &game, &Budget::default());
                assert_eq!(decision.score, Some(expected), "{}: {settings}: {}", G::ID, game.position());
            }
        }
        assert!(decided >= 2, "{}: {decided} positions are decided: the test shows little", G::ID);
    }
    for_all_games!(law);
}

/// With everything on: a win at hand is found, and what is called proved is proved.
#[test]
fn wins_are_wins() {
    fn law<G: RegisteredGame>() {
        for game in games::<G>() {
            let truth = |plies| negamax(game.position(), &mut game.history().clone(), false, plies, 0);
            for threads in THREADS {
                let settings = format!("depth=4,table=1,lookback=false,threads={threads}");
                let score = decide(&settings, &game, &Budget::default()).score.expect("it has an opinion");
                let place = format!("{}: {settings}: {}", G::ID, game.position());
                if truth(1) == Score::win_in(1) {
                    assert_eq!(score, Score::win_in(1), "{place}");
                }
                if let Some(claimed) = score.plies_to_end().filter(|&plies| plies <= 3) {
                    let truth = truth(claimed);
                    assert!(truth.plies_to_end().is_some_and(|plies| plies <= claimed), "{place}: {score}, {truth}");
                    assert_eq!(truth > Score::DRAW, score > Score::DRAW, "{place}: {score}, {truth}");
                }
            }
        }
    }
    for_all_games!(law);
}

#[test]
fn limits_hold() {
    fn law<G: RegisteredGame>() {
        for game in games::<G>() {
            for threads in THREADS {
                let settings = format!("depth=100,table=1,threads={threads}");
                let decide = |budget| decide(&settings, &game, &budget);
                let place = format!("{}: {settings}: {}", G::ID, game.position());
                let few = decide(Budget { nodes: Some(2_000), ..Budget::default() });
                // Leaves are counted before the next look at the limit, so a few more are possible.
                assert!(few.nodes <= 2_010, "{place}: {} nodes", few.nodes);
                let shallow = decide(Budget { depth: Some(3), ..Budget::default() });
                assert!((1..=3).contains(&shallow.depth), "{place}: {} plies", shallow.depth);
                // No time at all still makes a move.
                let hasty = decide(Budget { time: Some(Duration::ZERO), ..Budget::default() });
                assert!(hasty.nodes < 1_000, "{place}: {} nodes", hasty.nodes);
                // No figure here, since machines are noisy: it ends, and `lanista bench search` tells how late.
                decide(Budget { time: Some(Duration::from_millis(2)), ..Budget::default() });
            }
        }
    }
    for_all_games!(law);
}

/// Wants a decision as soon as it has heard of one.
#[derive(Default)]
struct Impatient(AtomicBool);

impl<M> Observer<M> for Impatient {
    fn wants_decision(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn progress(&self, _decision: &Decision<M>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Without the stop, a search to depth 100 would not end before the test does.
#[test]
fn all_threads_stop_when_asked_to() {
    fn law<G: RegisteredGame>() {
        for game in games::<G>() {
            for threads in THREADS {
                let settings = format!("depth=100,table=1,threads={threads}");
                let mut engine = engine::<G>(&settings);
                let observer = Arc::new(Impatient::default());
                engine.observe(observer.clone());
                for _ in 0..2 {
                    // The second time it is asked to stop before it begins.
                    let decision = engine.choose(&game, &Budget::default(), &mut Seed::new(0).stream());
                    let decision = decision.expect("it does not resign");
                    assert_legal(&settings, &game, &decision);
                    assert!(decision.depth < 20, "{}: {settings}: {} plies", G::ID, decision.depth);
                }
            }
        }
    }
    for_all_games!(law);
}

#[test]
fn one_thread_repeats_to_the_bit() {
    fn law<G: RegisteredGame>() {
        for game in games::<G>() {
            let usual = decide("depth=5,table=1", &game, &Budget::default());
            for _ in 0..2 {
                let one = decide("depth=5,table=1,threads=1", &game, &Budget::default());
                assert_eq!(one, usual, "{}: {}", G::ID, game.position());
            }
        }
    }
    for_all_games!(law);
}
