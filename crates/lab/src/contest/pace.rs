//! How many steps go into a job: so many that handing it out costs nothing, so few that nobody waits for it.

/// Jobs should take about so long, in seconds.
const AIM: f64 = 0.02;
/// Jobs never grow faster than this from one generation to the next.
const GROWTH: f64 = 8.0;

/// The pace of a study. It decides how work is cut, never what comes out.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    steps: f64,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { steps: 1.0 }
    }
}

impl Pace {
    /// Steps for the next job.
    pub fn steps_a_job(&self) -> u64 {
        self.steps as u64
    }

    /// Learns what a job took.
    pub fn took(&mut self, steps: u64, seconds: f64) {
        let fitting = AIM * steps as f64 / seconds.max(1e-9);
        self.steps = fitting.min(GROWTH * steps as f64).clamp(1.0, 1e7);
    }
}
