//! Who meets whom, and who goes on.

use std::collections::{HashMap, HashSet};

use super::toy::{first_weight, play_meeting, play_round, run, seed};
use crate::contest::{Contest, Entrant, Origin, PlayedRound, Standing, Tie};
use crate::evolve::{Initial, Selection, presets};
use crate::{Breeder, FirstMover, Generation, Genome, HallOfFame, Lineage, Meeting, Played, Points, Rival, Round};

fn entrants(count: usize) -> Vec<Entrant> {
    vec![Entrant { born: 0, origin: Origin::Old }; count]
}

fn pair(meeting: &Meeting) -> (usize, usize) {
    match meeting.b {
        Rival::Individual(b) => (meeting.a, b),
        Rival::Opponent(_) => panic!("expected an individual"),
    }
}

fn games(meetings: &[Meeting]) -> u32 {
    meetings.iter().map(|meeting| meeting.games).sum()
}

/// Plays a contest of individuals whose strength is their index, the last one being the best, and whose matches are as `rule` says.
fn contest(
    contest: &Contest,
    entrants: &[Entrant],
    rule: impl Fn(usize, usize) -> [Played; 2],
) -> (Vec<u32>, Standing) {
    let mut played = Vec::new();
    let mut counts = Vec::new();
    while let Some(meetings) = contest.next_round(entrants, &played, seed()) {
        counts.push(games(&meetings));
        let results = meetings.iter().map(|meeting| rule(pair(meeting).0, pair(meeting).1).to_vec()).collect();
        played.push(PlayedRound { meetings, results });
    }
    (counts, contest.standing(entrants, &played, seed()))
}

fn stronger_index_wins(a: usize, b: usize) -> [Played; 2] {
    [Played { result: if a > b { Points::Win } else { Points::Loss }, plies: 20 }; 2]
}

fn all_drawn(_: usize, _: usize) -> [Played; 2] {
    [Played { result: Points::Draw, plies: 100 }; 2]
}

#[test]
fn plogann_counts() {
    let evolution = presets::preset("plogann").unwrap();
    let mut breeder = evolution.begin(2_041, None, seed()).unwrap();
    let semi_finals = breeder.ask().unwrap();
    assert!(breeder.ask().is_none(), "finals wait for semi-finals");
    assert_eq!((semi_finals.genomes.len(), semi_finals.meetings.len()), (248, 124));
    let all = |genome: &Genome| matches!(genome, Genome::Weights(weights) if weights.len() == 2_041);
    assert!(semi_finals.genomes.iter().all(all));
    let seen: HashSet<usize> =
        semi_finals.meetings.iter().flat_map(|meeting| <[usize; 2]>::from(pair(meeting))).collect();
    assert_eq!(seen.len(), 248, "everyone plays once");
    for group in semi_finals.meetings.chunks_exact(2) {
        let mut kinds: Vec<usize> =
            group.iter().flat_map(|meeting| <[usize; 2]>::from(pair(meeting))).map(|who| who / 62).collect();
        kinds.sort_unstable();
        // Indices: 62 old ones, 124 mutants, 62 children.
        assert!(
            kinds[0] == 0 && kinds[3] == 3 && [1, 2].contains(&kinds[1]) && [1, 2].contains(&kinds[2]),
            "{kinds:?}"
        );
    }
    assert!(breeder.tell(&play_round(&semi_finals, &first_weight)).is_none());
    let finals = breeder.ask().unwrap();
    assert_eq!(finals.meetings.len(), 62);
    assert_eq!(games(&semi_finals.meetings) + games(&finals.meetings), 62 * 6);
    let report = breeder.tell(&play_round(&finals, &first_weight)).unwrap();
    assert_eq!((report.number, report.games, report.population.len()), (0, 372, 248));
    assert_eq!(report.population.iter().filter(|ranked| ranked.lives_on).count(), 62);
    assert!(report.population[..62].iter().all(|ranked| ranked.lives_on), "winners are the first in the table");
    assert_eq!(breeder.lineage().state().len(), 62);
}

