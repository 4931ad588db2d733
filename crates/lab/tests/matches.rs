//! Matches: the same result on any number of threads, and the arithmetic of swapped colours.

use lanista_core::Seed;
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_lab::matches::{Match, MatchResult, Openings};
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::RegisteredGame;

fn play<G: RegisteredGame>(players: [&str; 2], pairs: u64, threads: usize) -> MatchResult {
    let rules = &G::presets()[0];
    let players = players.map(|text| PlayerSpec::parse(text).expect("a good player"));
    let game =
        Match { rules, players: [&players[0], &players[1]], openings: &Openings::Random(4), pairs, seed: Seed::new(3) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
    pool.install(|| game.play(&|_| {})).expect("the players can be built")
}

#[test]
fn threads_do_not_change_a_match() {
    let one = play::<Draughts>(["pvs:depth=3", "random"], 8, 1);
    assert_eq!(one, play::<Draughts>(["pvs:depth=3", "random"], 8, 3));
    assert_eq!(one.pairs.pairs(), 8);
    assert_eq!(one.games.wins + one.games.draws + one.games.losses, 16);
    assert!(one.pairs.elo().value > 200.0, "three plies beat chance: {one:?}");
}

#[test]
fn a_player_against_itself_is_even_and_changing_seats_mirrors_the_result() {
    // Deterministic players repeat the first game of a pair with the seats changed: each pair is even.
    let even = play::<ConnectFour>(["pvs:depth=4", "pvs:depth=4"], 20, 2);
    assert_eq!(even.pairs.0, [0, 0, 20, 0, 0]);
    assert_eq!(even.distinct, (20, 40));
    let there = play::<ConnectFour>(["pvs:depth=5", "pvs:depth=2"], 20, 2);
    let back = play::<ConnectFour>(["pvs:depth=2", "pvs:depth=5"], 20, 2);
    assert_eq!((there.games.wins, there.games.losses), (back.games.losses, back.games.wins));
    let mut mirrored = back.pairs.0;
    mirrored.reverse();
    assert_eq!(there.pairs.0, mirrored);
}
