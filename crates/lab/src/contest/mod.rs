//! Contests: matches and tournaments of any format. A contest is a list of meetings, a meeting is pairs of games.

mod forfeits;
mod pace;
mod schedule;
mod standing;

use std::collections::HashSet;

use lanista_core::{Outcome, Seed, Side, mix64};
use lanista_learn::{Played, Points};
use serde::{Deserialize, Serialize};

use crate::jobs::{Adjudication, GameRow, Job, JobResult, Pairs, PairsResult, Work};
use crate::limits::Limit;
use crate::match_scores::MatchScores;
use crate::openings::Openings;
use crate::run::{Ask, Batch, Measurement, Probe, Progress, Recorded, Study};
use crate::statistics::{Sprt, Verdict};
pub use forfeits::Forfeits;
pub use pace::Pace;
pub use schedule::Schedule;
pub use standing::{Meeting, Standing};

/// The share of distinct games is taken over so many games at most.
const DISTINCT_SAMPLE: usize = 10_000;

/// Jobs whose games are kept have so many pairs at most: searches in a store open a whole batch at a time.
const MOST_KEPT_PAIRS: u64 = 10_000;

/// A player of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Entrant {
    /// What tables call it.
    pub name: String,
    /// The player, as text; files by the hash of their content.
    pub player: String,
    /// What it may spend.
    pub limit: Limit,
}

/// Everything that makes a contest.
#[derive(Clone, Debug)]
pub struct ContestPlan {
    /// The id of the game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// Who plays.
    pub entrants: Vec<Entrant>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Pairs a meeting.
    pub pairs: u64,
    /// How games begin.
    pub openings: Openings,
    /// When games are broken off.
    pub adjudication: Adjudication,
    /// When a match stops before all pairs are played. Only for two players.
    pub sprt: Option<Sprt>,
    /// Whether it is told how fast games are won and lost. Only for two players.
    pub match_scores: bool,
    /// Whether games are kept.
    pub keep_games: bool,
    /// The root of its randomness.
    pub seed: Seed,
}

/// What a contest has to remember.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    meetings: Vec<(u32, u32)>,
    /// What meetings came to. Their failures are counted here: how many games, and why.
    results: Vec<PairsResult>,
    /// Hashes of the first games of all meetings, for the share of distinct ones.
    hashes: Vec<u64>,
}

/// A contest under way.
pub struct Contest {
    plan: ContestPlan,
    state: State,
    /// How fast the first player won and lost, if that is wanted.
    scores: MatchScores,
    /// The meeting and the pair that is asked for next.
    next: (usize, u64),
    /// What was asked for and not told yet, a generation each: meeting, first pair, pairs.
    under_way: std::collections::VecDeque<Vec<(usize, u64, u64)>>,
    pace: Pace,
}

impl Contest {
    /// A contest that has not begun.
    pub fn new(plan: ContestPlan) -> Contest {
        let mut contest = Contest {
            plan,
            state: State::default(),
            scores: MatchScores::default(),
            next: (0, 0),
            under_way: std::collections::VecDeque::new(),
            pace: Pace::default(),
        };
        contest.extend_schedule();
        contest
    }

    /// The plan.
    pub fn plan(&self) -> &ContestPlan {
        &self.plan
    }

    /// The table.
    pub fn standing(&self) -> Standing {
        let meetings = self
            .state
            .meetings
            .iter()
            .zip(&self.state.results)
            .map(|(&(a, b), result)| Meeting { players: [a as usize, b as usize], result: result.clone() });
        Standing::new(self.plan.entrants.iter().map(|entrant| entrant.name.clone()).collect(), meetings.collect())
    }

    /// Different games among the first, and how many were looked at.
    pub fn distinct(&self) -> (u64, u64) {
        let different: HashSet<u64> = self.state.hashes.iter().copied().collect();
        (different.len() as u64, self.state.hashes.len() as u64)
    }

    /// Games that were lost by breaking down, by meeting and reason.
    pub fn forfeits(&self) -> Vec<Forfeits> {
        let mut all = Vec::new();
        for (meeting, (&(a, b), result)) in self.state.meetings.iter().zip(&self.state.results).enumerate() {
            let places = [a as usize, b as usize];
            let players = places.map(|place| self.plan.entrants[place].player.as_str());
            all.extend(result.failures.iter().map(|(games, reason)| {
                let (player, reason) = forfeits::told_of(players, reason);
                Forfeits { meeting, player: places[player], games: *games, reason: reason.to_string() }
            }));
        }
        all
    }

    /// The next round, once the last one is complete.
    fn extend_schedule(&mut self) {
        let complete = (0..self.state.meetings.len()).all(|meeting| self.told(meeting) >= self.plan.pairs);
        if complete {
            let standing = self.standing();
            for (a, b) in self.plan.schedule.next_round(&standing) {
                self.state.meetings.push((a as u32, b as u32));
                self.state.results.push(PairsResult::default());
            }
        }
    }

