//! Beside every game of a job: counts what it costs, shows it to whoever watches, breaks it off when it is decided.

use lanista_core::{Decision, Ending, Outcome, Position, Reason, Referee, Side, Umpire};
use serde::{Deserialize, Serialize};

use super::demonstration::Demonstrator;
use super::{Cancel, JobError};

/// When games are broken off before the rules end them. Off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Adjudication {
    /// When a player is made to resign.
    pub resign: Option<ResignRule>,
    /// When a draw is agreed.
    pub draw: Option<DrawRule>,
}

/// A player resigns when it thinks so badly of its game for so many of its moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResignRule {
    /// How badly: at most −`score`, in the evaluator's unit.
    pub score: f64,
    /// For how many of its own moves in a row.
    pub moves: u32,
}

/// A draw is agreed when both players see nobody ahead for so many moves in a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DrawRule {
    /// At most that far from 0, in the evaluator's unit.
    pub score: f64,
    /// For how many moves of each player in a row.
    pub moves: u32,
    /// Not before this ply.
    pub from_ply: u32,
}

impl Adjudication {
    /// Whether games run to their end.
    pub fn is_off(&self) -> bool {
        self.resign.is_none() && self.draw.is_none()
    }
}

/// The umpire of one game.
pub(super) struct Arbiter<'a> {
    rules: &'a Adjudication,
    cancel: &'a Cancel,
    demonstrator: Option<Demonstrator<'a>>,
    /// How long each side has despaired, and how long both have seen nobody ahead.
    hopeless: [u32; 2],
    quiet: [u32; 2],
    /// Positions that each side visited.
    pub nodes: [u64; 2],
    /// Which side broke down, and why.
    pub failure: Option<(Side, String)>,
}

/// The umpire of games that somebody learns from or is measured by: a player who breaks down gives nobody a win.
#[derive(Default)]
pub(super) struct Witness {
    failure: Option<String>,
}

impl Witness {
    /// Whether nobody has broken down.
    pub fn check(self) -> Result<(), JobError> {
        self.failure.map_or(Ok(()), |reason| Err(JobError::Breakdown(reason)))
    }
}

impl<P: Position> Umpire<P> for Witness {
    fn failed(&mut self, _side: Side, reason: &str) {
        self.failure = Some(reason.to_string());
    }
}

impl<'a> Arbiter<'a> {
    pub fn new(rules: &'a Adjudication, cancel: &'a Cancel, demonstrator: Option<Demonstrator<'a>>) -> Arbiter<'a> {
        Arbiter { rules, cancel, demonstrator, hopeless: [0; 2], quiet: [0; 2], nodes: [0; 2], failure: None }
    }
}

impl<P: Position> Umpire<P> for Arbiter<'_> {
    fn decided(&mut self, game: &Referee<P>, decision: &Decision<P::Move>) -> Option<Ending> {
        let side = game.position().side_to_move();
        let seat = side.index();
        self.nodes[seat] += decision.nodes;
        if self.cancel.is_cancelled() {
            // The job is given up; what this game ends with does not matter.
            return Some(Ending { outcome: Outcome::Draw, reason: Reason::Agreement });
        }
        let score = decision.score.map(|score| f64::from(score.0) / 100.0);
        if let Some(rule) = self.rules.resign {
            self.hopeless[seat] =
                if score.is_some_and(|score| score <= -rule.score) { self.hopeless[seat] + 1 } else { 0 };
            if self.hopeless[seat] >= rule.moves {
                return Some(Ending { outcome: Outcome::Win(!side), reason: Reason::Resignation });
            }
        }
        if let Some(rule) = self.rules.draw {
            self.quiet[seat] =
                if score.is_some_and(|score| score.abs() <= rule.score) { self.quiet[seat] + 1 } else { 0 };
            let long_enough = self.quiet.iter().all(|&moves| moves >= rule.moves);
            if long_enough && game.moves().len() as u32 >= rule.from_ply {
                return Some(Ending { outcome: Outcome::Draw, reason: Reason::Agreement });
            }
        }
        if let Some(demonstrator) = &mut self.demonstrator {
            demonstrator.show(game, Some(decision.mv));
        }
        None
    }

    fn failed(&mut self, side: Side, reason: &str) {
        self.failure = Some((side, reason.to_string()));
    }
}
