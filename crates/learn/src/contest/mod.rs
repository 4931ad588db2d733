//! Contests: who meets whom within a generation, and who comes out on top.
//!
//! A contest is a function of its entrants, a seed and the rounds played so far. It keeps nothing itself.

mod fixed_agent;
mod groups;
mod halving;
mod match_rule;
mod pairing;
mod round_robin;
mod standing;

use lanista_core::Seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use match_rule::{Tie, first_wins, outcome};
pub use standing::Standing;

use crate::limits::check_games;
use crate::parts::MEETINGS;
use crate::round::{FirstMover, Meeting, Played, Rival};

/// How the individuals of a generation are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Contest {
    /// Groups of four play two semi-finals and a final; each group has one winner. A group has the same share of old
    /// individuals, mutants and crossover children as the whole, and its seats are drawn. (plogann.)
    FinalFour {
        /// Games a match, the openers alternating. (plogann: 2.)
        #[serde(default = "two")]
        games: u32,
        /// Who goes on when both won as often. (plogann: `faster-then-older`.)
        #[serde(default)]
        tie: Tie,
    },
    /// Groups of four, everybody against everybody; each group has one winner: most matches won, then the match between the
    /// two, then points, then the older one. (plogann, Appendix D: weighed and not done; it gives no rule for three that
    /// beat each other in a circle, so points decide there.) It tells in how many groups the knock-out would have had the
    /// same winner, as `as-knock-out`.
    RoundRobinOfFour {
        /// Games a match, the openers alternating. (plogann: 2.)
        #[serde(default = "two")]
        games: u32,
        /// Who wins a match when both won as often. (plogann: `faster-then-older`.)
        #[serde(default)]
        tie: Tie,
    },
    /// Everyone meets a random other one, several times over. With an odd number one of them plays once more a time: fitness
    /// is points a game, so nothing is gained by it. (box: random pairing. How many games is not said; 50 pairings of one game
    /// give everyone as many games as the fixed agent does.)
    RandomPairing {
        /// How often all are paired anew.
        #[serde(default = "fifty")]
        pairings: u32,
        /// Games a pairing.
        #[serde(default = "one")]
        games: u32,
        /// Who opens. (box: `random`.)
        #[serde(default)]
        first: FirstMover,
    },
    /// Everyone meets everyone. (box: round robin. Its 1.9 million games at most over 50 generations are what some 195
    /// individuals play with two games a pair.)
    RoundRobin {
        /// Games a pair.
        #[serde(default = "two")]
        games: u32,
        /// Who opens. (box: `random`.)
        #[serde(default)]
        first: FirstMover,
    },
    /// Everyone meets a fixed player of the experiment. (box: the random-agent tournament.)
    FixedAgent {
        /// Games each. (box: 50.)
        #[serde(default = "fifty")]
        games: u32,
        /// Who opens. (box: `random`.)
        #[serde(default)]
        first: FirstMover,
        /// The number of the player in the experiment.
        #[serde(default)]
        opponent: usize,
    },
    /// Duels between pairs drawn at random; the winners are half of the generation. With an odd number the last one drawn
    /// goes on without a duel. (allsop.)
    Halving {
        /// Games a duel, the openers alternating. (allsop: 100 games a generation, which is two for each of the 50 pairs of its
        /// population of 100.)
        #[serde(default = "two")]
        games: u32,
        /// Who wins when both won as often. (allsop says that there are no draws; two games can still be shared.)
        #[serde(default)]
        tie: Tie,
    },
}

// What the documents used, or what comes nearest to it.

fn one() -> u32 {
    1
}

fn two() -> u32 {
    2
}

fn fifty() -> u32 {
    50
}

/// Where an individual comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Origin {
    /// It took part in the last generation too, or began with the first.
    Old,
    /// A changed copy of one parent.
    Mutant,
    /// A mixture of two.
    Child,
}

/// What a contest knows about an individual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The generation that it first took part in. Of two individuals the one with the smaller number is the *older* one; among
    /// those of the same generation the one that was made first, which is the one with the smaller index.
    pub born: u32,
    /// Where it comes from.
    pub origin: Origin,
}

/// A round with its results.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedRound {
    /// Who met whom.
    pub meetings: Vec<Meeting>,
    /// Their games.
    pub results: Vec<Vec<Played>>,
}