    fn told(&self, meeting: usize) -> u64 {
        self.state.results[meeting].pairs.pairs()
    }

    fn is_decided(&self) -> bool {
        match (&self.plan.sprt, self.state.results.first()) {
            (Some(sprt), Some(result)) => sprt.status(&result.pairs).verdict != Verdict::Undecided,
            _ => false,
        }
    }

    fn seed_of(&self, meeting: usize) -> Seed {
        self.plan.seed.child(1).child(meeting as u64)
    }

    fn job(&mut self, meeting: usize, first_pair: u64, pairs: u64) -> Job {
        let (a, b) = self.state.meetings[meeting];
        let entrants = [&self.plan.entrants[a as usize], &self.plan.entrants[b as usize]];
        let work = Pairs {
            players: entrants.map(|entrant| entrant.player.clone()),
            limits: entrants.map(|entrant| entrant.limit),
            // All meetings have the same openings.
            openings: self.plan.openings.of_pairs(first_pair, pairs),
            first_pair,
            pairs,
            seed: self.seed_of(meeting),
            adjudication: self.plan.adjudication,
            keep_games: self.plan.keep_games || self.plan.sprt.is_some() || self.plan.match_scores,
        };
        Job::new(&self.plan.game, &self.plan.rules, Work::Pairs(work))
    }

    /// Absorbs the pairs of one job.
    fn absorb(&mut self, meeting: usize, result: &PairsResult) {
        for row in result.rows.iter().take(DISTINCT_SAMPLE.saturating_sub(self.state.hashes.len())) {
            self.state.hashes.push(row.codes.iter().fold(1, |hash, &code| mix64(hash ^ u64::from(code))));
        }
        self.state.results[meeting].absorb(result);
        if self.plan.match_scores {
            let rows: Vec<GameRow<'_>> = result.rows.iter().collect();
            for pair in rows.as_chunks::<2>().0 {
                // The first player opens the first game of a pair.
                self.scores.add([played(pair[0], Side::First), played(pair[1], Side::Second)]);
            }
        }
    }
}

/// A game, seen by a side.
fn played(row: GameRow<'_>, side: Side) -> Played {
    let result = match row.outcome {
        Outcome::Draw => Points::Draw,
        Outcome::Win(winner) if winner == side => Points::Win,
        Outcome::Win(_) => Points::Loss,
    };
    Played { result, plies: row.codes.len() as u32 }
}

impl Study for Contest {
    fn probes(&mut self) -> Vec<Probe> {
        let meetings = self.state.meetings.len();
        let all = self.plan.schedule.meetings(self.plan.entrants.len()) as f64;
        // Later rounds are taken to be like the first.
        let times = self.plan.pairs as f64 * all / meetings.max(1) as f64;
        (0..meetings).map(|meeting| Probe { job: self.job(meeting, 0, 1), times }).collect()
    }

    fn ask(&mut self, workers: usize) -> Ask {
        if self.is_decided() {
            return Ask::Done;
        }
        let mut parts = Vec::new();
        while parts.len() < workers.max(1) && self.next.0 < self.state.meetings.len() {
            let (meeting, pair) = self.next;
            let mut pairs = self.pace.steps_a_job().min(self.plan.pairs.saturating_sub(pair));
            if self.plan.sprt.is_some() {
                // One pair a job: the test looks at each, and stops at the same one however they are shared out.
                pairs = pairs.min(1);
            } else if self.plan.keep_games {
                pairs = pairs.min(MOST_KEPT_PAIRS);
            }
            if pairs == 0 {
                // A contest that was made longer goes on behind what each meeting has.
                let told = self.state.results.get(meeting + 1).map_or(0, |result| result.pairs.pairs());
                self.next = (meeting + 1, told);
                continue;
            }
            parts.push((meeting, pair, pairs));
            self.next = (meeting, pair + pairs);
        }
        if parts.is_empty() {
            let complete = self.under_way.is_empty();
            return if complete { Ask::Done } else { Ask::Wait };
        }
        let jobs = parts.iter().map(|&(meeting, pair, pairs)| self.job(meeting, pair, pairs)).collect();
        self.under_way.push_back(parts);
        Ask::Jobs(jobs)
    }

