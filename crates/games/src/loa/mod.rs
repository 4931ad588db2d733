//! Lines of Action on boards of 4×4 to 8×8.
//!
//! Claude Soucie's game as in Winands' description of MIA: a piece moves in a straight line exactly as far as
//! there are pieces on that whole line; it may jump its own pieces, not the enemy's; who connects all own pieces wins.
//! The board lies in a 64-bit word, a1 in bit 0, one byte a rank, whatever its size.

mod com;
mod connection;
pub mod evaluation;
mod geometry;
mod moves;
mod notation;
mod position;
mod rules;
mod sgf;
mod symmetry;
mod tactics;
mod ways;

pub use com::{COM_ABOUT, COM_NAME, Com};
pub use connection::is_connected;
pub use moves::LoaMove;
pub use position::Loa;
pub use rules::{BoardRules, BothConnected, NoMove};
