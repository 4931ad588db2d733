//! The line that a decision expects leads to the position whose value is its score: TD-Leaf learns from that position.

use lanista_core::{Budget, Evaluator, Player, Seed, Tactics};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use lanista_search::evaluators::HashRandom;

use crate::oracle::engine;
use crate::under_way::random_game;

fn ends_where_the_score_comes_from<G: Tactics>(positions: u64, plies: u32) {
    let rules = &G::presets()[0];
    let mut beyond = 0;
    for index in 0..positions {
        let game = random_game(rules, Seed::new(500 + index), index as u32 % plies);
        for depth in 1..=4 {
            // A table knows scores without their lines.
            let settings = format!("depth={depth},table=0");
            let decision = engine::<G>(&settings)
                .choose(&game, &Budget::default(), &mut Seed::new(0).stream())
                .expect("it does not resign");
            let score = decision.score.expect("it has an opinion");
            let mut end = game.clone();
            for &mv in &decision.line {
                end.play(mv).expect("a legal line");
            }
            // Ends have their own scores, and a draw by repetition is seen before the game is over.
            if end.ending().is_some() || score.plies_to_end().is_some() || score.0 == 0 {
                continue;
            }
            beyond += u32::from(decision.line.len() > depth);
            let value = HashRandom::default().value(end.position());
            let is_same_side = end.position().side_to_move() == game.position().side_to_move();
            let value = if is_same_side { value } else { -value };
            assert_eq!(value, score, "{}: {settings}: {:?}: {}", G::ID, decision.line, game.position());
        }
    }
    assert!(beyond > 0 || G::ID == "connect-four", "{}: no line goes into quiescence", G::ID);
}

#[test]
fn lines_of_action() {
    ends_where_the_score_comes_from::<Loa<8>>(40, 40);
    ends_where_the_score_comes_from::<Loa<5>>(40, 20);
}

#[test]
fn connect_four() {
    ends_where_the_score_comes_from::<ConnectFour>(40, 20);
}

#[test]
fn draughts() {
    ends_where_the_score_comes_from::<Draughts>(40, 60);
}