    fn tell(&mut self, results: Vec<(JobResult, f64)>) -> Recorded {
        let mut recorded = Recorded::default();
        let parts = self.under_way.pop_front().unwrap_or_default();
        for ((meeting, pair, pairs), (result, seconds)) in parts.into_iter().zip(results) {
            let JobResult::Pairs(mut result) = result else { continue };
            if self.is_decided() {
                break;
            }
            self.pace.took(pairs, seconds);
            self.absorb(meeting, &result);
            let (a, b) = self.state.meetings[meeting];
            let entrants = [&self.plan.entrants[a as usize], &self.plan.entrants[b as usize]];
            for (game, reason) in &result.failures {
                let players = entrants.map(|entrant| entrant.player.as_str());
                let (games, reason) = forfeits::count(&mut self.state.results[meeting].failures, players, reason);
                let names = entrants.map(|entrant| entrant.name.as_str()).join(" against ");
                match games {
                    1 => recorded.warnings.push(format!("{names}, game {}: forfeit by {reason}", game + 1)),
                    _ if forfeits::is_told(games) => {
                        recorded.warnings.push(format!("{names}: {games} games so far forfeit by {reason}"));
                    }
                    _ => {}
                }
            }
            recorded.batches.push(Batch {
                meeting: meeting as u32,
                names: entrants.map(|entrant| entrant.name.clone()),
                players: entrants.map(|entrant| entrant.player.clone()),
                limits: entrants.map(|entrant| entrant.limit.to_string()),
                seed: self.seed_of(meeting),
                first_game: 2 * pair,
                counts: result.games,
                rows: if self.plan.keep_games { std::mem::take(&mut result.rows) } else { Default::default() },
            });
        }
        self.extend_schedule();
        recorded
    }

    fn save(&self) -> Vec<u8> {
        let saved = match self.plan.match_scores {
            false => postcard::to_stdvec(&self.state),
            true => postcard::to_stdvec(&(&self.state, &self.scores)),
        };
        // Writing to a vector cannot fail.
        saved.unwrap_or_default()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        (self.state, self.scores) = match self.plan.match_scores {
            false => postcard::from_bytes(state).map(|state| (state, MatchScores::default())),
            true => postcard::from_bytes(state),
        }
        .map_err(|error| error.to_string())?;
        let players = self.plan.entrants.len() as u32;
        if self.state.meetings.len() != self.state.results.len()
            || self.state.meetings.iter().any(|&(a, b)| a >= players || b >= players)
        {
            return Err("the players are others".into());
        }
        self.under_way.clear();
        let unfinished = (0..self.state.meetings.len()).find(|&meeting| self.told(meeting) < self.plan.pairs);
        let by_rounds = matches!(self.plan.schedule, Schedule::Swiss { .. } | Schedule::KnockOut);
        if by_rounds
            && unfinished.is_some_and(|first| (first + 1..self.state.meetings.len()).any(|later| self.told(later) > 0))
        {
            return Err("who met whom in later rounds would change".into());
        }
        self.next = unfinished.map_or((self.state.meetings.len(), 0), |meeting| (meeting, self.told(meeting)));
        self.extend_schedule();
        Ok(())
    }

    fn progress(&self) -> Progress {
        let games = self.state.results.iter().map(|result| 2 * result.pairs.pairs()).sum();
        let meetings = self.plan.schedule.meetings(self.plan.entrants.len()).max(self.state.meetings.len() as u64);
        let total = 2 * self.plan.pairs * meetings;
        let total = if self.is_decided() { games } else { total };
        Progress { done: games, total, unit: "games".into(), games, figures: self.figures() }
    }

    fn summary(&self) -> Vec<Measurement> {
        let mut summary = self.standing().measurements();
        if let (true, [a, b]) = (self.plan.match_scores, self.plan.entrants.as_slice()) {
            summary.extend(self.scores.measurements(&format!("row={} column={}", a.name, b.name)));
        }
        let (different, games) = self.distinct();
        if games > 0 {
            summary.push(Measurement::new("distinct", "", different as f64 / games as f64, games));
        }
        if let (Some(sprt), Some(result)) = (&self.plan.sprt, self.state.results.first()) {
            let games = 2 * result.pairs.pairs();
            summary.push(Measurement::new("llr", "", sprt.status(&result.pairs).llr, games));
        }
        summary
    }

    fn digest(&self) -> u64 {
        let meetings = self.state.meetings.iter().zip(&self.state.results);
        meetings.fold(0, |hash, (&(a, b), result)| {
            let who = u64::from(a) << 32 | u64::from(b);
            let PairsResult { games, pairs, opened, plies, nodes, digest, .. } = result;
            let counts = [games.wins, games.draws, games.losses, opened.wins, opened.draws, opened.losses];
            let all = pairs.0.iter().chain(&counts).chain(nodes).chain([plies, digest]);
            all.fold(mix64(hash ^ who), |hash, &number| mix64(hash ^ number))
        })
    }
}

impl Contest {
    /// A line for people while it runs.
    fn figures(&self) -> String {
        let standing = self.standing();
        match (self.plan.entrants.as_slice(), self.state.results.first()) {
            ([_, _], Some(result)) if result.pairs.pairs() > 0 => {
                let (games, elo) = (result.games, result.pairs.elo());
                let test = self.plan.sprt.as_ref().map_or(String::new(), |sprt| {
                    let status = sprt.status(&result.pairs);
                    format!(", LLR {:.2} ({:.2} … {:.2})", status.llr, status.lower, status.upper)
                });
                format!(
                    "+{} ={} -{}, Elo {:+.0} ± {:.0}{test}",
                    games.wins, games.draws, games.losses, elo.value, elo.error
                )
            }
            _ => standing.leader().map_or(String::new(), |(name, points)| format!("{name} leads with {points} points")),
        }
    }
}
