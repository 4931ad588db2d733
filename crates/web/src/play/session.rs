//! A game that people play: against players, against each other, or to watch players play.
//!
//! The server keeps the game and moves for players by itself, so a page can be closed and opened again at any time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lanista_core::{Budget, Ending, Game, Outcome, Reason, Side};
use lanista_lab::blobs::Blobs;
use lanista_lab::limits::{Limit, share_of_clock, thinking_time};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use lanista_lab::thinking::Question;
use serde::Serialize;
use tokio::sync::watch;
use utoipa::ToSchema;

use super::session_clock::{Clock, ClockView};
use super::{Memory, Stop, Thinking, Turns, think};
use crate::board::{PositionView, ScoreView, game_under_way, position_view};
use crate::error::ApiError;

/// A player thinks no longer than this about a move.
const LONGEST_THOUGHT: Duration = Duration::from_secs(120);
/// How long a player waits for memory before it asks again.
const ASK_AGAIN: Duration = Duration::from_millis(200);

/// Who sits on a side.
#[derive(Clone, Debug)]
pub enum Seat {
    /// Somebody at the page.
    Human,
    /// A player.
    Engine {
        /// Its text, as it was asked for.
        text: String,
        /// Its text, as it plays here.
        player: String,
        /// The memory it needs, in MB.
        memory: u64,
        /// The files that it needs.
        blobs: Arc<Blobs>,
    },
}

/// Everything that makes a session.
#[derive(Clone, Debug)]
pub struct SessionSetup {
    /// The id of the game.
    pub game: String,
    /// The rules.
    pub rules: String,
    /// The position before the first move.
    pub start: Option<String>,
    /// Who plays.
    pub seats: [Seat; 2],
    /// What they may spend.
    pub limits: [Limit; 2],
    /// How long a move of a player stays to be looked at, where no people play.
    pub pause: Duration,
    /// The seed of random choices.
    pub seed: u64,
}

/// A move that was played.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    text: String,
    score: Option<ScoreView>,
}

/// A session as a page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SessionView {
    /// Its id.
    pub id: String,
    /// Grows with every change.
    pub revision: u64,
    /// The id of the game.
    pub game: String,
    /// The rules.
    pub rules: String,
    /// The position before the first move, if it is not that of the rules.
    pub start: Option<String>,
    /// Who plays: `human`, or a player's text.
    pub players: Vec<String>,
    /// What they may spend, as text.
    pub limits: Vec<String>,
    /// The position on the board.
    pub position: PositionView,
    /// The moves so far.
    pub moves: Vec<String>,
    /// What the players thought of their moves, where they told.
    pub scores: Vec<Option<ScoreView>>,
    /// Moves that were taken back, the next one first.
    pub redo: Vec<String>,
    /// The clocks, if there are any.
    pub clocks: Option<ClockView>,
    /// Whether a player is thinking.
    pub is_thinking: bool,
    /// Whether a move can be taken back.
    pub can_undo: bool,
    /// Whether a move can be played again.
    pub can_redo: bool,
    /// Why a player cannot go on, if it cannot.
    pub failure: Option<String>,
}

/// What happens in a session.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SessionEvent {
    /// The session has changed; the first event of every stream.
    State {
        /// The whole of it.
        session: Box<SessionView>,
    },
    /// A player thinks.
    Thinking {
        /// What it thinks so far.
        thinking: Thinking,
    },
    /// The session is over.
    Gone,
}

/// What a page that follows a session hears.
pub struct Following {
    /// What it looks like now.
    pub present: SessionEvent,
    /// What it looks like later.
    pub changes: watch::Receiver<SessionEvent>,
    /// What players think later.
    pub thoughts: watch::Receiver<Option<Thinking>>,
}

/// A session.
pub struct Session {
    /// Its id.
    pub id: String,
    setup: SessionSetup,
    turns: Arc<Turns>,
    memory: Arc<Memory>,
    inner: Mutex<Inner>,
    state: watch::Sender<SessionEvent>,
    thoughts: watch::Sender<Option<Thinking>>,
}

struct Inner {
    revision: u64,
    moves: Vec<PlayedMove>,
    redo: Vec<PlayedMove>,
    verdict: Option<Ending>,
    clock: Option<Clock>,
    thinking: Option<Stop>,
    failure: Option<String>,
    used: Instant,
}

