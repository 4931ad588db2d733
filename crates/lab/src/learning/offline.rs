//! Offline learning at work: games are sampled first, then networks of several structures are trained on their positions, side
//! by side. (plogann: the small-board study and appendix C.)
//!
//! What is kept of the samples is the games: the table of positions and values is a function of them, and made anew by every job. What a
//! judge thinks of the positions costs more, and is kept.

use std::collections::HashSet;
use std::sync::Arc;

use lanista_core::{Outcome, Seed, Side};
use lanista_learn::offline::{Backup, Training, cycles_in_all};
use lanista_nn::{Network, Shape, Start};
use serde::{Deserialize, Serialize};

use super::body::Body;
use super::course::{Learner, Step};
use crate::blobs::Blobs;
use crate::jobs::{
    Adjudication, Fit, Fitting, GameRows, Job, JobResult, Judge, Judging, Opinion, Opinions, Pairs, Work, walk,
};
use crate::limits::Limit;
use crate::registry::{self, GameVisitor, RegisteredGame};
use crate::run::{Measurement, Probe};

/// An estimate of the time that all takes tries out so many games.
const PROBED_GAMES: usize = 4;
/// The positions are judged in so many steps.
const JUDGING_STEPS: u64 = 10;
/// What tables call the positions that networks learn from, and the others.
const PARTS: [&str; 2] = ["training", "validation"];
/// What stands in tables beside the structures: the mean of all values that are learnt from, whatever the position.
pub const CONSTANT: &str = "constant";

/// A network to be tried, or an evaluator whose weights are learnt.
#[derive(Clone, Debug)]
pub struct Structure {
    /// What tables call it: `25-12-1`.
    pub name: String,
    /// Its layers.
    pub shape: Shape,
    /// What it is: a network of that shape, or an evaluator that learns as one.
    pub body: Body,
    /// The weights that it starts from; none to draw them.
    pub first: Option<Vec<f32>>,
}

/// Everything that makes offline learning.
#[derive(Clone, Debug)]
pub struct OfflinePlan {
    /// The id of the game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// The networks.
    pub structures: Vec<Structure>,
    /// Who plays the games, and against whom.
    pub players: [String; 2],
    /// How many games they play.
    pub games: u64,
    /// So many of them are a step.
    pub batch: u64,
    /// Games that were played elsewhere. They come before the others.
    pub given: GameRows,
    /// How results become values of positions.
    pub backup: Backup,
    /// Whose opinion goes into the values, too, and how much of them it is, 0 to 1.
    pub judge: Option<(Judge, f64)>,
    /// The share of positions that networks never learn from.
    pub validation: f64,
    /// How networks are trained.
    pub training: Training,
    /// Whether each cycle shows every position under a symmetry of the rules, chosen at random.
    pub symmetries: bool,
    /// So many cycles are a step.
    pub cycles_a_step: u32,
    /// Where first weights come from.
    pub start: Start,
    /// The root of all randomness.
    pub seed: Seed,
}

/// Offline learning under way.
pub struct Offline {
    plan: OfflinePlan,
    state: State,
    /// The keys of all positions sampled so far.
    positions: HashSet<u64>,
    is_out: bool,
}

/// What has to be remembered.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// The games that were played.
    played: GameRows,
    /// How many games that is.
    sampled: u64,
    /// What opinions and networks are made from.
    ground: Ground,
    /// What was thought of the first positions.
    opinions: Arc<Vec<Opinion>>,
    /// Cycles that are complete.
    cycles: u32,
    /// The networks, once training has begun.
    fits: Vec<Fit>,
}

/// What has to stay as it is once positions were judged or learnt from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Ground {
    rules: String,
    judge: Option<Judge>,
    /// The games of a file, by their content.
    given: String,
    /// What is trained.
    bodies: Vec<Body>,
}

impl Ground {
    fn of(plan: &OfflinePlan) -> Ground {
        Ground {
            rules: plan.rules.clone(),
            judge: plan.judge.as_ref().map(|(judge, _)| judge.clone()),
            // Writing to a vector cannot fail.
            given: Blobs::reference(&postcard::to_stdvec(&plan.given).unwrap_or_default()),
            bodies: plan.structures.iter().map(|structure| structure.body.clone()).collect(),
        }
    }

