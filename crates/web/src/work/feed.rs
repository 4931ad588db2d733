//! What is told about a run while it goes on.

use lanista_lab::run::{Event, Measurement, Progress};
use lanista_lab::store::StoredMeasurement;
use serde::Serialize;
use tokio::sync::{broadcast, watch};
use utoipa::ToSchema;

use super::{ShownGameView, StandingView};
use crate::events::{Line, line};
use crate::routes::run_games::GameView;
use crate::routes::runs::RunSummary;

/// So many events wait for a slow page; it is told when it missed some.
const WAITING: usize = 256;

/// A measured figure.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FigureView {
    /// The trial, from 0.
    pub trial: u32,
    /// The generation; none for the trial as a whole.
    pub generation: Option<u32>,
    /// What was measured.
    pub name: String,
    /// What it was measured for, as `name=value` separated by spaces.
    pub of: String,
    /// The figure.
    pub value: f64,
    /// Half its 95 % interval.
    pub error: Option<f64>,
    /// How many games or positions it rests on.
    pub count: u64,
}

impl From<StoredMeasurement> for FigureView {
    fn from(stored: StoredMeasurement) -> FigureView {
        let StoredMeasurement { trial, generation, measurement } = stored;
        let Measurement { name, of, value, error, count, .. } = measurement;
        FigureView { trial, generation, name, of, value, error, count }
    }
}

/// How far a run has come.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ProgressView {
    /// Steps done.
    pub done: u64,
    /// Steps in all, as far as it is known.
    pub total: u64,
    /// What a step is: `games`, `positions`, `generations`.
    pub unit: String,
    /// Games played.
    pub games: u64,
    /// Trials done.
    pub trials_done: usize,
    /// Trials in all.
    pub trials: usize,
    /// Seconds since it began or went on.
    pub seconds: f64,
    /// Steps a second.
    pub rate: f64,
    /// Seconds left, if that can be told.
    pub seconds_left: Option<f64>,
    /// The figures that people want to see meanwhile, as text.
    pub figures: String,
}

/// What happens in a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunEvent {
    /// The run as it stands: the first event of every stream, and whenever its status changes.
    State {
        /// The run.
        run: Box<RunSummary>,
    },
    /// It has come so far.
    Progress {
        /// How far.
        progress: ProgressView,
    },
    /// Figures of generations that were measured since.
    Points {
        /// The figures, the oldest first.
        points: Vec<FigureView>,
    },
    /// A player broke down.
    Warning {
        /// What happened.
        text: String,
    },
    /// Events were left out for a slow page: fetch the run again.
    Missed {
        /// How many.
        events: u64,
    },
}

impl RunEvent {
    /// An event of the laboratory, if it is one that pages are told as it is.
    pub fn of(event: &Event) -> Option<RunEvent> {
        match event {
            Event::Progress { progress, trials_done, trials, seconds, rate, left } => {
                let Progress { done, total, unit, games, figures } = progress.clone();
                let progress = ProgressView {
                    done,
                    total,
                    unit,
                    games,
                    trials_done: *trials_done,
                    trials: *trials,
                    seconds: *seconds,
                    rate: *rate,
                    seconds_left: *left,
                    figures,
                };
                Some(RunEvent::Progress { progress })
            }
            Event::Warning { text } => Some(RunEvent::Warning { text: text.clone() }),
            Event::Started { .. } | Event::Finished(_) => None,
        }
    }
}

/// The boards and tables of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveEvent {
    /// The tables and the latest games; each event tells all.
    Boards {
        /// The tables, one for each trial.
        standings: Vec<StandingView>,
        /// The latest finished games with all their positions, the newest first.
        games: Vec<GameView>,
        /// Whether the run goes on.
        is_running: bool,
    },
    /// The games under way, as far as they take long enough to be watched; each event tells all of them. Games that are
    /// played on other machines are told when they are over.
    UnderWay {
        /// The games, by board.
        games: Vec<ShownGameView>,
    },
}

/// Where a run's events go.
pub struct Feed {
    /// Events in order.
    pub events: broadcast::Sender<Line>,
    /// The latest boards and tables.
    pub live: watch::Sender<Option<Line>>,
    /// The games under way.
    pub under_way: watch::Sender<Option<Line>>,
}

impl Default for Feed {
    fn default() -> Feed {
        Feed {
            events: broadcast::Sender::new(WAITING),
            live: watch::Sender::new(None),
            under_way: watch::Sender::new(None),
        }
    }
}

impl Feed {
    /// Tells an event to whoever listens.
    pub fn tell(&self, event: &RunEvent) {
        if self.events.receiver_count() > 0 {
            // Whoever left meanwhile does not matter.
            let _ = self.events.send(line(event));
        }
    }

    /// Whether nobody listens.
    pub fn is_idle(&self) -> bool {
        self.events.receiver_count() == 0 && self.live.receiver_count() == 0
    }
}
