//! The pheromone.

use crate::power::power;

/// All trails of a colony. They evaporate without being touched: levels are counted in a unit that shrinks by ρ with
/// every forage, so that only what is laid changes them, and the probabilities of an ant, which depend on ratios
/// alone, need no unit at all.
pub(super) struct Trails {
    trails: Vec<Trail>,
    /// How many units of level make a pheromone of 1.
    unit: f64,
    /// The strength of a level of one pheromone.
    unit_strength: f64,
    alpha: f64,
    rho: f64,
    /// Trails on which something was laid in this forage.
    touched: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Trail {
    level: f64,
    /// levelᵅ.
    strength: f64,
    /// Laid in this forage.
    laid: f64,
}

/// When the unit has grown so far, all levels are brought back: far below what a float can hold.
const LARGEST_UNIT: f64 = 1e150;
/// The least that is left of a level then, so that no trail is forgotten altogether.
const LEAST_LEVEL: f64 = 1e-120;

impl Trails {
    /// No trails, or `count` new ones.
    pub fn new(alpha: f64, rho: f64, count: usize) -> Trails {
        let trail = Trail { level: 1.0, strength: 1.0, laid: 0.0 };
        Trails { trails: vec![trail; count], unit: 1.0, unit_strength: 1.0, alpha, rho, touched: Vec::new() }
    }

    /// A new trail, of pheromone 1.
    #[inline]
    pub fn add(&mut self) -> u32 {
        self.trails.push(Trail { level: self.unit, strength: self.unit_strength, laid: 0.0 });
        self.trails.len() as u32 - 1
    }

    /// Bytes that a new trail takes.
    pub const SIZE: usize = size_of::<Trail>();

    /// τᵅ, up to a factor that is the same for all trails.
    #[inline]
    pub fn strength(&self, trail: u32) -> f64 {
        self.trails[trail as usize].strength
    }

    /// τ.
    pub fn pheromone(&self, trail: u32) -> f64 {
        self.trails[trail as usize].level / self.unit
    }

    /// An ant has passed; what it lays counts from the end of the forage on.
    #[inline]
    pub fn lay(&mut self, trail: u32, amount: f64) {
        let laid = &mut self.trails[trail as usize].laid;
        if *laid == 0.0 {
            self.touched.push(trail);
        }
        *laid += amount;
    }

    /// τ ← ρτ + what was laid, for all trails.
    pub fn end_forage(&mut self) {
        self.unit /= self.rho;
        for trail in self.touched.drain(..) {
            let trail = &mut self.trails[trail as usize];
            trail.level += trail.laid * self.unit;
            trail.strength = power(trail.level, self.alpha);
            trail.laid = 0.0;
        }
        if self.unit > LARGEST_UNIT {
            for trail in &mut self.trails {
                trail.level = (trail.level / self.unit).max(LEAST_LEVEL);
                trail.strength = power(trail.level, self.alpha);
            }
            self.unit = 1.0;
        }
        self.unit_strength = power(self.unit, self.alpha);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) -> bool {
        (found / expected - 1.0).abs() < 1e-12
    }

    /// ρ = 0.8. Three ants: two over the first trail with 0.75 and 0.5, one over the second with 0.25; then one over the
    /// first with 1. By hand: 0.8·1 + 1.25 = 2.05, 0.8·1 + 0.25 = 1.05, 0.8; then 0.8·2.05 + 1 = 2.64, 0.84, 0.64.
    #[test]
    fn updated_as_computed_by_hand() {
        let mut trails = Trails::new(0.6, 0.8, 3);
        trails.lay(0, 0.75);
        trails.lay(1, 0.25);
        trails.lay(0, 0.5);
        assert_eq!(trails.pheromone(0), 1.0, "nothing counts before the end of the forage");
        trails.end_forage();
        for (trail, expected) in [(0, 2.05), (1, 1.05), (2, 0.8)] {
            assert!(close(trails.pheromone(trail), expected), "{}", trails.pheromone(trail));
        }
        let late = trails.add();
        assert_eq!(trails.pheromone(late), 1.0);
        trails.lay(0, 1.0);
        trails.end_forage();
        for (trail, expected) in [(0, 2.64), (1, 0.84), (2, 0.64), (late, 0.8)] {
            assert!(close(trails.pheromone(trail), expected), "{}", trails.pheromone(trail));
        }
        let ratio = trails.strength(0) / trails.strength(1);
        assert!(close(ratio, (2.64f64 / 0.84).powf(0.6)), "strengths are in the ratio of τ to the α");
    }

    /// A trail that is fed evenly comes to rest at laid/(1 − ρ), however long it takes.
    #[test]
    fn come_to_rest_over_many_forages() {
        let mut trails = Trails::new(0.6, 0.1, 2);
        for _ in 0..1000 {
            trails.lay(0, 0.9);
            trails.end_forage();
        }
        assert!(close(trails.pheromone(0), 1.0), "0.9/(1 - 0.1): {}", trails.pheromone(0));
        assert!(trails.pheromone(1) < 1e-100 && trails.strength(1) > 0.0);
    }
}
