//! Games under way, for the tests of all players.

use lanista_core::{Game, Referee, Rules, Seed};

/// A game under way after some random plies, not finished.
pub fn random_game<G: Game>(rules: &Rules<G>, seed: Seed, plies: u32) -> Referee<G> {
    let mut random = seed.stream();
    loop {
        let mut game = Referee::new(rules);
        game.play_random(plies, &mut random);
        if game.ending().is_none() {
            return game;
        }
    }
}
