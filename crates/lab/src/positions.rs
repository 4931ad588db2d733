//! Several players on the same positions, one decision each: what they find, and what it costs.

use std::collections::VecDeque;

use lanista_core::{Referee, Seed, mix64};
use serde::{Deserialize, Serialize};

use crate::contest::{Entrant, Pace};
use crate::jobs::{DecisionRow, Decisions, Job, JobResult, Work, encode};
use crate::registry::{self, GameVisitor, RegisteredGame};
use crate::run::{Ask, DecisionRecord, Measurement, Probe, Progress, Recorded, Study};
use crate::statistics::{Summary, mean, ratio};

/// Everything that makes a test.
#[derive(Clone, Debug)]
pub struct PositionsPlan {
    /// The id of the game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// Who decides.
    pub entrants: Vec<Entrant>,
    /// How deep; empty for each player's own limits.
    pub depths: Vec<u32>,
    /// The player whose values the others are compared with.
    pub reference: Option<usize>,
    /// Whether that player judges the moves of the others.
    pub judges_moves: bool,
    /// The positions, each as the moves that lead to it, as codes.
    pub positions: Vec<Vec<u8>>,
    /// The root of its randomness.
    pub seed: Seed,
}

impl PositionsPlan {
    /// Positions from random games: `per_length` after each number of plies. Games that end before are drawn again.
    pub fn random_positions(
        game: &str,
        rules: &str,
        plies: &[u32],
        per_length: u32,
        seed: Seed,
    ) -> Result<Vec<Vec<u8>>, String> {
        registry::visit(game, Draw { rules, plies, per_length, seed }).map_err(|error| error.to_string())?
    }
}

struct Draw<'a> {
    rules: &'a str,
    plies: &'a [u32],
    per_length: u32,
    seed: Seed,
}

impl GameVisitor for Draw<'_> {
    type Output = Result<Vec<Vec<u8>>, String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        const PATIENCE: u64 = 10_000;
        // Random games that nearly never last so long would take for ever.
        const MOST_PLIES: u64 = 2_000_000;
        let mut played = 0;
        let rules = G::rules(self.rules).map_err(|error| error.to_string())?;
        let mut found = Vec::new();
        for (length, &plies) in self.plies.iter().enumerate() {
            for number in 0..self.per_length {
                let seed = self.seed.child(length as u64).child(u64::from(number));
                let game = (0..PATIENCE).find_map(|attempt| {
                    let mut game = Referee::new(&rules);
                    game.play_random(plies, &mut seed.child(attempt).stream());
                    played += game.moves().len() as u64;
                    (game.ending().is_none() || played > MOST_PLIES).then_some(game)
                });
                let game = game.ok_or_else(|| format!("no random game of {} lasts {plies} plies", G::ID))?;
                if played > MOST_PLIES {
                    return Err(format!("more than {MOST_PLIES} random plies, expected fewer or shorter games"));
                }
                let mut codes = Vec::new();
                encode(&game.record(None), &mut codes);
                found.push(codes);
            }
        }
        Ok(found)
    }
}

/// What one player found at one depth.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Cell {
    scores: Vec<Option<i32>>,
    nodes: Vec<u64>,
    seconds: Vec<f64>,
}

/// A test under way.
pub struct Positions {
    plan: PositionsPlan,
    /// By depth, then by player.
    cells: Vec<Cell>,
    digest: u64,
    next: (usize, usize),
    under_way: VecDeque<Vec<(usize, usize)>>,
    paces: Vec<Pace>,
}

impl Positions {
    /// A test that has not begun.
    pub fn new(plan: PositionsPlan) -> Positions {
        let cells = plan.entrants.len() * plan.depths.len().max(1);
        Positions {
            plan,
            cells: vec![Cell::default(); cells],
            digest: 0,
            next: (0, 0),
            under_way: VecDeque::new(),
            paces: vec![Pace::default(); cells],
        }
    }

    fn entrant(&self, cell: usize) -> &Entrant {
        &self.plan.entrants[cell % self.plan.entrants.len()]
    }

