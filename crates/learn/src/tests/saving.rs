//! A learner that is saved and restored at any point goes on as if nothing had happened.

use super::toy::{Strength, fingerprint, first_weight, play_round, seed};
use crate::contest::{Contest, Tie};
use crate::evolve::{Crossover, Initial, Mutation, presets};
use crate::neat::{Neat, NeatSettings};
use crate::steady::{Replace, SteadyState, TrialGames};
use crate::strategies::{CmaSettings, OpenAiSettings, StrategySettings};
use crate::{Breeder, FirstMover, HallOfFame};

type Make = Box<dyn Fn() -> Box<dyn Breeder>>;

fn learners() -> Vec<(&'static str, Make)> {
    let evolution = |name: &'static str, weights: usize, hall: Option<HallOfFame>| -> Make {
        Box::new(move || {
            let mut evolution = presets::preset(name).unwrap();
            (evolution.population, evolution.generations, evolution.hall_of_fame) = (12, 6, hall.clone());
            Box::new(evolution.begin(weights, None, seed()).unwrap())
        })
    };
    let strategy = |settings: StrategySettings| -> Make {
        let contest = Contest::RandomPairing { pairings: 3, games: 2, first: FirstMover::Alternate };
        Box::new(move || settings.begin(&[0.5; 6], contest.clone(), None, 6, seed()).unwrap())
    };
    let hall = HallOfFame { size: 2, every: 1, games: 2 };
    let openai = OpenAiSettings { pairs: 4, sd: 0.1, learning_rate: 0.1, momentum: 0.9, weight_decay: 0.01 };
    vec![
        ("plogann", evolution("plogann", 20, None)),
        ("plogann with a hall", evolution("plogann", 20, Some(hall.clone()))),
        ("box", evolution("box", 20, Some(hall.clone()))),
        ("allsop", evolution("allsop", 32, None)),
        ("openai", strategy(StrategySettings::OpenaiEs(openai))),
        ("cma", strategy(StrategySettings::CmaEs(CmaSettings { population: Some(8), sd: 0.3, relative: false }))),
        (
            "neat",
            Box::new(move || {
                let settings =
                    NeatSettings { population: 16, add_node: 0.4, add_connection: 0.4, ..Default::default() };
                let contest = Contest::FinalFour { games: 2, tie: Tie::Coin };
                Box::new(Neat::begin(settings, [3, 1], contest, Some(hall.clone()), 6, seed()).unwrap())
            }),
        ),
        ("steady", Box::new(|| Box::new(steady().begin(5, Some(vec![4, 3, 2, 1, 0]), seed()).unwrap()))),
    ]
}

fn steady() -> SteadyState {
    SteadyState {
        population: 8,
        tasks: 40,
        lag: 5,
        tournament: 3,
        replace: Replace::Oldest,
        initial: Initial::Uniform { lo: -1.0, hi: 1.0 },
        mutation: Mutation::Gaussian { probability: 0.5, sd: 0.1 },
        crossover: Crossover::Uniform {},
        trial: TrialGames::Members { rivals: 3, games: 2, first: FirstMover::Alternate },
    }
}

/// The fingerprints of all rounds and reports from here on.
fn rest(breeder: &mut dyn Breeder, strength: Strength<'_>) -> Vec<u64> {
    let mut prints = Vec::new();
    while let Some(round) = breeder.ask() {
        prints.push(fingerprint(&round));
        if let Some(report) = breeder.tell(&play_round(&round, strength)) {
            prints.extend([u64::from(report.number), report.games, report.plies, report.figures.mean.to_bits()]);
        }
    }
    assert!(breeder.is_finished());
    prints
}

#[test]
fn restored_at_every_round() {
    for (name, make) in learners() {
        let whole = rest(&mut *make(), &first_weight);
        let mut breeder = make();
        let mut seen = 0;
        loop {
            let saved = breeder.save();
            let mut other = make();
            other.restore(&saved).unwrap();
            assert_eq!(other.save(), saved, "{name}");
            assert_eq!(rest(&mut *other, &first_weight), whole[seen..], "{name} after {seen}");
            let Some(round) = breeder.ask() else { break };
            // What is under way is no part of a saved state.
            let mut asked = make();
            asked.restore(&breeder.save()).unwrap();
            assert_eq!(asked.ask(), Some(round.clone()), "{name}");
            seen += 1;
            if breeder.tell(&play_round(&round, &first_weight)).is_some() {
                seen += 4;
            }
        }
        assert_eq!(seen, whole.len(), "{name}");
    }
}

#[test]
fn other_states_are_refused() {
    let all: Vec<(&str, Vec<u8>)> = learners()
        .iter()
        .map(|(name, make)| {
            let mut breeder = make();
            let round = breeder.ask().unwrap();
            breeder.tell(&play_round(&round, &first_weight));
            (*name, breeder.save())
        })
        .collect();
    for (name, make) in learners() {
        let own = &all.iter().find(|(other, _)| *other == name).unwrap().1;
        assert!(make().restore(&[]).is_err(), "{name}");
        assert!(make().restore(&own[..own.len() / 2]).is_err(), "{name}");
        // Whatever the bytes are, nothing panics.
        for place in (0..own.len()).step_by(7) {
            let mut broken = own.clone();
            broken[place] ^= 0x55;
            let mut breeder = make();
            let before = breeder.save();
            match breeder.restore(&broken) {
                Ok(()) => {
                    let round = breeder.ask();
                    round.iter().for_each(|round| drop(breeder.tell(&play_round(round, &|_| 0.0))));
                }
                Err(_) => assert_eq!(breeder.save(), before, "{name}: an error changes nothing"),
            }
        }
        for (other, state) in all.iter().filter(|(other, _)| *other != name) {
            // These have states of the same form; all others are told apart.
            let same_form = ["plogann", "plogann with a hall", "box"];
            if !(same_form.contains(&name) && same_form.contains(other)) {
                assert!(make().restore(state).is_err(), "{name} took the state of {other}");
            }
        }
    }
}

#[test]
fn seeds_matter_and_repeat() {
    let evolution = presets::preset("allsop").unwrap();
    let print = |seed| fingerprint(&evolution.begin(32, None, seed).unwrap().ask().unwrap());
    assert_eq!(print(seed()), print(seed()));
    assert_ne!(print(seed()), print(seed().child(1)));
}

/// Stored experiments depend on these bits. They change only with the meaning of a learner.
#[test]
fn bits_never_change() {
    let prints = learners().into_iter().map(|(name, make)| {
        let all = rest(&mut *make(), &first_weight);
        (name, all.iter().fold(0, |hash, &print| lanista_core::mix64(hash ^ print)))
    });
    let prints: Vec<String> = prints.map(|(name, hash)| format!("{name}: {hash:016x}")).collect();
    let known = [
        "plogann: 897fa67108a9eaf6",
        "plogann with a hall: 9b4642dd0acbf5de",
        "box: 9dbf0aa91a77069d",
        "allsop: 76522b837ff7d750",
        "openai: 5de9424042fc34b6",
        "cma: 7cc829e80f6c794e",
        "neat: fa30e9d4e798b357",
        "steady: acb201f5b3b7241a",
    ];
    assert_eq!(prints, known);
}
