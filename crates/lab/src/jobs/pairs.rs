//! Pairs of games: one opening, seats changed.

use std::sync::Arc;

use lanista_core::{Ending, Outcome, Player, RandomGame, Reason, Record, Referee, Rules, Seed, Side, mix64, play_on};
use serde::{Deserialize, Serialize};

use super::codes::{decode, encode, reason_code, reason_from_code};
use super::demonstration::Demonstrator;
use super::umpire::{Adjudication, Arbiter};
use super::{JobError, JobResult, Table, seed_text};
use crate::limits::Limit;
use crate::players::PlayerSpec;
use crate::registry::{GameVisitor, RegisteredGame};
use crate::statistics::{GameCounts, PairCounts};

/// Pairs of games to be played. The first player opens the first game of each pair, the second the other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pairs {
    /// The first player and the second.
    pub players: [String; 2],
    /// What each may spend.
    pub limits: [Limit; 2],
    /// The openings, one a pair, from the first again when they are used up; moves as codes.
    pub openings: Vec<Vec<u8>>,
    /// The number of the first pair in its match.
    pub first_pair: u64,
    /// How many pairs.
    pub pairs: u64,
    /// The seed of the match. Game `n` of the match has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
    /// When games are broken off.
    pub adjudication: Adjudication,
    /// Whether the games are wanted, or only what they came to.
    pub keep_games: bool,
}

/// What pairs of games came to, seen by the first player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairsResult {
    /// Games by result.
    pub games: GameCounts,
    /// Pairs by result.
    pub pairs: PairCounts,
    /// Games by result, only those that the first player opened.
    pub opened: GameCounts,
    /// Plies of all games.
    pub plies: u64,
    /// Positions that each player visited.
    pub nodes: [u64; 2],
    /// A hash of all pairs with their numbers: sums over parts of a match give the hash of the whole.
    pub digest: u64,
    /// The games in order, if they are wanted.
    pub rows: GameRows,
    /// Which game a player forfeited by breaking down or against the rules, and why.
    pub failures: Vec<(u64, String)>,
}

impl PairsResult {
    /// Adds the result of other pairs of the same match. Games and failures are not kept.
    pub fn absorb(&mut self, other: &PairsResult) {
        self.games += other.games;
        self.pairs += other.pairs;
        self.opened += other.opened;
        self.plies += other.plies;
        self.nodes = [0, 1].map(|player| self.nodes[player] + other.nodes[player]);
        self.digest = self.digest.wrapping_add(other.digest);
    }

    fn add_pair(&mut self, pair: u64, endings: [(Ending, u32); 2], nodes: [u64; 2]) {
        let mut kinds = PairKinds::default();
        kinds.add(endings);
        self.add_kinds(&kinds);
        self.nodes = [0, 1].map(|player| self.nodes[player] + nodes[player]);
        let mut hash = pair_hash(pair, endings);
        if nodes != [0; 2] {
            hash = mix64(mix64(hash ^ nodes[0]) ^ nodes[1]);
        }
        self.digest = self.digest.wrapping_add(hash);
    }

    fn add_kinds(&mut self, kinds: &PairKinds) {
        self.plies += kinds.plies;
        for (kind, &count) in kinds.counts.iter().enumerate() {
            // The second game was opened by the second player.
            let codes = [kind / 3, 2 - kind % 3];
            for (index, code) in codes.into_iter().enumerate() {
                let mut games = GameCounts::default();
                *[&mut games.losses, &mut games.draws, &mut games.wins][code] = count;
                self.games += games;
                if index == 0 {
                    self.opened += games;
                }
            }
            self.pairs.0[codes[0] + codes[1]] += count;
        }
    }
}

/// Pairs by the outcomes of their games: where millions are counted, only one number grows a pair, and nothing branches
/// on an outcome that cannot be foreseen.
#[derive(Default)]
struct PairKinds {
    /// By three times the [`outcome_code`] of the first game plus that of the second.
    counts: [u64; 9],
    plies: u64,
}