    fn depth(&self, cell: usize) -> Option<u32> {
        self.plan.depths.get(cell / self.plan.entrants.len()).copied()
    }

    fn job(&self, cell: usize, first: usize, count: usize) -> Job {
        let entrant = self.entrant(cell);
        let judge = self.plan.reference.filter(|reference| {
            let is_another = cell % self.plan.entrants.len() != *reference;
            self.plan.judges_moves && is_another
        });
        let work = Decisions {
            player: entrant.player.clone(),
            limit: crate::limits::Limit { depth: self.depth(cell).or(entrant.limit.depth), ..entrant.limit },
            judge: judge.map(|judge| self.plan.entrants[judge].player.clone()),
            positions: self.plan.positions[first..first + count].to_vec(),
            first: first as u64,
            seed: self.plan.seed.child(cell as u64),
        };
        Job::new(&self.plan.game, &self.plan.rules, Work::Decisions(work))
    }

    fn absorb(&mut self, cell: usize, row: &DecisionRow) {
        let place = (cell as u64) << 32 | self.cells[cell].scores.len() as u64;
        let words = [u64::from(row.score.map_or(u32::MAX, |score| score as u32)), row.nodes, u64::from(row.depth)];
        let hash = words.iter().fold(mix64(place), |hash, &word| mix64(hash ^ word));
        let hash = row.mv.bytes().fold(hash, |hash, byte| mix64(hash ^ u64::from(byte)));
        self.digest = self.digest.wrapping_add(hash);
        self.cells[cell].scores.push(row.score);
        self.cells[cell].nodes.push(row.nodes);
        self.cells[cell].seconds.push(row.seconds);
    }

    /// The share of positions where a player found the same value as the one it is compared with.
    fn agreement(&self, cell: usize) -> Option<Measurement> {
        let reference = cell - cell % self.plan.entrants.len() + self.plan.reference?;
        let pairs: Vec<(Option<i32>, Option<i32>)> =
            self.cells[cell].scores.iter().copied().zip(self.cells[reference].scores.iter().copied()).collect();
        let has_opinion = |score: &(Option<i32>, Option<i32>)| score.0.is_some() && score.1.is_some();
        let known = pairs.iter().filter(|pair| has_opinion(pair)).count();
        let equal = pairs.iter().filter(|pair| has_opinion(pair) && pair.0 == pair.1).count();
        (known > 0).then(|| Measurement::new("agreement", self.of(cell), equal as f64 / known as f64, known as u64))
    }

    /// How many nodes a player needs for each of the one it is compared with, or of the first, and how long for a node.
    fn ratios(&self, cell: usize) -> Vec<Measurement> {
        let reference = cell - cell % self.plan.entrants.len() + self.plan.reference.unwrap_or(0);
        let [own, other] = [cell, reference].map(|cell| &self.cells[cell]);
        let nodes: Vec<(f64, f64)> = own.nodes.iter().zip(&other.nodes).map(|(a, b)| (*a as f64, *b as f64)).collect();
        let Some(more) = ratio(&nodes).filter(|_| cell != reference) else { return Vec::new() };
        let count = nodes.len() as u64;
        let mut found =
            vec![Measurement::new("nodes-ratio", self.of(cell), more.value, count).with_error(Some(more.error))];
        if let [Some(own), Some(other)] = [own, other].map(|cell| mean(&cell.seconds[..nodes.len()]))
            && more.value * other > 0.0
        {
            let slower = own / other / more.value;
            found.push(Measurement::new("node-time-ratio", self.of(cell), slower, count).of_this_machine());
        }
        found
    }

    fn of(&self, cell: usize) -> String {
        let depth = self.depth(cell).map_or(String::new(), |depth| format!(" depth={depth}"));
        format!("player={}{depth}", self.entrant(cell).name)
    }
}

impl Study for Positions {
    fn probes(&mut self) -> Vec<Probe> {
        /// Positions of each cell that are tried, spread over all.
        const TRIED: usize = 4;
        let all = self.plan.positions.len();
        let step = all.div_ceil(TRIED).max(1);
        let tried: Vec<usize> = (step / 2..all).step_by(step).collect();
        let times = all as f64 / tried.len().max(1) as f64;
        let cells = 0..self.cells.len();
        cells
            .flat_map(|cell| tried.iter().map(move |&at| (cell, at)))
            .map(|(cell, at)| Probe { job: self.job(cell, at, 1), times })
            .collect()
    }

