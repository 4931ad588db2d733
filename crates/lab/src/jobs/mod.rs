//! Jobs: work as plain data, so that any thread or machine can do it, and always with the same result.
//!
//! A job holds all that it needs but the content of files, which it names by hash ([`Blobs`]). Its result is a function of
//! the job alone, unless a clock limits the players.

mod bounds;
mod codes;
mod decisions;
mod demonstration;
mod duels;
mod episodes;
mod fitting;
mod grades;
mod judging;
mod pairs;
mod umpire;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lanista_core::{Decision, Observer, ParseError, Seed};
use serde::{Deserialize, Serialize};

use crate::blobs::Blobs;
use crate::players::SpecError;
use crate::registry::{self, UnknownGame};

pub use bounds::{Bounds, player_repeats};
pub(crate) use codes::walk;
pub use codes::{CodeError, decode, encode, reason_code, reason_from_code};
pub use decisions::{DecisionRow, Decisions};
pub(crate) use demonstration::Stand;
pub use demonstration::{Demonstration, ShownGame};
pub use duels::{Duel, DuelRival, Duels};
pub use episodes::{Episode, Episodes};
pub use fitting::{Fit, Fitting, Opinions};
pub use grades::{Grade, Graded, Grades};
pub use judging::{Judge, Judging, Opinion};
pub use pairs::{GameRow, GameRows, Pairs, PairsResult, outcome_code, outcome_from_code};
pub use umpire::{Adjudication, DrawRule, ResignRule};

/// The version of jobs and results, counted up also when players decide otherwise. Programs of different versions do not work
/// for each other.
pub const JOB_VERSION: u32 = 7;

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// [`JOB_VERSION`] of the program that made it.
    pub version: u32,
    /// The id of the game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// What to do.
    pub work: Work,
}

/// What a job does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Work {
    /// Plays pairs of games between two players.
    Pairs(Pairs),
    /// Asks a player for one decision in each of some positions.
    Decisions(Decisions),
    /// Plays meetings of what a learner makes.
    Duels(Duels),
    /// Plays games that a learner learns from.
    Episodes(Episodes),
    /// Grades decisions of what a learner made by the truth.
    Grades(Grades),
    /// Asks a player what the positions of games are worth.
    Judging(Judging),
    /// Trains a network on games.
    Fitting(Fitting),
}

/// What a job gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum JobResult {
    /// Of [`Work::Pairs`].
    Pairs(PairsResult),
    /// Of [`Work::Decisions`].
    Decisions(Vec<DecisionRow>),
    /// Of [`Work::Duels`]: the games of each meeting.
    Duels(Vec<Vec<lanista_learn::Played>>),
    /// Of [`Work::Episodes`].
    Episodes(Vec<Episode>),
    /// Of [`Work::Grades`].
    Grades(Vec<Grade>),
    /// Of [`Work::Judging`]: one of each position.
    Opinions(Vec<Opinion>),
    /// Of [`Work::Fitting`].
    Fit(Fit),
}

/// Why a job gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// It was made by another version.
    #[error("a job of version {0}, this program does version {JOB_VERSION}")]
    Version(u32),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// There are no such rules, or no such position.
    #[error("{0}")]
    Text(#[from] ParseError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// What a learner made cannot play.
    #[error("{0}")]
    Genome(String),
    /// A player broke down: nothing can be learnt from its games.
    #[error("a player broke down: {0}")]
    Breakdown(String),
    /// Moves that cannot be played.
    #[error(transparent)]
    Moves(#[from] CodeError),
    /// It was told to stop.
    #[error("stopped")]
    Cancelled,
    /// It asks for more than this machine gives.
    #[error("a job asks for {0}")]
    Bounds(String),
    /// It was done elsewhere, and failed there.
    #[error("{0}")]
    Elsewhere(String),
    /// Results that were already used turned out to be wrong.
    #[error("{0}")]
    Deviation(String),
    /// The program broke down in it.
    #[error("the program broke down: {0}")]
    Panic(String),
}

impl Job {
    /// A job of this version.
    pub fn new(game: &str, rules: &str, work: Work) -> Job {
        Job { version: JOB_VERSION, game: game.to_string(), rules: rules.to_string(), work }
    }

    /// Does the work.
    pub fn run(&self, blobs: &Blobs, cancel: &Cancel) -> Result<JobResult, JobError> {
        self.run_shown(blobs, cancel, None)
    }

    /// Does the work and shows the games of contests on a board, if there is one.
    pub(crate) fn run_shown(
        &self,
        blobs: &Blobs,
        cancel: &Cancel,
        stand: Option<Stand<'_>>,
    ) -> Result<JobResult, JobError> {
        if self.version != JOB_VERSION {
            return Err(JobError::Version(self.version));
        }
        let rules = &self.rules;
        match &self.work {
            Work::Pairs(job) => registry::visit(&self.game, Table { job, rules, blobs, cancel, stand })?,
            Work::Decisions(job) => registry::visit(&self.game, Table { job, rules, blobs, cancel, stand })?,
            Work::Duels(job) => registry::visit(&self.game, Table { job, rules, blobs, cancel, stand })?,
            Work::Episodes(job) => registry::visit(&self.game, Table { job, rules, blobs, cancel, stand })?,
            Work::Grades(job) => registry::visit(&self.game, Table { job, rules, blobs, cancel, stand })?,
            Work::Judging(job) => registry::visit(&self.game, Table { job, rules, blobs, cancel, stand })?,
            Work::Fitting(job) => registry::visit(&self.game, Table { job, rules, blobs, cancel, stand })?,
        }
    }
}

/// Work with what it needs around it. For each kind it is a `GameVisitor` that does the work.
struct Table<'a, W> {
    job: &'a W,
    rules: &'a str,
    blobs: &'a Blobs,
    cancel: &'a Cancel,
    stand: Option<Stand<'a>>,
}

/// A wish to stop, shared by all who should heed it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Wishes it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody wishes it.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn check(&self) -> Result<(), JobError> {
        if self.is_cancelled() { Err(JobError::Cancelled) } else { Ok(()) }
    }
}

/// Players that think are told to stop, too.
impl<M> Observer<M> for Cancel {
    fn wants_decision(&self) -> bool {
        self.is_cancelled()
    }

    fn progress(&self, _decision: &Decision<M>) {}
}

/// Seeds in jobs and stores: 16 hexadecimal digits.
pub(crate) mod seed_text {
    use super::Seed;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(seed: &Seed, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(seed)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seed, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