    /// What is another in `other`, if anything is: positions are the same and are judged alike, and if `is_trained`, the same is trained.
    fn change(&self, other: &Ground, is_trained: bool) -> Option<&'static str> {
        let changes = [
            (self.rules != other.rules, "other rules"),
            (self.given != other.given, "other games of a file"),
            (self.judge != other.judge, "another judge"),
            (is_trained && self.bodies != other.bodies, "other structures"),
        ];
        changes.into_iter().find(|(is_other, _)| *is_other).map(|(_, name)| name)
    }
}

impl Offline {
    /// Learning that has not begun. An error says why the games of a file are none.
    pub fn new(plan: OfflinePlan) -> Result<Offline, String> {
        let state = State { ground: Ground::of(&plan), ..State::default() };
        let mut offline = Offline { plan, state, positions: HashSet::new(), is_out: false };
        let given = offline.plan.given.clone();
        offline.see(&given)?;
        Ok(offline)
    }

    fn sampling_steps(&self) -> u32 {
        self.plan.games.div_ceil(self.plan.batch) as u32
    }

    fn is_sampling(&self) -> bool {
        self.state.sampled < self.plan.games
    }

    /// The games of the next step: the first, and the one behind the last.
    fn next_games(&self) -> (u64, u64) {
        (self.state.sampled, (self.state.sampled + self.plan.batch).min(self.plan.games))
    }

    fn judging_steps(&self) -> u32 {
        if self.plan.judge.is_some() { JUDGING_STEPS as u32 } else { 0 }
    }

    /// Where the steps of judging end.
    fn judging_ends(&self) -> impl Iterator<Item = u64> + use<> {
        let positions = self.positions.len() as u64;
        (0..=JUDGING_STEPS).map(move |step| positions * step / JUDGING_STEPS)
    }

    /// The positions of the next step of judging: the first, and the one behind the last. `None` if there is nothing left to judge.
    fn next_judged(&self) -> Option<(&Judge, u64, u64)> {
        let (judge, _) = self.plan.judge.as_ref()?;
        let first = self.state.opinions.len() as u64;
        let end = self.judging_ends().find(|&end| end > first)?;
        Some((judge, first, end))
    }

    fn job(&self, work: Work) -> Job {
        Job::new(&self.plan.game, &self.plan.rules, work)
    }

    /// Adds the positions of some games to those that are known.
    fn see(&mut self, games: &GameRows) -> Result<(), String> {
        Keys { rules: &self.plan.rules, games, keys: &mut self.positions }.visit_game(&self.plan.game)
    }

    /// Games from `first` to `end`, both even.
    fn sampling_job(&self, first: u64, end: u64) -> Job {
        self.job(Work::Pairs(Pairs {
            players: self.plan.players.clone(),
            limits: [Limit::default(), Limit::default()],
            openings: Vec::new(),
            first_pair: first / 2,
            pairs: (end - first) / 2,
            seed: self.plan.seed.child(0),
            adjudication: Adjudication::default(),
            keep_games: true,
        }))
    }

    /// What the judge thinks of the positions of these games from `first` to `end`.
    fn judging_job(&self, judge: &Judge, games: &Arc<GameRows>, first: u64, end: u64) -> Job {
        self.job(Work::Judging(Judging {
            judge: judge.clone(),
            games: Arc::clone(games),
            places: (first, end),
            seed: self.plan.seed.child(3),
        }))
    }

    fn first_weights(&self, structure: usize) -> Option<Vec<f32>> {
        let mut random = self.plan.seed.child(1).child(structure as u64).stream();
        let structure = self.plan.structures.get(structure)?;
        let drawn = || Some(Network::random(structure.shape.clone(), self.plan.start, &mut random).ok()?.weights());
        structure.first.clone().or_else(drawn)
    }

    /// The job that trains a network further; `None` if it has grown beyond all bounds.
    fn fitting_job(
        &self,
        structure: usize,
        games: &Arc<GameRows>,
        opinions: &Arc<Vec<Opinion>>,
        cycles: (u32, u32),
    ) -> Option<Job> {
        let (weights, memory) = match self.state.fits.get(structure) {
            Some(fit) if fit.weights.is_empty() => return None,
            Some(fit) => (fit.weights.clone(), fit.memory.clone()),
            None => (self.first_weights(structure)?, None),
        };
        Some(self.job(Work::Fitting(Fitting {
            body: self.plan.structures[structure].body.clone(),
            weights,
            memory,
            games: Arc::clone(games),
            backup: self.plan.backup,
            opinions: self.plan.judge.as_ref().map(|&(_, share)| Opinions { share, of: Arc::clone(opinions) }),
            validation: self.plan.validation,
            split: self.plan.seed.child(3),
            training: self.plan.training.clone(),
            symmetries: self.plan.symmetries,
            cycles,
            seed: self.plan.seed.child(2).child(structure as u64),
        })))
    }

