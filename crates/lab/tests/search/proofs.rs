//! What a search calls proved is proved, with every technique on.

use lanista_core::{Budget, Player, Score, Seed, Tactics};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;

use crate::oracle::{engine, negamax};
use crate::under_way::random_game;

/// Searches random positions with everything on; where the engine claims a win or loss in at most `deep` plies,
/// an exhaustive search of that depth must find one at least as near.
fn proved<G: Tactics>(positions: u64, plies: u32, deep: u32) {
    let rules = &G::presets()[0];
    let mut claims = 0;
    for index in 0..positions {
        let game = random_game(rules, Seed::new(1000 + index), index as u32 % plies);
        for settings in ["depth=5", "depth=6,lookback=false,table=1"] {
            let decision = engine::<G>(settings)
                .choose(&game, &Budget::default(), &mut Seed::new(0).stream())
                .expect("it does not resign");
            let score = decision.score.expect("it has an opinion");
            let Some(claimed) = score.plies_to_end().filter(|&plies| plies <= deep) else { continue };
            claims += 1;
            let truth = negamax(game.position(), &mut game.history().clone(), false, claimed, 0);
            let near = truth.plies_to_end().is_some_and(|plies| plies <= claimed);
            assert!(
                near && (truth > Score::DRAW) == (score > Score::DRAW),
                "{}: {settings}: claims {score}, truth {truth}: {}",
                G::ID,
                game.position()
            );
        }
    }
    assert!(claims >= 20, "{}: only {claims} claims: the test shows little", G::ID);
}

#[test]
fn wins_are_wins() {
    proved::<Loa<4>>(60, 12, 5);
    proved::<Loa<5>>(60, 30, 5);
    proved::<ConnectFour>(60, 30, 7);
    proved::<Draughts>(500, 140, 7);
}