impl PairKinds {
    #[inline]
    fn add(&mut self, endings: [(Ending, u32); 2]) {
        let [first, second] = endings.map(|(ending, _)| usize::from(outcome_code(ending.outcome)));
        self.counts[3 * first + second] += 1;
        self.plies += u64::from(endings[0].1 + endings[1].1);
    }
}

/// A hash of a pair with its number.
#[inline]
fn pair_hash(pair: u64, endings: [(Ending, u32); 2]) -> u64 {
    let [first, second] = endings.map(|(ending, plies)| {
        u64::from(plies) << 8 | u64::from(reason_code(ending.reason)) << 2 | u64::from(outcome_code(ending.outcome))
    });
    mix64(mix64(pair) ^ first ^ second << 28)
}

/// Games side by side: flat, because there may be millions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRows {
    codes: Vec<u8>,
    rows: Vec<(u32, u16, u8, u8)>,
}

/// One game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRow<'a> {
    /// The outcome by seats: [`Side::First`] opened the game.
    pub outcome: Outcome,
    /// The reason, as [`reason_code`] numbers it.
    pub reason: u8,
    /// How many of the moves are the opening.
    pub opening: u16,
    /// The moves, one byte each.
    pub codes: &'a [u8],
}

impl GameRow<'_> {
    /// The outcome as a number: 0 the second side won, 1 draw, 2 the first side won.
    pub fn outcome_code(&self) -> u8 {
        outcome_code(self.outcome)
    }
}

impl GameRows {
    /// How many games.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The moves of all games together.
    pub fn plies(&self) -> usize {
        self.codes.len()
    }

    /// Adds a game whose first `opening` moves are its opening. A game without an end is none.
    pub fn push<G: RegisteredGame>(&mut self, record: &Record<G>, opening: usize) {
        let Some(ending) = record.ending else { return };
        encode(record, &mut self.codes);
        let codes = self.codes.len() as u32;
        self.rows.push((codes, opening as u16, outcome_code(ending.outcome), reason_code(ending.reason)));
    }

    /// Adds all games of another.
    pub fn append(&mut self, other: &GameRows) {
        let before = self.codes.len() as u32;
        self.codes.extend_from_slice(&other.codes);
        self.rows
            .extend(other.rows.iter().map(|&(end, opening, outcome, reason)| (before + end, opening, outcome, reason)));
    }

    /// The first so many games, or all if there are fewer.
    pub fn first(&self, count: usize) -> GameRows {
        let rows = self.rows[..count.min(self.rows.len())].to_vec();
        let end = rows.last().map_or(0, |row| row.0 as usize).min(self.codes.len());
        GameRows { codes: self.codes[..end].to_vec(), rows }
    }

    /// The games in order.
    pub fn iter(&self) -> impl Iterator<Item = GameRow<'_>> {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|row| row.0));
        starts.zip(&self.rows).filter_map(|(start, &(end, opening, outcome, reason))| {
            let codes = self.codes.get(start as usize..end as usize)?;
            reason_from_code(reason)?;
            Some(GameRow { outcome: outcome_from_code(outcome)?, reason, opening, codes })
        })
    }
}

/// An outcome as a number: 0 the second side won, 1 draw, 2 the first side won. Stores keep it: numbers never change.
pub fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win(Side::Second) => 0,
        Outcome::Draw => 1,
        Outcome::Win(Side::First) => 2,
    }
}

/// The outcome of a number.
pub fn outcome_from_code(code: u8) -> Option<Outcome> {
    [Outcome::Win(Side::Second), Outcome::Draw, Outcome::Win(Side::First)].get(usize::from(code)).copied()
}

impl GameVisitor for Table<'_, Pairs> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let job = self.job;
        let rules = G::rules(self.rules)?;
        let specs = [PlayerSpec::parse(&job.players[0])?, PlayerSpec::parse(&job.players[1])?];
        let starts = match job.openings.as_slice() {
            [] => vec![Referee::new(&rules)],
            openings => openings.iter().map(|codes| decode(&rules, codes)).collect::<Result<_, _>>()?,
        };
        let mut result = PairsResult::default();
        let chance = specs.iter().all(PlayerSpec::is_random) && job.limits.iter().all(|limit| limit.clock.is_none());
        if chance && !job.keep_games && job.adjudication.is_off() && starts.iter().all(|start| start.moves().is_empty())
        {
            self.play_random(&rules, &mut result)?;
        } else {
            for (pair, start) in (job.first_pair..).zip(starts.iter().cycle()).take(job.pairs as usize) {
                self.play_pair(pair, start, &specs, &mut result)?;
                self.cancel.check()?;
            }
        }
        Ok(JobResult::Pairs(result))
    }
}

