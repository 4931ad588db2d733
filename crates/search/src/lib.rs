//! Players that work for every game.

pub mod ants;
pub mod best_three;
mod chance;
pub mod evaluators;
pub mod greedy;
pub mod lookahead;
pub mod mcts;
#[cfg(test)]
mod oracle;
pub mod parameters;
mod path;
pub mod plain;
mod power;
pub mod pvs;
mod random;
mod ranking;
pub mod stochastic;
#[cfg(test)]
mod twigs;
mod walk;
pub mod win_block;

pub use chance::Chances;
pub use random::{RANDOM, RandomPlayer};
