//! The settings of NEAT, with the values of the paper.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::limits::check_individuals;

/// The settings of NEAT. What is not given has the value of Stanley and Miikkulainen (2002).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct NeatSettings {
    /// Genomes a generation. (The paper: 150; 1000 for double poles without velocities.)
    pub population: u32,
    /// How much excess genes count in the distance of two genomes: c₁. (1.0.)
    pub excess: f64,
    /// How much disjoint genes count: c₂. (1.0.)
    pub disjoint: f64,
    /// How much the mean difference of weights counts: c₃. (0.4; 3.0 with the larger population.)
    pub weights: f64,
    /// Genomes nearer than this belong to one species: δₜ. (3.0; 4.0 with the larger population.)
    pub threshold: f64,
    /// Genomes with fewer genes than this are not measured by their size. (20.)
    pub small: u32,
    /// A species that does not get better for so many generations has no more offspring, unless it has the best genome of
    /// all. (15.)
    pub stagnation: u32,
    /// If nobody gets better for so many generations, only the best two species have offspring this once; never if 0. (20.)
    pub refocus: u32,
    /// The champion of a species with more members than this is copied as it is. (5.)
    pub champion_size: u32,
    /// The share of a species, the best, that has offspring; at least one. (The paper gives no number; 0.2 in its program.)
    pub survival: f64,
    /// The probability that the weights of a genome are mutated. (0.8.)
    pub mutate_weights: f64,
    /// Then each weight is moved a little with this probability, and drawn anew otherwise. (0.9.)
    pub perturb: f64,
    /// The farthest that a weight is moved. (Not given; 1.0 here. Of the values tried, 0.5 to 2.5, it solved exclusive-or most often.)
    pub step: f64,
    /// New weights lie between plus and minus this. (Not given; 3.0 here.)
    pub range: f64,
    /// Weights stay between plus and minus this. Without it networks that are nearly right grow ever larger weights, and are too stiff to
    /// get better. (The paper gives no number; 8.0 in its program.)
    pub largest: f64,
    /// The probability that a gene stays switched off which is so in either parent. (0.75.)
    pub stay_disabled: f64,
    /// The share of offspring without crossover. (0.25.)
    pub mutation_only: f64,
    /// The probability that a mate comes from another species. (0.001.)
    pub interspecies: f64,
    /// The probability of a new node. (0.03.)
    pub add_node: f64,
    /// The probability of a new connection. (0.05; 0.3 with the larger population.)
    pub add_connection: f64,
}

impl Default for NeatSettings {
    fn default() -> NeatSettings {
        NeatSettings {
            population: 150,
            excess: 1.0,
            disjoint: 1.0,
            weights: 0.4,
            threshold: 3.0,
            small: 20,
            stagnation: 15,
            refocus: 20,
            champion_size: 5,
            survival: 0.2,
            mutate_weights: 0.8,
            perturb: 0.9,
            step: 1.0,
            range: 3.0,
            largest: 8.0,
            stay_disabled: 0.75,
            mutation_only: 0.25,
            interspecies: 0.001,
            add_node: 0.03,
            add_connection: 0.05,
        }
    }
}

impl NeatSettings {
    /// An error names the setting that is wrong.
    pub fn check(&self) -> Result<(), String> {
        let shares = [
            ("survival", self.survival),
            ("mutate-weights", self.mutate_weights),
            ("perturb", self.perturb),
            ("stay-disabled", self.stay_disabled),
            ("mutation-only", self.mutation_only),
            ("interspecies", self.interspecies),
            ("add-node", self.add_node),
            ("add-connection", self.add_connection),
        ];
        if let Some((name, value)) = shares.iter().find(|(_, value)| !(0.0..=1.0).contains(value)) {
            return Err(format!("neat: {name} = {value}: expected 0 to 1"));
        }
        let amounts = [
            ("excess", self.excess),
            ("disjoint", self.disjoint),
            ("weights", self.weights),
            ("threshold", self.threshold),
            ("step", self.step),
            ("range", self.range),
            ("largest", self.largest),
        ];
        if let Some((name, value)) = amounts.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            return Err(format!("neat: {name} = {value}: expected 0 or more"));
        }
        if self.population < 2 {
            return Err(format!("neat: population = {}: expected 2 or more", self.population));
        }
        check_individuals("neat: population", u64::from(self.population))
    }
}