    /// All judging, and the first step of training of each structure, on a few games: as if no position came in two games, so it is
    /// rather too much.
    fn training_probes(&self, games: &GameRows) -> Vec<Probe> {
        let mut keys = HashSet::new();
        if (Keys { rules: &self.plan.rules, games, keys: &mut keys }).visit_game(&self.plan.game).is_err() {
            return Vec::new();
        }
        let all = self.plan.games as f64 + self.plan.given.len() as f64;
        let cycles = (0, self.plan.cycles_a_step.min(cycles_in_all(&self.plan.training.stages)));
        let steps = f64::from(cycles_in_all(&self.plan.training.stages)) / f64::from(cycles.1.max(1));
        let parts = all / games.len().max(1) as f64;
        let (games, opinions) = (Arc::new(games.clone()), Arc::new(vec![None; keys.len()]));
        let judging = self.plan.judge.iter().map(|(judge, _)| self.judging_job(judge, &games, 0, keys.len() as u64));
        let judging = judging.map(|job| Probe { job, times: parts });
        let structures = 0..self.plan.structures.len();
        let fitting = structures.filter_map(|index| self.fitting_job(index, &games, &opinions, cycles));
        // Where time is short, what is not tried is taken to be like the rest: that may be other structures, but no judging.
        fitting.map(|job| Probe { job, times: steps * parts }).chain(judging).collect()
    }

    /// Whether networks can be trained further as the plan says.
    fn goes_on(&self, fits: &[Fit]) -> Result<(), String> {
        for (structure, fit) in self.plan.structures.iter().zip(fits).filter(|(_, fit)| !fit.weights.is_empty()) {
            let network = Network::from_weights(structure.shape.clone(), &fit.weights);
            let network = network.map_err(|error| format!("{}: {error}", structure.name))?;
            self.plan.training.remembers(fit.memory.as_ref(), &network).map_err(|_| {
                "networks were trained already; only a state before that takes another optimiser, or its minibatch from or to 1"
            })?;
        }
        Ok(())
    }

    fn next_cycles(&self) -> (u32, u32) {
        let first = self.state.cycles;
        (first, first.saturating_add(self.plan.cycles_a_step).min(cycles_in_all(&self.plan.training.stages)))
    }

    fn all_games(&self) -> Arc<GameRows> {
        let mut games = self.plan.given.clone();
        games.append(&self.state.played);
        Arc::new(games)
    }

    fn tell_samples(&mut self, results: Vec<JobResult>) -> Result<Step, String> {
        let mut fresh = GameRows::default();
        for result in results {
            match result {
                JobResult::Pairs(pairs) => match pairs.failures.first() {
                    None => fresh.append(&pairs.rows),
                    Some((game, reason)) => return Err(format!("game {game}: {reason}")),
                },
                _ => return Err("a step of sampling was answered by something else".into()),
            }
        }
        self.see(&fresh)?;
        let (first, end) = self.next_games();
        self.state.played.append(&fresh);
        self.state.sampled = end;
        let (count, games) = (fresh.len() as u64, (self.plan.given.len() + self.state.played.len()) as u64);
        let points: f64 = (first..).zip(fresh.iter()).map(|(number, game)| points(number, game.outcome)).sum();
        Ok(Step {
            number: self.state.sampled.div_ceil(self.plan.batch) as u32,
            figures: vec![
                Measurement::new("states", "samples", self.positions.len() as f64, games),
                Measurement::new("plies", "samples", fresh.plies() as f64 / count.max(1) as f64, count),
                Measurement::new("score", "samples", points / count.max(1) as f64, count),
            ],
            best: Vec::new(),
            fitness: Vec::new(),
        })
    }

