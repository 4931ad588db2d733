//! NEAT: networks whose shape is bred with their weights (Stanley and Miikkulainen 2002; box names it as future work).
//!
//! Networks begin without hidden nodes and grow. Innovation numbers tell which genes of two networks are the same, so that
//! networks of different shapes can be crossed. Species protect new shapes until their weights are tuned. Networks have no
//! cycles.

mod genome;
mod innovation;
mod settings;
mod species;
mod variation;

use lanista_core::{RandomStream, Seed};
use serde::{Deserialize, Serialize};

pub use genome::{Connection, GraphGenome, Node, NodeKind};
pub use innovation::{Innovations, Split};
pub use settings::NeatSettings;
pub use species::{Species, distance};

use crate::contest::{Contest, Entrant, Origin, Standing};
use crate::generations::{Contestant, Generations, Lineage};
use crate::hall_of_fame::HallOfFame;
use crate::parts::{INITIAL, PARENTS, STRUCTURE};
use crate::round::Genome;

/// A population of networks.
pub struct Neat {
    settings: NeatSettings,
    inputs: u32,
    outputs: u32,
    state: NeatState,
}

/// What NEAT remembers from one generation to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NeatState {
    /// The networks.
    pub genomes: Vec<GraphGenome>,
    /// The generation in which each first took part.
    pub born: Vec<u32>,
    /// The species of the last generation.
    pub species: Vec<Species>,
    /// The next free innovation number.
    pub next_connection: u32,
    /// The next free number of a node.
    pub next_node: u32,
    /// The highest fitness ever.
    pub best: f64,
    /// For so many generations nobody got better.
    pub stagnant: u32,
}

impl Neat {
    /// Networks without hidden nodes and with random weights. An error says which setting is wrong.
    pub fn new(settings: NeatSettings, inputs: u32, outputs: u32, seed: Seed) -> Result<Neat, String> {
        settings.check()?;
        if inputs == 0 || outputs == 0 || inputs.saturating_add(1).checked_mul(outputs).is_none() {
            return Err(format!("neat: {inputs} inputs and {outputs} outputs make no network"));
        }
        let individual = |number: u32| {
            let mut stream = seed.child(0).child(INITIAL).child(u64::from(number)).stream();
            let mut genome = GraphGenome::minimal(inputs, outputs);
            for connection in &mut genome.connections {
                connection.weight = variation::fresh_weight(&settings, &mut stream);
            }
            genome
        };
        let genomes: Vec<GraphGenome> = (0..settings.population).map(individual).collect();
        let state = NeatState {
            born: vec![0; genomes.len()],
            genomes,
            species: Vec::new(),
            next_connection: (inputs + 1) * outputs,
            next_node: inputs + 1 + outputs,
            best: f64::NEG_INFINITY,
            stagnant: 0,
        };
        Ok(Neat { settings, inputs, outputs, state })
    }

    /// A learner that has not begun. An error says which setting is wrong.
    pub fn begin(
        settings: NeatSettings,
        [inputs, outputs]: [u32; 2],
        contest: Contest,
        hall: Option<HallOfFame>,
        generations: u32,
        seed: Seed,
    ) -> Result<Generations<Neat>, String> {
        Generations::new(Neat::new(settings, inputs, outputs, seed)?, contest, hall, generations, seed)
    }

    /// The networks of this generation.
    pub fn genomes(&self) -> &[GraphGenome] {
        &self.state.genomes
    }

    /// The species of the last generation.
    pub fn species(&self) -> &[Species] {
        &self.state.species
    }

    /// Goes on to the next generation with a fitness for each network, 0 or more. `seed` is that of the generation. Returns who
    /// lives on as it is.
    pub fn advance(&mut self, generation: u32, fitness: &[f64], seed: Seed) -> Vec<bool> {
        let genomes = std::mem::take(&mut self.state.genomes);
        let born = std::mem::take(&mut self.state.born);
        let mut members = species::sort_into(&mut self.state.species, &genomes, &self.settings);
        for members in &mut members {
            // The sort is stable: of equal ones the older comes first.
            members.sort_by(|&x, &y| fitness[y].total_cmp(&fitness[x]));
        }
        self.note_progress(&members, fitness);
        let refocus = self.settings.refocus > 0 && self.state.stagnant >= self.settings.refocus;
        let places = self.places(&members, fitness, genomes.len(), refocus);
        if refocus {
            // Whoever is left gets as much time as a new species, or the search would stay this narrow for good.
            self.state.stagnant = 0;
            self.state.species.iter_mut().for_each(|species| species.stagnant = 0);
        }
        let mut innovations = Innovations::new(self.state.next_connection, self.state.next_node);
        let mut lives_on = vec![false; genomes.len()];
        let mut next = Vec::with_capacity(genomes.len());
        let mut next_born = Vec::with_capacity(genomes.len());
        let parents: Vec<&[usize]> = members.iter().map(|members| self.parents(members)).collect();
        for (kind, &places) in places.iter().enumerate() {
            for place in 0..places {
                let champion = members[kind][0];
                if place == 0 && members[kind].len() > self.settings.champion_size as usize {
                    lives_on[champion] = true;
                    next.push(genomes[champion].clone());
                    next_born.push(born[champion]);
                    continue;
                }
                let mut stream = seed.child(STRUCTURE).child(next.len() as u64).stream();
                let mut child = self.offspring(&genomes, &parents, kind, fitness, &mut stream);
                variation::mutate(&mut child, &self.settings, &mut innovations, &mut stream);
                next.push(child);
                next_born.push(generation + 1);
            }
        }
        let mut stream = seed.child(PARENTS).stream();
        for (species, members) in self.state.species.iter_mut().zip(&members) {
            species.representative = genomes[pick(members, &mut stream)].clone();
        }
        let mut has_places = places.iter().map(|&places| places > 0);
        self.state.species.retain(|_| has_places.next().unwrap_or(false));
        (self.state.genomes, self.state.born) = (next, next_born);
        (self.state.next_connection, self.state.next_node) = (innovations.next_connection, innovations.next_node);
        lives_on
    }

