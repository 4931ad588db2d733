//! The population of an evolution, and how it follows itself.

use std::cell::OnceCell;

use lanista_core::Seed;
use serde::{Deserialize, Serialize};

use super::selection::roulette;
use super::{Evolution, Scheme};
use crate::contest::{Entrant, Origin, Standing};
use crate::generations::{Contestant, Lineage};
use crate::parts::{CROSSOVER, INITIAL, MUTATION, PARENTS, SELECTION};
use crate::round::Genome;
use crate::shuffle::other_than;

/// A list of weights with its history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// The weights.
    pub weights: Vec<f32>,
    /// The generation that it first took part in.
    pub born: u32,
    /// Where it comes from.
    pub origin: Origin,
}

/// The individuals of an evolution at the beginning of a generation.
pub struct Population {
    evolution: Evolution,
    weights: usize,
    order: Option<Vec<u32>>,
    /// What the first individuals are drawn from.
    seed: Seed,
    /// The first ones are drawn when they are first asked for.
    individuals: OnceCell<Vec<Individual>>,
}

impl Population {
    pub(super) fn new(evolution: Evolution, weights: usize, order: Option<Vec<u32>>, seed: Seed) -> Population {
        Population { evolution, weights, order, seed, individuals: OnceCell::new() }
    }

    fn individuals(&self) -> &Vec<Individual> {
        let first = |number: u32| {
            let mut stream = self.seed.child(INITIAL).child(u64::from(number)).stream();
            let weights = self.evolution.initial.draw(self.weights, &mut stream);
            Individual { weights, born: 0, origin: Origin::Old }
        };
        self.individuals.get_or_init(|| (0..self.evolution.population).map(first).collect())
    }

    fn population(&self) -> usize {
        self.evolution.population as usize
    }

    /// A mutated copy. `number` tells apart what is made in the same generation.
    fn mutated(&self, weights: &[f32], generation: u32, number: usize, seed: Seed) -> Vec<f32> {
        let mut weights = weights.to_vec();
        let progress = f64::from(generation) / f64::from(self.evolution.generations);
        self.evolution.mutation.apply(&mut weights, progress, &mut seed.child(MUTATION).child(number as u64).stream());
        weights
    }

    fn child(&self, a: &[f32], b: &[f32], number: usize, seed: Seed) -> Vec<f32> {
        let mut stream = seed.child(CROSSOVER).child(number as u64).stream();
        self.evolution.crossover.child(a, b, self.order.as_deref(), &mut stream)
    }

    /// Everyone, then the first mutants of all, the second ones, and so on, then the children likewise.
    fn expanded(&self, mutants: u32, children: u32, generation: u32, seed: Seed) -> Vec<Individual> {
        let mut all: Vec<Individual> =
            self.individuals().iter().map(|one| Individual { origin: Origin::Old, ..one.clone() }).collect();
        for one in (0..mutants).flat_map(|_| self.individuals()) {
            let weights = self.mutated(&one.weights, generation, all.len(), seed);
            all.push(Individual { weights, born: generation, origin: Origin::Mutant });
        }
        for one in (0..children).flat_map(|_| 0..self.population()) {
            let mut stream = seed.child(PARENTS).child(all.len() as u64).stream();
            let mate = other_than(one, self.population(), &mut stream);
            let (a, b) = (&self.individuals()[one].weights, &self.individuals()[mate].weights);
            let weights = self.child(a, b, all.len(), seed);
            all.push(Individual { weights, born: generation, origin: Origin::Child });
        }
        all
    }

    /// Fills places with mutated children of the chosen ones (box).
    fn replaced(&self, chosen: &[&[f32]], generation: u32, seed: Seed) -> Vec<Individual> {
        let child = |number: usize| {
            let mut stream = seed.child(PARENTS).child(number as u64).stream();
            let a = stream.below(chosen.len() as u32) as usize;
            let b = other_than(a, chosen.len(), &mut stream);
            let weights = self.child(chosen[a], chosen[b], number, seed);
            let weights = self.mutated(&weights, generation, number, seed);
            Individual { weights, born: generation + 1, origin: Origin::Child }
        };
        (chosen.len()..self.population()).map(child).collect()
    }

