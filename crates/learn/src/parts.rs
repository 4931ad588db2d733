//! Branches of a learner's tree of seeds: `seed.child(generation).child(part).child(individual)`.

pub(crate) const INITIAL: u64 = 0;
pub(crate) const MUTATION: u64 = 1;
pub(crate) const CROSSOVER: u64 = 2;
pub(crate) const PARENTS: u64 = 3;
pub(crate) const SELECTION: u64 = 4;
pub(crate) const DRAW: u64 = 5;
pub(crate) const MEETINGS: u64 = 6;
pub(crate) const COINS: u64 = 7;
pub(crate) const HALL: u64 = 8;
pub(crate) const SAMPLES: u64 = 9;
pub(crate) const STRUCTURE: u64 = 10;