/// The mutants of plogann differ from a parent in 15 % of their weights, the children have two parents and one cut.
#[test]
fn plogann_offspring() {
    let evolution = presets::preset("plogann").unwrap();
    let mut breeder = evolution.begin(2_041, None, seed()).unwrap();
    let round = breeder.ask().unwrap();
    let weights: Vec<&Vec<f32>> = round
        .genomes
        .iter()
        .map(|genome| match genome {
            Genome::Weights(weights) => weights,
            Genome::Graph(_) => panic!("expected weights"),
        })
        .collect();
    let mut changed = 0;
    for mutant in 62..186 {
        let parent = weights[mutant % 62];
        let differs = weights[mutant].iter().zip(parent).filter(|(x, y)| x != y).count();
        assert!((200..420).contains(&differs), "{differs} of 306");
        changed += differs;
    }
    let mean = changed as f64 / 124.0;
    assert!((300.0..313.0).contains(&mean), "306 on average: {mean}");
    for child in 186..248 {
        let parent = weights[child - 186];
        let kept = weights[child].iter().zip(parent).take_while(|(x, y)| x == y).count();
        assert!((1..2_041).contains(&kept));
        let mate = (0..62).filter(|&mate| weights[mate][kept..] == weights[child][kept..]).count();
        assert_eq!(mate, 1, "the rest comes from one other parent");
    }
}

#[test]
fn final_four_by_hand() {
    let final_four = Contest::FinalFour { games: 2, tie: Tie::FasterThenOlder };
    let (counts, standing) = contest(&final_four, &entrants(8), stronger_index_wins);
    assert_eq!(counts, [8, 4]);
    assert!(standing.winners.contains(&7) && standing.winners.len() == 2);
    let best_of_groups: HashSet<usize> = standing.winners.iter().copied().collect();
    assert_eq!(standing.order[..2].iter().copied().collect::<HashSet<_>>(), best_of_groups);
    // Everything drawn: the oldest of each group wins. Born later counts more than a smaller index.
    let mut aged = entrants(4);
    aged[0].born = 5;
    aged[1].born = 3;
    aged[2].born = 1;
    aged[3].born = 1;
    let (_, standing) = contest(&final_four, &aged, all_drawn);
    assert_eq!(standing.winners, [2], "the same generation: the one that was made first");
}

#[test]
fn round_robin_of_four_by_hand() {
    let of_four = Contest::RoundRobinOfFour { games: 2, tie: Tie::FasterThenOlder };
    let (counts, standing) = contest(&of_four, &entrants(8), stronger_index_wins);
    assert_eq!(counts, [2 * 6 * 2], "two groups, six matches of two games");
    assert!(standing.winners.contains(&7));
    // 0 and 1 win two matches each, and 1 beat 0: the match between the two decides.
    let wins = |pairs: &'static [(usize, usize)]| {
        move |a: usize, b: usize| {
            let result = if pairs.contains(&(a, b)) { Points::Win } else { Points::Loss };
            [Played { result, plies: 20 }; 2]
        }
    };
    let (_, standing) = contest(&of_four, &entrants(4), wins(&[(0, 2), (0, 3), (1, 2), (2, 3)]));
    // The meetings have the older one first; pairs that are missing are won by the younger one: 1 beats 0, 3 beats 1.
    assert_eq!(standing.winners, [1]);
    // 0 beats 1, 1 beats 2, 2 beats 0, all beat 3: a circle of three with equal points, so the oldest.
    let (_, standing) = contest(&of_four, &entrants(4), wins(&[(0, 1), (1, 2), (0, 3), (1, 3), (2, 3)]));
    assert_eq!(standing.winners, [0]);
    // Appendix D: with matches decided by a coin, the winner of the knock-out wins three times out of four. It is the same
    // draw of seats, so the two can be compared group by group.
    let (mut same, mut groups) = (0, 0);
    for toss in 0..200u64 {
        let coin = |a: usize, b: usize| {
            let heads = lanista_core::Seed::new(toss).child((a.min(b) * 1000 + a.max(b)) as u64).stream().below(2) == 0;
            [Played { result: if heads == (a < b) { Points::Win } else { Points::Loss }, plies: 20 }; 2]
        };
        let knock_out = Contest::FinalFour { games: 2, tie: Tie::FasterThenOlder };
        let [knocked_out, all] = [knock_out, of_four.clone()].map(|kind| contest(&kind, &entrants(40), coin).1);
        let alike = knocked_out.winners.iter().zip(&all.winners).filter(|(x, y)| x == y).count();
        assert_eq!(all.as_knock_out, Some(alike as f64 / all.winners.len() as f64));
        same += alike;
        groups += all.winners.len();
    }
    let share = same as f64 / groups as f64;
    assert!((0.68..0.80).contains(&share), "{share}");
}

