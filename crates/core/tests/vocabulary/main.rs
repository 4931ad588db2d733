//! The vocabulary at work, shown on a toy game.

mod history;
mod perft;
mod players;
mod ratchet;
mod referee;
mod rules;
