//! Learners as state machines: they ask for games and learn from the results. They never play one themselves.
//!
//! Those that breed are [`Breeder`]s: they hand out [`Round`]s of [`Meeting`]s between [`Genome`]s, are told the results, and
//! report a [`Generation`] now and then. [`evolve`] has the evolutions of plogann, box and allsop in parts, [`strategies`] search
//! around a centre, [`neat`] breeds the shape of networks too, and [`steady`] never waits for the end of a generation. The others
//! are told positions: [`td`] those of games, one after the other, [`offline`] samples with what became of them.
//!
//! Every random decision hangs on a path of seeds: learner, generation, part, individual. The same seed and the same results
//! give the same bits, on every machine.

mod breeder;
mod champion;
pub mod contest;
mod descent;
pub mod elementary;
pub mod evolve;
mod gaussian;
mod generations;
mod hall_of_fame;
mod limits;
pub mod neat;
pub mod offline;
mod parts;
mod round;
mod shuffle;
pub mod steady;
pub mod strategies;
pub mod td;

pub use breeder::{Breeder, Figures, Generation, Ranked};
pub use champion::{Candidate, Champion};
pub use descent::OptimiserName;
pub use evolve::Evolution;
pub use gaussian::{gaussian, quantile};
pub use generations::{Contestant, Generations, Lineage};
pub use hall_of_fame::HallOfFame;
pub use round::{FirstMover, Genome, Meeting, Played, Points, Rival, Round};

#[cfg(test)]
mod tests;