#[test]
fn everyone_meets_everyone_once() {
    let kind = Contest::RoundRobin { games: 2, first: FirstMover::Random };
    let meetings = kind.next_round(&entrants(20), &[], seed()).unwrap();
    assert_eq!((meetings.len(), games(&meetings)), (190, 380));
    let pairs: HashSet<(usize, usize)> =
        meetings.iter().map(pair).map(|(a, b)| (a.min(b), a.max(b))).inspect(|(a, b)| assert!(a != b)).collect();
    assert_eq!(pairs.len(), 190);
    let seeds: HashSet<String> = meetings.iter().map(|meeting| meeting.seed.to_string()).collect();
    assert_eq!(seeds.len(), 190);
    let (_, standing) =
        contest(&Contest::RoundRobin { games: 2, first: FirstMover::Random }, &entrants(9), stronger_index_wins);
    assert_eq!(standing.order, [8, 7, 6, 5, 4, 3, 2, 1, 0]);
    assert_eq!((standing.fitness[8], standing.fitness[4], standing.fitness[0]), (1.0, 0.5, 0.0));
    assert!(standing.winners.is_empty());
}

#[test]
fn random_pairs() {
    for count in [2, 7, 20] {
        let kind = Contest::RandomPairing { pairings: 50, games: 1, first: FirstMover::Random };
        let meetings = kind.next_round(&entrants(count), &[], seed()).unwrap();
        assert_eq!(meetings.len(), 50 * count.div_ceil(2));
        let mut played: HashMap<usize, u32> = HashMap::new();
        for (a, b) in meetings.iter().map(pair) {
            assert_ne!(a, b, "nobody plays itself");
            *played.entry(a).or_default() += 1;
            *played.entry(b).or_default() += 1;
        }
        assert!((0..count).all(|who| played[&who] >= 50 && (count % 2 == 1 || played[&who] == 50)), "{played:?}");
    }
}

#[test]
fn box_counts() {
    let evolution = presets::preset("box").unwrap();
    let mut breeder = evolution.begin(1_479, None, seed()).unwrap();
    let round = breeder.ask().unwrap();
    assert_eq!((round.genomes.len(), round.meetings.len(), games(&round.meetings)), (143, 143, 143 * 50));
    let fixed = |meeting: &Meeting| meeting.b == Rival::Opponent(0) && meeting.first == FirstMover::Random;
    assert!(round.meetings.iter().all(fixed));
    let report = breeder.tell(&play_round(&round, &first_weight)).unwrap();
    assert_eq!(report.population.iter().filter(|ranked| ranked.lives_on).count(), 64);
    assert!(report.population[..64].iter().all(|ranked| ranked.lives_on));
    let next = breeder.ask().unwrap();
    assert_eq!(next.genomes.len(), 143);
    for (survivor, ranked) in next.genomes.iter().zip(&report.population).take(64) {
        assert_eq!(survivor, &ranked.genome, "survivors stay as they are");
    }
    assert!(next.genomes[64..].iter().all(|child| !round.genomes.contains(child)), "children are mutated");
}

