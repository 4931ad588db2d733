//! What learners ask for: rounds of meetings between genomes, and what they are told about them.

use lanista_core::{Seed, mix64};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::neat::GraphGenome;

/// What is bred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Genome {
    /// The weights of a network of fixed shape, or of any evaluator that is a list of numbers.
    Weights(Vec<f32>),
    /// A network that carries its own shape.
    Graph(GraphGenome),
}

impl Genome {
    /// A hash of all that it is.
    pub fn hash(&self) -> u64 {
        let add = |hash: u64, number: u64| mix64(hash ^ number);
        match self {
            Genome::Weights(weights) => weights.iter().fold(1, |hash, weight| add(hash, u64::from(weight.to_bits()))),
            Genome::Graph(graph) => graph.connections.iter().fold(2, |hash, connection| {
                let hash = add(hash, u64::from(connection.innovation) << 1 | u64::from(connection.enabled));
                add(hash, u64::from(connection.weight.to_bits()))
            }),
        }
    }
}

/// Who plays against an individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rival {
    /// Another genome of the round, by its index in [`Round::genomes`].
    Individual(usize),
    /// A fixed player of the experiment, by its number there.
    Opponent(usize),
}

/// Who moves first in the games of a meeting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FirstMover {
    /// `a` opens the games with even numbers. (plogann: two games, colours swapped.)
    Alternate,
    /// A coin decides for every game. (box.)
    #[default]
    Random,
}

impl FirstMover {
    /// Whether the individual makes the first move of this game of a meeting.
    pub fn opens(self, seed: Seed, game: u32) -> bool {
        // No game has this child: games are numbered with 32 bits.
        const COINS: u64 = u64::MAX;
        match self {
            FirstMover::Alternate => game.is_multiple_of(2),
            FirstMover::Random => seed.child(COINS).child(u64::from(game)).stream().below(2) == 0,
        }
    }
}

/// Games between an individual and a rival.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The individual whose results are told, by its index in [`Round::genomes`].
    pub a: usize,
    /// Its rival.
    pub b: Rival,
    /// How many games.
    pub games: u32,
    /// Who opens them.
    pub first: FirstMover,
    /// The root of their randomness. Game `n` has its child `n`.
    pub seed: Seed,
}

impl Meeting {
    /// Whether `a` makes the first move of this game.
    pub fn a_opens(&self, game: u32) -> bool {
        self.first.opens(self.seed, game)
    }
}

/// Work that can be done at once: no meeting of a round waits for another.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Everyone who takes part.
    pub genomes: Vec<Genome>,
    /// Who plays whom.
    pub meetings: Vec<Meeting>,
}

/// How a game ended for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Points {
    /// It won: 1 point.
    Win,
    /// Nobody won: half a point.
    Draw,
    /// It lost: nothing.
    Loss,
}

impl Points {
    /// 1, ½ or 0. (box.)
    pub fn value(self) -> f64 {
        match self {
            Points::Win => 1.0,
            Points::Draw => 0.5,
            Points::Loss => 0.0,
        }
    }

    /// The same game as the other side saw it.
    pub fn reversed(self) -> Points {
        match self {
            Points::Win => Points::Loss,
            Points::Draw => Points::Draw,
            Points::Loss => Points::Win,
        }
    }
}

/// One game of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Played {
    /// The result for [`Meeting::a`].
    pub result: Points,
    /// How many plies it took.
    pub plies: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers() {
        let mut meeting =
            Meeting { a: 0, b: Rival::Opponent(0), games: 4, first: FirstMover::Alternate, seed: Seed::new(1) };
        assert_eq!([0, 1, 2, 3].map(|game| meeting.a_opens(game)), [true, false, true, false]);
        meeting.first = FirstMover::Random;
        let heads = (0..10_000).filter(|&game| meeting.a_opens(game)).count();
        assert!((4_700..5_300).contains(&heads), "six standard deviations around a half: {heads}");
    }
}
