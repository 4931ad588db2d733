//! Matches: pairs of games from one opening with the colours swapped.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

use lanista_core::{Budget, Game, MoveList, Outcome, Record, Referee, Rules, Seed, Side, play_on};
use rayon::prelude::*;

use crate::players::{PlayerSpec, SpecError};
use crate::registry::RegisteredGame;
use crate::statistics::{GameCounts, PairCounts};

/// How the games of a match begin.
#[derive(Clone, Debug)]
pub enum Openings<G: Game> {
    /// These lines of moves, one a pair, from the first again when they are used up.
    Lines(Vec<Vec<G::Move>>),
    /// That many random plies, different for every pair where the game has so many.
    Random(u32),
}

/// A match to be played.
#[derive(Clone, Debug)]
pub struct Match<'a, G: Game> {
    /// The rules.
    pub rules: &'a Rules<G>,
    /// The first player and the second.
    pub players: [&'a PlayerSpec; 2],
    /// How games begin.
    pub openings: &'a Openings<G>,
    /// Pairs of games.
    pub pairs: u64,
    /// The root of all randomness.
    pub seed: Seed,
}

/// What a match gave, from the first player's view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchResult {
    /// Games.
    pub games: GameCounts,
    /// Pairs.
    pub pairs: PairCounts,
    /// The share of different games among all, as a fraction: different, all.
    pub distinct: (u64, u64),
}

impl<G: RegisteredGame> Match<'_, G> {
    /// Plays all pairs on the threads of the present pool. The result does not depend on them.
    /// `progress` is told how many pairs are done.
    pub fn play(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<MatchResult, SpecError> {
        let starts = self.starts();
        let done = AtomicU64::new(0);
        let pairs: Vec<[Record<G>; 2]> = (0..self.pairs)
            .into_par_iter()
            .map(|pair| {
                let games = self.play_pair(pair, &starts)?;
                progress(done.fetch_add(1, Ordering::Relaxed) + 1);
                Ok(games)
            })
            .collect::<Result<_, SpecError>>()?;
        let mut result = MatchResult::default();
        let mut different = HashSet::new();
        for games in &pairs {
            let mut points = [0.0; 2];
            for (index, game) in games.iter().enumerate() {
                let outcome = game.ending.map_or(Outcome::Draw, |ending| ending.outcome);
                // In the second game the first player sits on the second side.
                let outcome = if index == 0 { outcome } else { outcome.swapped() };
                points[index] = outcome.points(Side::First);
                result.games.add(outcome);
                different.insert(&game.moves);
            }
            result.pairs.add(points);
        }
        result.distinct = (different.len() as u64, 2 * pairs.len() as u64);
        Ok(result)
    }

    fn play_pair(&self, pair: u64, starts: &[Referee<G>]) -> Result<[Record<G>; 2], SpecError> {
        let start = &starts[pair as usize % starts.len()];
        let play = |swapped: bool| {
            let (mut first, mut second) = (self.players[0].build::<G>()?, self.players[1].build::<G>()?);
            if swapped {
                std::mem::swap(&mut first, &mut second);
            }
            let seed = self.seed.child(1).child(pair).child(u64::from(swapped));
            let budget = Budget::default();
            Ok(play_on(start.clone(), [first.as_mut(), second.as_mut()], [&budget; 2], seed))
        };
        Ok([play(false)?, play(true)?])
    }

    /// The games after their openings, one a pair or one a line.
    fn starts(&self) -> Vec<Referee<G>> {
        match self.openings {
            Openings::Lines(lines) => lines.iter().map(|line| self.after(line)).collect(),
            Openings::Random(plies) => self.random_starts(*plies),
        }
    }

    fn after(&self, moves: &[G::Move]) -> Referee<G> {
        let mut game = Referee::new(self.rules);
        for &mv in moves {
            // Lines are checked when they are read.
            let played = game.play(mv);
            debug_assert!(played.is_ok());
        }
        game
    }

    fn random_starts(&self, plies: u32) -> Vec<Referee<G>> {
        /// So many draws in a row may give nothing new before a known opening is used again.
        const PATIENCE: u64 = 200;
        let mut seen = HashSet::new();
        let draw = |seed: Seed| {
            let mut random = seed.stream();
            let mut game = Referee::new(self.rules);
            for _ in 0..plies {
                if game.ending().is_some() {
                    break;
                }
                let mv = game.position().random_move(&mut random, &mut MoveList::new());
                let played = game.play(mv);
                debug_assert!(played.is_ok());
            }
            game
        };
        (0..self.pairs)
            .map(|pair| {
                let seed = self.seed.child(0).child(pair);
                let mut game = draw(seed.child(0));
                for attempt in 1..PATIENCE {
                    if game.ending().is_none() && !seen.contains(game.moves()) {
                        break;
                    }
                    game = draw(seed.child(attempt));
                }
                seen.insert(game.moves().to_vec());
                game
            })
            .collect()
    }
}
