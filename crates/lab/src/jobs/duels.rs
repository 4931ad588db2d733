//! Games between what a learner makes: with each other, and with fixed players.

use lanista_core::{Budget, Outcome, Player, Referee, Seed, Side, play_on};
use lanista_learn::{FirstMover, Genome, Meeting, Played, Points, Rival};
use serde::{Deserialize, Serialize};

use super::umpire::Witness;
use super::{Cancel, JobError, JobResult, Table, seed_text};
use crate::blobs::Blobs;
use crate::learning::{Body, Mind, Ring};
use crate::players::PlayerSpec;
use crate::registry::{GameVisitor, RegisteredGame};

/// Meetings of genomes to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duels {
    /// What the genomes are.
    pub body: Body,
    /// How they play: a player whose evaluator is `genome`.
    pub player: String,
    /// The genomes that meet.
    pub genomes: Vec<Genome>,
    /// Fixed players.
    pub opponents: Vec<String>,
    /// Who meets whom.
    pub meetings: Vec<Duel>,
    /// So many random plies begin every game, the same for both games of two.
    pub random_plies: u32,
}

/// One meeting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duel {
    /// The genome whose results are told.
    pub a: u32,
    /// Another genome, or a fixed player.
    pub b: DuelRival,
    /// How many games.
    pub games: u32,
    /// Who opens them.
    pub first: FirstMover,
    /// The root of their randomness. Game `n` has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// The other side of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DuelRival {
    /// A genome, by its number in the job.
    Genome(u32),
    /// A fixed player, by its number in the job.
    Opponent(u32),
}

impl Duels {
    /// Meetings of a round as a job that holds only the genomes that they need.
    pub fn new(ring: &Ring, genomes: &[Genome], meetings: &[Meeting]) -> Duels {
        let mut numbers = std::collections::BTreeMap::new();
        let mut needed = Vec::new();
        let mut number_of = |genome: usize| {
            *numbers.entry(genome).or_insert_with(|| {
                needed.push(genomes[genome].clone());
                needed.len() as u32 - 1
            })
        };
        let meetings = meetings
            .iter()
            .map(|meeting| Duel {
                a: number_of(meeting.a),
                b: match meeting.b {
                    Rival::Individual(genome) => DuelRival::Genome(number_of(genome)),
                    Rival::Opponent(opponent) => DuelRival::Opponent(opponent as u32),
                },
                games: meeting.games,
                first: meeting.first,
                seed: meeting.seed,
            })
            .collect();
        Duels {
            body: ring.body.clone(),
            player: ring.player.clone(),
            genomes: needed,
            opponents: ring.opponents.clone(),
            meetings,
            random_plies: ring.random_plies,
        }
    }
}

impl GameVisitor for Table<'_, Duels> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let job = self.job;
        let start = Referee::new(&G::rules(self.rules)?);
        let minds = job.body.minds::<G>(&job.genomes);
        let seats = Seats {
            player: PlayerSpec::parse(&job.player)?,
            opponents: job.opponents.iter().map(|text| PlayerSpec::parse(text)).collect::<Result<_, _>>()?,
            minds: minds.map_err(JobError::Genome)?,
            blobs: self.blobs,
            random_plies: job.random_plies,
        };
        let mut results = Vec::with_capacity(job.meetings.len());
        for duel in &job.meetings {
            results.push(seats.play(&start, duel, self.cancel)?);
        }
        Ok(JobResult::Duels(results))
    }
}

/// The branch of a meeting's seed that openings hang on; games have small numbers.
const OPENINGS: u64 = u64::MAX;

/// Everybody who may sit down in a job.
struct Seats<'a, G: RegisteredGame> {
    player: PlayerSpec,
    opponents: Vec<PlayerSpec>,
    minds: Vec<Mind<G>>,
    blobs: &'a Blobs,
    random_plies: u32,
}

impl<G: RegisteredGame> Seats<'_, G> {
    fn genome(&self, number: u32) -> Result<Box<dyn Player<G>>, JobError> {
        let mind = self.minds.get(number as usize).ok_or_else(|| JobError::Genome("no such genome".into()))?;
        Ok(self.player.build_with(self.blobs, Some(mind))?)
    }

    fn rival(&self, rival: DuelRival) -> Result<Box<dyn Player<G>>, JobError> {
        match rival {
            DuelRival::Genome(number) => self.genome(number),
            DuelRival::Opponent(number) => {
                let spec = self.opponents.get(number as usize);
                Ok(spec.ok_or_else(|| JobError::Genome("no such opponent".into()))?.build(self.blobs)?)
            }
        }
    }

    fn play(&self, start: &Referee<G>, duel: &Duel, cancel: &Cancel) -> Result<Vec<Played>, JobError> {
        let budget = Budget::default();
        let mut players = [self.genome(duel.a)?, self.rival(duel.b)?];
        let mut games = Vec::with_capacity(duel.games as usize);
        for game in 0..duel.games {
            // Players start fresh in every game; those that remember nothing can stay.
            if game > 0 && !players[0].is_always_fresh() {
                players[0] = self.genome(duel.a)?;
            }
            if game > 0 && !players[1].is_always_fresh() {
                players[1] = self.rival(duel.b)?;
            }
            let a_opens = duel.first.opens(duel.seed, game);
            let [a, b] = &mut players;
            let seats: [&mut dyn Player<G>; 2] =
                if a_opens { [a.as_mut(), b.as_mut()] } else { [b.as_mut(), a.as_mut()] };
            let mut start = start.clone();
            if self.random_plies > 0 {
                let opening = duel.seed.child(OPENINGS).child(u64::from(game / 2));
                start.play_random(self.random_plies, &mut opening.stream());
            }
            let mut witness = Witness::default();
            let record = play_on(start, seats, [&budget; 2], duel.seed.child(u64::from(game)), &mut witness);
            witness.check()?;
            let side = if a_opens { Side::First } else { Side::Second };
            let result = match record.ending.map(|ending| ending.outcome) {
                Some(Outcome::Win(winner)) if winner == side => Points::Win,
                Some(Outcome::Win(_)) => Points::Loss,
                _ => Points::Draw,
            };
            games.push(Played { result, plies: record.moves.len() as u32 });
            cancel.check()?;
        }
        Ok(games)
    }
}
