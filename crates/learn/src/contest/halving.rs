//! Duels that halve a generation (allsop).

use lanista_core::Seed;

use super::{Entrant, PlayedRound, Standing, Tie, first_wins, match_of};
use crate::parts::{COINS, DRAW};
use crate::round::{Meeting, Rival};
use crate::shuffle::shuffle;

pub(super) fn meetings(entrants: &[Entrant], games: u32, seed: Seed, seeds: Seed) -> Vec<Meeting> {
    let order = drawn(entrants.len(), seed);
    let duel =
        |(number, pair): (usize, &[usize])| match_of(entrants, pair[0], pair[1], games, seeds.child(number as u64));
    order.chunks_exact(2).enumerate().map(duel).collect()
}

pub(super) fn standing(entrants: &[Entrant], played: &[PlayedRound], tie: Tie, seed: Seed) -> Standing {
    let order = drawn(entrants.len(), seed);
    let mut winners: Vec<usize> = Vec::with_capacity(entrants.len().div_ceil(2));
    if let Some(round) = played.first() {
        // Games with past champions follow the duels and are none.
        for (number, (meeting, games)) in round.meetings.iter().zip(&round.results).take(order.len() / 2).enumerate() {
            let Rival::Individual(b) = meeting.b else { continue };
            let coin = seed.child(COINS).child(number as u64);
            winners.push(if first_wins(games, tie, coin) { meeting.a } else { b });
        }
    }
    winners.extend(order.chunks_exact(2).remainder());
    let mut won = vec![0; entrants.len()];
    winners.iter().for_each(|&winner| won[winner] = 1);
    Standing { winners, ..Standing::by_points(entrants, played, won) }
}

fn drawn(entrants: usize, seed: Seed) -> Vec<usize> {
    let mut order: Vec<usize> = (0..entrants).collect();
    shuffle(&mut order, &mut seed.child(DRAW).stream());
    order
}
