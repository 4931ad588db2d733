//! Schemes: how one generation becomes the next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who takes part in a contest, how many of them live on and who fills the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Scheme {
    /// Everyone gets children, all of them take part, and as many as there were before live on. A mutant is a mutated copy, a child comes
    /// from crossover with a random other individual and is not mutated. (plogann: 62 become 248 become 62.)
    Expand {
        /// Mutants of each. (plogann: 2.)
        mutants: u32,
        /// Crossover children of each. (plogann: 1.)
        children: u32,
    },
    /// The selected ones live on as they are; all others are replaced by children of two different selected ones, by crossover and then
    /// mutation. (box.)
    Replace {
        /// The share that is selected, at least one. (box: 0 to 1; 0.45 in its fourth-best set.)
        selected: f64,
    },
    /// The selected ones live on; the rest are children by crossover, and then mutated copies of those children. Parents are drawn by
    /// fitness, and are different. (allsop: 50 % winners, 25 % children, 25 % mutated children.)
    Shares {
        /// The share of children. (allsop: 0.25.)
        children: f64,
        /// The share of mutated children, no more than that of children. (allsop: 0.25.)
        mutated: f64,
    },
}

impl Scheme {
    /// How many take part in a contest.
    pub fn contestants(&self, population: usize) -> usize {
        match self {
            Scheme::Expand { mutants, children } => population * (1 + *mutants as usize + *children as usize),
            _ => population,
        }
    }

    /// How many live on.
    pub fn survivors(&self, population: usize) -> usize {
        match self {
            Scheme::Expand { .. } => population,
            Scheme::Replace { selected } => rounded(selected * population as f64).clamp(1, population),
            Scheme::Shares { .. } => {
                let (children, mutated) = self.offspring(population);
                population.saturating_sub(children + mutated)
            }
        }
    }

    /// Children and mutated children of the scheme `shares`.
    pub(super) fn offspring(&self, population: usize) -> (usize, usize) {
        match self {
            Scheme::Shares { children, mutated } => {
                // Of an odd place the children have it; half of an odd number of individuals are winners in the end.
                let both = whole((children + mutated) * population as f64);
                let mutated = whole(mutated * population as f64);
                (both.saturating_sub(mutated), mutated)
            }
            _ => (0, 0),
        }
    }

    /// An error says what is wrong with it.
    pub fn check(&self, population: usize) -> Result<(), String> {
        match *self {
            Scheme::Expand { mutants, children } if mutants > 1000 || children > 1000 => {
                Err("scheme: expected at most 1000 mutants and children".into())
            }
            Scheme::Replace { selected } if !(selected > 0.0 && selected <= 1.0) => {
                Err(format!("scheme: selected = {selected}: expected more than 0, at most 1"))
            }
            Scheme::Shares { children, mutated } => {
                let fine = children >= 0.0 && mutated >= 0.0 && mutated <= children && children + mutated < 1.0;
                if fine && self.survivors(population) > 0 {
                    Ok(())
                } else {
                    Err(format!("scheme: children = {children}, mutated = {mutated}: expected less than 1 together"))
                }
            }
            _ => Ok(()),
        }
    }
}

/// As many as there are whole ones, up to the errors of arithmetic.
fn whole(count: f64) -> usize {
    (count + 1e-9).floor() as usize
}

fn rounded(count: f64) -> usize {
    count.round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_the_documents() {
        let plogann = Scheme::Expand { mutants: 2, children: 1 };
        assert_eq!((plogann.contestants(62), plogann.survivors(62)), (248, 62));
        let four = Scheme::Replace { selected: 0.45 };
        assert_eq!((four.contestants(143), four.survivors(143)), (143, 64));
        let allsop = Scheme::Shares { children: 0.25, mutated: 0.25 };
        assert_eq!((allsop.survivors(100), allsop.offspring(100)), (50, (25, 25)));
        assert_eq!((allsop.survivors(10), allsop.offspring(10)), (5, (3, 2)));
        assert_eq!((allsop.survivors(9), allsop.offspring(9)), (5, (2, 2)));
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Scheme::Replace { selected: 0.0 }.check(10).is_err());
        assert!(Scheme::Shares { children: 0.2, mutated: 0.3 }.check(10).is_err());
        assert!(Scheme::Shares { children: 0.6, mutated: 0.6 }.check(10).is_err());
        assert!(Scheme::Replace { selected: f64::NAN }.check(10).is_err());
    }
}