    fn tell_opinions(&mut self, results: Vec<JobResult>) -> Result<Step, String> {
        let mut fresh = Vec::new();
        for result in results {
            match result {
                JobResult::Opinions(opinions) => fresh.extend(opinions),
                _ => return Err("a step of judging was answered by something else".into()),
            }
        }
        let expected = self.next_judged().map_or(0, |(_, first, end)| end - first);
        if fresh.len() as u64 != expected {
            return Err(format!("{} opinions of {expected} positions", fresh.len()));
        }
        Arc::make_mut(&mut self.state.opinions).append(&mut fresh);
        let judged = self.state.opinions.len() as u64;
        // Where there are very few positions, steps without any are passed over.
        let steps = self.judging_ends().filter(|&end| end <= judged).count() as u32 - 1;
        let known: Vec<f64> = self.state.opinions.iter().flatten().map(|&chance| f64::from(chance)).collect();
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        Ok(Step {
            number: self.sampling_steps() + steps,
            figures: vec![Measurement::new("opinion", "samples", mean, known.len() as u64)],
            best: Vec::new(),
            fitness: Vec::new(),
        })
    }

    fn tell_fits(&mut self, results: Vec<JobResult>) -> Result<Step, String> {
        let mut results = results.into_iter();
        let mut fits = Vec::with_capacity(self.plan.structures.len());
        for structure in 0..self.plan.structures.len() {
            fits.push(match self.state.fits.get(structure) {
                Some(lost) if lost.weights.is_empty() => lost.clone(),
                _ => match results.next() {
                    Some(JobResult::Fit(fit)) => fit,
                    _ => return Err("a step of training was answered by something else".into()),
                },
            });
        }
        self.state.fits = fits;
        self.state.cycles = self.next_cycles().1;
        let before = self.sampling_steps() + self.judging_steps();
        let number = before + self.state.cycles.div_ceil(self.plan.cycles_a_step);
        Ok(Step { number, figures: self.errors(), best: self.best(), fitness: Vec::new() })
    }

    /// The errors of all networks on both parts, after those of a guess that knows no position.
    fn errors(&self) -> Vec<Measurement> {
        let mut figures = Vec::new();
        // All structures see the same samples.
        if let Some(fit) = self.state.fits.first() {
            for (part, (error, count)) in PARTS.iter().zip(fit.constant.iter().zip(fit.counts)) {
                let of = format!("structure={CONSTANT} part={part}");
                figures.extend(error.map(|error| Measurement::new("mse", of, error, count)));
            }
        }
        for (structure, fit) in self.plan.structures.iter().zip(&self.state.fits) {
            if fit.weights.is_empty() {
                let of = format!("structure={}", structure.name);
                figures.push(Measurement::new("diverged", of, 1.0, fit.counts[0]));
            }
            for (part, (error, count)) in PARTS.iter().zip(fit.errors.iter().zip(fit.counts)) {
                let of = format!("structure={} part={part}", structure.name);
                figures.extend(error.map(|error| Measurement::new("mse", of, error, count)));
            }
        }
        figures
    }

    /// All networks as genomes, the one with the least error first: on what it never saw, if there is any.
    fn best(&self) -> Vec<lanista_learn::Genome> {
        let error = |fit: &Fit| fit.errors[1].or(fit.errors[0]).unwrap_or(f64::INFINITY);
        let mut order: Vec<(usize, &Fit)> =
            self.state.fits.iter().enumerate().filter(|(_, fit)| !fit.weights.is_empty()).collect();
        order.sort_by(|a, b| error(a.1).total_cmp(&error(b.1)));
        order.into_iter().map(|(structure, fit)| Body::one_of(structure, &fit.weights)).collect()
    }
}

