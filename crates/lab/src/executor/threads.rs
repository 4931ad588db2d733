//! Threads of this process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{Done, Effort, Executor};
use crate::blobs::Blobs;
use crate::jobs::{Cancel, Demonstration, Job, JobError, JobResult, Stand};

/// A pool of threads that do jobs.
pub struct Threads {
    jobs: Option<Sender<(u64, Job)>>,
    done: Receiver<Done>,
    threads: Vec<JoinHandle<()>>,
    cancel: Cancel,
    demonstration: Arc<Demonstration>,
}

impl Threads {
    /// Starts so many threads; 0 for as many as there are cores.
    pub fn new(threads: usize, blobs: &Arc<Blobs>, cancel: &Cancel) -> std::io::Result<Threads> {
        let count = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            given => given,
        };
        let (jobs, queue) = unbounded::<(u64, Job)>();
        let (report, done) = unbounded();
        let demonstration = Arc::new(Demonstration::new(count));
        let threads = (0..count)
            .map(|index| {
                let (queue, report, blobs, cancel) = (queue.clone(), report.clone(), Arc::clone(blobs), cancel.clone());
                let demonstration = Arc::clone(&demonstration);
                let name = format!("player-{index}");
                let work = move || work(&queue, &report, &blobs, &cancel, demonstration.stand(index));
                std::thread::Builder::new().name(name).spawn(work)
            })
            .collect::<std::io::Result<_>>()?;
        Ok(Threads { jobs: Some(jobs), done, threads, cancel: cancel.clone(), demonstration })
    }
}

fn work(queue: &Receiver<(u64, Job)>, report: &Sender<Done>, blobs: &Blobs, cancel: &Cancel, stand: Stand<'_>) {
    for (ticket, job) in queue {
        let effort = Effort::of(&job);
        let result = match cancel.is_cancelled() {
            true => Err(JobError::Cancelled),
            false => guarded(|| job.run_shown(blobs, cancel, Some(stand))),
        };
        let done = Done { ticket, result, seconds: effort.seconds() };
        if report.send(done).is_err() {
            break;
        }
    }
}

/// Does a job. A breakdown of the program in it is an error like others.
pub fn attempt(job: &Job, blobs: &Blobs, cancel: &Cancel) -> Result<JobResult, JobError> {
    guarded(|| job.run(blobs, cancel))
}

fn guarded(job: impl FnOnce() -> Result<JobResult, JobError>) -> Result<JobResult, JobError> {
    catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| Err(JobError::Panic(panic_text(panic.as_ref()))))
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no reason given".into())
}

impl Executor for Threads {
    fn workers(&self) -> usize {
        self.threads.len()
    }

    fn submit(&mut self, ticket: u64, job: Job) {
        if let Some(jobs) = &self.jobs {
            // Threads leave only when this end is gone.
            let _ = jobs.send((ticket, job));
        }
    }

    fn next(&mut self, wait: Duration) -> Option<Done> {
        self.done.recv_timeout(wait).ok()
    }

    fn demonstration(&self) -> Option<&Arc<Demonstration>> {
        Some(&self.demonstration)
    }

    fn cancel(&self) -> &Cancel {
        &self.cancel
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.cancel.cancel();
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // What a job broke down of has been reported.
            let _ = thread.join();
        }
    }
}
