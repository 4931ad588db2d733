//! What a study makes of results: at once, or on a thread of its own where that takes long and others need not wait for it.

use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::{Recorded, Study};
use crate::executor::Effort;
use crate::jobs::JobResult;

/// What takes longer is worth a thread.
pub(crate) const LONG: Duration = Duration::from_millis(10);
/// While lessons are given elsewhere, the loop looks for their end so often.
pub(super) const LOOK_EVERY: Duration = Duration::from_micros(500);

/// A study that has absorbed results.
pub(super) struct Lesson {
    pub study: Box<dyn Study>,
    pub recorded: Recorded,
    pub took: Duration,
    /// The seconds that a processor worked for it.
    pub worked: f64,
}

impl Lesson {
    /// Tells a study results.
    pub fn give(mut study: Box<dyn Study>, results: Vec<(JobResult, f64)>) -> Lesson {
        let (begun, effort) = (Instant::now(), Effort::begin());
        let recorded = study.tell(results);
        Lesson { study, recorded, took: begun.elapsed(), worked: effort.seconds() }
    }

    /// What came of one that was given elsewhere. A breakdown of the program there is one here.
    pub fn of(thread: JoinHandle<Lesson>) -> Lesson {
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
