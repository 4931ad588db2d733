//! Searches against the plainest of searches, on every game and on trees written down by hand.

mod allocations;
mod oracle;
mod proofs;
mod truths;
