//! Players that look to a depth stop at other limits, too, and then play the best of what they have searched in full.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use lanista_core::{Budget, Decision, Game, MoveList, Observer, Player, Position, Score, Seed};
use lanista_games::loa::Loa;
use lanista_lab::players::PlayerSpec;
use lanista_search::evaluators::HashRandom;
use lanista_search::parameters::Settings;
use lanista_search::plain::{ALPHABETA, Order, Plain};

use crate::oracle::negamax;
use crate::under_way::random_game;

type Board = Loa<6>;

fn player(text: &str) -> Box<dyn Player<Board>> {
    PlayerSpec::parse(text).expect("a good player").build::<Board>(&Default::default()).expect("a good player")
}

/// Searches that would not end before the test does.
#[test]
fn nodes_and_time_end_deep_searches() {
    let game = random_game(&Board::presets()[0], Seed::new(1), 4);
    for kind in ["minimax", "alphabeta", "alphabeta-heuristic-order", "alphabeta-quick", "stochastic"] {
        let mut player = player(&format!("{kind}:depth=40"));
        let mut decide = |budget| {
            let decision = player.choose(&game, &budget, &mut Seed::new(0).stream()).expect("it does not resign");
            assert!(game.clone().play(decision.mv).is_ok(), "{kind}");
            decision.nodes
        };
        let nodes = decide(Budget { nodes: Some(5_000), ..Budget::default() });
        // The moves of a position may be judged together before the next look at the limit.
        assert!((5_000..8_000).contains(&nodes), "{kind}: {nodes} nodes");
        decide(Budget { time: Some(Duration::from_millis(2)), ..Budget::default() });
    }
}

#[test]
fn a_move_that_was_hardly_begun_is_not_preferred() {
    const DEPTH: u32 = 4;
    let settings = Settings::parse(&ALPHABETA, &format!("depth={DEPTH}"), 1).expect("good settings");
    let mut others = 0;
    for index in 0..8 {
        let game = random_game(&Board::presets()[0], Seed::new(index), 3 * index as u32);
        let mut moves = MoveList::new();
        game.position().legal_moves(&mut moves);
        for nodes in (200..20_000).step_by(397) {
            let mut player = Plain::new(Some(Order::Natural), &settings, Box::new(HashRandom::default()));
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let decision = player.choose(&game, &budget, &mut Seed::new(0).stream()).expect("it does not resign");
            let Some(score) = decision.score else {
                // Not even the first move was searched in full.
                assert_eq!((decision.mv, decision.depth), (moves[0], 0));
                continue;
            };
            others += u32::from(decision.mv != moves[0]);
            let mut next = game.clone();
            next.play(decision.mv).expect("a legal move");
            let worth = match next.ending() {
                Some(ending) => -ending.outcome.score(next.position().side_to_move(), 1),
                None => -negamax(next.position(), &mut next.history().clone(), true, DEPTH - 1, 1),
            };
            assert_eq!(score, worth, "game {index}, {nodes} nodes");
        }
    }
    assert!(others >= 20, "{others} decisions show something");
}

/// Writes down the scores that it hears of.
#[derive(Default)]
struct Clerk(Mutex<Vec<Option<Score>>>);

impl<M> Observer<M> for Clerk {
    fn wants_decision(&self) -> bool {
        false
    }

    fn progress(&self, decision: &Decision<M>) {
        self.0.lock().expect("no panic").push(decision.score);
    }
}

#[test]
fn noise_leaves_no_trace_in_what_is_told() {
    let game = random_game(&Board::presets()[0], Seed::new(1), 6);
    let told = |settings: &str| {
        let clerk = Arc::new(Clerk::default());
        let mut player = player(settings);
        player.observe(clerk.clone());
        let decision = player.choose(&game, &Budget::default(), &mut Seed::new(0).stream()).expect("a decision");
        let scores = clerk.0.lock().expect("no panic").clone();
        assert_eq!(scores.last(), Some(&decision.score), "{settings}");
        scores
    };
    // Without techniques that guess, noise that breaks ties changes what a position is worth by one step at most.
    let [with, without] = ["pvs:depth=4,exact=true,noise=15", "pvs:depth=4,exact=true"].map(told);
    assert_eq!(with.len(), without.len());
    for (with, without) in with.iter().zip(&without) {
        let [with, without] = [with, without].map(|score| score.expect("an opinion").0);
        assert!(with.abs_diff(without) <= 1, "{with} {without}");
    }
}
