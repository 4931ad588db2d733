//! The one-move game: whoever has more of something wins. No board, no search, results at once.

use lanista_core::{Seed, mix64};

use crate::{Breeder, Generation, Genome, Meeting, Played, Points, Rival, Round};

/// The strength of individuals and of opponents in a toy.
pub type Strength<'a> = &'a dyn Fn(&Genome) -> f64;

/// The strength of opponent 0.
pub const OPPONENT: f64 = 0.5;

/// The first weight.
pub fn first_weight(genome: &Genome) -> f64 {
    match genome {
        Genome::Weights(weights) => f64::from(weights[0]),
        Genome::Graph(graph) => f64::from(graph.connections[0].weight),
    }
}

/// Plays a meeting: more strength wins, the same strength draws. Lengths hang on the seed.
pub fn play_meeting(round: &Round, meeting: &Meeting, strength: Strength<'_>) -> Vec<Played> {
    let a = strength(&round.genomes[meeting.a]);
    let b = match meeting.b {
        Rival::Individual(b) => strength(&round.genomes[b]),
        Rival::Opponent(_) => OPPONENT,
    };
    let result = match a.total_cmp(&b) {
        std::cmp::Ordering::Greater => Points::Win,
        std::cmp::Ordering::Equal => Points::Draw,
        std::cmp::Ordering::Less => Points::Loss,
    };
    let plies = |game: u32| 10 + meeting.seed.child(u64::from(game)).stream().below(50);
    (0..meeting.games).map(|game| Played { result, plies: plies(game) }).collect()
}

/// A game that the stronger one wins more often, with much luck. Strengths lie between −1 and 1.
pub fn play_with_luck(round: &Round, meeting: &Meeting, strength: Strength<'_>) -> Vec<Played> {
    let a = strength(&round.genomes[meeting.a]);
    let b = match meeting.b {
        Rival::Individual(b) => strength(&round.genomes[b]),
        Rival::Opponent(_) => OPPONENT,
    };
    let game = |game: u32| {
        let mut stream = meeting.seed.child(u64::from(game)).stream();
        let wins = stream.unit() < 0.5 + (a - b).clamp(-1.0, 1.0) / 2.0;
        Played { result: if wins { Points::Win } else { Points::Loss }, plies: 10 + stream.below(50) }
    };
    (0..meeting.games).map(game).collect()
}

/// Plays a whole round.
pub fn play_round(round: &Round, strength: Strength<'_>) -> Vec<Vec<Played>> {
    round.meetings.iter().map(|meeting| play_with_luck(round, meeting, strength)).collect()
}

/// Drives a learner to its end, or for some generations, without luck.
pub fn run(breeder: &mut dyn Breeder, strength: Strength<'_>, generations: usize) -> Vec<Generation> {
    let mut reports = Vec::new();
    while reports.len() < generations {
        let Some(round) = breeder.ask() else { break };
        let results: Vec<Vec<Played>> =
            round.meetings.iter().map(|meeting| play_meeting(&round, meeting, strength)).collect();
        reports.extend(breeder.tell(&results));
    }
    reports
}

/// A hash of everything in a round.
pub fn fingerprint(round: &Round) -> u64 {
    let mut hash = 1;
    let mut add = |value: u64| hash = mix64(hash ^ value);
    for genome in &round.genomes {
        match genome {
            Genome::Weights(weights) => weights.iter().for_each(|weight| add(u64::from(weight.to_bits()))),
            Genome::Graph(graph) => {
                graph.nodes.iter().for_each(|node| add(u64::from(node.id)));
                for one in &graph.connections {
                    add(u64::from(one.weight.to_bits()) << 32
                        | u64::from(one.innovation) << 1
                        | u64::from(one.enabled));
                }
            }
        }
    }
    for meeting in &round.meetings {
        let b = match meeting.b {
            Rival::Individual(b) => b as u64,
            Rival::Opponent(b) => 1 << 40 | b as u64,
        };
        add((meeting.a as u64) << 48 ^ b ^ u64::from(meeting.games) << 41);
        add(meeting.seed.stream().bits());
    }
    hash
}

/// The seed of most tests.
pub fn seed() -> Seed {
    Seed::new(2026)
}
