//! Runs: a queue of which one runs at a time, what is told about them, and the files that players need.

mod feed;
mod files;
mod queue;
mod reader;
mod spectators;
mod staff;
mod standing;

pub use feed::{FigureView, LiveEvent, RunEvent};
pub use files::Files;
pub use queue::{RunStatus, Workshop};
pub use spectators::ShownGameView;
pub use staff::Staff;
pub use standing::{StandingView, standings};
