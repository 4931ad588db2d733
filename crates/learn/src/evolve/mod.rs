//! Evolution of weights, assembled from parts: initialisation, mutation, crossover, contest, selection and scheme.
//!
//! The parts are plain data, written as `[evolution]` in an experiment. [`presets`] has those of plogann, box and allsop.

mod crossover;
mod initial;
mod lineage;
mod mutation;
mod order;
pub mod presets;
mod scheme;
mod selection;

use lanista_core::Seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crossover::Crossover;
pub use initial::Initial;
pub use lineage::{Individual, Population};
pub use mutation::Mutation;
pub use order::check_order;
pub use scheme::Scheme;
pub use selection::Selection;

use crate::contest::Contest;
use crate::generations::Generations;
use crate::hall_of_fame::HallOfFame;
use crate::limits::check_individuals;

/// The settings of an evolution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Evolution {
    /// Individuals that a generation begins with. (plogann: 62; box: 2 to 200; allsop: 10, 100 and 1000.)
    pub population: u32,
    /// How many generations there are. (plogann: 10,000; box: 50, then 5,000; allsop: 1000, 100 and 10, then 12,000.)
    pub generations: u32,
    /// The best so many of a contest live on whatever the selection says. (None in the documents.)
    #[serde(default)]
    pub elite: u32,
    /// Where first weights come from.
    pub initial: Initial,
    /// How weights change by chance.
    pub mutation: Mutation,
    /// How a child gets its weights from two parents.
    pub crossover: Crossover,
    /// How individuals are compared.
    pub contest: Contest,
    /// How individuals are chosen.
    pub selection: Selection,
    /// How one generation becomes the next.
    pub scheme: Scheme,
    /// Past champions as opponents; none if not given.
    pub hall_of_fame: Option<HallOfFame>,
}

impl Evolution {
    /// Whether the parts fit each other and so many weights. An error names the part and what is wrong.
    pub fn check(&self, weights: usize) -> Result<(), String> {
        let population = self.population as usize;
        if population == 0 || weights == 0 {
            return Err(format!("population = {population}, weights = {weights}: expected 1 or more of both"));
        }
        if self.generations == 0 {
            return Err("generations = 0: expected 1 or more".into());
        }
        self.scheme.check(population)?;
        let contestants = self.scheme.contestants(population);
        check_individuals("population", contestants as u64)?;
        self.initial.check(weights)?;
        self.mutation.check()?;
        self.crossover.check(weights)?;
        self.contest.check(contestants)?;
        self.selection.check(contestants)?;
        self.hall_of_fame.iter().try_for_each(HallOfFame::check)?;
        let survivors = self.scheme.survivors(population);
        if self.selection == (Selection::Winners {}) && self.contest.winners(contestants) != Some(survivors) {
            return Err(format!(
                "selection: winners: the contest of {contestants} names {}, the scheme needs {survivors}",
                self.contest.winners(contestants).map_or("none".to_string(), |count| count.to_string())
            ));
        }
        Ok(())
    }

    /// An evolution of so many weights that has not begun. `order` is the order in which crossover sees the weights: place in
    /// the genome by place in the chromosome. An error says which setting is wrong.
    pub fn begin(
        &self,
        weights: usize,
        order: Option<Vec<u32>>,
        seed: Seed,
    ) -> Result<Generations<Population>, String> {
        self.check(weights)?;
        order.iter().try_for_each(|order| check_order(order, weights))?;
        let lineage = Population::new(self.clone(), weights, order, seed.child(0));
        Generations::new(lineage, self.contest.clone(), self.hall_of_fame.clone(), self.generations, seed)
    }
}
