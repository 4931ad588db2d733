//! The stochastic player of pLoGANN, also called the random heuristic: a real search, in which wins are best, losses
//! worst and everything else has a random value. It shows what searching is worth without knowing anything.

use std::sync::Arc;

use lanista_core::{Budget, Decision, Observer, Player, Position, RandomStream, Referee};

use crate::evaluators::HashRandom;
use crate::parameters::{Depth, Kind, Parameter, PlayerInfo, Settings};
use crate::path::Allowance;
use crate::plain::{Limits, Order, search};

/// The stochastic player.
pub const STOCHASTIC: PlayerInfo = PlayerInfo {
    name: "stochastic",
    about: "alpha-beta over random values: sees wins and losses within its depth and nothing else (pLoGANN)",
    parameters: &[Parameter {
        name: "depth",
        kind: Kind::Whole { least: 1, most: 60 },
        default: "3",
        about: "plies to look ahead; the thesis: 3",
    }],
};

/// Searches over random values.
pub struct Stochastic<M> {
    depth: Depth,
    observer: Option<Arc<dyn Observer<M>>>,
}

impl<M> Stochastic<M> {
    /// The player with these settings.
    pub fn new(settings: &Settings) -> Stochastic<M> {
        Stochastic { depth: settings.depth(), observer: None }
    }
}

impl<P: Position> Player<P> for Stochastic<P::Move> {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let depth = self.depth.within(budget);
        let limits = Limits { depth, allowance: Allowance::new(budget), observer: self.observer.as_deref() };
        // Each decision draws new values; within one a position has one value, however it is reached.
        let mut values = HashRandom { seed: random.bits() };
        let mut decision = search(game, Some(Order::Natural), limits, &mut values, random);
        // A random number is no opinion.
        decision.score = decision.score.filter(|score| score.plies_to_end().is_some());
        Some(decision)
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        self.observer = Some(observer);
    }
}
