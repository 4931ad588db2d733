//! One decision in each of some positions: what it is worth, what it costs.

use std::sync::Arc;
use std::time::Instant;

use lanista_core::{Budget, Player, Referee, Score, Seed};
use serde::{Deserialize, Serialize};

use super::codes::decode;
use super::{JobError, JobResult, Table, seed_text};
use crate::limits::Limit;
use crate::players::PlayerSpec;
use crate::registry::{GameVisitor, RegisteredGame};

/// Decisions to be taken. Each position gets a fresh player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decisions {
    /// The player.
    pub player: String,
    /// What it may spend.
    pub limit: Limit,
    /// Who judges its moves, one ply less deep; not given, its own values are told.
    pub judge: Option<String>,
    /// The positions, each as the moves that lead to it, as codes.
    pub positions: Vec<Vec<u8>>,
    /// The number of the first position.
    pub first: u64,
    /// The seed. Position `n` has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionRow {
    /// The move, in the game's notation; empty for a resignation.
    pub mv: String,
    /// Its value in hundredths, if the player, or who judges its moves, has an opinion.
    pub score: Option<i32>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// How long it took. Not part of any hash.
    pub seconds: f64,
}

impl GameVisitor for Table<'_, Decisions> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let rules = G::rules(self.rules)?;
        let spec = PlayerSpec::parse(&self.job.player)?;
        let judge = self.job.judge.as_deref().map(PlayerSpec::parse).transpose()?;
        let budget = self.job.limit.budget();
        if let Some(codes) = self.job.positions.first() {
            // What a program builds once, such as the tables of an evaluator, belongs to no decision's time.
            let game: Referee<G> = decode(&rules, codes)?;
            let mut player = spec.build::<G>(self.blobs)?;
            player.observe(Arc::new(self.cancel.clone()));
            let quick = Budget { depth: Some(1), ..budget };
            let _ = player.choose(&game, &quick, &mut self.job.seed.stream());
        }
        let mut rows = Vec::with_capacity(self.job.positions.len());
        for (number, codes) in (self.job.first..).zip(&self.job.positions) {
            let game: Referee<G> = decode(&rules, codes)?;
            let mut player = self.job.limit.with_clock(spec.build::<G>(self.blobs)?);
            player.observe(Arc::new(self.cancel.clone()));
            let began = Instant::now();
            let decision = player.choose(&game, &budget, &mut self.job.seed.child(number).stream());
            let seconds = began.elapsed().as_secs_f64();
            let score = match (&decision, &judge) {
                (Some(decision), Some(judge)) => {
                    let mut judge = judge.build::<G>(self.blobs)?;
                    judge.observe(Arc::new(self.cancel.clone()));
                    worth(game, decision.mv, judge.as_mut(), &budget, self.job.seed.child(number).child(1))
                }
                (decision, _) => decision.as_ref().and_then(|decision| decision.score),
            };
            self.cancel.check()?;
            rows.push(match decision {
                Some(decision) => DecisionRow {
                    mv: decision.mv.to_string(),
                    score: score.map(|score| score.0),
                    depth: decision.depth,
                    nodes: decision.nodes,
                    seconds,
                },
                None => DecisionRow { mv: String::new(), score: None, depth: 0, nodes: 0, seconds },
            });
        }
        Ok(JobResult::Decisions(rows))
    }
}

/// What a move is worth to who makes it: the result if it ends the game, otherwise what the judge finds one ply less deep.
fn worth<G: RegisteredGame>(
    mut game: Referee<G>,
    mv: G::Move,
    judge: &mut dyn Player<G>,
    budget: &Budget,
    seed: Seed,
) -> Option<Score> {
    game.play(mv).ok()?;
    let score = match game.ending() {
        Some(ending) => Some(ending.outcome.score(game.position().side_to_move(), 0)),
        None => {
            let budget = Budget { depth: budget.depth.map(|depth| depth.saturating_sub(1)), ..*budget };
            judge.choose(&game, &budget, &mut seed.stream()).and_then(|decision| decision.score)
        }
    };
    score.map(Score::before_move)
}
