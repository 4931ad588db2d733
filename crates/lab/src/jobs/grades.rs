//! Decisions graded by the truth: what a player's move keeps of what the position is worth.

use lanista_core::{Budget, Outcome, Player, Referee, Seed, Side, Truth, play_on};
use lanista_learn::Genome;
use serde::{Deserialize, Serialize};

use super::codes::decode;
use super::umpire::Witness;
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
    /// Where it decides.
    pub of: Graded,
    /// The number of the first position or game.
    pub first: u64,
    /// The seed. Position or game `n` has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// Where decisions to be graded come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Graded {
    /// Positions, each as the moves that lead to it, as codes.
    Positions(Vec<Vec<u8>>),
    /// Its own games, which it opens in turn.
    Games {
        /// Who it plays against.
        opponent: String,
        /// How many.
        count: u32,
    },
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
        let own_player = PlayerSpec::parse(&job.player)?;
        let mut player = own_player.build_with(self.blobs, Some(&mind))?;
        let mut truth =
            G::solver().ok_or_else(|| JobError::Genome(format!("{} is not solved: nothing can grade it", G::ID)))?;
        let mut grades = Vec::new();
        match &job.of {
            Graded::Positions(positions) => {
                for (number, codes) in (job.first..).zip(positions) {
                    let game: Referee<G> = decode(&rules, codes)?;
                    let position = game.position();
                    if !player.is_always_fresh() {
                        player = own_player.build_with(self.blobs, Some(&mind))?;
                    }
                    let mut stream = job.seed.child(number).stream();
                    grades.push(match (player.choose(&game, &Budget::default(), &mut stream), player.failure()) {
                        (Some(decision), _) => grade(position, decision.mv, &mut truth),
                        (None, Some(reason)) => return Err(JobError::Breakdown(reason.to_string())),
                        (None, None) => resigned(position, &mut truth),
                    });
                    self.cancel.check()?;
                }
            }
            Graded::Games { opponent, count } => {
                let opponent = PlayerSpec::parse(opponent)?;
                let start: Referee<G> = Referee::new(&rules);
                for number in (job.first..).take(*count as usize) {
                    player = own_player.build_with(self.blobs, Some(&mind))?;
                    let mut rival = opponent.build(self.blobs)?;
                    let own = if number.is_multiple_of(2) { Side::First } else { Side::Second };
                    let mut seats: [&mut dyn Player<G>; 2] = [player.as_mut(), rival.as_mut()];
                    if own == Side::Second {
                        seats.reverse();
                    }
                    let mut witness = Witness::default();
                    let seed = job.seed.child(number);
                    let record = play_on(start.clone(), seats, [&Budget::default(); 2], seed, &mut witness);
                    witness.check()?;
                    let mut position = *start.position();
                    for mv in record.moves {
                        if position.side_to_move() == own {
                            grades.push(grade(&position, mv, &mut truth));
                        }
                        position.play(mv);
                        self.cancel.check()?;
                    }
                }
            }
        }
        Ok(JobResult::Grades(grades))
    }
}

fn grade<G: RegisteredGame>(before: &G, mv: G::Move, truth: &mut Truth<G>) -> Grade {
    let mut after = *before;
    after.play(mv);
    Grade { best: truth(before).0, played: value_of_move(&after, truth) }
}

/// Who resigns loses at once.
fn resigned<G: RegisteredGame>(before: &G, truth: &mut Truth<G>) -> Grade {
    let side = before.side_to_move();
    Grade { best: truth(before).0, played: Outcome::Win(!side).score(side, 0).0 }
}

/// What a position is worth to the side that has just moved, seen from the position before.
fn value_of_move<G: RegisteredGame>(after: &G, truth: &mut Truth<G>) -> i32 {
    let score = match after.outcome() {
        Some(outcome) => outcome.score(after.side_to_move(), 0),
        None => truth(after),
    };
    score.before_move().0
}
