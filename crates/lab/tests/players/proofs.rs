//! What Monte-Carlo tree search calls proved is proved, its draws by the rules of the past included.

use lanista_core::{Budget, Decision, Game, Referee, Score, Seed, Tactics};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;

use crate::cast::{forced, game_after, player};
use crate::under_way::random_game;

fn decided<G: Tactics>(settings: &str, game: &Referee<G>, seed: u64) -> Decision<G::Move> {
    let mut player = player::<G>("mcts", settings);
    player.choose(game, &Budget::default(), &mut Seed::new(seed).stream()).expect("it does not resign")
}

/// Searches random positions; a win or loss claimed within `deep` plies must be found by trying everything, and the
/// move played must keep it.
fn claims_hold<G: Tactics>(positions: u64, plies: u32, deep: u32, least: u32) {
    let mut claims = 0;
    for index in 0..positions {
        let game = random_game(&G::presets()[0], Seed::new(500 + index), index as u32 % plies);
        for settings in ["simulations=2000", "simulations=2000,leaf=eval"] {
            let decision = decided(settings, &game, index);
            let score = decision.score.expect("it has an opinion");
            let Some(claimed) = score.plies_to_end().filter(|&claimed| claimed <= deep) else { continue };
            claims += 1;
            let truth = forced(&game, claimed);
            assert_eq!(truth, Some(score > Score::DRAW), "{}: claims {score}: {}", G::ID, game.position());
            let mut next = game.clone();
            next.play(decision.mv).expect("legal");
            assert_eq!(forced(&next, claimed - 1), Some(score < Score::DRAW), "{}: {}", G::ID, decision.mv);
        }
    }
    assert!(claims >= least, "{}: only {claims} claims: the test shows little", G::ID);
}

#[test]
fn lines_of_action() {
    claims_hold::<Loa<4>>(60, 12, 4, 20);
    claims_hold::<Loa<5>>(60, 30, 4, 20);
}

#[test]
fn connect_four() {
    claims_hold::<ConnectFour>(80, 34, 6, 20);
}

#[test]
fn draughts() {
    claims_hold::<Draughts>(400, 140, 6, 20);
}

/// 4×4 is won for the first player in three plies (checked here by trying everything).
#[test]
fn four_by_four_is_won_in_three() {
    let game = Referee::new(&Loa::<4>::presets()[0]);
    assert_eq!((forced(&game, 2), forced(&game, 3)), (None, Some(true)));
    for (settings, seed) in [("", 1), ("leaf=eval", 1), ("", 2), ("leaf=eval", 2)] {
        let decision = decided(settings, &game, seed);
        let plies = decision.score.and_then(Score::plies_to_end).expect("a proof");
        assert!(decision.score > Some(Score::DRAW) && plies >= 3, "{:?}", decision.score);
        let mut next = game.clone();
        next.play(decision.mv).expect("legal");
        assert_eq!(forced(&next, plies - 1), Some(false));
    }
}

/// Three at the bottom win at once, two in the middle with both ends open win in three, whoever looks on.
#[test]
fn connect_four_tactics() {
    for settings in ["", "leaf=eval"] {
        let at_once = decided(settings, &game_after::<ConnectFour>(&["1", "1", "2", "2", "3", "3"]), 1);
        assert_eq!((at_once.mv.to_string().as_str(), at_once.score), ("4", Some(Score::win_in(1))));
        let double = decided(settings, &game_after::<ConnectFour>(&["4", "4", "3", "3"]), 1);
        assert!(["2", "5"].contains(&double.mv.to_string().as_str()), "{}", double.mv);
        assert_eq!(double.score, Some(Score::win_in(3)));
        // The second side is to move against two open ends: it is lost in two, whatever it plays.
        let lost = decided(settings, &game_after::<ConnectFour>(&["4", "4", "3", "3", "5"]), 1);
        assert_eq!(lost.score, Some(Score::loss_in(2)));
    }
}

/// With a cap one ply away every move draws, and the player proves it by looking at each once.
#[test]
fn the_past_is_part_of_the_game() {
    let rules = <Loa<5> as Game>::rules("ply-cap=1").expect("rules");
    let decision = decided("simulations=500", &Referee::new(&rules), 1);
    assert_eq!(decision.score, Some(Score::DRAW));
    assert!(decision.nodes <= 100, "{} nodes", decision.nodes);
}
