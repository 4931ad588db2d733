//! English draughts (checkers): 8×8, 12 men each, Black moves first, captures are mandatory, kings move one step.
//!
//! The 32 dark squares lie in a 32-bit word in the rotated order that makes every diagonal step one rotation
//! of the word (see `geometry`); people see the usual numbers, 1 to 12 Black's, 21 to 32 White's.

mod captures;
pub mod evaluation;
mod geometry;
mod moves;
mod notation;
mod pdn;
mod position;
mod rules;
mod tactics;

pub use moves::DraughtsMove;
pub use position::Draughts;
