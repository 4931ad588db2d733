//! The thread that writes to the store while others play.

use std::thread::JoinHandle;

use crossbeam_channel::{Sender, bounded};

use crate::store::{Commit, Store, StoreError};

/// So many commits may wait; then the players wait.
const WAITING: usize = 4;

/// Writes commits in the order in which they come; nowhere, if there is no store.
pub struct Recorder {
    run: Option<i64>,
    commits: Option<Sender<Commit>>,
    thread: Option<JoinHandle<(Store, Result<(), StoreError>)>>,
    store: Option<Store>,
}

impl Recorder {
    /// Nothing is kept.
    pub fn none() -> Recorder {
        Recorder { run: None, commits: None, thread: None, store: None }
    }

    /// Everything is written to a run of a store.
    pub fn new(mut store: Store, run: i64) -> Recorder {
        let (commits, queue) = bounded::<Commit>(WAITING);
        let thread = std::thread::spawn(move || {
            for commit in queue {
                if let Err(error) = store.commit(run, &commit) {
                    return (store, Err(error));
                }
            }
            (store, Ok(()))
        });
        Recorder { run: Some(run), commits: Some(commits), thread: Some(thread), store: None }
    }

    /// The number of the run.
    pub fn run(&self) -> Option<i64> {
        self.run
    }

    /// Hands a commit over.
    pub fn commit(&mut self, commit: Commit) -> Result<(), StoreError> {
        match &self.commits {
            Some(commits) if commits.send(commit).is_err() => self.wait(),
            _ => Ok(()),
        }
    }

    /// Waits until everything is written.
    pub fn wait(&mut self) -> Result<(), StoreError> {
        self.commits = None;
        let Some(thread) = self.thread.take() else { return Ok(()) };
        match thread.join() {
            Ok((store, result)) => {
                self.store = Some(store);
                result
            }
            Err(_) => Err(StoreError::NotFound("the thread that writes to the store broke down".into())),
        }
    }

    /// Writes down that the run is done.
    pub fn finish(&mut self, fingerprint: &str) -> Result<(), StoreError> {
        match (&mut self.store, self.run) {
            (Some(store), Some(run)) => store.finish(run, fingerprint),
            _ => Ok(()),
        }
    }
}
