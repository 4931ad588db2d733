//! What a player thinks of the positions of games.

use std::collections::HashSet;
use std::sync::Arc;

use lanista_core::{Budget, Player, Referee, Rules, Seed};
use lanista_search::Chances;
use serde::{Deserialize, Serialize};

use super::codes::walk;
use super::pairs::GameRows;
use super::{JobError, JobResult, Table, seed_text};
use crate::players::PlayerSpec;
use crate::registry::{GameVisitor, RegisteredGame};

/// Positions to be judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judging {
    /// Who judges them.
    pub judge: Judge,
    /// The games that they come from, which all jobs of a step share.
    pub games: Arc<GameRows>,
    /// The first of the positions, and the one behind the last, in the order in which the games come to them.
    pub places: (u64, u64),
    /// What the judge's chance hangs on: for a position, on the child of its key.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// A player that says what positions are worth, beside the results of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judge {
    /// The player, as text.
    pub player: String,
    /// The score, in hundredths, that stands for three points of four.
    pub scale: u64,
}

/// What a judge thinks of a position: the share of points that the side to move will get. `None` if the rules end the game there, or if
/// the judge has no opinion.
pub type Opinion = Option<f32>;

impl GameVisitor for Table<'_, Judging> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let rules = G::rules(self.rules)?;
        let positions: Vec<G> = positions(rules.start, &self.job.games, self.job.places)?;
        let spec = PlayerSpec::parse(&self.job.judge.player)?;
        let player = self.seated(&spec)?;
        let mut bench =
            Bench { table: &self, rules: &rules, spec: &spec, player, chances: Chances::new(self.job.judge.scale) };
        let opinions: Result<Vec<Opinion>, JobError> =
            positions.iter().map(|position| bench.opinion(position)).collect();
        Ok(JobResult::Opinions(opinions?))
    }
}

/// The positions of games from one place to another, each position once.
fn positions<G: RegisteredGame>(start: G, games: &GameRows, (first, end): (u64, u64)) -> Result<Vec<G>, JobError> {
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    for game in games.iter() {
        walk(start, game.codes, |position| {
            let place = seen.len() as u64;
            if seen.insert(position.key()) && (first..end).contains(&place) {
                positions.push(*position);
            }
        })?;
        if seen.len() as u64 >= end {
            return Ok(positions);
        }
    }
    Err(JobError::Bounds(format!("positions {first} to {end}, there are {}", seen.len())))
}

impl Table<'_, Judging> {
    /// A fresh judge, who stops when the job is to stop.
    fn seated<G: RegisteredGame>(&self, spec: &PlayerSpec) -> Result<Box<dyn Player<G>>, JobError> {
        let mut player = spec.build(self.blobs)?;
        player.observe(Arc::new(self.cancel.clone()));
        Ok(player)
    }
}

/// A judge at work.
struct Bench<'a, G: RegisteredGame> {
    table: &'a Table<'a, Judging>,
    rules: &'a Rules<G>,
    spec: &'a PlayerSpec,
    player: Box<dyn Player<G>>,
    chances: Chances,
}

impl<G: RegisteredGame> Bench<'_, G> {
    fn opinion(&mut self, position: &G) -> Result<Opinion, JobError> {
        let game = Referee::new(&Rules { start: *position, ..self.rules.clone() });
        if game.ending().is_some() {
            return Ok(None);
        }
        // What a position is worth hangs on no other one.
        if !self.player.is_always_fresh() {
            self.player = self.table.seated(self.spec)?;
        }
        let mut random = self.table.job.seed.child(position.key()).child(0).stream();
        let decision = self.player.choose(&game, &Budget::default(), &mut random);
        self.table.cancel.check()?;
        match (decision, self.player.failure()) {
            (Some(decision), _) => Ok(decision.score.map(|score| self.chances.of(score) as f32)),
            (None, Some(reason)) => Err(JobError::Breakdown(reason.to_string())),
            // It resigns.
            (None, None) => Ok(Some(0.0)),
        }
    }
}
