//! NEAT on a problem that no network without hidden nodes solves.

use super::*;
use crate::elementary::exp;

const CASES: [([f64; 2], f64); 4] = [([0.0, 0.0], 0.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([1.0, 1.0], 0.0)];

/// The steep sigmoid of the paper.
fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + exp(-4.9 * x))
}

fn output(genome: &GraphGenome, inputs: [f64; 2]) -> f64 {
    genome.outputs(&inputs, sigmoid)[0]
}

/// The fitness of the paper: (4 − sum of errors)².
fn fitness(genome: &GraphGenome) -> f64 {
    let errors: f64 = CASES.iter().map(|&(inputs, wanted)| (wanted - output(genome, inputs)).abs()).sum();
    (4.0 - errors) * (4.0 - errors)
}

fn solves(genome: &GraphGenome) -> bool {
    CASES.iter().all(|&(inputs, wanted)| (output(genome, inputs) > 0.5) == (wanted > 0.5))
}

/// The generation in which exclusive-or is solved, and the winner.
fn evolve_xor(seed: Seed, generations: u32) -> Option<(u32, GraphGenome)> {
    let mut neat = Neat::new(NeatSettings::default(), 2, 1, seed).unwrap();
    for generation in 0..generations {
        if let Some(winner) = neat.genomes().iter().find(|genome| solves(genome)) {
            return Some((generation, winner.clone()));
        }
        let fitness: Vec<f64> = neat.genomes().iter().map(fitness).collect();
        neat.advance(generation, &fitness, seed.child(u64::from(generation)));
        assert_eq!(neat.genomes().len(), 150);
        assert!(neat.genomes().iter().all(|genome| genome.check().is_ok()));
    }
    None
}

#[test]
fn exclusive_or_is_solved() {
    // The paper: 32 generations on average over 100 runs, never a failure. Here: 99 of 100 within 200, 54 on average; without a largest
    // weight 88.
    let solved: Vec<(u32, GraphGenome)> = (0..20).filter_map(|seed| evolve_xor(Seed::new(seed), 150)).collect();
    let mean = solved.iter().map(|(generation, _)| f64::from(*generation)).sum::<f64>() / solved.len() as f64;
    assert!(solved.len() >= 19, "{} of 20 in {mean} generations", solved.len());
    assert!(mean < 70.0, "{mean} generations");
    assert!(solved.iter().all(|(_, winner)| winner.hidden() > 0), "it cannot be done without");
}

#[test]
fn species_form_and_champions_live_on() {
    let mut neat = Neat::new(NeatSettings { add_node: 0.3, ..NeatSettings::default() }, 2, 1, Seed::new(3)).unwrap();
    let mut most = 0;
    for generation in 0..20 {
        let fitness: Vec<f64> = neat.genomes().iter().map(fitness).collect();
        let before = neat.genomes().to_vec();
        let lives_on = neat.advance(generation, &fitness, Seed::new(3).child(u64::from(generation)));
        most = most.max(neat.species().len());
        for (genome, _) in before.iter().zip(lives_on).filter(|(_, lives_on)| *lives_on) {
            assert!(neat.genomes().contains(genome));
        }
        let best = before.iter().map(self::fitness).fold(0.0, f64::max);
        let now = neat.genomes().iter().map(self::fitness).fold(0.0, f64::max);
        assert!(now >= best || neat.species().len() > 20, "the champion of a large species is safe");
    }
    assert!(most > 1, "{most}");
}

#[test]
fn nonsense_is_refused() {
    assert!(Neat::new(NeatSettings { population: 1, ..NeatSettings::default() }, 2, 1, Seed::new(1)).is_err());
    assert!(Neat::new(NeatSettings { survival: 2.0, ..NeatSettings::default() }, 2, 1, Seed::new(1)).is_err());
    assert!(Neat::new(NeatSettings::default(), 0, 1, Seed::new(1)).is_err());
    let partial: NeatSettings = toml::from_str("population = 30\nadd-node = 0.1").unwrap();
    assert_eq!((partial.population, partial.threshold), (30, 3.0));
    assert!(toml::from_str::<NeatSettings>("adnode = 0.1").is_err());
}
