//! Where genomes play: meetings of a learner as jobs.

use lanista_learn::{Genome, Meeting};

use super::body::Body;
use crate::jobs::{Duels, Job, Work};

/// How genomes play, and against whom.
#[derive(Clone, Debug)]
pub struct Ring {
    /// The id of the game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// What genomes are.
    pub body: Body,
    /// How a genome plays: a player whose evaluator is `genome`.
    pub player: String,
    /// Fixed players that may be asked for.
    pub opponents: Vec<String>,
    /// So many random plies begin every game.
    pub random_plies: u32,
}

impl Ring {
    /// A job in this game.
    pub fn job(&self, work: Work) -> Job {
        Job::new(&self.game, &self.rules, work)
    }

    /// A job for some meetings.
    pub fn duels(&self, genomes: &[Genome], meetings: &[Meeting]) -> Job {
        self.job(Work::Duels(Duels::new(self, genomes, meetings)))
    }

    /// Meetings as jobs of about so many games; a round too small for that is shared out among the workers.
    pub fn jobs(&self, genomes: &[Genome], meetings: &[Meeting], games_a_job: u64, workers: usize) -> Vec<Job> {
        let games: u64 = meetings.iter().map(|meeting| u64::from(meeting.games)).sum();
        let most = games_a_job.min(games.div_ceil(workers.max(1) as u64)).max(1);
        let mut jobs = Vec::new();
        let mut rest = meetings;
        while !rest.is_empty() {
            let mut sum = 0;
            let fitting = rest.iter().take_while(|meeting| {
                let fits = sum < most;
                sum += u64::from(meeting.games);
                fits
            });
            let (now, later) = rest.split_at(fitting.count());
            jobs.push(self.duels(genomes, now));
            rest = later;
        }
        jobs
    }
}
