//! Bundles at hand, and the threads that do them. Runs take turns.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lanista_lab::blobs::Blobs;
use lanista_lab::executor::{Effort, attempt};
use lanista_lab::jobs::{Bounds, Cancel, JobError};
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;

use crate::wire::{Bundle, Failure, JobAnswer};

/// Bundles that take longer than this are not fetched before somebody is free for them.
const SHORT: f64 = 0.5;
/// How much the latest bundle counts.
const WEIGHT: f64 = 0.3;

/// A bundle that a worker has.
pub(super) struct Task {
    /// Its number here.
    pub id: u64,
    /// The run that it belongs to.
    pub run: String,
    /// The jobs.
    pub bundle: Bundle,
    /// The wish that it be given up.
    pub cancel: Cancel,
}

/// What became of a bundle.
pub(super) struct Finished {
    /// The number of the task.
    pub id: u64,
    /// What came of its jobs; `None` if it was given up.
    pub answers: Option<Vec<JobAnswer>>,
    /// The epoch and number of the bundle.
    pub bundle: (String, u64),
}

/// What the threads have done so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Totals {
    /// Threads at work.
    pub busy: usize,
    /// Jobs done.
    pub jobs: u64,
    /// Jobs that failed.
    pub failures: u64,
    /// Seconds of work.
    pub worked: f64,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// How long its bundles take.
    seconds: Option<f64>,
}

#[derive(Default)]
struct State {
    queues: BTreeMap<String, Queue>,
    /// The run that was served last.
    served: String,
    closed: bool,
    /// The tasks that threads have, until their end was reported.
    running: HashSet<u64>,
    totals: Totals,
}

/// The desk.
pub(super) struct Desk {
    threads: usize,
    state: Mutex<State>,
    filled: Condvar,
    /// Somebody took a bundle or finished one.
    pub changed: Notify,
}

