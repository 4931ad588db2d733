//! Games that a learner learns from: it plays, and now and then tries something at random.

use lanista_core::{Budget, Decision, MoveList, Player, Position, RandomStream, Referee, Seed, Side, Umpire, play_on};
use lanista_learn::Genome;
use serde::{Deserialize, Serialize};

use super::codes::{encode, encode_line};
use super::pairs::outcome_code;
use super::umpire::Witness;
use super::{JobError, JobResult, Table, seed_text};
use crate::learning::Body;
use crate::players::PlayerSpec;
use crate::registry::{GameVisitor, RegisteredGame};

/// Games of a learner to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Episodes {
    /// What the learner is.
    pub body: Body,
    /// How it plays: a player whose evaluator is `genome`.
    pub player: String,
    /// Its present weights.
    pub genome: Genome,
    /// The other side; the learner itself if not given.
    pub opponent: Option<String>,
    /// The share of random moves in each game; as many games as shares.
    pub exploration: Vec<f32>,
    /// The number of the first game.
    pub first_game: u64,
    /// The root of randomness. Game `n` has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
    /// Whether the lines that the learner expects are wanted.
    pub lines: bool,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// The moves, one byte each.
    pub codes: Vec<u8>,
    /// The outcome, as [`outcome_code`] numbers it.
    pub outcome: u8,
    /// Whether the learner has the first side, the second.
    pub learns: [bool; 2],
    /// For each move of the learner the line that it expected from that position on, its own move first, as codes; if they
    /// are wanted. Random moves have no line.
    pub lines: Vec<(u16, Vec<u8>)>,
}

/// A player that sometimes moves at random.
struct Exploring<P: Position> {
    player: Box<dyn Player<P>>,
    share: f64,
}

impl<P: Position> Player<P> for Exploring<P> {
    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        if self.share > 0.0 && random.unit() < self.share {
            return Some(Decision::blind(game.position().random_move(random, &mut MoveList::new())));
        }
        self.player.choose(game, budget, random)
    }
}

/// Writes down what the learner expects.
#[derive(Default)]
struct Lines {
    witness: Witness,
    wanted: bool,
    learns: [bool; 2],
    lines: Vec<(u16, Vec<u8>)>,
}

impl<P: Position> Umpire<P> for Lines {
    fn decided(&mut self, game: &Referee<P>, decision: &Decision<P::Move>) -> Option<lanista_core::Ending> {
        let side = game.position().side_to_move();
        if self.wanted && self.learns[side.index()] && decision.score.is_some() {
            self.lines.push((game.moves().len() as u16, encode_line(game.position(), &decision.line)));
        }
        None
    }

    fn failed(&mut self, side: Side, reason: &str) {
        Umpire::<P>::failed(&mut self.witness, side, reason);
    }
}

impl GameVisitor for Table<'_, Episodes> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let job = self.job;
        let start = Referee::new(&G::rules(self.rules)?);
        let mind = job.body.mind::<G>(&job.genome).map_err(JobError::Genome)?;
        let learner = PlayerSpec::parse(&job.player)?;
        let opponent = job.opponent.as_ref().map(|text| PlayerSpec::parse(text)).transpose()?;
        let budget = Budget::default();
        let mut episodes = Vec::with_capacity(job.exploration.len());
        for (number, &share) in (job.first_game..).zip(&job.exploration) {
            let seed = job.seed.child(number);
            // Either side may start. No player draws from this child.
            let learner_side = Side::BOTH[seed.child(1).stream().below(2) as usize];
            let mut learns = [opponent.is_none(); 2];
            learns[learner_side.index()] = true;
            let mut players = Vec::with_capacity(2);
            for side in Side::BOTH {
                let player: Box<dyn Player<G>> = match &opponent {
                    Some(opponent) if !learns[side.index()] => opponent.build(self.blobs)?,
                    _ => Box::new(Exploring {
                        player: learner.build_with(self.blobs, Some(&mind))?,
                        share: f64::from(share),
                    }),
                };
                players.push(player);
            }
            let [first, second] = players.as_mut_slice() else { continue };
            let mut umpire = Lines { wanted: job.lines, learns, ..Lines::default() };
            let seats: [&mut dyn Player<G>; 2] = [first.as_mut(), second.as_mut()];
            let record = play_on(start.clone(), seats, [&budget; 2], seed, &mut umpire);
            umpire.witness.check()?;
            let Some(ending) = record.ending else { continue };
            let mut codes = Vec::with_capacity(record.moves.len());
            encode(&record, &mut codes);
            episodes.push(Episode { codes, outcome: outcome_code(ending.outcome), learns, lines: umpire.lines });
            self.cancel.check()?;
        }
        Ok(JobResult::Episodes(episodes))
    }
}