    /// Counts how long each species, and all of them, have not got better.
    fn note_progress(&mut self, members: &[Vec<usize>], fitness: &[f64]) {
        for (species, members) in self.state.species.iter_mut().zip(members) {
            note(&mut species.best, &mut species.stagnant, fitness[members[0]]);
        }
        let best = members.iter().map(|members| fitness[members[0]]).fold(f64::NEG_INFINITY, f64::max);
        note(&mut self.state.best, &mut self.state.stagnant, best);
    }

    /// How many of the next generation each species gets: in proportion to its shared fitness, whose sum over a species is its mean.
    fn places(&self, members: &[Vec<usize>], fitness: &[f64], population: usize, refocus: bool) -> Vec<usize> {
        let mut ranks: Vec<usize> = (0..members.len()).collect();
        ranks.sort_by(|&x, &y| fitness[members[y][0]].total_cmp(&fitness[members[x][0]]));
        let may_go_on = |kind: usize| {
            if refocus {
                return ranks[..2.min(ranks.len())].contains(&kind);
            }
            kind == ranks[0] || self.state.species[kind].stagnant < self.settings.stagnation
        };
        let mean =
            |members: &[usize]| members.iter().map(|&one| fitness[one].max(0.0)).sum::<f64>() / members.len() as f64;
        let mut claims: Vec<f64> =
            (0..members.len()).map(|kind| if may_go_on(kind) { mean(&members[kind]) } else { 0.0 }).collect();
        if claims.iter().all(|&claim| claim == 0.0) {
            // Nobody has any fitness: those who may go on get equal parts.
            claims = (0..members.len()).map(|kind| f64::from(u8::from(may_go_on(kind)))).collect();
        }
        species::share_out(population, &claims)
    }

    /// The members that have offspring; the best come first.
    fn parents<'a>(&self, members: &'a [usize]) -> &'a [usize] {
        let count = (self.settings.survival * members.len() as f64).ceil() as usize;
        &members[..count.clamp(1, members.len())]
    }

    fn offspring(
        &self,
        genomes: &[GraphGenome],
        parents: &[&[usize]],
        kind: usize,
        fitness: &[f64],
        stream: &mut RandomStream,
    ) -> GraphGenome {
        let a = pick(parents[kind], stream);
        if stream.unit() < self.settings.mutation_only {
            return genomes[a].clone();
        }
        let mates = if stream.unit() < self.settings.interspecies { pick(parents, stream) } else { parents[kind] };
        let b = pick(mates, stream);
        if a == b {
            return genomes[a].clone();
        }
        variation::cross(&genomes[a], &genomes[b], fitness[a].total_cmp(&fitness[b]), &self.settings, stream)
    }
}

impl Lineage for Neat {
    type State = NeatState;

    fn size(&self) -> usize {
        self.state.genomes.len()
    }

    fn contestants(&self, _generation: u32, _seed: Seed) -> Vec<Contestant> {
        let contestant = |(genome, &born): (&GraphGenome, &u32)| Contestant {
            genome: Genome::Graph(genome.clone()),
            entrant: Entrant { born, origin: Origin::Old },
        };
        self.state.genomes.iter().zip(&self.state.born).map(contestant).collect()
    }

    fn succeed(&mut self, generation: u32, _contestants: &[Contestant], standing: &Standing, seed: Seed) -> Vec<bool> {
        self.advance(generation, &standing.fitness, seed)
    }

    fn state(&self) -> &NeatState {
        &self.state
    }

    fn adopt(&mut self, state: NeatState) -> Result<(), String> {
        let representatives = state.species.iter().map(|species| &species.representative);
        for genome in state.genomes.iter().chain(representatives) {
            genome.check().map_err(|error| format!("saved state: {error}"))?;
            let fresh = |limit: u32, number: u32| number < limit && limit <= u32::MAX / 2;
            let numbers = genome.connections.iter().all(|one| fresh(state.next_connection, one.innovation))
                && genome.nodes.iter().all(|node| fresh(state.next_node, node.id));
            if !numbers {
                return Err("saved state: numbers of genes that are still to come".into());
            }
            let of_kind = |kind| genome.nodes.iter().filter(|node| node.kind == kind).count();
            if of_kind(NodeKind::Input) != self.inputs as usize || of_kind(NodeKind::Output) != self.outputs as usize {
                return Err("saved state: networks with other inputs or outputs".into());
            }
        }
        if state.genomes.len() != self.settings.population as usize || state.born.len() != state.genomes.len() {
            return Err("saved state: another population".into());
        }
        self.state = state;
        Ok(())
    }
}

fn pick<T: Copy>(list: &[T], stream: &mut RandomStream) -> T {
    list[stream.below(list.len() as u32) as usize]
}

fn note(best: &mut f64, stagnant: &mut u32, fitness: f64) {
    if fitness > *best {
        *best = fitness;
        *stagnant = 0;
    } else {
        *stagnant += 1;
    }
}

#[cfg(test)]
mod tests;
