//! The executor that hands jobs to machines elsewhere.

use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use lanista_lab::blobs::Blobs;
use lanista_lab::executor::{Done, Executor};
use lanista_lab::jobs::{Cancel, Job, JobError};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::connection::{Access, ConnectionError};
use crate::coordinator::{self, Input};
use crate::identity::Identity;
use crate::shelf::Shelf;

/// What becomes of a job that fails again and again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnPoison {
    /// The run fails.
    #[default]
    Fail,
    /// Positions of a test count as left without an answer. Other jobs cannot be done without: the run fails.
    Skip,
}

/// How runs use a cluster.
#[derive(Clone, Debug)]
pub struct ClusterUse {
    /// The server.
    pub access: Access,
    /// What becomes of poison.
    pub on_poison: OnPoison,
    /// The share of results that is computed a second time by another worker.
    pub verify_share: f64,
    /// A worker that shows no sign of life for so long is taken for dead.
    pub patience: Duration,
}

impl ClusterUse {
    /// What a run of a store wants of it.
    pub fn request(&self, title: &str, store: &Path, run: i64) -> RunRequest {
        // The same store has the same name from wherever it is opened.
        let place = std::fs::canonicalize(store).unwrap_or_else(|_| store.to_path_buf());
        RunRequest {
            access: self.access.clone(),
            title: title.to_string(),
            key: RunRequest::key(&[&place.display().to_string(), &run.to_string()]),
            on_poison: self.on_poison,
            verify_share: self.verify_share,
            patience: self.patience,
            identity: Identity::of_this_program(),
        }
    }
}

/// What a run wants of a cluster.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// The server.
    pub access: Access,
    /// What the run is called, for people.
    pub title: String,
    /// What tells this run from all others; the same when it goes on.
    pub key: String,
    /// What becomes of poison.
    pub on_poison: OnPoison,
    /// The share of results that is computed a second time by another worker.
    pub verify_share: f64,
    /// A worker that shows no sign of life for so long is taken for dead.
    pub patience: Duration,
    /// The program as workers must be.
    pub identity: Identity,
}

impl RunRequest {
    /// A key from what tells a run from others: the machine, the store, the number.
    pub fn key(parts: &[&str]) -> String {
        let mut hasher = blake3::Hasher::new();
        hasher.update(gethostname::gethostname().as_encoded_bytes());
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..16].to_string()
    }
}

/// Does jobs on machines elsewhere.
pub struct NatsExecutor {
    shelf: Arc<Shelf>,
    inputs: UnboundedSender<Input>,
    thread: Option<JoinHandle<()>>,
    cancel: Cancel,
}

impl NatsExecutor {
    /// Connects with the server and clears away what an earlier start of this run left there.
    pub fn connect(request: RunRequest, blobs: &Arc<Blobs>, cancel: &Cancel) -> Result<NatsExecutor, ConnectionError> {
        let shelf = Arc::new(Shelf::default());
        let (inputs, queue) = unbounded_channel();
        let (ready, started) = crossbeam_channel::bounded(1);
        let place = request.access.shown();
        let begin = coordinator::Begin {
            request,
            blobs: Arc::clone(blobs),
            cancel: cancel.clone(),
            shelf: Arc::clone(&shelf),
            inputs: inputs.clone(),
        };
        let gone = |reason: &str| ConnectionError::Server(place.clone(), reason.to_string());
        let thread = std::thread::Builder::new()
            .name("coordinator".into())
            .spawn(move || coordinator::run(begin, queue, &ready))
            .map_err(|error| gone(&error.to_string()))?;
        let executor = NatsExecutor { shelf, inputs, thread: Some(thread), cancel: cancel.clone() };
        started.recv().unwrap_or_else(|_| Err(gone("the coordinator broke down")))?;
        Ok(executor)
    }
}

impl Executor for NatsExecutor {
    /// Twice the threads that were heard of: while they work, the next jobs are on their way.
    fn workers(&self) -> usize {
        (2 * self.shelf.threads()).max(1)
    }

    fn submit(&mut self, ticket: u64, job: Job) {
        let job = Arc::new(job);
        if job.players().iter().any(|player| player.contains("engine:")) {
            let reason = "players of other programs (engine:) play on this machine only: leave --nats away";
            return self.shelf.fail(ticket, JobError::Elsewhere(reason.into()), &job);
        }
        // The coordinator leaves only when this end is gone.
        let _ = self.inputs.send(Input::Submit(ticket, job));
    }

    fn next(&mut self, wait: Duration) -> Option<Done> {
        self.shelf.fetch(wait)
    }

    fn warnings(&mut self) -> Vec<String> {
        self.shelf.warnings()
    }

    fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

impl Drop for NatsExecutor {
    fn drop(&mut self) {
        let _ = self.inputs.send(Input::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
