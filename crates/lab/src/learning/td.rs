//! Temporal-difference learning at work: batches of games with the same weights, then a lesson, then the next batch.

use std::time::Instant;

use lanista_core::Seed;
use lanista_learn::Genome;
use lanista_learn::td::{Chain, States, Student, TdSettings};
use serde::{Deserialize, Serialize};

use super::chains::MakeChains;
use super::course::{Learner, Step};
use super::ring::Ring;
use crate::cost::ENOUGH;
use crate::jobs::{Episode, Episodes, Job, JobResult, Work};
use crate::registry;
use crate::run::{Measurement, Probe};

/// So many games tell how long others take.
const PROBED_GAMES: u64 = 8;

/// A student with its games.
pub struct Td {
    ring: Ring,
    settings: TdSettings,
    /// How many outputs predict inputs.
    predicted: usize,
    student: Student,
    seed: Seed,
    /// Lessons learnt.
    batch: u32,
    is_out: bool,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    student: Vec<u8>,
    batch: u32,
}

impl Td {
    /// Learning that has not begun. The ring's opponent is played against; without one, the student plays itself.
    pub fn new(ring: Ring, settings: TdSettings, predicted: usize, student: Student, seed: Seed) -> Td {
        Td { ring, settings, predicted, student, seed, batch: 0, is_out: false }
    }

    fn genome(&self) -> Genome {
        Genome::Weights(self.student.network().weights())
    }

    fn job(&self, first: u64, games: u64) -> Job {
        let shares = (first..first + games).map(|game| self.settings.exploration(game) as f32);
        self.episodes(first, shares.collect())
    }

    /// The job of some games with these shares of random moves.
    fn episodes(&self, first_game: u64, exploration: Vec<f32>) -> Job {
        self.ring.job(Work::Episodes(Episodes {
            body: self.ring.body.clone(),
            player: self.ring.player.clone(),
            genome: self.genome(),
            opponent: self.ring.opponents.first().cloned(),
            exploration,
            first_game,
            seed: self.seed.child(0),
            lines: self.settings.states == States::Leaves,
        }))
    }

    fn chains(&self, episodes: &[Episode]) -> Result<Vec<Chain>, String> {
        let Ring { game, body, rules, .. } = &self.ring;
        let make = MakeChains { body, rules, states: self.settings.states, episodes };
        registry::visit(game, make).map_err(|error| error.to_string())?
    }
}

impl Learner for Td {
    fn unit(&self) -> &'static str {
        "batches"
    }

    fn steps(&self) -> u32 {
        self.settings.games.div_ceil(self.settings.batch) as u32
    }

    fn ask(&mut self, games_a_job: u64, workers: usize) -> Option<Vec<Job>> {
        if self.is_out || self.batch >= self.steps() {
            return None;
        }
        self.is_out = true;
        let first = u64::from(self.batch) * self.settings.batch;
        let end = (first + self.settings.batch).min(self.settings.games);
        let size = games_a_job.min((end - first).div_ceil(workers.max(1) as u64)).max(1);
        Some((first..end).step_by(size as usize).map(|first| self.job(first, size.min(end - first))).collect())
    }

    fn tell(&mut self, results: Vec<JobResult>) -> Result<Option<Step>, String> {
        self.is_out = false;
        let mut episodes = Vec::new();
        for result in results {
            match result {
                JobResult::Episodes(some) => episodes.extend(some),
                _ => return Err("a batch was answered by something else".into()),
            }
        }
        let chains = self.chains(&episodes)?;
        let seed = self.seed.child(1).child(u64::from(self.batch));
        let first = u64::from(self.batch) * self.settings.batch;
        self.student.set_method(self.settings.method(first));
        let before = self.student.save();
        let error = self.student.study(&chains, &self.settings, self.predicted, seed);
        let (count, states) = (episodes.len() as u64, chains.iter().map(|chain| chain.len() as u64).sum());
        if !error.is_finite() || !self.student.network().weights().iter().all(|weight| weight.is_finite()) {
            // The steps were too large, and what came of them cannot play. What was learnt before is the last step.
            self.student.restore(&before)?;
            let lost = Measurement::new("diverged", "lesson", f64::from(self.batch + 1), states);
            self.batch = self.steps();
            return Ok(Some(Step {
                number: self.batch,
                figures: vec![lost],
                best: vec![self.genome()],
                fitness: Vec::new(),
            }));
        }
        let share = self.settings.exploration(first);
        self.batch += 1;
        let plies = episodes.iter().map(|episode| episode.codes.len() as f64).sum::<f64>() / count.max(1) as f64;
        Ok(Some(Step {
            number: self.batch,
            figures: vec![
                Measurement::new("error", "lesson", error, states),
                Measurement::new("exploration", "lesson", share, count),
                Measurement::new("plies", "lesson", plies, count),
            ],
            best: vec![self.genome()],
            fitness: Vec::new(),
        }))
    }

    fn probes(&mut self) -> Vec<Probe> {
        let games = self.settings.games.min(PROBED_GAMES);
        // Games with many random moves take another time than those with few, so the probed ones are spread over all.
        let spread = (0..games).map(|game| (2 * game + 1) * self.settings.games / (2 * games));
        let job = self.episodes(0, spread.map(|game| self.settings.exploration(game) as f32).collect());
        vec![Probe { job, times: self.settings.games as f64 / games as f64 }]
    }

    fn own_seconds(&mut self, results: &[JobResult]) -> f64 {
        let [JobResult::Episodes(episodes)] = results else { return 0.0 };
        // One pass tells how long all take.
        let once = TdSettings { passes: 1, ..self.settings.clone() };
        let (mut seeing, mut learning, began) = (f64::MAX, f64::MAX, Instant::now());
        while seeing == f64::MAX || began.elapsed() < ENOUGH {
            let began = Instant::now();
            let Ok(chains) = self.chains(episodes) else { return 0.0 };
            seeing = seeing.min(began.elapsed().as_secs_f64());
            let (mut student, began) = (self.student.clone(), Instant::now());
            student.study(&chains, &once, self.predicted, self.seed);
            learning = learning.min(began.elapsed().as_secs_f64());
        }
        learning *= f64::from(self.settings.passes);
        (seeing + learning) * self.settings.games as f64 / episodes.len().max(1) as f64
    }

    fn beginner(&mut self) -> Option<Genome> {
        Some(self.genome())
    }

    fn save(&self) -> Vec<u8> {
        let saved = Saved { student: self.student.save(), batch: self.batch };
        // Writing to a vector cannot fail.
        postcard::to_stdvec(&saved).unwrap_or_default()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let saved: Saved = postcard::from_bytes(state).map_err(|error| error.to_string())?;
        self.student.restore(&saved.student)?;
        self.batch = saved.batch;
        self.is_out = false;
        Ok(())
    }
}
