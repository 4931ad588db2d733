//! Players that work for every game.

mod random;

pub use random::RandomPlayer;