impl Session {
    /// A session at its first move. An error says what is wrong with its setup.
    pub fn begin(
        id: String,
        setup: SessionSetup,
        turns: &Arc<Turns>,
        memory: &Arc<Memory>,
    ) -> Result<Arc<Session>, ApiError> {
        let inner = Inner {
            revision: 1,
            moves: Vec::new(),
            redo: Vec::new(),
            verdict: None,
            clock: Clock::new(&setup.limits),
            thinking: None,
            failure: None,
            used: Instant::now(),
        };
        let session = Session {
            id,
            turns: Arc::clone(turns),
            memory: Arc::clone(memory),
            inner: Mutex::new(inner),
            state: watch::Sender::new(SessionEvent::Gone),
            thoughts: watch::Sender::new(None),
            setup,
        };
        let mut inner = session.lock();
        let position = session.position(&inner)?;
        if let (Some(clock), None) = (&mut inner.clock, &position.outcome) {
            clock.start(usize::from(position.side_to_move));
        }
        session.publish(&mut inner)?;
        drop(inner);
        let session = Arc::new(session);
        session.let_players_move();
        Ok(session)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it looks like now.
    pub fn view(&self) -> Result<SessionView, ApiError> {
        let mut inner = self.lock();
        inner.used = Instant::now();
        self.view_of(&inner)
    }

    /// What it looks like now, and everything that happens from now on.
    pub fn follow(&self) -> Result<Following, ApiError> {
        let mut inner = self.lock();
        inner.used = Instant::now();
        let changes = self.state.subscribe();
        // What was told last may be long ago, and clocks have gone on since.
        let present = match *changes.borrow() {
            SessionEvent::Gone => SessionEvent::Gone,
            _ => SessionEvent::State { session: Box::new(self.view_of(&inner)?) },
        };
        Ok(Following { present, changes, thoughts: self.thoughts.subscribe() })
    }

    /// Since when nobody has looked at it; `None` while somebody does or a player thinks.
    pub fn idle_since(&self) -> Option<Instant> {
        let inner = self.lock();
        (self.state.receiver_count() == 0 && inner.thinking.is_none()).then_some(inner.used)
    }

    /// Somebody plays a move.
    pub fn play(self: &Arc<Session>, text: &str, revision: Option<u64>) -> Result<SessionView, ApiError> {
        let mut inner = self.lock();
        if revision.is_some_and(|revision| revision != inner.revision) {
            return Err(ApiError::conflict("the game has gone on meanwhile; look at the board again"));
        }
        let position = self.position(&inner)?;
        let side = usize::from(position.side_to_move);
        if let Some(ending) = &position.outcome {
            return Err(ApiError::conflict(format!("the game is over: {}", ending.text)));
        }
        if !matches!(self.setup.seats[side], Seat::Human) {
            return Err(ApiError::conflict("it is the other player's turn"));
        }
        inner.moves.push(PlayedMove { text: text.to_string(), score: None });
        match self.position(&inner) {
            Ok(position) => {
                // The text that was played, as the game writes it.
                let written = position.last_move.map(|mv| mv.text);
                if let (Some(played), Some(written)) = (inner.moves.last_mut(), written) {
                    played.text = written;
                }
            }
            Err(error) => {
                inner.moves.pop();
                return Err(error.about("move"));
            }
        }
        inner.redo.clear();
        self.moved(&mut inner, side)?;
        let view = self.view_of(&inner);
        drop(inner);
        self.let_players_move();
        view
    }

    /// Takes moves back until it is somebody's turn who can move again.
    pub fn undo(self: &Arc<Session>) -> Result<SessionView, ApiError> {
        let mut inner = self.lock();
        if inner.moves.is_empty() {
            return Err(ApiError::conflict("there is no move to take back"));
        }
        stop_thinking(&mut inner);
        while let Some(mv) = inner.moves.pop() {
            inner.redo.push(mv);
            let side = usize::from(self.position(&inner)?.side_to_move);
            if !self.has_human() || matches!(self.setup.seats[side], Seat::Human) {
                break;
            }
        }
        self.changed_by_hand(inner)
    }

    /// Plays moves again that were taken back.
    pub fn redo(self: &Arc<Session>) -> Result<SessionView, ApiError> {
        let mut inner = self.lock();
        if inner.redo.is_empty() {
            return Err(ApiError::conflict("there is no move to play again"));
        }
        stop_thinking(&mut inner);
        while let Some(mv) = inner.redo.pop() {
            inner.moves.push(mv);
            let side = usize::from(self.position(&inner)?.side_to_move);
            if !self.has_human() || matches!(self.setup.seats[side], Seat::Human) {
                break;
            }
        }
        self.changed_by_hand(inner)
    }

    /// Somebody gives up.
    pub fn resign(self: &Arc<Session>) -> Result<SessionView, ApiError> {
        let mut inner = self.lock();
        let position = self.position(&inner)?;
        if position.outcome.is_some() {
            return Err(ApiError::conflict("the game is over"));
        }
        let to_move = Side::BOTH[usize::from(position.side_to_move)];
        let loser = Side::BOTH.into_iter().find(|side| matches!(self.setup.seats[side.index()], Seat::Human));
        let loser =
            if matches!(self.setup.seats[to_move.index()], Seat::Human) { to_move } else { loser.unwrap_or(to_move) };
        stop_thinking(&mut inner);
        inner.verdict = Some(Ending { outcome: Outcome::Win(!loser), reason: Reason::Resignation });
        if let Some(clock) = &mut inner.clock {
            clock.halt();
        }
        self.publish(&mut inner)?;
        self.view_of(&inner)
    }

    fn changed_by_hand(self: &Arc<Session>, mut inner: MutexGuard<'_, Inner>) -> Result<SessionView, ApiError> {
        inner.verdict = None;
        inner.failure = None;
        let position = self.position(&inner)?;
        if let Some(clock) = &mut inner.clock {
            match position.outcome {
                None => clock.start(usize::from(position.side_to_move)),
                Some(_) => clock.halt(),
            }
        }
        self.publish(&mut inner)?;
        let view = self.view_of(&inner);
        drop(inner);
        self.let_players_move();
        view
    }

    /// The position to think about for a hint: a question for a player of one's choice.
    pub fn order(&self, player: String, budget: Budget) -> Question {
        self.order_of(&self.lock(), player, budget)
    }

    /// Ends what is under way.
    pub fn close(&self) {
        stop_thinking(&mut self.lock());
        self.state.send_replace(SessionEvent::Gone);
    }

    /// Looks at the clocks; whose time is over has lost.
    pub fn look_at_clocks(&self) {
        let mut inner = self.lock();
        let Some(side) = inner.clock.as_ref().and_then(Clock::fallen) else { return };
        stop_thinking(&mut inner);
        inner.verdict = Some(Ending { outcome: Outcome::Win(!Side::BOTH[side]), reason: Reason::Forfeit });
        if let Some(clock) = &mut inner.clock {
            clock.halt();
        }
        // A position that was shown before can be shown again.
        let _ = self.publish(&mut inner);
    }

    fn has_human(&self) -> bool {
        self.setup.seats.iter().any(|seat| matches!(seat, Seat::Human))
    }

    /// A side has moved: clocks change, everybody is told.
    fn moved(&self, inner: &mut Inner, side: usize) -> Result<(), ApiError> {
        let position = self.position(inner)?;
        if let Some(clock) = &mut inner.clock {
            clock.moved(side);
            if position.outcome.is_none() {
                clock.start(usize::from(position.side_to_move));
            }
        }
        self.publish(inner)
    }

    fn publish(&self, inner: &mut Inner) -> Result<(), ApiError> {
        inner.revision += 1;
        inner.used = Instant::now();
        let session = Box::new(self.view_of(inner)?);
        self.thoughts.send_replace(None);
        self.state.send_replace(SessionEvent::State { session });
        Ok(())
    }

    fn position(&self, inner: &Inner) -> Result<PositionView, ApiError> {
        let moves: Vec<String> = inner.moves.iter().map(|mv| mv.text.clone()).collect();
        let show = Show { setup: &self.setup, moves: &moves, verdict: inner.verdict };
        registry::visit(&self.setup.game, show)?
    }

    fn view_of(&self, inner: &Inner) -> Result<SessionView, ApiError> {
        let name = |seat: &Seat| match seat {
            Seat::Human => "human".to_string(),
            Seat::Engine { text, .. } => text.clone(),
        };
        let position = self.position(inner)?;
        let side = usize::from(position.side_to_move);
        let waits = position.outcome.is_none() && !matches!(self.setup.seats[side], Seat::Human);
        Ok(SessionView {
            id: self.id.clone(),
            revision: inner.revision,
            game: self.setup.game.clone(),
            rules: self.setup.rules.clone(),
            start: self.setup.start.clone(),
            players: self.setup.seats.iter().map(name).collect(),
            limits: self.setup.limits.iter().map(ToString::to_string).collect(),
            position,
            moves: inner.moves.iter().map(|mv| mv.text.clone()).collect(),
            scores: inner.moves.iter().map(|mv| mv.score.clone()).collect(),
            redo: inner.redo.iter().rev().map(|mv| mv.text.clone()).collect(),
            clocks: inner.clock.as_ref().map(Clock::view),
            is_thinking: waits && inner.failure.is_none(),
            can_undo: !inner.moves.is_empty(),
            can_redo: !inner.redo.is_empty(),
            failure: inner.failure.clone(),
        })
    }

    fn order_of(&self, inner: &Inner, player: String, budget: Budget) -> Question {
        Question {
            game: self.setup.game.clone(),
            rules: self.setup.rules.clone(),
            start: self.setup.start.clone(),
            moves: inner.moves.iter().map(|mv| mv.text.clone()).collect(),
            player,
            budget,
            seed: self.setup.seed,
        }
    }

    /// Starts the thread that moves for players, if it is the turn of one.
    fn let_players_move(self: &Arc<Session>) {
        let mut inner = self.lock();
        if inner.thinking.is_some() || inner.failure.is_some() || !self.waits_for_player(&inner) {
            return;
        }
        let stop = Stop::default();
        let session = Arc::clone(self);
        let thread = std::thread::Builder::new().name("session".into());
        let its_stop = stop.clone();
        match thread.spawn(move || session.move_for_players(&its_stop)) {
            Ok(_) => inner.thinking = Some(stop),
            Err(error) => inner.failure = Some(format!("no thread for the player: {error}")),
        }
    }

    fn waits_for_player(&self, inner: &Inner) -> bool {
        self.position(inner).is_ok_and(|position| {
            let seat = &self.setup.seats[usize::from(position.side_to_move)];
            position.outcome.is_none() && !matches!(seat, Seat::Human)
        })
    }

    fn move_for_players(self: &Arc<Session>, stop: &Stop) {
        loop {
            let thought = self.one_decision(stop);
            let mut inner = self.lock();
            // Whoever wished to stop has put the next state in place already.
            if stop.is_wished() {
                return;
            }
            match thought {
                Ok(Some(thought)) => {
                    inner.moves.push(PlayedMove { text: thought.mv, score: thought.score });
                    inner.redo.clear();
                    if let Err(error) = self.moved(&mut inner, usize::from(thought.side)) {
                        inner.failure = Some(error.text().to_string());
                    }
                }
                Ok(None) => inner.failure = Some("the player did not decide".into()),
                Err(error) => inner.failure = Some(error.text().to_string()),
            }
            if inner.failure.is_some() || !self.waits_for_player(&inner) {
                inner.thinking = None;
                if inner.failure.is_some() {
                    let _ = self.publish(&mut inner);
                }
                return;
            }
            drop(inner);
            if !self.has_human() && stop.wait(self.setup.pause) {
                return;
            }
        }
    }

    fn one_decision(self: &Arc<Session>, stop: &Stop) -> Result<Option<Thinking>, ApiError> {
        let (order, needed, blobs) = {
            let inner = self.lock();
            let side = usize::from(self.position(&inner)?.side_to_move);
            let Seat::Engine { player, memory, blobs, .. } = &self.setup.seats[side] else { return Ok(None) };
            let left = inner.clock.as_ref().and_then(|clock| clock.left(side));
            let budget = budget_of(&self.setup.limits[side], left);
            (self.order_of(&inner, player.clone(), budget), *memory, Arc::clone(blobs))
        };
        let _memory = loop {
            match self.memory.reserve(needed) {
                Ok(reserved) => break reserved,
                Err(_) if stop.wait(ASK_AGAIN) => return Ok(None),
                Err(_) => {}
            }
        };
        let session = Arc::clone(self);
        let its_stop = stop.clone();
        let tell = Arc::new(move |thought: Thinking| {
            if !its_stop.is_wished() && !thought.done {
                session.thoughts.send_replace(Some(thought));
            }
        });
        think(&order, &blobs, &self.turns, stop, tell)
    }
}

/// What a player may spend on a move, given what it has left on its clock.
fn budget_of(limit: &Limit, left: Option<f64>) -> Budget {
    let budget = limit.budget();
    let share = left.zip(limit.clock).map(|(left, (_, increment))| thinking_time(share_of_clock(left, increment)));
    let time = [budget.time, share].into_iter().flatten().min().unwrap_or(LONGEST_THOUGHT);
    Budget { time: Some(time.min(LONGEST_THOUGHT)), ..budget }
}

fn stop_thinking(inner: &mut Inner) {
    if let Some(stop) = inner.thinking.take() {
        stop.wish();
    }
}

struct Show<'a> {
    setup: &'a SessionSetup,
    moves: &'a [String],
    verdict: Option<Ending>,
}

impl GameVisitor for Show<'_> {
    type Output = Result<PositionView, ApiError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        show::<G>(self)
    }
}

fn show<G: Game>(show: Show<'_>) -> Result<PositionView, ApiError> {
    let (rules, mut game) = game_under_way::<G>(&show.setup.rules, show.setup.start.as_deref(), show.moves)?;
    if let Some(verdict) = show.verdict {
        game.end(verdict);
    }
    let mut view = position_view(&rules, &game);
    // At a table it is the clock that takes a game from a side, and people say so.
    if let Some(ending) = view.outcome.as_mut().filter(|ending| ending.reason == Reason::Forfeit.to_string()) {
        ending.text = ending.text.replace(" by forfeit", " on time");
    }
    Ok(view)
}
