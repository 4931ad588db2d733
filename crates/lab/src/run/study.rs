//! Studies: what asks for games and learns from them.
//!
//! A study is a state machine. It hands out jobs in generations, is told their results in the order in which it asked,
//! and can be saved after every generation: whoever restores it goes on as if nothing had happened.

use serde::{Deserialize, Serialize};

use crate::jobs::{DecisionRow, GameRows, Job, JobResult};
use crate::statistics::{GameCounts, wilson};
use crate::store::Population;

/// What a study wants next.
#[derive(Debug)]
pub enum Ask {
    /// A generation of jobs.
    Jobs(Vec<Job>),
    /// The results of the generations under way.
    Wait,
    /// Nothing more.
    Done,
}

/// A measured figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// What was measured: `score`, `nodes` …
    pub name: String,
    /// What it was measured for, as `name=value` separated by spaces: `row=IV column=I`.
    pub of: String,
    /// The figure.
    pub value: f64,
    /// Half its 95 % interval, if it is known.
    pub error: Option<f64>,
    /// How many games or positions it rests on.
    pub count: u64,
    /// Whether it repeats to the bit. Times do not, and are left out of fingerprints.
    pub repeats: bool,
}

impl Measurement {
    /// A figure that repeats.
    pub fn new(name: &str, of: impl Into<String>, value: f64, count: u64) -> Measurement {
        Measurement { name: name.to_string(), of: of.into(), value, error: None, count, repeats: true }
    }

    /// A share of `count`, `good` of them, with Wilson's interval; nothing if there are none.
    pub fn share(name: &str, of: impl Into<String>, good: f64, count: u64) -> Option<Measurement> {
        let interval = wilson(good, count)?;
        let share = good / count as f64;
        Some(Measurement::new(name, of, share, count).with_error(Some(interval.reach(share))))
    }

    /// With half its 95 % interval.
    pub fn with_error(self, error: Option<f64>) -> Measurement {
        Measurement { error: error.filter(|error| error.is_finite()), ..self }
    }

    /// A figure that depends on the machine.
    pub fn of_this_machine(self) -> Measurement {
        Measurement { repeats: false, ..self }
    }
}

/// Games between two players, a part of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The meeting it belongs to, within its trial.
    pub meeting: u32,
    /// The players, as tables call them.
    pub names: [String; 2],
    /// The players, as text; files by the hash of their content.
    pub players: [String; 2],
    /// What they may spend, as text.
    pub limits: [String; 2],
    /// The seed of the meeting. Game `n` has its child `n`.
    pub seed: lanista_core::Seed,
    /// The number of the first game in its meeting. The first player opens the games with even numbers.
    pub first_game: u64,
    /// Results, seen by the first player.
    pub counts: GameCounts,
    /// The games, if they are kept.
    pub rows: GameRows,
}

/// One decision in a position of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionRecord {
    /// The number of the position.
    pub position: u32,
    /// Who decided, and how deep: `player=pvs depth=4`.
    pub of: String,
    /// What was decided.
    pub row: DecisionRow,
}

/// What a generation left.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Its games.
    pub batches: Vec<Batch>,
    /// Its decisions.
    pub decisions: Vec<DecisionRecord>,
    /// Its figures, by generation.
    pub measurements: Vec<(u32, Vec<Measurement>)>,
    /// What went wrong with players, for people to read.
    pub warnings: Vec<String>,
    /// Why it cannot go on.
    pub failure: Option<String>,
    /// Files that it made: players that learners came to.
    pub files: Vec<RunFile>,
    /// Who took part, for generations whose state is kept.
    pub populations: Vec<Population>,
    /// Whether the state after it is worth keeping, to fork from.
    pub keep: bool,
}

/// A file that a run made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub content: Vec<u8>,
}

impl Recorded {
    /// Adds what the next generation left.
    pub fn append(&mut self, mut next: Recorded) {
        self.batches.append(&mut next.batches);
        self.decisions.append(&mut next.decisions);
        self.measurements.append(&mut next.measurements);
        self.warnings.append(&mut next.warnings);
        self.files.append(&mut next.files);
        self.populations.append(&mut next.populations);
        self.keep |= next.keep;
    }
}

/// How far a study has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Steps done.
    pub done: u64,
    /// Steps in all, as far as it is known.
    pub total: u64,
    /// What a step is: `games`, `positions`.
    pub unit: String,
    /// Games played.
    pub games: u64,
    /// The figures that people want to see meanwhile.
    pub figures: String,
}

/// A small job that stands for many: what an estimate of a study's time rests on.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The job.
    pub job: Job,
    /// The study has so many times the work of this job, of this kind.
    pub times: f64,
}

/// A study under way.
pub trait Study: Send {
    /// One small job for each part of the study, before it begins.
    fn probes(&mut self) -> Vec<Probe>;

    /// The same for parts that need something of others before they can be tried out: `results` are those of [`Study::probes`], as
    /// far as they were done.
    fn further_probes(&mut self, _results: &[JobResult]) -> Vec<Probe> {
        Vec::new()
    }

    /// The same for what measures the study as it goes on.
    fn measuring_probes(&mut self) -> Vec<Probe> {
        Vec::new()
    }

    /// Seconds of all that the study does itself when it is told results, tried out on `results`, those of [`Study::probes`]. No
    /// number of cores makes them fewer: only trials learn side by side.
    fn own_seconds(&mut self, _results: &[JobResult]) -> f64 {
        0.0
    }

    /// More jobs, if some can be done before the results of others are known. `workers` can be done at a time.
    fn ask(&mut self, workers: usize) -> Ask;

    /// Absorbs the results of the oldest generation under way, in the order of its jobs, with the seconds they took.
    fn tell(&mut self, results: Vec<(JobResult, f64)>) -> Recorded;

    /// How many generations are complete, where that is a step of its own and not just a piece of a long list. Figures are
    /// then recorded under the generation that the study gives them.
    fn generation(&self) -> Option<u32> {
        None
    }

    /// How many generations of jobs may be under way at a time.
    fn most_under_way(&self) -> usize {
        3
    }

    /// Everything that [`Study::tell`] has changed.
    fn save(&self) -> Vec<u8>;

    /// Goes back to a saved state. An error says that the bytes are none.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;

    /// How far it has come.
    fn progress(&self) -> Progress;

    /// What it came to so far.
    fn summary(&self) -> Vec<Measurement>;

    /// A hash of all results so far; the same whatever threads, machines and interruptions there were.
    fn digest(&self) -> u64;
}
