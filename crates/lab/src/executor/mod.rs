//! Who does the jobs: threads of this process, or machines elsewhere.

mod effort;
mod threads;

use std::sync::Arc;
use std::time::Duration;

use crate::jobs::{Cancel, Demonstration, Job, JobError, JobResult};

pub use effort::Effort;
pub use threads::{Threads, attempt};

/// A job that is done.
#[derive(Debug)]
pub struct Done {
    /// The number it was handed in with.
    pub ticket: u64,
    /// What it gave.
    pub result: Result<JobResult, JobError>,
    /// How long a processor worked for it.
    pub seconds: f64,
}

/// Does jobs side by side. Results come back as they are ready; whoever hands jobs in knows by the tickets in which
/// order they belong (`run` absorbs them in that order, so that nothing depends on who was faster).
pub trait Executor {
    /// How many jobs it can do at a time.
    fn workers(&self) -> usize;

    /// Takes a job. Returns at once.
    fn submit(&mut self, ticket: u64, job: Job);

    /// Waits for a job to be done; `None` if nothing is within that time.
    fn next(&mut self, wait: Duration) -> Option<Done>;

    /// What people should know of since they were last asked.
    fn warnings(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Boards that show the games of contests under way; none if they are played elsewhere.
    fn demonstration(&self) -> Option<&Arc<Demonstration>> {
        None
    }

    /// The wish that stops all jobs at once.
    fn cancel(&self) -> &Cancel;
}
