//! The server over real HTTP, on a free port of this machine.

mod archive;
mod boards;
mod curves;
mod house;
mod learners;
mod long_run;
mod running;
mod safety;
mod sessions;
mod shipped;
mod thinking;
