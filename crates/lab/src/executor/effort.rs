//! What work costs: the time that a processor spent on it, whatever else the machine had to do meanwhile.

use std::time::Instant;

use cpu_time::ThreadTime;

use crate::jobs::Job;

/// Work under way on this thread.
#[derive(Debug)]
pub struct Effort {
    processor: Option<ThreadTime>,
    clock: Instant,
}

impl Effort {
    /// Work that this thread does alone, from now on.
    pub fn begin() -> Effort {
        Effort { processor: ThreadTime::try_now().ok(), clock: Instant::now() }
    }

    /// A job, from now on. Where others work for it, threads of a player or other programs, the clock has to do.
    pub fn of(job: &Job) -> Effort {
        let effort = Effort::begin();
        Effort { processor: effort.processor.filter(|_| job.repeats()), ..effort }
    }

    /// The seconds of work since then.
    pub fn seconds(&self) -> f64 {
        let worked = self.processor.as_ref().and_then(|processor| processor.try_elapsed().ok());
        worked.unwrap_or_else(|| self.clock.elapsed()).as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waiting is no work, unless others may work meanwhile.
    #[test]
    fn waiting_costs_nothing() {
        let (effort, by_clock) = (Effort::begin(), Effort { processor: None, ..Effort::begin() });
        let (send, receive) = std::sync::mpsc::channel::<()>();
        let wait = std::time::Duration::from_millis(200);
        assert!(receive.recv_timeout(wait).is_err());
        assert!(by_clock.seconds() >= wait.as_secs_f64());
        assert!(effort.seconds() < wait.as_secs_f64() / 2.0, "{}", effort.seconds());
        drop(send);
        let mut sum = 0u64;
        while effort.seconds() < 0.01 {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0);
    }
}
