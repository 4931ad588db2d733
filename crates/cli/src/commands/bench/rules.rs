//! The rules: trees counted and random games played.

use lanista_core::{Game, RandomGame, Seed, Side, mix64, perft};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;

use super::{Entry, Quantity};

/// Perft and random games of each game.
pub fn entries() -> Vec<Entry> {
    let nodes = Quantity::Rate("nodes/s");
    let games = Quantity::Rate("games/s");
    vec![
        Entry::new("perft/loa", nodes, || count_tree::<Loa<8>>(5)),
        Entry::new("perft/connect-four", nodes, || count_tree::<ConnectFour>(9)),
        Entry::new("perft/draughts", nodes, || count_tree::<Draughts>(10)),
        Entry::new("random-games/loa", games, || play_random::<Loa<8>>(20_000)),
        Entry::new("random-games/loa-openspiel", games, || play_random_by::<Loa<8>>("openspiel", 20_000)),
        Entry::new("random-games/connect-four", games, || play_random::<ConnectFour>(2_000_000)),
        Entry::new("random-games/draughts", games, || play_random::<Draughts>(60_000)),
    ]
}

/// Every position is played and checked for its end, the last ply included.
fn count_tree<G: Game>(depth: u32) -> (u64, u64) {
    let count = perft(&G::presets()[0].start, depth);
    (count.nodes, mix64(count.leaves) ^ count.finished)
}

/// Random games one after another, all from one stream.
pub fn play_random<G: Game>(games: u64) -> (u64, u64) {
    play_random_by::<G>("", games)
}

/// Random games under the preset of that name.
fn play_random_by<G: Game>(preset: &str, games: u64) -> (u64, u64) {
    let presets = G::presets();
    let rules = presets.iter().find(|rules| rules.name == preset).unwrap_or(&presets[0]);
    let mut game = RandomGame::new(rules);
    let mut stream = Seed::new(0).stream();
    let mut hash = 0;
    for _ in 0..games {
        let (ending, plies) = game.play(rules.start, &mut stream);
        hash = mix64(hash ^ u64::from(plies) << 2 ^ (2.0 * ending.outcome.points(Side::First)) as u64);
    }
    (games, hash)
}
