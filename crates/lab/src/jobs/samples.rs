//! Games that are played only for their positions: what offline learning samples.

use std::sync::Arc;

use lanista_core::{Budget, Outcome, Player, Referee, Seed, play_on};
use serde::{Deserialize, Serialize};

use super::codes::encode;
use super::pairs::{outcome_code, outcome_from_code};
use super::umpire::{Adjudication, Arbiter};
use super::{JobError, JobResult, Table, seed_text};
use crate::players::PlayerSpec;
use crate::registry::{GameVisitor, RegisteredGame};

/// Games of two fixed players to be played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// The players. The first one opens the games with even numbers.
    pub players: [String; 2],
    /// The number of the first game.
    pub first_game: u64,
    /// How many games.
    pub games: u64,
    /// The root of randomness. Game `n` has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// Games as moves and outcomes, all in one piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledGames {
    codes: Vec<u8>,
    /// Where the codes of each game end, and its outcome as [`outcome_code`] numbers it.
    games: Vec<(u32, u8)>,
}

impl SampledGames {
    /// How many games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The moves of all games together.
    pub fn plies(&self) -> usize {
        self.codes.len()
    }

    /// Adds a game.
    pub fn push(&mut self, codes: &[u8], outcome: Outcome) {
        self.codes.extend_from_slice(codes);
        self.games.push((self.codes.len() as u32, outcome_code(outcome)));
    }

    /// Adds all games of another.
    pub fn append(&mut self, other: &SampledGames) {
        other.iter().for_each(|(codes, outcome)| self.push(codes, outcome));
    }

    /// The games in order: moves as codes, and the outcome.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], Outcome)> {
        let starts = std::iter::once(0).chain(self.games.iter().map(|game| game.0));
        starts.zip(&self.games).filter_map(|(start, &(end, outcome))| {
            Some((self.codes.get(start as usize..end as usize)?, outcome_from_code(outcome)?))
        })
    }
}

impl GameVisitor for Table<'_, Samples> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let job = self.job;
        let start = Referee::new(&G::rules(self.rules)?);
        let specs = [PlayerSpec::parse(&job.players[0])?, PlayerSpec::parse(&job.players[1])?];
        let (budget, nothing) = (Budget::default(), Adjudication::default());
        let player = |spec: &PlayerSpec| -> Result<Box<dyn Player<G>>, JobError> {
            let mut player = spec.build::<G>(self.blobs)?;
            if !spec.is_random() {
                player.observe(Arc::new(self.cancel.clone()));
            }
            Ok(player)
        };
        let mut sampled = SampledGames::default();
        let mut codes = Vec::new();
        let mut players = [player(&specs[0])?, player(&specs[1])?];
        for number in job.first_game..job.first_game + job.games {
            // Players start fresh in every game; those that remember nothing can stay.
            for (seated, spec) in players.iter_mut().zip(&specs) {
                if number > job.first_game && !seated.is_always_fresh() {
                    *seated = player(spec)?;
                }
            }
            let opener = (number % 2) as usize;
            let mut umpire = Arbiter::new(&nothing, self.cancel);
            let [a, b] = &mut players;
            let seats: [&mut dyn Player<G>; 2] =
                if opener == 0 { [a.as_mut(), b.as_mut()] } else { [b.as_mut(), a.as_mut()] };
            let record = play_on(start.clone(), seats, [&budget; 2], job.seed.child(number), &mut umpire);
            self.cancel.check()?;
            if let Some((side, reason)) = umpire.failure {
                let player = &job.players[side.index() ^ opener];
                return Err(JobError::Genome(format!("game {number}: {player}: {reason}")));
            }
            let Some(ending) = record.ending else { continue };
            codes.clear();
            encode(&record, &mut codes);
            sampled.push(&codes, ending.outcome);
        }
        Ok(JobResult::Samples(sampled))
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Side;

    use super::*;
    use crate::blobs::Blobs;
    use crate::jobs::{Cancel, Job, Work};

    fn play(first_game: u64, games: u64) -> SampledGames {
        let players = ["random".to_string(), "greedy:eval=aloa".to_string()];
        let work = Work::Samples(Samples { players, first_game, games, seed: Seed::new(4) });
        match Job::new("loa5", "", work).run(&Blobs::default(), &Cancel::default()) {
            Ok(JobResult::Samples(games)) => games,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn games_do_not_depend_on_how_they_are_cut() {
        let whole = play(0, 8);
        let mut pieces = play(0, 3);
        pieces.append(&play(3, 5));
        assert_eq!(pieces, whole);
        assert_eq!((whole.len(), whole.iter().map(|(codes, _)| codes.len()).sum::<usize>()), (8, whole.plies()));
    }

    #[test]
    fn games_in_one_piece() {
        let mut games = SampledGames::default();
        assert!(games.is_empty());
        games.push(&[1, 2], Outcome::Draw);
        games.push(&[], Outcome::Win(Side::First));
        games.push(&[3], Outcome::Win(Side::Second));
        let found: Vec<(&[u8], Outcome)> = games.iter().collect();
        let expected: [(&[u8], Outcome); 3] =
            [(&[1, 2], Outcome::Draw), (&[], Outcome::Win(Side::First)), (&[3], Outcome::Win(Side::Second))];
        assert_eq!(found, expected);
    }
}
