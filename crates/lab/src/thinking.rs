//! One decision of a player by name, followed while it is taken: for pages and programs that show what players think.

use std::sync::Arc;

use lanista_core::{Budget, Decision, Observer, ParseError, Referee, Rules, Score, Seed, Side};

use crate::blobs::Blobs;
use crate::players::{PlayerSpec, SpecError};
use crate::registry::{self, GameVisitor, RegisteredGame, UnknownGame};

/// What is to be decided, and by whom.
#[derive(Clone, Debug)]
pub struct Question {
    /// The id of the game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// The position before the first move; that of the rules if not given.
    pub start: Option<String>,
    /// The moves played, as text.
    pub moves: Vec<String>,
    /// The player, as text.
    pub player: String,
    /// How much it may spend.
    pub budget: Budget,
    /// The seed of its random choices.
    pub seed: u64,
}

/// What a player thinks.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought {
    /// Whose turn it is.
    pub side: Side,
    /// What the sides are called.
    pub names: [&'static str; 2],
    /// The move it would play.
    pub mv: String,
    /// Its value for the side to move, if the player has an opinion.
    pub score: Option<Score>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// What it expects, its own move first.
    pub line: Vec<String>,
}

/// Who follows.
pub trait Follower: Send + Sync {
    /// Whether the player should decide now, with what it has.
    fn wants_decision(&self) -> bool;

    /// What the player would decide so far.
    fn progress(&self, thought: Thought);
}

/// Why there is no decision.
#[derive(Debug, thiserror::Error)]
pub enum ThinkError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// There are no such rules, or no such position.
    #[error("{0}")]
    Text(#[from] ParseError),
    /// A move is wrong.
    #[error("move {number}: {reason}")]
    Move {
        /// Which, from 1.
        number: usize,
        /// Why.
        reason: String,
    },
    /// There is nothing to decide.
    #[error("the game is over ({0})")]
    Over(lanista_core::Outcome),
    /// The player gives up or broke down.
    #[error("player {player:?}: {reason}")]
    NoMove {
        /// Who.
        player: String,
        /// Why.
        reason: String,
    },
}

/// Lets a player decide. It takes as long as it takes; the follower may end it.
pub fn decide(question: &Question, blobs: &Blobs, follower: Arc<dyn Follower>) -> Result<Thought, ThinkError> {
    registry::visit(&question.game, Decide { question, blobs, follower })?
}

/// Whether there is something to decide, and somebody who can.
pub fn check(question: &Question, blobs: &Blobs) -> Result<(), ThinkError> {
    registry::visit(&question.game, Check { question, blobs })?
}

fn game_of<G: RegisteredGame>(question: &Question) -> Result<Referee<G>, ThinkError> {
    let mut rules: Rules<G> = G::rules(&question.rules)?;
    if let Some(text) = question.start.as_deref().filter(|text| !text.is_empty()) {
        rules.start = G::position(text, &rules)?;
    }
    let mut game = Referee::new(&rules);
    for (index, text) in question.moves.iter().enumerate() {
        let played = game.play_text(text);
        played.map_err(|error| ThinkError::Move { number: index + 1, reason: error.to_string() })?;
    }
    match game.ending() {
        Some(ending) => Err(ThinkError::Over(ending.outcome)),
        None => Ok(game),
    }
}

struct Check<'a> {
    question: &'a Question,
    blobs: &'a Blobs,
}

impl GameVisitor for Check<'_> {
    type Output = Result<(), ThinkError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        game_of::<G>(self.question)?;
        PlayerSpec::parse(&self.question.player)?.build::<G>(self.blobs)?;
        Ok(())
    }
}

struct Decide<'a> {
    question: &'a Question,
    blobs: &'a Blobs,
    follower: Arc<dyn Follower>,
}

impl GameVisitor for Decide<'_> {
    type Output = Result<Thought, ThinkError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let Question { player: text, budget, seed, moves, .. } = self.question;
        let game = game_of::<G>(self.question)?;
        let mut player = PlayerSpec::parse(text)?.build::<G>(self.blobs)?;
        let scene = Scene { follower: self.follower, side: game.position().side_to_move(), names: G::SIDES };
        let scene = Arc::new(scene);
        player.observe(Arc::clone(&scene) as Arc<dyn Observer<G::Move>>);
        // Every ply has a stream of its own, so that a game can be taken up anywhere.
        let mut random = Seed::new(*seed).child(moves.len() as u64).stream();
        match player.choose(&game, budget, &mut random) {
            Some(decision) => Ok(scene.thought(&decision)),
            None => {
                let reason = player.failure().unwrap_or("it resigns").to_string();
                Err(ThinkError::NoMove { player: text.clone(), reason })
            }
        }
    }
}

/// A follower who knows whose turn it is.
struct Scene {
    follower: Arc<dyn Follower>,
    side: Side,
    names: [&'static str; 2],
}

impl Scene {
    fn thought<M: ToString>(&self, decision: &Decision<M>) -> Thought {
        Thought {
            side: self.side,
            names: self.names,
            mv: decision.mv.to_string(),
            score: decision.score,
            depth: decision.depth,
            nodes: decision.nodes,
            line: decision.line.iter().map(ToString::to_string).collect(),
        }
    }
}

impl<M: ToString> Observer<M> for Scene {
    fn wants_decision(&self) -> bool {
        self.follower.wants_decision()
    }

    fn progress(&self, decision: &Decision<M>) {
        self.follower.progress(self.thought(decision));
    }
}
