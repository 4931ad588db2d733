//! Groups of four: the knock-out of plogann, and the round robin that its Appendix D weighs.

use lanista_core::Seed;

use super::{Entrant, Origin, PlayedRound, Standing, Tie, first_wins, match_of};
use crate::parts::{COINS, DRAW};
use crate::round::{Meeting, Played, Rival};
use crate::shuffle::shuffle;

/// The six pairs of a group.
const PAIRS: [(usize, usize); 6] = [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)];

/// First the semi-finals of all groups, two a group, then the finals.
pub(super) fn final_four(
    entrants: &[Entrant],
    played: &[PlayedRound],
    games: u32,
    tie: Tie,
    seed: Seed,
    seeds: Seed,
) -> Option<Vec<Meeting>> {
    let groups = drawn(entrants, seed);
    let pairs: Vec<(usize, usize)> = match played {
        [] => groups.iter().flat_map(|group| [(group[0], group[1]), (group[2], group[3])]).collect(),
        [semi_finals] => {
            let won = winners(semi_finals, 2 * groups.len(), tie, seed.child(COINS).child(0));
            won.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
        }
        _ => return None,
    };
    let meeting =
        |(number, (x, y)): (usize, (usize, usize))| match_of(entrants, x, y, games, seeds.child(number as u64));
    Some(pairs.into_iter().enumerate().map(meeting).collect())
}

pub(super) fn final_four_standing(entrants: &[Entrant], played: &[PlayedRound], tie: Tie, seed: Seed) -> Standing {
    let groups = entrants.len() / 4;
    let mut won = vec![0; entrants.len()];
    let mut finals = Vec::new();
    for (number, (round, matches)) in played.iter().zip([2 * groups, groups]).enumerate() {
        finals = winners(round, matches, tie, seed.child(COINS).child(number as u64));
        finals.iter().for_each(|&winner| won[winner] += 1);
    }
    Standing { winners: finals, ..Standing::by_points(entrants, played, won) }
}

pub(super) fn round_robin(entrants: &[Entrant], games: u32, seed: Seed, seeds: Seed) -> Vec<Meeting> {
    let groups = drawn(entrants, seed);
    let pairs = groups.iter().flat_map(|group| PAIRS.map(|(x, y)| (group[x], group[y])));
    pairs.enumerate().map(|(number, (x, y))| match_of(entrants, x, y, games, seeds.child(number as u64))).collect()
}

pub(super) fn round_robin_standing(entrants: &[Entrant], played: &[PlayedRound], tie: Tie, seed: Seed) -> Standing {
    let groups = drawn(entrants, seed);
    let mut won = vec![0; entrants.len()];
    let match_winners = match played.first() {
        Some(round) => winners(round, PAIRS.len() * groups.len(), tie, seed.child(COINS).child(0)),
        None => Vec::new(),
    };
    match_winners.iter().for_each(|&winner| won[winner] += 1);
    let table = Standing::by_points(entrants, played, won.clone());
    let (mut best, mut same) = (Vec::with_capacity(groups.len()), 0);
    for (group, results) in groups.iter().zip(match_winners.chunks_exact(PAIRS.len())) {
        let met = |x: usize, y: usize| {
            let between = |&(a, b): &(usize, usize)| [(x, y), (y, x)].contains(&(group[a], group[b]));
            PAIRS.iter().position(between).map(|pair| results[pair])
        };
        let most = group.iter().map(|&who| won[who]).max().unwrap_or(0);
        let level: Vec<usize> = group.iter().copied().filter(|&who| won[who] == most).collect();
        // One alone, or a circle of three: the order of the table has points first, then age.
        let first = || table.order.iter().copied().find(|who| level.contains(who)).unwrap_or(group[0]);
        let winner = if let [x, y] = level[..] { met(x, y) } else { None }.unwrap_or_else(first);
        // The first two pairs are the semi-finals of the knock-out.
        same += usize::from(met(results[0], results[1]) == Some(winner));
        best.push(winner);
    }
    let as_knock_out = (!best.is_empty()).then(|| same as f64 / best.len() as f64);
    Standing { winners: best, as_knock_out, ..table }
}

/// Who won each match. Meetings behind the matches are games with past champions.
fn winners(round: &PlayedRound, matches: usize, tie: Tie, coins: Seed) -> Vec<usize> {
    let winner = |(number, (meeting, games)): (usize, (&Meeting, &Vec<Played>))| match meeting.b {
        Rival::Individual(b) if !first_wins(games, tie, coins.child(number as u64)) => b,
        _ => meeting.a,
    };
    round.meetings.iter().zip(&round.results).take(matches).enumerate().map(winner).collect()
}

/// Draws groups with the same share of old individuals, mutants and children in each: everyone is dealt out like cards, one
/// origin after the other. Then the seats of every group are drawn.
fn drawn(entrants: &[Entrant], seed: Seed) -> Vec<[usize; 4]> {
    let mut stream = seed.child(DRAW).stream();
    let mut dealt = Vec::with_capacity(entrants.len());
    for origin in [Origin::Old, Origin::Mutant, Origin::Child] {
        let mut of_origin: Vec<usize> = (0..entrants.len()).filter(|&who| entrants[who].origin == origin).collect();
        shuffle(&mut of_origin, &mut stream);
        dealt.append(&mut of_origin);
    }
    let groups = dealt.len() / 4;
    let group = |number: usize| {
        let mut seats = [0, 1, 2, 3].map(|card| dealt[number + card * groups]);
        shuffle(&mut seats, &mut stream);
        seats
    };
    (0..groups).map(group).collect()
}
