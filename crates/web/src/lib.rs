//! The browser application: a web server over the laboratory, with the application's files in it.
//!
//! Requests are answered by a few threads; whatever takes time has threads of its own: players think by turns, runs go on in the
//! laboratory's executors. Nothing that a page sends reaches the file system or starts another program.

mod assets;
mod board;
mod error;
mod events;
mod extract;
mod guard;
mod play;
mod routes;
mod sampling;
mod server;
mod state;
mod weights;
mod work;

pub use assets::is_built;
pub use routes::description;
pub use server::{Address, Server, ServerError, Stopper};
pub use state::Settings;