#[test]
fn allsop_counts() {
    let evolution = presets::preset("allsop").unwrap();
    let mut breeder = evolution.begin(32, None, seed()).unwrap();
    let round = breeder.ask().unwrap();
    assert_eq!((round.genomes.len(), round.meetings.len(), games(&round.meetings)), (100, 50, 100));
    let report = breeder.tell(&play_round(&round, &first_weight)).unwrap();
    assert_eq!(report.population.iter().filter(|ranked| ranked.lives_on).count(), 50);
    let next = breeder.ask().unwrap();
    let old = next.genomes.iter().filter(|genome| round.genomes.contains(genome)).count();
    // Some children are copies: a cut at the last column leaves nothing to the second parent.
    assert!((50..60).contains(&old), "{old}");
    // Mutated children follow the children and differ from them in few places.
    for place in 75..100 {
        let (Genome::Weights(child), Genome::Weights(mutated)) = (&next.genomes[place - 25], &next.genomes[place])
        else {
            panic!("expected weights")
        };
        let changed = child.iter().zip(mutated).filter(|(x, y)| x != y).count();
        assert!(changed <= 12, "10 % of 32: {changed}");
    }
}

#[test]
fn halving_keeps_an_odd_one() {
    let halving = Contest::Halving { games: 2, tie: Tie::FasterThenOlder };
    for count in [2, 9, 100] {
        let (counts, standing) = contest(&halving, &entrants(count), stronger_index_wins);
        assert_eq!(counts, [count as u32 / 2 * 2]);
        assert_eq!(standing.winners.len(), count.div_ceil(2));
        assert_eq!(standing.winners.iter().collect::<HashSet<_>>().len(), count.div_ceil(2));
        assert!(standing.winners.contains(&(count - 1)), "the strongest one is never beaten");
    }
}

#[test]
fn past_champions_play_too() {
    let mut evolution = presets::preset("plogann").unwrap();
    evolution.population = 8;
    evolution.generations = 30;
    evolution.hall_of_fame = Some(HallOfFame { size: 3, every: 2, games: 4 });
    let mut breeder = evolution.begin(3, None, seed()).unwrap();
    let reports = run(&mut breeder, &first_weight, 10);
    assert_eq!(breeder.members().len(), 3);
    // The members of the hall are the best of generations 5, 7 and 9.
    let best = |report: &Generation| report.population[0].genome.clone();
    assert_eq!(breeder.members(), [5, 7, 9].map(|number: usize| best(&reports[number])));
    let round: Round = breeder.ask().unwrap();
    assert_eq!((round.genomes.len(), round.meetings.len()), (32 + 3, 16 + 32 * 4));
    assert!(round.meetings[16..].iter().all(|meeting| meeting.a < 32 && pair(meeting).1 >= 32));
    // The winners of the groups are still those of the knock-out.
    let semi_finals: Vec<Vec<Played>> =
        round.meetings.iter().map(|meeting| play_meeting(&round, meeting, &first_weight)).collect();
    breeder.tell(&semi_finals);
    assert_eq!(breeder.ask().unwrap().meetings.len(), 8);
}

#[test]
fn elites_live_on() {
    let mut evolution = presets::preset("box").unwrap();
    (evolution.population, evolution.elite) = (20, 3);
    evolution.selection = Selection::FitnessProportionate {};
    evolution.initial = Initial::Gaussian { sd: 1.0 };
    let mut breeder = evolution.begin(4, None, seed()).unwrap();
    for report in run(&mut breeder, &first_weight, 20) {
        assert!(report.population[..3].iter().all(|ranked| ranked.lives_on));
        assert_eq!(report.population.iter().filter(|ranked| ranked.lives_on).count(), 9);
    }
}