impl Desk {
    pub fn new(threads: usize) -> Desk {
        Desk { threads, state: Mutex::default(), filled: Condvar::new(), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many more bundles of a run are of use now.
    pub fn wanted(&self, run: &str) -> usize {
        let state = self.state();
        if state.closed {
            return 0;
        }
        let queue = state.queues.get(run);
        let queued = queue.map_or(0, |queue| queue.tasks.len());
        let ahead = match queue.and_then(|queue| queue.seconds) {
            Some(seconds) if seconds < SHORT => self.threads,
            _ => 0,
        };
        (self.threads.saturating_sub(state.totals.busy) + ahead).saturating_sub(queued)
    }

    /// Lays a bundle there; a closed desk takes none.
    pub fn put(&self, task: Task) {
        let mut state = self.state();
        if state.closed {
            return;
        }
        state.queues.entry(task.run.clone()).or_default().tasks.push_back(task);
        self.filled.notify_one();
    }

    /// Takes away what waits of a run, or of all. Returns the numbers of the tasks.
    pub fn clear(&self, run: Option<&str>) -> Vec<u64> {
        let mut state = self.state();
        let mut ids = Vec::new();
        for (name, queue) in &mut state.queues {
            if run.is_none_or(|run| run == name) {
                ids.extend(queue.tasks.drain(..).map(|task| task.id));
            }
        }
        if let Some(run) = run {
            state.queues.remove(run);
        }
        ids
    }

    /// Lets threads go when nothing waits.
    pub fn close(&self) {
        self.state().closed = true;
        self.filled.notify_all();
    }

    pub fn is_closed(&self) -> bool {
        self.state().closed
    }

    /// The numbers of the tasks that threads have.
    pub fn running(&self) -> HashSet<u64> {
        self.state().running.clone()
    }

    pub fn totals(&self) -> Totals {
        self.state().totals
    }

    /// The next bundle: runs take turns. `None` when the desk is closed and empty.
    fn take(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            let behind = state.queues.iter().filter(|(run, _)| **run > state.served);
            let all = behind.chain(state.queues.iter());
            let next = all.filter(|(_, queue)| !queue.tasks.is_empty()).map(|(run, _)| run.clone()).next();
            if let Some(run) = next {
                let task = state.queues.get_mut(&run).and_then(|queue| queue.tasks.pop_front());
                state.served = run;
                state.totals.busy += 1;
                state.running.extend(task.as_ref().map(|task| task.id));
                return task;
            }
            if state.closed {
                return None;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn finished(&self, run: &str, answers: &[JobAnswer], time: Duration) {
        let mut state = self.state();
        let totals = &mut state.totals;
        totals.busy -= 1;
        totals.worked += time.as_secs_f64();
        totals.jobs += answers.iter().filter(|answer| answer.result.is_ok()).count() as u64;
        totals.failures += answers.iter().filter(|answer| answer.result.is_err()).count() as u64;
        if let Some(queue) = state.queues.get_mut(run) {
            let now = time.as_secs_f64();
            queue.seconds = Some(queue.seconds.map_or(now, |before| before + WEIGHT * (now - before)));
        }
    }

    /// Does bundles on this thread until the desk is closed.
    pub fn work(&self, blobs: &Blobs, bounds: &Bounds, report: &UnboundedSender<Finished>) {
        while let Some(task) = self.take() {
            self.changed.notify_waiters();
            let began = Instant::now();
            let answers = done(&task, blobs, bounds);
            self.finished(&task.run, answers.as_deref().unwrap_or_default(), began.elapsed());
            self.changed.notify_waiters();
            let Task { id, bundle, .. } = task;
            let sent = report.send(Finished { id, answers, bundle: (bundle.epoch, bundle.number) });
            self.state().running.remove(&id);
            if sent.is_err() {
                break;
            }
        }
    }
}

/// The answers to all jobs of a bundle; `None` if it was given up.
fn done(task: &Task, blobs: &Blobs, bounds: &Bounds) -> Option<Vec<JobAnswer>> {
    let mut answers = Vec::with_capacity(task.bundle.jobs.len());
    for (ticket, job) in &task.bundle.jobs {
        if task.cancel.is_cancelled() {
            return None;
        }
        let effort = Effort::of(job);
        let missing = job.references().into_iter().find(|reference| blobs.get(reference).is_none());
        let result = match missing {
            Some(reference) => Err(Failure::MissingFile(reference)),
            None => match job.check(bounds).and_then(|()| attempt(job, blobs, &task.cancel)) {
                Ok(result) => Ok(result),
                Err(JobError::Cancelled) => return None,
                Err(error) => Err(Failure::Failed(error.to_string())),
            },
        };
        answers.push(JobAnswer { ticket: *ticket, result, seconds: effort.seconds() });
    }
    Some(answers)
}

/// Starts the threads of a desk.
pub(super) fn start(
    desk: &Arc<Desk>,
    blobs: &Arc<Blobs>,
    bounds: Bounds,
    report: &UnboundedSender<Finished>,
) -> std::io::Result<Vec<std::thread::JoinHandle<()>>> {
    let spawn = |index| {
        let (desk, blobs, report) = (Arc::clone(desk), Arc::clone(blobs), report.clone());
        let builder = std::thread::Builder::new().name(format!("player-{index}"));
        builder.spawn(move || desk.work(&blobs, &bounds, &report))
    };
    (0..desk.threads).map(spawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(id: u64, run: &str) -> Task {
        let bundle = Bundle { epoch: "e".into(), number: id, not_by: None, jobs: Vec::new() };
        Task { id, run: run.into(), bundle, cancel: Cancel::default() }
    }

    #[test]
    fn runs_take_turns() {
        let desk = Desk::new(1);
        for (id, run) in [(0, "a"), (1, "a"), (2, "a"), (3, "b"), (4, "c"), (5, "c")] {
            desk.put(task(id, run));
        }
        desk.close();
        let order: Vec<u64> = std::iter::from_fn(|| desk.take()).map(|task| task.id).collect();
        assert_eq!(order, [0, 3, 4, 1, 5, 2]);
    }

    #[test]
    fn long_bundles_are_not_fetched_ahead() {
        let desk = Desk::new(2);
        assert_eq!(desk.wanted("a"), 2, "both threads are free");
        desk.put(task(0, "a"));
        assert_eq!(desk.wanted("a"), 1);
        desk.take().expect("a task");
        assert_eq!(desk.wanted("a"), 1);
        desk.finished("a", &[], Duration::from_millis(10));
        assert_eq!(desk.wanted("a"), 4, "short ones are");
        desk.take_nothing_and_report_long("a");
        assert_eq!(desk.wanted("a"), 2);
    }

    impl Desk {
        fn take_nothing_and_report_long(&self, run: &str) {
            self.state().totals.busy += 1;
            self.finished(run, &[], Duration::from_secs(60));
        }
    }

    #[test]
    fn what_waits_can_be_handed_back() {
        let desk = Desk::new(1);
        [(0, "a"), (1, "b")].into_iter().for_each(|(id, run)| desk.put(task(id, run)));
        assert_eq!(desk.clear(Some("b")), [1]);
        assert_eq!(desk.clear(None), [0]);
        desk.close();
        assert!(desk.take().is_none());
        assert_eq!(desk.wanted("a"), 0);
    }
}
