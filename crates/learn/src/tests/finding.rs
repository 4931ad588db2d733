//! Every learner finds what there is to find in the one-move game.

use super::toy::{first_weight, play_round, run, seed};
use crate::contest::Contest;
use crate::evolve::{Crossover, Selection, presets};
use crate::neat::{Neat, NeatSettings};
use crate::strategies::{CmaSettings, OpenAiSettings, StrategySettings};
use crate::{Candidate, Evolution, FirstMover, Generation, Genome, HallOfFame};

/// A preset for few individuals and generations.
fn small(name: &str) -> Evolution {
    let mut evolution = presets::preset(name).unwrap();
    (evolution.population, evolution.generations) = (40, 60);
    evolution
}

fn mean_first(report: &Generation) -> f64 {
    report.population.iter().map(|ranked| first_weight(&ranked.genome)).sum::<f64>() / report.population.len() as f64
}

fn best(reports: &[Generation]) -> f64 {
    reports.last().map_or(f64::NAN, |report| first_weight(&report.population[0].genome))
}

#[test]
fn the_evolutions_of_the_documents() {
    let plogann = run(&mut small("plogann").begin(10, None, seed()).unwrap(), &first_weight, 60);
    assert!(best(&plogann) > 0.95, "no weight is larger than 1: {}", best(&plogann));
    let mut allsop = small("allsop").begin(32, None, seed()).unwrap();
    let allsop = run(&mut allsop, &first_weight, 60);
    assert!(best(&allsop) > 2.0, "products have no limit: {}", best(&allsop));
    // Against a fixed opponent nothing is gained by being more than better; the whole population gets there.
    let fixed = run(&mut small("box").begin(10, None, seed()).unwrap(), &first_weight, 60);
    assert_eq!(fixed.len(), 60);
    assert!(
        fixed[0].figures.mean < 0.5 && fixed[59].figures.mean > 0.85,
        "{:?} {:?}",
        fixed[0].figures,
        fixed[59].figures
    );
    assert!(mean_first(&fixed[59]) > 0.5);
}

#[test]
fn other_assemblies() {
    let contests = [
        Contest::RoundRobinOfFour { games: 2, tie: Default::default() },
        Contest::RandomPairing { pairings: 5, games: 1, first: FirstMover::Random },
        Contest::RoundRobin { games: 1, first: FirstMover::Random },
    ];
    for contest in contests {
        let mut evolution = small("plogann");
        if contest.winners(160).is_none() {
            evolution.selection = Selection::Tournament { size: 3 };
        }
        (evolution.contest, evolution.population, evolution.elite) = (contest, 20, 1);
        for crossover in [Crossover::Uniform {}, Crossover::EvenPoints { points: 3 }, Crossover::None {}] {
            evolution.crossover = crossover;
            let order = vec![0, 1, 2, 3, 4, 9, 8, 7, 6, 5];
            let reports = run(&mut evolution.begin(10, Some(order), seed()).unwrap(), &first_weight, 60);
            assert!(best(&reports) > 0.9, "{:?}: {}", evolution.contest, best(&reports));
        }
    }
    assert!(small("plogann").begin(10, Some(vec![0; 10]), seed()).is_err());
    assert!(small("plogann").begin(10, Some(vec![0, 1]), seed()).is_err());
}

/// Strength is how near the weights are to a hidden point; games decide by comparing it.
fn near_the_point(genome: &Genome) -> f64 {
    let Genome::Weights(weights) = genome else { return 0.0 };
    -weights.iter().enumerate().map(|(i, weight)| (f64::from(*weight) - 0.3 * i as f64).powi(2)).sum::<f64>()
}

#[test]
fn strategies_learn_from_meetings_within_a_generation() {
    let contest = Contest::RoundRobin { games: 1, first: FirstMover::Random };
    let cma = StrategySettings::CmaEs(CmaSettings { population: Some(12), sd: 0.3, relative: false });
    let openai = OpenAiSettings { pairs: 10, sd: 0.1, learning_rate: 0.1, momentum: 0.0, weight_decay: 0.0 };
    for (settings, generations, goal) in [(cma, 100, 1e-6), (StrategySettings::OpenaiEs(openai), 150, 0.02)] {
        let mut breeder = settings.begin(&[0.0; 5], contest.clone(), None, generations, seed()).unwrap();
        let reports = run(&mut *breeder, &near_the_point, usize::MAX);
        assert!(breeder.is_finished() && reports.len() == generations as usize);
        let centre = reports.last().unwrap().centre.as_ref().unwrap();
        assert!(near_the_point(centre) > -goal, "{settings:?}: {}", near_the_point(centre));
    }
}

#[test]
fn strategies_learn_from_noisy_games_with_a_fixed_agent() {
    let contest = Contest::FixedAgent { games: 20, first: FirstMover::Random, opponent: 0 };
    let cma = StrategySettings::CmaEs(CmaSettings { population: Some(30), sd: 0.2, relative: false });
    let mut breeder = cma.begin(&[0.0; 4], contest, None, 40, seed()).unwrap();
    let mut means = Vec::new();
    while let Some(round) = breeder.ask() {
        means.extend(breeder.tell(&play_round(&round, &first_weight)).map(|report| report.figures.mean));
    }
    assert!(means[0] < 0.4 && means[39] > 0.95, "{means:?}");
    let text = "kind = \"cma-es\"\nsd = 0.2\npopulation = 30";
    assert_eq!(toml::from_str::<StrategySettings>(text), Ok(cma));
    assert!(toml::from_str::<StrategySettings>("kind = \"cma-es\"\nsd = 0.2\npopulaton = 30").is_err());
}

/// A toy for networks: the output for one input, whatever the shape.
fn output(genome: &Genome) -> f64 {
    match genome {
        Genome::Graph(graph) => graph.outputs(&[1.0, -1.0], crate::elementary::tanh)[0],
        Genome::Weights(_) => 0.0,
    }
}

#[test]
fn networks_learn_from_meetings() {
    let contest = Contest::RandomPairing { pairings: 4, games: 1, first: FirstMover::Random };
    let hall = HallOfFame { size: 4, every: 2, games: 2 };
    let settings = NeatSettings { population: 40, ..Default::default() };
    let mut breeder = Neat::begin(settings, [2, 1], contest, Some(hall), 25, seed()).unwrap();
    let reports = run(&mut breeder, &output, usize::MAX);
    assert_eq!(reports.len(), 25);
    let mean = |report: &Generation| {
        report.population.iter().map(|ranked| output(&ranked.genome)).sum::<f64>() / report.population.len() as f64
    };
    assert!(mean(&reports[0]) < 0.5 && mean(&reports[24]) > 0.9, "{} {}", mean(&reports[0]), mean(&reports[24]));
    let candidates = Candidate::of(&reports[24], 5);
    assert_eq!(candidates.len(), 5);
    assert_eq!(candidates[0].genome(), &reports[24].population[0].genome);
}
