//! Selection: who lives on, and whose children fill the generation.

use lanista_core::RandomStream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::contest::Standing;

/// How individuals are chosen after a contest. How many is up to the scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Selection {
    /// The winners of groups or duels. (plogann, allsop.)
    Winners {},
    /// The best. (box.)
    Truncation {},
    /// By a roulette wheel on which everyone has a part as large as its fitness. Nobody is chosen twice, since those who are
    /// not chosen are replaced. (box.)
    FitnessProportionate {},
    /// Again and again a few are drawn from those not yet chosen, and the best of them is.
    Tournament {
        /// How many are drawn.
        size: u32,
    },
}

impl Selection {
    /// Whether it can choose among so many. An error says what is wrong.
    pub fn check(&self, individuals: usize) -> Result<(), String> {
        match *self {
            Selection::Tournament { size } if size == 0 || size as usize > individuals => {
                Err(format!("selection: size = {size}: expected 1 to {individuals}, as many as there are"))
            }
            _ => Ok(()),
        }
    }

    /// Chooses `count` different individuals, the `elite` best ones first.
    pub fn choose(&self, standing: &Standing, count: usize, elite: usize, stream: &mut RandomStream) -> Vec<usize> {
        let mut chosen: Vec<usize> = standing.order.iter().copied().take(elite.min(count)).collect();
        if let Selection::Winners {} = self {
            // In the order of groups; where an elite has taken places the last ones go without.
            let elite = chosen.clone();
            let others = standing.winners.iter().copied().filter(|winner| !elite.contains(winner));
            chosen.extend(others.take(count - elite.len()));
        }
        // In the order of the table, and so `left[0]` is the best.
        let mut is_left = vec![true; standing.fitness.len()];
        chosen.iter().for_each(|&who| is_left[who] = false);
        let mut left: Vec<usize> = standing.order.iter().copied().filter(|&who| is_left[who]).collect();
        while chosen.len() < count && !left.is_empty() {
            let next = match self {
                // Winners that are also the elite leave places to the next best.
                Selection::Winners {} | Selection::Truncation {} => 0,
                Selection::FitnessProportionate {} => roulette(&left, &standing.fitness, stream),
                Selection::Tournament { size } => {
                    (0..(*size).max(1)).map(|_| stream.below(left.len() as u32)).min().unwrap_or(0) as usize
                }
            };
            chosen.push(left.remove(next));
        }
        chosen
    }
}

/// A place in `who`, likely in proportion to fitness; all equally likely if nobody has any.
pub(super) fn roulette(who: &[usize], fitness: &[f64], stream: &mut RandomStream) -> usize {
    let total: f64 = who.iter().map(|&who| fitness[who].max(0.0)).sum();
    if total <= 0.0 {
        return stream.below(who.len() as u32) as usize;
    }
    let mut rest = stream.unit() * total;
    let mut last = 0;
    for (place, &who) in who.iter().enumerate() {
        let part = fitness[who].max(0.0);
        if part > 0.0 {
            if rest < part {
                return place;
            }
            last = place;
        }
        rest -= part;
    }
    // Rounding can leave a crumb behind the last part.
    last
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    fn standing() -> Standing {
        Standing { order: vec![2, 0, 3, 1], fitness: vec![0.3, 0.0, 0.6, 0.1], winners: vec![0, 3], as_knock_out: None }
    }

    fn counts(selection: &Selection, count: usize, elite: usize) -> [u32; 4] {
        let mut counts = [0; 4];
        for seed in 0..10_000 {
            let chosen = selection.choose(&standing(), count, elite, &mut Seed::new(seed).stream());
            assert_eq!(chosen.len(), count);
            let different: std::collections::HashSet<&usize> = chosen.iter().collect();
            assert_eq!(different.len(), count, "nobody twice");
            chosen.iter().for_each(|&who| counts[who] += 1);
        }
        counts
    }

    #[test]
    fn winners_and_truncation() {
        assert_eq!(counts(&Selection::Winners {}, 2, 0), [10_000, 0, 0, 10_000]);
        assert_eq!(counts(&Selection::Truncation {}, 2, 0), [10_000, 0, 10_000, 0]);
        assert_eq!(counts(&Selection::Winners {}, 2, 1), [10_000, 0, 10_000, 0], "the elite takes a place");
    }

    #[test]
    fn fitness_proportionate() {
        let one = counts(&Selection::FitnessProportionate {}, 1, 0);
        assert_eq!(one[1], 0);
        assert!((2_720..3_280).contains(&one[0]) && (5_700..6_300).contains(&one[2]) && (800..1_200).contains(&one[3]));
        // Two of three with fitness; the one without follows only when all others are chosen.
        assert_eq!(counts(&Selection::FitnessProportionate {}, 3, 0), [10_000, 0, 10_000, 10_000]);
        assert_eq!(counts(&Selection::FitnessProportionate {}, 4, 0), [10_000; 4]);
        assert_eq!(counts(&Selection::FitnessProportionate {}, 2, 1)[2], 10_000, "the elite is safe");
    }

    #[test]
    fn tournament() {
        let two = counts(&Selection::Tournament { size: 2 }, 1, 0);
        // The best of two draws with replacement: 7/16, 5/16, 3/16, 1/16 in the order of the table.
        for (who, share) in [(2, 7.0), (0, 5.0), (3, 3.0), (1, 1.0)] {
            assert!((f64::from(two[who]) - share * 625.0).abs() < 320.0, "{two:?}");
        }
    }
}