    /// Fills places with children of parents drawn by fitness, then with mutated copies of those children (allsop).
    fn shared_out(&self, chosen: &[&[f32]], fitness: &[f64], generation: u32, seed: Seed) -> Vec<Individual> {
        let (children, mutated) = self.evolution.scheme.offspring(self.population());
        let mut offspring: Vec<Individual> = Vec::with_capacity(children + mutated);
        for number in 0..children {
            let mut stream = seed.child(PARENTS).child(number as u64).stream();
            let all: Vec<usize> = (0..chosen.len()).collect();
            let a = roulette(&all, fitness, &mut stream);
            let others: Vec<usize> = all.into_iter().filter(|&other| other != a).collect();
            let b = if others.is_empty() { a } else { others[roulette(&others, fitness, &mut stream)] };
            let weights = self.child(chosen[a], chosen[b], number, seed);
            offspring.push(Individual { weights, born: generation + 1, origin: Origin::Child });
        }
        for number in 0..mutated {
            let weights = self.mutated(&offspring[number].weights, generation, number, seed);
            offspring.push(Individual { weights, born: generation + 1, origin: Origin::Mutant });
        }
        offspring
    }
}

impl Lineage for Population {
    type State = Vec<Individual>;

    fn size(&self) -> usize {
        self.evolution.scheme.contestants(self.population())
    }

    fn contestants(&self, generation: u32, seed: Seed) -> Vec<Contestant> {
        let all = match self.evolution.scheme {
            Scheme::Expand { mutants, children } => self.expanded(mutants, children, generation, seed),
            _ => self.individuals().clone(),
        };
        let contestant = |one: Individual| Contestant {
            entrant: Entrant { born: one.born, origin: one.origin },
            genome: Genome::Weights(one.weights),
        };
        all.into_iter().map(contestant).collect()
    }

    fn succeed(&mut self, generation: u32, contestants: &[Contestant], standing: &Standing, seed: Seed) -> Vec<bool> {
        let count = self.evolution.scheme.survivors(self.population());
        let elite = self.evolution.elite as usize;
        let mut stream = seed.child(SELECTION).stream();
        let chosen = self.evolution.selection.choose(standing, count, elite, &mut stream);
        let weights: Vec<&[f32]> = chosen.iter().map(|&who| weights_of(&contestants[who])).collect();
        let mut next: Vec<Individual> = chosen
            .iter()
            .zip(&weights)
            .map(|(&who, weights)| Individual {
                weights: weights.to_vec(),
                born: contestants[who].entrant.born,
                origin: Origin::Old,
            })
            .collect();
        match self.evolution.scheme {
            Scheme::Expand { .. } => {}
            Scheme::Replace { .. } => next.extend(self.replaced(&weights, generation, seed)),
            Scheme::Shares { .. } => {
                let fitness: Vec<f64> = chosen.iter().map(|&who| standing.fitness[who]).collect();
                next.extend(self.shared_out(&weights, &fitness, generation, seed));
            }
        }
        self.individuals = next.into();
        let mut lives_on = vec![false; contestants.len()];
        chosen.into_iter().for_each(|who| lives_on[who] = true);
        lives_on
    }

    fn state(&self) -> &Vec<Individual> {
        self.individuals()
    }

    fn adopt(&mut self, state: Vec<Individual>) -> Result<(), String> {
        if state.len() != self.population() || state.iter().any(|one| one.weights.len() != self.weights) {
            return Err("saved state: another population or other weights".into());
        }
        self.individuals = state.into();
        Ok(())
    }
}

fn weights_of(contestant: &Contestant) -> &[f32] {
    match &contestant.genome {
        Genome::Weights(weights) => weights,
        Genome::Graph(_) => &[],
    }
}
