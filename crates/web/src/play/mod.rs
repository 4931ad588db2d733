//! Thinking and playing: who may use the cores, decisions on request, and games that people play.

mod player_rules;
mod session;
mod session_clock;
mod sessions;
mod stop;
mod thinker;
mod turns;

pub use player_rules::{Memory, checked_player};
pub use session::{Following, Seat, Session, SessionEvent, SessionSetup, SessionView};
pub use sessions::Sessions;
pub use stop::{Stop, StopOnDrop};
pub use thinker::{Thinking, think};
pub use turns::Turns;
