//! How many jobs travel together: so many that the way costs little, so few that nobody waits for others.

/// A bundle should take about so many round trips, and at least so many seconds.
const ROUND_TRIPS: f64 = 8.0;
const SHORTEST: f64 = 0.2;
const LONGEST: f64 = 2.0;
/// No bundle has more jobs.
const MOST: usize = 256;
/// How much the latest value counts.
const WEIGHT: f64 = 0.2;

/// What is known of jobs and of the way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bundling {
    job: Option<f64>,
    round_trip: Option<f64>,
}

impl Bundling {
    /// A job took so many seconds.
    pub fn took(&mut self, seconds: f64) {
        self.job = Some(mixed(self.job, seconds));
    }

    /// A message came back after so many seconds.
    pub fn came_back(&mut self, seconds: f64) {
        self.round_trip = Some(mixed(self.round_trip, seconds));
    }

    /// How many of the waiting jobs the next bundle gets. It leaves enough for all threads.
    pub fn size(&self, waiting: usize, threads: usize) -> usize {
        let Some(job) = self.job else { return 1 };
        let aim = (ROUND_TRIPS * self.round_trip.unwrap_or(0.0)).clamp(SHORTEST, LONGEST);
        let fitting = (aim / job.max(1e-6)) as usize;
        fitting.min(waiting.div_ceil(2 * threads.max(1))).clamp(1, MOST)
    }
}

fn mixed(before: Option<f64>, now: f64) -> f64 {
    before.map_or(now, |before| before + WEIGHT * (now - before))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(job: f64, round_trip: f64) -> Bundling {
        let mut bundling = Bundling::default();
        bundling.took(job);
        bundling.came_back(round_trip);
        bundling
    }

    #[test]
    fn short_jobs_travel_together_and_long_ones_alone() {
        assert_eq!(Bundling::default().size(1000, 1), 1, "nothing is known");
        assert_eq!(known(0.5, 0.001).size(1000, 1), 1);
        assert_eq!(known(0.001, 0.001).size(1000, 1), 200);
        assert_eq!(known(0.000_001, 0.001).size(100_000, 1), MOST);
    }

    #[test]
    fn a_long_way_makes_larger_bundles() {
        assert!(known(0.01, 0.1).size(1000, 1) > known(0.01, 0.001).size(1000, 1));
    }

    #[test]
    fn nobody_is_left_without_work() {
        for threads in 1..50 {
            let size = known(0.0001, 0.001).size(100, threads);
            assert!(size * 2 * threads <= 100 + 2 * threads, "{size} for {threads} threads");
        }
    }
}
