//! Searches against the plainest of searches, on every game. Those on trees written down by hand are in the crate itself.

mod allocations;
mod counted;
mod limits;
mod lines;
mod oracle;
mod proofs;
mod threads;
mod truths;
#[path = "../players/under_way.rs"]
mod under_way;
