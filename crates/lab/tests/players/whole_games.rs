//! Every player plays whole games of every kind by the rules, and the same game again from the same seed.

use lanista_core::{Budget, Game, Player, Reason, Record, Referee, Seed, Side, Tactics, play_game};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::{Com, Loa};
use lanista_search::RandomPlayer;

use crate::cast::player;
use crate::under_way::random_game;

const CAST: [(&str, &str); 13] = [
    ("mcts", "simulations=60"),
    ("mcts", "simulations=60,leaf=eval,exploration=0.3"),
    ("mcts", "simulations=200,playout-plies=5,memory=1"),
    ("ants", "ants=6,forages=6,depth=5"),
    ("ants", "ants=6,forages=6,depth=5,per=move"),
    ("greedy", ""),
    ("greedy", "ties=first"),
    ("lookahead", ""),
    ("lookahead", "depth=6,width=5,ties=first"),
    ("stochastic", "depth=2"),
    ("best-three", "depth=3"),
    ("best-three of stochastic", ""),
    ("win-block", ""),
];

fn played<G: Tactics>(make: &dyn Fn() -> Box<dyn Player<G>>, side: Side, seed: Seed) -> Record<G> {
    let rules = G::rules("ply-cap=70").expect("rules");
    let (mut one, mut other) = (make(), RandomPlayer);
    let players: [&mut dyn Player<G>; 2] = match side {
        Side::First => [one.as_mut(), &mut other],
        Side::Second => [&mut other, one.as_mut()],
    };
    play_game(&rules, players, [&Budget::default(); 2], seed)
}

fn plays_by_the_rules<G: Tactics>(name: &str, make: &dyn Fn() -> Box<dyn Player<G>>) {
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let seed = Seed::new(index as u64 + 7);
        let record = played(make, side, seed);
        let reason = record.ending.map(|ending| ending.reason);
        assert!(!matches!(reason, Some(Reason::Forfeit | Reason::Resignation) | None), "{}: {name}", G::ID);
        assert_eq!(record, played(make, side, seed), "{}: {name} does not repeat itself", G::ID);
    }
}

/// The line that a player tells can be played and begins with its move.
fn lines_are_games<G: Tactics>(name: &str, make: &dyn Fn() -> Box<dyn Player<G>>) {
    for index in 0..10 {
        let game = random_game(&G::presets()[0], Seed::new(index), 3 * index as u32);
        let decision =
            make().choose(&game, &Budget::default(), &mut Seed::new(index).stream()).expect("it does not resign");
        assert_eq!(decision.line.first(), Some(&decision.mv), "{}: {name}", G::ID);
        let mut line: Referee<G> = game.clone();
        for &mv in &decision.line {
            assert!(line.play(mv).is_ok(), "{}: {name}: {mv} in {:?} from {}", G::ID, decision.line, game.position());
        }
        if let Some(plies) = decision.score.and_then(|score| score.plies_to_end()) {
            assert!(plies > 0, "{}: {name}", G::ID);
        }
    }
}

fn all<G: Tactics>() {
    for (name, settings) in CAST {
        let make = || player::<G>(name, settings);
        plays_by_the_rules(&format!("{name}:{settings}"), &make);
        lines_are_games(&format!("{name}:{settings}"), &make);
    }
}

#[test]
fn small_lines_of_action() {
    all::<Loa<4>>();
    all::<Loa<5>>();
    all::<Loa<6>>();
}

#[test]
fn large_lines_of_action() {
    all::<Loa<7>>();
    all::<Loa<8>>();
}

#[test]
fn connect_four() {
    all::<ConnectFour>();
}

#[test]
fn draughts() {
    all::<Draughts>();
}

#[test]
fn centre_of_mass() {
    fn com<const N: usize>() {
        let make = || Box::new(Com) as Box<dyn Player<Loa<N>>>;
        plays_by_the_rules("com", &make);
        lines_are_games("com", &make);
    }
    com::<4>();
    com::<5>();
    com::<6>();
    com::<7>();
    com::<8>();
}

/// Limits from outside hold whatever the player's own settings are.
#[test]
fn budgets_are_kept() {
    let game = random_game(&Draughts::presets()[0], Seed::new(1), 4);
    let budget = Budget { nodes: Some(5_000), ..Budget::default() };
    for (name, settings) in [("mcts", "simulations=1000000"), ("ants", "forages=100000,depth=10")] {
        let mut player = player::<Draughts>(name, settings);
        let nodes = |budget: &Budget, player: &mut dyn Player<Draughts>| {
            player.choose(&game, budget, &mut Seed::new(1).stream()).expect("it does not resign").nodes
        };
        let used = nodes(&budget, player.as_mut());
        assert!((5_000..6_000).contains(&used), "{name} used {used}");
        // No time at all still makes a move.
        let used = nodes(&Budget { time: Some(Default::default()), ..Budget::default() }, player.as_mut());
        assert!(used < 1_000, "{name} used {used}");
    }
}