impl Learner for Offline {
    fn unit(&self) -> &'static str {
        "steps"
    }

    fn steps(&self) -> u32 {
        let training = cycles_in_all(&self.plan.training.stages).div_ceil(self.plan.cycles_a_step);
        self.sampling_steps() + self.judging_steps() + training
    }

    fn ask(&mut self, games_a_job: u64, workers: usize) -> Option<Vec<Job>> {
        if self.is_out {
            return None;
        }
        let jobs: Vec<Job> = if self.is_sampling() {
            let (first, end) = self.next_games();
            let size = games_a_job.min((end - first).div_ceil(workers.max(1) as u64)).next_multiple_of(2).max(2);
            let starts = (first..end).step_by(size as usize);
            starts.map(|first| self.sampling_job(first, end.min(first + size))).collect()
        } else if let Some((judge, first, end)) = self.next_judged() {
            let games = self.all_games();
            let size = (end - first).div_ceil(workers.max(1) as u64).max(1);
            let starts = (first..end).step_by(size as usize);
            starts.map(|first| self.judging_job(judge, &games, first, end.min(first + size))).collect()
        } else if self.next_cycles().0 < self.next_cycles().1 {
            let (games, cycles) = (self.all_games(), self.next_cycles());
            let structures = 0..self.plan.structures.len();
            structures.filter_map(|index| self.fitting_job(index, &games, &self.state.opinions, cycles)).collect()
        } else {
            return None;
        };
        self.is_out = !jobs.is_empty();
        self.is_out.then_some(jobs)
    }

    fn tell(&mut self, results: Vec<JobResult>) -> Result<Option<Step>, String> {
        self.is_out = false;
        let step = match (self.is_sampling(), self.next_judged()) {
            (true, _) => self.tell_samples(results),
            (false, Some(_)) => self.tell_opinions(results),
            (false, None) => self.tell_fits(results),
        };
        step.map(Some)
    }

    fn probes(&mut self) -> Vec<Probe> {
        if self.plan.games == 0 {
            return self.training_probes(&self.plan.given.first(PROBED_GAMES));
        }
        let games = self.plan.games.min(PROBED_GAMES as u64);
        vec![Probe { job: self.sampling_job(0, games), times: self.plan.games as f64 / games as f64 }]
    }

    fn further_probes(&mut self, results: &[JobResult]) -> Vec<Probe> {
        match results {
            [JobResult::Pairs(sampled)] => self.training_probes(&sampled.rows),
            _ => Vec::new(),
        }
    }

    fn beginner(&mut self) -> Option<lanista_learn::Genome> {
        Some(Body::one_of(0, &self.first_weights(0)?))
    }

    fn first_measurable(&self) -> u32 {
        self.sampling_steps() + self.judging_steps() + 1
    }

    fn save(&self) -> Vec<u8> {
        // Writing to a vector cannot fail.
        postcard::to_stdvec(&self.state).unwrap_or_default()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let state: State = postcard::from_bytes(state).map_err(|error| error.to_string())?;
        let (sampled, OfflinePlan { games, batch, .. }) = (state.sampled, &self.plan);
        if sampled > *games || (sampled < *games && !sampled.is_multiple_of(*batch)) {
            return Err(format!("{sampled} games were sampled, expected {games}, or fewer in whole steps of {batch}"));
        }
        let is_trained = !state.fits.is_empty();
        if is_trained || !state.opinions.is_empty() {
            let done = if is_trained { "learnt from" } else { "judged" };
            let change = state.ground.change(&self.state.ground, is_trained);
            if let Some(name) = change.or((sampled < *games).then_some("more games")) {
                return Err(format!("positions were {done} already; only a state before that takes {name}"));
            }
        }
        self.goes_on(&state.fits)?;
        self.state = State { ground: std::mem::take(&mut self.state.ground), ..state };
        self.is_out = false;
        self.positions.clear();
        let games = self.all_games();
        self.see(&games)?;
        match self.judging_ends().any(|end| end == self.state.opinions.len() as u64) {
            true => Ok(()),
            false => Err(format!("{} positions were judged, expected whole steps", self.state.opinions.len())),
        }
    }
}

/// What the first player got from a game: it opens those with even numbers.
fn points(number: u64, outcome: Outcome) -> f64 {
    let side = if number.is_multiple_of(2) { Side::First } else { Side::Second };
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f64::from(u8::from(winner == side)),
    }
}

struct Keys<'a> {
    rules: &'a str,
    games: &'a GameRows,
    keys: &'a mut HashSet<u64>,
}

impl Keys<'_> {
    fn visit_game(self, game: &str) -> Result<(), String> {
        registry::visit(game, self).map_err(|error| error.to_string())?
    }
}

impl GameVisitor for Keys<'_> {
    type Output = Result<(), String>;

    fn visit<G: RegisteredGame>(self) -> Result<(), String> {
        let start = G::rules(self.rules).map_err(|error| error.to_string())?.start;
        for game in self.games.iter() {
            walk(start, game.codes, |position| {
                self.keys.insert(position.key());
            })
            .map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "offline_tests.rs"]
mod tests;
