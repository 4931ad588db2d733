//! Jobs on other machines, over NATS JetStream.
//!
//! A coordinator ([`NatsExecutor`]) puts jobs on a stream, any number of workers ([`worker`]) take them, and the results come
//! back on another stream. Nothing of a run is kept here: jobs are functions of their data, the store of the coordinator
//! makes a run safe, and whatever is lost on the way is simply done again.
//!
//! Nothing on the wire tells the time: clocks of machines may be as wrong as they like.

mod bundling;
mod connection;
mod coordinator;
mod credentials;
mod executor;
mod files;
mod identity;
mod ledger;
mod overview;
mod shelf;
mod signs;
mod streams;
mod verification;
mod wire;
pub mod worker;

// The tests beside need more of it.
#[cfg(test)]
#[allow(dead_code)]
#[path = "../tests/server/mod.rs"]
mod server;

pub use connection::{Access, Connection, ConnectionError, Say, new_key};
pub use credentials::Credentials;
pub use executor::{ClusterUse, NatsExecutor, OnPoison, RunRequest};
pub use files::Files;
pub use identity::{Identity, signature, worker_name};
pub use overview::{Overview, RunLine, Standing, WorkerLine, overview};
pub use signs::{RUN_SIGNS, RunSign, WORKER_SIGNS, WorkerSign, sign_subject};
pub use streams::{FILES_STORE, JOBS_STREAM, RESULTS_STREAM, jobs_subject, results_subject, run_consumer};
pub use wire::{Answer, Bundle, Failure, JobAnswer, LARGEST_MESSAGE, WireError, decode, encode};
