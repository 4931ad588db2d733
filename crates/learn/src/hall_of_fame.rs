//! The hall of fame: the best of past generations stay as opponents, so that what was once learnt is not forgotten (plogann
//! names the persistence of good individuals as an open wish).

use lanista_core::Seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::check_games;
use crate::parts::HALL;
use crate::round::{FirstMover, Genome, Meeting, Rival};

/// Past champions that everyone also plays against. Their games count for fitness like all others; where a contest names its
/// winners itself (groups, duels) they only refine the ranks below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct HallOfFame {
    /// How many there are at most; the oldest leaves.
    pub size: u32,
    /// The best of every so many generations joins.
    pub every: u32,
    /// Games of each individual, each against a member drawn at random.
    pub games: u32,
}

impl HallOfFame {
    /// The games with members, who follow `contestants` individuals in the round. A coin decides who opens.
    pub(crate) fn meetings(&self, contestants: usize, members: usize, seed: Seed) -> Vec<Meeting> {
        if members == 0 {
            return Vec::new();
        }
        let mut meetings = Vec::with_capacity(contestants * self.games as usize);
        for a in 0..contestants {
            let own = seed.child(HALL).child(a as u64);
            let mut stream = own.stream();
            for game in 0..self.games {
                let b = Rival::Individual(contestants + stream.below(members as u32) as usize);
                let seed = own.child(u64::from(game));
                meetings.push(Meeting { a, b, games: 1, first: FirstMover::Random, seed });
            }
        }
        meetings
    }

    /// Lets the best of a generation in, when it is time.
    pub(crate) fn welcome(&self, members: &mut Vec<Genome>, generation: u32, best: &Genome) {
        if (generation + 1).is_multiple_of(self.every.max(1)) {
            members.push(best.clone());
            if members.len() > self.size as usize {
                members.remove(0);
            }
        }
    }

    /// An error says what is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        if self.size == 0 || self.every == 0 || self.games == 0 {
            return Err("hall-of-fame: size, every and games must be 1 or more".into());
        }
        check_games("hall-of-fame", [1, u64::from(self.size), u64::from(self.games)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_leaves_and_all_members_play() {
        let hall = HallOfFame { size: 2, every: 3, games: 5 };
        let mut members = Vec::new();
        for generation in 0..12 {
            hall.welcome(&mut members, generation, &Genome::Weights(vec![generation as f32]));
        }
        assert_eq!(members, [Genome::Weights(vec![8.0]), Genome::Weights(vec![11.0])]);
        assert!(hall.meetings(10, 0, Seed::new(1)).is_empty());
        let meetings = hall.meetings(10, 2, Seed::new(1));
        assert_eq!(meetings.len(), 50);
        for member in [10, 11] {
            assert!(meetings.iter().any(|meeting| meeting.b == Rival::Individual(member)));
        }
        assert!((0..10).all(|a| meetings.iter().filter(|meeting| meeting.a == a).count() == 5));
    }
}
