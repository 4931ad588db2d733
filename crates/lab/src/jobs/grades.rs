//! Decisions graded by the truth: what a player's move keeps of what the position is worth.

use lanista_core::{Budget, Outcome, Referee, Score, Seed, Truth};
use lanista_learn::Genome;
use serde::{Deserialize, Serialize};

use super::codes::decode;
use super::{JobError, JobResult, Table, seed_text};
use crate::learning::Body;
use crate::players::PlayerSpec;
use crate::registry::{GameVisitor, RegisteredGame};

/// Decisions of a genome to be graded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Grades {
    /// What the genome is.
    pub body: Body,
    /// How it plays: a player whose evaluator is `genome`.
    pub player: String,
    /// The genome.
    pub genome: Genome,
    /// The positions, each as the moves that lead to it, as codes.
    pub positions: Vec<Vec<u8>>,
    /// The number of the first position.
    pub first: u64,
    /// The seed. Position `n` has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// One decision beside the truth. Both values are scores for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// What the position is worth.
    pub best: i32,
    /// What the chosen move keeps of it.
    pub played: i32,
}

impl Grade {
    /// Whether no move is better, the distance to the end included.
    pub fn is_optimal(&self) -> bool {
        self.played == self.best
    }

    /// Whether a win stays a win and a draw a draw.
    pub fn keeps_result(&self) -> bool {
        self.played.signum() == self.best.signum()
    }

    /// Points thrown away: 1 for a win turned into a loss, ½ for a win into a draw or a draw into a loss.
    pub fn points_lost(&self) -> f64 {
        f64::from(self.best.signum() - self.played.signum()) / 2.0
    }
}

impl GameVisitor for Table<'_, Grades> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let job = self.job;
        let rules = G::rules(self.rules)?;
        let mind = job.body.mind::<G>(&job.genome).map_err(JobError::Genome)?;
        let mut player = PlayerSpec::parse(&job.player)?.build_with(self.blobs, Some(&mind))?;
        let mut truth =
            G::solver().ok_or_else(|| JobError::Genome(format!("{} is not solved: nothing can grade it", G::ID)))?;
        let mut grades = Vec::with_capacity(job.positions.len());
        for (number, codes) in (job.first..).zip(&job.positions) {
            let game: Referee<G> = decode(&rules, codes)?;
            let mut stream = job.seed.child(number).stream();
            let Some(decision) = player.choose(&game, &Budget::default(), &mut stream) else { continue };
            let mut after = *game.position();
            after.play(decision.mv);
            let best = truth(game.position()).0;
            grades.push(Grade { best, played: value_of_move(&after, &mut truth) });
            self.cancel.check()?;
        }
        Ok(JobResult::Grades(grades))
    }
}

/// What a position is worth to the side that has just moved, seen from the position before.
fn value_of_move<G: RegisteredGame>(after: &G, truth: &mut Truth<G>) -> i32 {
    let score = match after.outcome() {
        Some(Outcome::Draw) => Score::DRAW,
        Some(Outcome::Win(side)) if side == after.side_to_move() => Score::WIN,
        Some(Outcome::Win(_)) => Score::LOSS,
        None => truth(after),
    };
    // One ply further from the end than it looks from behind the move.
    match -score {
        score if score.0 > Score::PROVED.0 => score.0 - 1,
        score if score.0 < -Score::PROVED.0 => score.0 + 1,
        score => score.0,
    }
}
