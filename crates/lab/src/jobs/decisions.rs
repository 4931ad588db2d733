//! One decision in each of some positions: what it is worth, what it costs.

use std::sync::Arc;
use std::time::Instant;

use lanista_core::{Referee, Seed};
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
    /// Its value in hundredths, if the player has an opinion.
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
        let budget = self.job.limit.budget();
        let mut rows = Vec::with_capacity(self.job.positions.len());
        for (number, codes) in (self.job.first..).zip(&self.job.positions) {
            let game: Referee<G> = decode(&rules, codes)?;
            let mut player = self.job.limit.with_clock(spec.build::<G>(self.blobs)?);
            player.observe(Arc::new(self.cancel.clone()));
            let began = Instant::now();
            let decision = player.choose(&game, &budget, &mut self.job.seed.child(number).stream());
            let seconds = began.elapsed().as_secs_f64();
            self.cancel.check()?;
            rows.push(match decision {
                Some(decision) => DecisionRow {
                    mv: decision.mv.to_string(),
                    score: decision.score.map(|score| score.0),
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
