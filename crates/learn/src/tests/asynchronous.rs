//! The steady state under executors that finish in any order.

use std::collections::VecDeque;

use lanista_core::Seed;

use super::toy::{fingerprint, first_weight, play_round, seed};
use crate::evolve::{Crossover, Initial, Mutation};
use crate::steady::{Replace, SteadyState, TrialGames};
use crate::{Breeder, FirstMover, Played, Round};

fn settings(lag: u32, replace: Replace) -> SteadyState {
    SteadyState {
        population: 10,
        tasks: 200,
        lag,
        tournament: 2,
        replace,
        initial: Initial::Uniform { lo: -1.0, hi: 1.0 },
        mutation: Mutation::Gaussian { probability: 0.5, sd: 0.2 },
        crossover: Crossover::SinglePoint {},
        trial: TrialGames::FixedAgent { games: 20, first: FirstMover::Random, opponent: 0 },
    }
}

/// Workers that take what there is, finish in an order drawn from `luck`, and report in the order of the tasks.
fn run(settings: &SteadyState, workers: usize, luck: Seed) -> (Vec<u64>, usize) {
    let mut breeder = settings.begin(4, None, seed()).unwrap();
    let mut stream = luck.stream();
    let mut under_way: VecDeque<(Round, Option<Vec<Vec<Played>>>)> = VecDeque::new();
    let mut prints = Vec::new();
    let mut means = Vec::new();
    let mut most = 0;
    while !breeder.is_finished() {
        let busy = |under_way: &VecDeque<(Round, Option<Vec<Vec<Played>>>)>| {
            under_way.iter().filter(|(_, results)| results.is_none()).count()
        };
        // Sometimes a worker is late in asking.
        while busy(&under_way) < workers && stream.below(4) > 0 {
            let Some(round) = breeder.ask() else { break };
            prints.push(fingerprint(&round));
            under_way.push_back((round, None));
        }
        most = most.max(busy(&under_way));
        let open: Vec<usize> = (0..under_way.len()).filter(|&place| under_way[place].1.is_none()).collect();
        if !open.is_empty() {
            let (round, results) = &mut under_way[open[stream.below(open.len() as u32) as usize]];
            *results = Some(play_round(round, &first_weight));
        }
        while let Some((_, Some(results))) = under_way.front() {
            means.extend(breeder.tell(results).map(|report| report.figures.mean.to_bits()));
            under_way.pop_front();
        }
    }
    assert_eq!((prints.len(), means.len()), (200, 20));
    prints.extend(means);
    (prints, most)
}

#[test]
fn the_same_bits_whoever_is_faster() {
    for replace in [Replace::Oldest, Replace::Worst] {
        let settings = settings(8, replace);
        let (alone, _) = run(&settings, 1, Seed::new(0));
        for luck in 1..12 {
            let (prints, most) = run(&settings, 8, Seed::new(luck));
            assert_eq!(prints, alone);
            assert!(most >= 6, "workers are busy: {most}");
        }
    }
}

#[test]
fn another_lag_is_another_evolution() {
    let prints = [1, 2, 8].map(|lag| run(&settings(lag, Replace::Oldest), 8, Seed::new(1)));
    assert_ne!(prints[0].0, prints[1].0);
    assert_ne!(prints[1].0, prints[2].0);
    assert_eq!(prints[0].0[..10], prints[2].0[..10], "the first population is the same");
    assert_eq!(prints[0].1, 1, "with a lag of one nobody works ahead");
}

/// Task n does not know the results of the last lag − 1 tasks.
#[test]
fn a_task_knows_no_later_results() {
    let settings = settings(4, Replace::Worst);
    let ahead = |spoilt: u32| {
        let mut breeder = settings.begin(4, None, seed()).unwrap();
        let mut rounds = VecDeque::new();
        let mut prints = Vec::new();
        for number in 0..60 {
            while let Some(round) = breeder.ask() {
                prints.push(fingerprint(&round));
                rounds.push_back(round);
            }
            let mut results = play_round(&rounds.pop_front().unwrap(), &first_weight);
            if number == spoilt {
                results.iter_mut().flatten().for_each(|game| game.result = crate::Points::Win);
            }
            breeder.tell(&results);
        }
        prints
    };
    let (plain, spoilt) = (ahead(u32::MAX), ahead(30));
    let first = plain.iter().zip(&spoilt).position(|(x, y)| x != y).unwrap();
    assert!(first >= 34, "result 30 shows in task 34 or later: {first}");
}

#[test]
fn it_gets_better() {
    let mut breeder = SteadyState { tasks: 600, ..settings(6, Replace::Oldest) }.begin(4, None, seed()).unwrap();
    let mut means = Vec::new();
    let mut games = 0;
    while let Some(round) = breeder.ask() {
        if let Some(report) = breeder.tell(&play_round(&round, &first_weight)) {
            means.push(report.figures.mean);
            games += report.games;
        }
    }
    assert_eq!((means.len(), games), (60, 600 * 20));
    assert!(means[0] < 0.5 && means[59] > 0.95, "{means:?}");
}

#[test]
fn nonsense_is_refused() {
    assert!(settings(0, Replace::Worst).check(4).is_err());
    assert!(SteadyState { population: 1, ..settings(1, Replace::Worst) }.check(4).is_err());
    assert!(settings(1, Replace::Worst).check(0).is_err());
    let text = toml::to_string(&settings(3, Replace::Worst)).unwrap();
    assert_eq!(toml::from_str::<SteadyState>(&text).as_ref(), Ok(&settings(3, Replace::Worst)), "{text}");
    assert!(toml::from_str::<SteadyState>(&text.replace("lag", "lagg")).is_err());
}