impl Contest {
    /// The fixed player that it asks for, if it does.
    pub fn opponent(&self) -> Option<usize> {
        match self {
            Contest::FixedAgent { opponent, .. } => Some(*opponent),
            _ => None,
        }
    }

    /// The meetings of the next round, if there is one. Rival `i` is entrant `i`. `seed` is that of the generation.
    pub fn next_round(&self, entrants: &[Entrant], played: &[PlayedRound], seed: Seed) -> Option<Vec<Meeting>> {
        let seeds = seed.child(MEETINGS).child(played.len() as u64);
        match self {
            Contest::FinalFour { games, tie } => groups::final_four(entrants, played, *games, *tie, seed, seeds),
            _ if !played.is_empty() => None,
            Contest::RoundRobinOfFour { games, .. } => Some(groups::round_robin(entrants, *games, seed, seeds)),
            Contest::RandomPairing { pairings, games, first } => {
                Some(pairing::meetings(entrants.len(), *pairings, *games, *first, seed, seeds))
            }
            Contest::RoundRobin { games, first } => Some(round_robin::meetings(entrants.len(), *games, *first, seeds)),
            Contest::FixedAgent { games, first, opponent } => {
                Some(fixed_agent::meetings(entrants.len(), *opponent, *games, *first, seeds))
            }
            Contest::Halving { games, .. } => Some(halving::meetings(entrants, *games, seed, seeds)),
        }
    }

    /// How the entrants stand once all rounds are played. Meetings with others than entrants count for points only.
    pub fn standing(&self, entrants: &[Entrant], played: &[PlayedRound], seed: Seed) -> Standing {
        match self {
            Contest::FinalFour { tie, .. } => groups::final_four_standing(entrants, played, *tie, seed),
            Contest::RoundRobinOfFour { tie, .. } => groups::round_robin_standing(entrants, played, *tie, seed),
            Contest::Halving { tie, .. } => halving::standing(entrants, played, *tie, seed),
            _ => Standing::by_points(entrants, played, Vec::new()),
        }
    }

    /// Whether it names winners, and how many among so many.
    pub fn winners(&self, entrants: usize) -> Option<usize> {
        match self {
            Contest::FinalFour { .. } | Contest::RoundRobinOfFour { .. } => Some(entrants / 4),
            Contest::Halving { .. } => Some(entrants.div_ceil(2)),
            _ => None,
        }
    }

    /// Whether so many can take part. An error says what is wrong.
    pub fn check(&self, entrants: usize) -> Result<(), String> {
        let games = match self {
            Contest::FinalFour { games, .. } | Contest::RoundRobinOfFour { games, .. } => {
                if !entrants.is_multiple_of(4) {
                    return Err(format!("contest: {entrants} individuals do not form groups of four"));
                }
                *games
            }
            Contest::RandomPairing { pairings: 0, .. } => {
                return Err("contest: pairings = 0: expected 1 or more".into());
            }
            Contest::RandomPairing { games, .. }
            | Contest::RoundRobin { games, .. }
            | Contest::FixedAgent { games, .. }
            | Contest::Halving { games, .. } => *games,
        };
        if games == 0 {
            return Err("contest: games = 0: expected 1 or more".into());
        }
        if entrants < 2 && !matches!(self, Contest::FixedAgent { .. }) {
            return Err("contest: nobody plays itself, so there must be two individuals or more".into());
        }
        let rivals = match self {
            Contest::RandomPairing { pairings, .. } => u64::from(*pairings),
            Contest::RoundRobin { .. } => entrants as u64,
            _ => 1,
        };
        check_games("contest", [entrants as u64, rivals, u64::from(games)])
    }
}

/// A match between two entrants with the openers alternating. The older one is `a`.
fn match_of(entrants: &[Entrant], x: usize, y: usize, games: u32, seed: Seed) -> Meeting {
    let (a, b) = if is_older(entrants, x, y) { (x, y) } else { (y, x) };
    Meeting { a, b: Rival::Individual(b), games, first: FirstMover::Alternate, seed }
}

fn is_older(entrants: &[Entrant], x: usize, y: usize) -> bool {
    (entrants[x].born, x) < (entrants[y].born, y)
}
