//! The player that every other one must beat.

use lanista_core::{Budget, Decision, MoveList, Player, Position, RandomStream, Referee};

use crate::parameters::PlayerInfo;

/// The random player.
pub const RANDOM: PlayerInfo =
    PlayerInfo { name: "random", about: "any legal move, all equally likely", parameters: &[] };

/// Plays any legal move, all equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomPlayer;

impl<P: Position> Player<P> for RandomPlayer {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(&mut self, game: &Referee<P>, _budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        Some(Decision::blind(game.position().random_move(random, &mut MoveList::new())))
    }
}
