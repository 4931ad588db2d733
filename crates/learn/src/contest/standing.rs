//! The table of a contest.

use super::{Entrant, PlayedRound};
use crate::round::Rival;

/// How the entrants of a contest stand.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Indices of the entrants, best first.
    pub order: Vec<usize>,
    /// Points a game of each entrant; ½ without games, which says nothing either way.
    pub fitness: Vec<f64>,
    /// Who won a group or a duel, in the order of groups; empty where nobody did.
    pub winners: Vec<usize>,
    /// Where all met all in groups of four: the share of groups in which the winner of the same matches as a knock-out would be the
    /// same. (plogann, Appendix D.)
    pub as_knock_out: Option<f64>,
}

impl Standing {
    /// Ranks by matches won (if given), then by points a game, then by age.
    pub(super) fn by_points(entrants: &[Entrant], played: &[PlayedRound], matches_won: Vec<u32>) -> Standing {
        let mut points = vec![(0.0, 0u32); entrants.len()];
        for (meeting, games) in played.iter().flat_map(|round| round.meetings.iter().zip(&round.results)) {
            for game in games {
                let mut add = |who: usize, value: f64| {
                    // Past champions take part in meetings and have no place in the table.
                    if let Some((sum, count)) = points.get_mut(who) {
                        *sum += value;
                        *count += 1;
                    }
                };
                add(meeting.a, game.result.value());
                if let Rival::Individual(b) = meeting.b {
                    add(b, game.result.reversed().value());
                }
            }
        }
        let fitness: Vec<f64> =
            points.iter().map(|&(sum, count)| if count == 0 { 0.5 } else { sum / f64::from(count) }).collect();
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        let won = |who: usize| matches_won.get(who).copied().unwrap_or(0);
        order.sort_by(|&x, &y| {
            let by_fitness = fitness[y].total_cmp(&fitness[x]);
            won(y).cmp(&won(x)).then(by_fitness).then((entrants[x].born, x).cmp(&(entrants[y].born, y)))
        });
        Standing { order, fitness, winners: Vec::new(), as_knock_out: None }
    }
}
