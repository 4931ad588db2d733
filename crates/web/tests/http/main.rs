//! The server over real HTTP, on a free port of this machine.

mod archive;
mod boards;
mod house;
mod learners;
mod running;
mod safety;
mod sessions;
mod thinking;
