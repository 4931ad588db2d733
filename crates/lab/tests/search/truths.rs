//! Known truths of small boards, found by the engine.

use lanista_core::{Budget, Player, Referee, Score, Seed, Tactics};
use lanista_games::loa::Loa;
use lanista_search::evaluators::Zero;
use lanista_search::parameters::Settings;
use lanista_search::pvs::{PVS, Pvs};

/// The value of the start to an exact depth, knowing only how games end.
fn value<G: Tactics>(rules: &str, depth: u32) -> Score {
    let game = Referee::new(&G::rules(rules).expect("good rules"));
    let settings = Settings::parse(&PVS, &format!("exact=true,depth={depth},table=64"), 1).expect("good settings");
    let mut engine: Pvs<G> = Pvs::new(&settings, || Box::new(Zero));
    let decision = engine.choose(&game, &Budget::default(), &mut Seed::new(0).stream());
    decision.and_then(|decision| decision.score).expect("a decision with a score")
}

#[test]
fn four_by_four_is_won_in_three_plies() {
    assert_eq!(value::<Loa<4>>("mia", 2), Score::DRAW);
    assert_eq!(value::<Loa<4>>("mia", 3), Score::win_in(3));
}

/// Under either rule for a move that connects both sides.
#[test]
fn five_by_five_is_won_in_eleven_plies() {
    for rules in ["mia", "boardspace"] {
        assert_eq!(value::<Loa<5>>(rules, 10), Score::DRAW, "{rules}");
        assert_eq!(value::<Loa<5>>(rules, 11), Score::win_in(11), "{rules}");
    }
}
