//! Where results lie between the network and the run that fetches them.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lanista_lab::executor::Done;
use lanista_lab::jobs::{Job, JobError};

/// The ticket of an error that is no job's.
const NO_TICKET: u64 = u64::MAX;

/// A result with its origin.
pub(crate) struct Item {
    /// What the run gets.
    pub done: Done,
    /// The identity of the worker; empty if it comes from no worker.
    pub worker: String,
    /// The job.
    pub job: Arc<Job>,
}

#[derive(Default)]
struct Content {
    items: VecDeque<Item>,
    /// Results fetched, by worker.
    fetched: HashMap<String, u64>,
    /// Why the run must stop, if it must.
    deviation: Option<String>,
    warnings: Vec<String>,
    threads: usize,
}

/// The shelf.
#[derive(Default)]
pub(crate) struct Shelf {
    content: Mutex<Content>,
    filled: Condvar,
}

impl Shelf {
    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lays a result there.
    pub fn put(&self, item: Item) {
        self.content().items.push_back(item);
        self.filled.notify_one();
    }

    /// Lays an error there that the run gets before anything else.
    pub fn fail(&self, ticket: u64, error: JobError, job: &Arc<Job>) {
        let done = Done { ticket, result: Err(error), seconds: 0.0 };
        self.content().items.push_front(Item { done, worker: String::new(), job: Arc::clone(job) });
        self.filled.notify_one();
    }

    /// The next result, if there is one within this time. If the run must stop, it is that error at once, on an empty shelf, too.
    pub fn fetch(&self, wait: Duration) -> Option<Done> {
        let is_bare = |content: &mut Content| content.items.is_empty() && content.deviation.is_none();
        let waited = self.filled.wait_timeout_while(self.content(), wait, is_bare);
        let (mut content, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let deviation = content.deviation.clone().map(JobError::Deviation);
        let Some(Item { done, worker, .. }) = content.items.pop_front() else {
            return deviation.map(|error| Done { ticket: NO_TICKET, result: Err(error), seconds: 0.0 });
        };
        *content.fetched.entry(worker).or_default() += 1;
        let result = deviation.map_or(done.result, Err);
        Some(Done { result, ..done })
    }

    /// Wrong results were fetched: whatever is fetched from now on is this error.
    pub fn deviate(&self, reason: String) {
        self.content().deviation.get_or_insert(reason);
        self.filled.notify_one();
    }

    /// Why the run must stop, if it must.
    pub fn deviation(&self) -> Option<String> {
        self.content().deviation.clone()
    }

    /// Takes back what a worker gave and nobody has fetched. Returns it, and how many of its results were fetched.
    pub fn recall(&self, worker: &str) -> (Vec<Item>, u64) {
        let mut content = self.content();
        let items = std::mem::take(&mut content.items);
        let (recalled, kept): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|item| item.worker == worker);
        content.items = kept.into();
        (recalled, content.fetched.get(worker).copied().unwrap_or(0))
    }

    /// Says something to people.
    pub fn warn(&self, text: String) {
        self.content().warnings.push(text);
        self.filled.notify_one();
    }

    /// What was said since the last time.
    pub fn warnings(&self) -> Vec<String> {
        std::mem::take(&mut self.content().warnings)
    }

    /// So many threads work for us.
    pub fn set_threads(&self, threads: usize) {
        self.content().threads = threads;
    }

    /// How many threads work for us.
    pub fn threads(&self) -> usize {
        self.content().threads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_shelf_tells_of_a_deviation_at_once_and_every_time() {
        let shelf = Shelf::default();
        assert!(shelf.fetch(Duration::ZERO).is_none());
        shelf.deviate("wrong results".into());
        for _ in 0..2 {
            let done = shelf.fetch(Duration::MAX).expect("the deviation");
            assert_eq!(done.ticket, u64::MAX);
            assert!(matches!(done.result, Err(JobError::Deviation(text)) if text == "wrong results"));
        }
    }
}
