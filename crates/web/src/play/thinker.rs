//! One decision of a player, told about while it is taken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lanista_lab::blobs::Blobs;
use lanista_lab::thinking::{Follower, Question, Thought, decide};
use serde::Serialize;
use utoipa::ToSchema;

use super::turns::Turn;
use super::{Stop, Turns};
use crate::board::ScoreView;
use crate::error::ApiError;

/// Progress is told this often at most.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// What a player thinks so far.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Thinking {
    /// The ply of the position thought about.
    pub ply: u32,
    /// Whose turn it is there.
    pub side: u8,
    /// The move it would play.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it thinks of the position.
    pub score: Option<ScoreView>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Positions a second.
    pub nodes_per_second: f64,
    /// Seconds since it began, waiting for its turn included.
    pub seconds: f64,
    /// What it expects, its own move first.
    pub line: Vec<String>,
    /// Whether this is its decision.
    pub done: bool,
}

/// Who is told about thoughts.
pub type Tell = Arc<dyn Fn(Thinking) + Send + Sync>;

/// Lets a player decide, taking turns with others. Blocks: call it on a thread of its own. `Ok(None)` if it was stopped before
/// it began.
pub fn think(
    order: &Question,
    blobs: &Blobs,
    turns: &Arc<Turns>,
    stop: &Stop,
    tell: Tell,
) -> Result<Option<Thinking>, ApiError> {
    let Some(turn) = turns.enter(stop) else { return Ok(None) };
    let (ply, began) = (order.moves.len() as u32, Instant::now());
    // Players that look to a depth know no time.
    let deadline = order.budget.time.and_then(|time| began.checked_add(time));
    let (turn, told) = (Mutex::new(turn), Mutex::new(None));
    let onlooker = Onlooker { turn, tell: Arc::clone(&tell), ply, began, deadline, told };
    let decided = catch_unwind(AssertUnwindSafe(|| decide(order, blobs, Arc::new(onlooker))));
    let broke_down = |_| Err(ApiError::failed(format!("player {:?} broke down", order.player)));
    let thought = decided.map_or_else(broke_down, |decided| decided.map_err(ApiError::from))?;
    let thinking = thinking_of(thought, ply, began, true);
    tell(thinking.clone());
    Ok(Some(thinking))
}

fn thinking_of(thought: Thought, ply: u32, began: Instant, done: bool) -> Thinking {
    let seconds = began.elapsed().as_secs_f64();
    Thinking {
        ply,
        side: thought.side.index() as u8,
        mv: thought.mv,
        score: thought.score.map(|score| ScoreView::of_mover(score, thought.side, thought.names)),
        depth: thought.depth,
        nodes: thought.nodes,
        nodes_per_second: thought.nodes as f64 / seconds.max(1e-3),
        seconds,
        line: thought.line,
        done,
    }
}

/// Passes the turn on when its time is up, wants a decision when the time of the whole thought is, and tells what is thought now
/// and then.
struct Onlooker {
    turn: Mutex<Turn>,
    tell: Tell,
    ply: u32,
    began: Instant,
    deadline: Option<Instant>,
    told: Mutex<Option<Instant>>,
}

impl Follower for Onlooker {
    fn wants_decision(&self) -> bool {
        let goes_on = self.turn.lock().unwrap_or_else(PoisonError::into_inner).share();
        !goes_on || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn progress(&self, thought: Thought) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            *told = Some(Instant::now());
            (self.tell)(thinking_of(thought, self.ply, self.began, false));
        }
    }
}
