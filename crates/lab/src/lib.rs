//! The laboratory: everything that plays many games goes through here.

pub mod engine;
pub mod import;
pub mod matches;
pub mod perft;
pub mod players;
pub mod registry;
pub mod statistics;
