//! Learners at work: crate `learn` says what to try and what to make of it; here it gets its games, is measured and
//! stored.

mod body;
mod breeding;
mod chains;
mod course;
mod eyes;
mod measuring;
mod offline;
mod ring;
mod tally;
mod td;

pub use body::{Body, GENOME, Mind, grown, linear, network};
pub use breeding::Breeding;
pub use course::{Course, CoursePlan, Learner, Step};
pub use eyes::{Eyes, sum_of_features};
pub use measuring::{Games, Measure};
pub use offline::{CONSTANT, Offline, OfflinePlan, Structure};
pub use ring::Ring;
pub use td::Td;
