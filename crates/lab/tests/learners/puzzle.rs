//! A game of one move: in one position of noughts and crosses a single move does not lose. Everyone who breeds finds it.

use lanista_core::{Budget, Referee, Seed};
use lanista_lab::learning::Body;
use lanista_learn::contest::Contest;
use lanista_learn::evolve::{Crossover, Initial, Mutation, presets};
use lanista_learn::neat::{Neat, NeatSettings};
use lanista_learn::steady::{Replace, SteadyState, TrialGames};
use lanista_learn::strategies::{CmaSettings, OpenAiSettings, StrategySettings};
use lanista_learn::{Breeder, FirstMover, Generation, Genome, Played, Points, Rival};
use lanista_nn::{Activation, Shape, View};

use crate::tictactoe::{Board, INPUTS, Put, greedy, rules};

/// The first side has the middle and a corner, the second the two corners above: only the square between them holds.
const START: Board = Board { stones: [0o420, 0o005] };
const ONLY: Put = Put(1);

fn network() -> Body {
    Body::Network { shape: Shape::uniform(INPUTS, &[4, 1], Activation::Tanh), groups: Vec::new(), view: View::Waiting }
}

fn holds(body: &Body, genome: &Genome) -> bool {
    let mind = body.mind::<Board>(genome).expect("a genome of this body");
    let game = Referee::new(&rules(START));
    let decision = greedy(&mind).choose(&game, &Budget::default(), &mut Seed::new(0).stream());
    decision.expect("a move").mv == ONLY
}

/// What a breeder comes to.
fn bred(body: &Body, mut breeder: Box<dyn Breeder>) -> Generation {
    let mut last = None;
    while let Some(round) = breeder.ask() {
        let right: Vec<bool> = round.genomes.iter().map(|genome| holds(body, genome)).collect();
        let result = |a: usize, b: Rival| match (right[a], matches!(b, Rival::Individual(b) if right[b])) {
            (true, false) => Points::Win,
            (false, false) if matches!(b, Rival::Opponent(_)) => Points::Loss,
            (false, true) => Points::Loss,
            _ => Points::Draw,
        };
        let play = |meeting: &lanista_learn::Meeting| {
            vec![Played { result: result(meeting.a, meeting.b), plies: 1 }; meeting.games as usize]
        };
        let results: Vec<Vec<Played>> = round.meetings.iter().map(play).collect();
        last = breeder.tell(&results).or(last);
    }
    assert!(breeder.is_finished());
    last.expect("a generation")
}

/// The strategies hand over their centre, all others their best.
fn finds(name: &str, body: &Body, breeder: Box<dyn Breeder>) {
    let generation = bred(body, breeder);
    let best = generation.centre.as_ref().unwrap_or(&generation.population[0].genome);
    assert!(holds(body, best), "{name}");
}

fn fixed() -> Contest {
    Contest::FixedAgent { games: 1, first: FirstMover::Random, opponent: 0 }
}

#[test]
fn evolution_finds_the_only_move() {
    let body = network();
    let weights = body.weights::<Board>().expect("a body");
    for (preset, population) in [("plogann", 4), ("box", 10)] {
        let mut evolution = presets::preset(preset).expect("a preset");
        (evolution.population, evolution.generations) = (population, 10);
        finds(preset, &body, Box::new(evolution.begin(weights, None, Seed::new(1)).expect("it begins")));
    }
    let steady = SteadyState {
        population: 6,
        tasks: 60,
        lag: 4,
        tournament: 2,
        replace: Replace::Worst,
        initial: Initial::Uniform { lo: -1.0, hi: 1.0 },
        mutation: Mutation::Gaussian { probability: 0.3, sd: 0.3 },
        crossover: Crossover::SinglePoint {},
        trial: TrialGames::FixedAgent { games: 1, first: FirstMover::Random, opponent: 0 },
    };
    finds("steady state", &body, Box::new(steady.begin(weights, None, Seed::new(1)).expect("it begins")));
}

#[test]
fn strategies_find_the_only_move() {
    let body = network();
    let openai = OpenAiSettings { pairs: 10, sd: 0.3, learning_rate: 0.3, momentum: 0.5, weight_decay: 0.0 };
    let cma = CmaSettings { population: Some(20), sd: 0.5, relative: false };
    for (name, settings) in
        [("openai-es", StrategySettings::OpenaiEs(openai)), ("cma-es", StrategySettings::CmaEs(cma))]
    {
        let mut random = Seed::new(1).stream();
        let start = Initial::Uniform { lo: -0.5, hi: 0.5 }.draw(body.weights::<Board>().expect("a body"), &mut random);
        assert!(!holds(&body, &Genome::Weights(start.clone())), "{name}: there is something to find");
        let breeder = settings.begin(&start, fixed(), None, 30, Seed::new(1)).expect("it begins");
        finds(name, &body, breeder);
    }
}

#[test]
fn networks_that_grow_find_the_only_move() {
    let body = Body::Graph { groups: Vec::new() };
    let settings = NeatSettings { population: 20, ..NeatSettings::default() };
    let breeder = Neat::begin(settings, [INPUTS as u32, 1], fixed(), None, 10, Seed::new(1)).expect("it begins");
    finds("neat", &body, Box::new(breeder));
}