impl Table<'_, Pairs> {
    fn play_pair<G: RegisteredGame>(
        &self,
        pair: u64,
        start: &Referee<G>,
        specs: &[PlayerSpec; 2],
        result: &mut PairsResult,
    ) -> Result<(), JobError> {
        let job = self.job;
        let mut endings = [(Ending { outcome: Outcome::Draw, reason: Reason::Board }, 0); 2];
        let mut nodes = [0; 2];
        for (index, end) in endings.iter_mut().enumerate() {
            let number = 2 * pair + index as u64;
            // In the second game the second player opens.
            let seats = [index, 1 - index];
            let mut players: [Box<dyn Player<G>>; 2] =
                [self.player(&specs[seats[0]], seats[0])?, self.player(&specs[seats[1]], seats[1])?];
            let budgets = seats.map(|player| job.limits[player].budget());
            let mut demonstrator = self.stand.map(|stand| Demonstrator {
                stand,
                game: G::ID,
                rules: self.rules,
                players: seats.map(|player| job.players[player].as_str()),
                limits: seats.map(|player| job.limits[player]),
                opening: start.moves().len(),
                shown: None,
            });
            if let Some(demonstrator) = &mut demonstrator {
                demonstrator.show(start, None);
            }
            let mut arbiter = Arbiter::new(&job.adjudication, self.cancel, demonstrator);
            let [first, second] = &mut players;
            let record = play_on(
                start.clone(),
                [first.as_mut(), second.as_mut()],
                [&budgets[0], &budgets[1]],
                job.seed.child(number),
                &mut arbiter,
            );
            let Some(ending) = record.ending else { continue };
            *end = (ending, record.moves.len() as u32);
            for (seat, player) in seats.into_iter().enumerate() {
                nodes[player] += arbiter.nodes[seat];
            }
            if let Some((side, reason)) = arbiter.failure {
                result.failures.push((number, format!("{}: {reason}", job.players[seats[side.index()]])));
            }
            if job.keep_games {
                result.rows.push(&record, start.moves().len());
            }
        }
        result.add_pair(pair, endings, nodes);
        Ok(())
    }

    fn player<G: RegisteredGame>(&self, spec: &PlayerSpec, index: usize) -> Result<Box<dyn Player<G>>, JobError> {
        let mut player = self.job.limits[index].with_clock(spec.build::<G>(self.blobs)?);
        if !spec.is_random() {
            player.observe(Arc::new(self.cancel.clone()));
        }
        Ok(player)
    }

    /// Random against random, only counted: the same games without referee and records.
    fn play_random<G: RegisteredGame>(&self, rules: &Rules<G>, result: &mut PairsResult) -> Result<(), JobError> {
        const BLOCK: usize = 512;
        let job = self.job;
        let mut game = RandomGame::new(rules);
        let mut kinds = PairKinds::default();
        let nothing = (Ending { outcome: Outcome::Draw, reason: Reason::Board }, 0);
        let mut ends = [[nothing; 2]; BLOCK];
        let mut pair = job.first_pair;
        let end = job.first_pair + job.pairs;
        while pair < end {
            let pairs = BLOCK.min((end - pair) as usize);
            let ends = &mut ends[..pairs];
            game.play_all(rules.start, job.seed, 2 * pair, ends.as_flattened_mut());
            for (pair, &ends) in (pair..).zip(&*ends) {
                kinds.add(ends);
                result.digest = result.digest.wrapping_add(pair_hash(pair, ends));
            }
            pair += pairs as u64;
            self.cancel.check()?;
        }
        result.add_kinds(&kinds);
        Ok(())
    }
}