    fn ask(&mut self, workers: usize) -> Ask {
        let mut parts = Vec::new();
        let mut jobs = Vec::new();
        while parts.len() < workers.max(1) && self.next.0 < self.cells.len() {
            let (cell, first) = self.next;
            let count = (self.paces[cell].steps_a_job() as usize).min(self.plan.positions.len() - first);
            if count == 0 {
                self.next = (cell + 1, 0);
                continue;
            }
            jobs.push(self.job(cell, first, count));
            parts.push((cell, count));
            self.next = (cell, first + count);
        }
        if parts.is_empty() {
            return if self.under_way.is_empty() { Ask::Done } else { Ask::Wait };
        }
        self.under_way.push_back(parts);
        Ask::Jobs(jobs)
    }

    fn tell(&mut self, results: Vec<(JobResult, f64)>) -> Recorded {
        let mut recorded = Recorded::default();
        let parts = self.under_way.pop_front().unwrap_or_default();
        for ((cell, count), (result, seconds)) in parts.into_iter().zip(results) {
            let JobResult::Decisions(rows) = result else { continue };
            self.paces[cell].took(count as u64, seconds);
            for row in rows {
                let position = self.cells[cell].scores.len() as u32;
                self.absorb(cell, &row);
                recorded.decisions.push(DecisionRecord { position, of: self.of(cell), row });
            }
        }
        recorded
    }

    fn save(&self) -> Vec<u8> {
        // Writing to a vector cannot fail.
        postcard::to_stdvec(&(&self.cells, self.digest)).unwrap_or_default()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let (cells, digest): (Vec<Cell>, u64) = postcard::from_bytes(state).map_err(|error| error.to_string())?;
        if cells.len() != self.cells.len() || cells.iter().any(|cell| cell.scores.len() > self.plan.positions.len()) {
            return Err("the players or positions are others".into());
        }
        (self.cells, self.digest) = (cells, digest);
        self.under_way.clear();
        let all = self.plan.positions.len();
        let unfinished = self.cells.iter().position(|cell| cell.scores.len() < all);
        self.next = unfinished.map_or((self.cells.len(), 0), |cell| (cell, self.cells[cell].scores.len()));
        Ok(())
    }

    fn progress(&self) -> Progress {
        let done: usize = self.cells.iter().map(|cell| cell.scores.len()).sum();
        let figures = match self.cells.iter().rposition(|cell| !cell.nodes.is_empty()) {
            Some(cell) => {
                let nodes = &self.cells[cell].nodes;
                format!(
                    "{}: {:.0} nodes a decision",
                    self.of(cell),
                    nodes.iter().sum::<u64>() as f64 / nodes.len() as f64
                )
            }
            None => String::new(),
        };
        let total = (self.cells.len() * self.plan.positions.len()) as u64;
        Progress { done: done as u64, total, unit: "decisions".into(), games: 0, figures }
    }

    fn summary(&self) -> Vec<Measurement> {
        let mut found = Vec::new();
        for (index, cell) in self.cells.iter().enumerate().filter(|(_, cell)| !cell.scores.is_empty()) {
            let (of, count) = (self.of(index), cell.scores.len() as u64);
            let mut add = |name: &str, values: Vec<f64>, repeats: bool| {
                let Some(sample) = Summary::of(&values) else { return };
                let error = sample.estimate().map(|estimate| estimate.error);
                let measured = Measurement::new(name, of.clone(), sample.mean, count).with_error(error);
                found.push(if repeats { measured } else { measured.of_this_machine() });
            };
            add("nodes", cell.nodes.iter().map(|&nodes| nodes as f64).collect(), true);
            add("seconds", cell.seconds.clone(), false);
            found.extend(self.agreement(index));
            found.extend(self.ratios(index));
        }
        found
    }

    fn digest(&self) -> u64 {
        self.digest
    }
}
