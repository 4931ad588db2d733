//! What a run tells while it is under way: for the terminal, and for whoever else wants to follow.

use serde::Serialize;

use super::study::Progress;

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// It began.
    Started {
        /// The title of the experiment.
        title: String,
        /// How many trials it has.
        trials: usize,
        /// Whether it goes on where it was left.
        resumed: bool,
    },
    /// It has come so far.
    Progress {
        /// All trials together.
        progress: Progress,
        /// Trials done.
        trials_done: usize,
        /// Trials in all.
        trials: usize,
        /// Seconds since it began or went on.
        seconds: f64,
        /// Steps a second.
        rate: f64,
        /// Seconds left, if that can be told.
        left: Option<f64>,
    },
    /// A player broke down.
    Warning {
        /// What happened.
        text: String,
    },
    /// It is done.
    Finished(Finished),
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finished {
    /// Its number in the store, if it is in one.
    pub run: Option<i64>,
    /// The hash of all results.
    pub fingerprint: String,
    /// How long it took, earlier parts not counted.
    pub seconds: f64,
    /// All its games.
    pub games: u64,
    /// The games played now, not in an earlier part.
    pub played: u64,
    /// Steps: games, decisions.
    pub steps: u64,
    /// Trials.
    pub trials: usize,
    /// The final states of its trials, if no store keeps them.
    #[serde(skip)]
    pub states: Vec<Vec<u8>>,
}
