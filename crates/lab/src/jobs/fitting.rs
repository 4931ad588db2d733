//! Training of a network on sampled games: all that offline learning does with one structure in one go.

use lanista_core::{MoveList, Seed};
use lanista_learn::offline::{Backup, Part, Samples as Rows, Stage, ValueTable, train};
use lanista_nn::Network;
use serde::{Deserialize, Serialize};

use super::codes::CodeError;
use super::pairs::GameRows;
use super::{JobError, JobResult, Table, seed_text};
use crate::learning::Body;
use crate::opening_sets::orbit;
use crate::registry::{GameVisitor, RegisteredGame};

/// A network to be trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fitting {
    /// What the weights belong to.
    pub body: Body,
    /// The weights to begin with.
    pub weights: Vec<f32>,
    /// The games whose positions it learns.
    pub games: GameRows,
    /// How their results become values of positions.
    pub backup: Backup,
    /// The share of positions that it never learns from.
    pub validation: f64,
    /// What chooses them.
    #[serde(with = "seed_text")]
    pub split: Seed,
    /// All stages.
    pub stages: Vec<Stage>,
    /// The first cycle, and the one behind the last, counted over all stages.
    pub cycles: (u32, u32),
    /// The root of the orders of samples. Cycle `n` has its child `n`.
    #[serde(with = "seed_text")]
    pub seed: Seed,
}

/// A network that was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    /// Its weights; none if they grew beyond all bounds.
    pub weights: Vec<f32>,
    /// The mean squared error on what it learnt from, and on the rest; `None` where there is nothing.
    pub errors: [Option<f64>; 2],
    /// The same of a guess that knows no position: the mean value of what it learnt from.
    pub constant: [Option<f64>; 2],
    /// How many positions the two parts have.
    pub counts: [u64; 2],
}

impl GameVisitor for Table<'_, Fitting> {
    type Output = Result<JobResult, JobError>;

    fn visit<G: RegisteredGame>(self) -> Result<JobResult, JobError> {
        let job = self.job;
        let Body::Network { shape, .. } = &job.body else {
            return Err(JobError::Genome("only networks are trained offline".into()));
        };
        let network = Network::from_weights(shape.clone(), &job.weights);
        let mut network = network.map_err(|error| JobError::Genome(error.to_string()))?;
        let rows = self.rows::<G>()?;
        let mut goes_on = || !self.cancel.is_cancelled();
        if !train(&mut network, &rows, &job.stages, job.cycles.0..job.cycles.1, job.seed, &mut goes_on) {
            return Err(JobError::Cancelled);
        }
        let counts = [Part::Training, Part::Validation].map(|part| rows.of(part).len() as u64);
        let constant = [Part::Training, Part::Validation].map(|part| rows.constant_error(part));
        let weights = network.weights();
        if !weights.iter().all(|weight| weight.is_finite()) {
            return Ok(JobResult::Fit(Fit { weights: Vec::new(), errors: [None; 2], constant, counts }));
        }
        let errors = [Part::Training, Part::Validation].map(|part| rows.error(&network, part));
        Ok(JobResult::Fit(Fit { weights, errors, constant, counts }))
    }
}

impl Table<'_, Fitting> {
    /// All positions of the games with their values, as the network sees them.
    fn rows<G: RegisteredGame>(&self) -> Result<Rows, JobError> {
        let job = self.job;
        let Body::Network { groups, view, shape } = &job.body else { return Ok(Rows::default()) };
        let start = G::rules(self.rules)?.start;
        let inputs = G::inputs(groups).map_err(JobError::Genome)?;
        if inputs.size() != shape.inputs {
            return Err(JobError::Genome(format!("{} inputs, the network takes {}", inputs.size(), shape.inputs)));
        }
        let mut table = ValueTable::new(job.backup);
        let mut positions: Vec<G> = Vec::new();
        let mut visits = Vec::new();
        for game in job.games.iter() {
            visits.clear();
            walk(start, game.codes, |position| {
                let place = table.enter(position.key());
                if place == positions.len() {
                    positions.push(*position);
                }
                visits.push((place, view.of(position.side_to_move())));
            })?;
            table.back_up(&visits, game.outcome);
        }
        let mut rows = Rows::new(inputs.size());
        for (position, entry) in positions.iter().zip(table.entries()) {
            let part = Part::of(orbit(position), job.validation, job.split);
            let viewer = view.of(position.side_to_move());
            rows.push(part, entry.value, |row| inputs.write(position, viewer, row));
        }
        Ok(rows)
    }
}

/// Shows every position of a game, the first and the last included.
pub(crate) fn walk<G: RegisteredGame>(start: G, codes: &[u8], mut each: impl FnMut(&G)) -> Result<(), CodeError> {
    let mut position = start;
    let mut moves = MoveList::new();
    each(&position);
    for (index, &code) in codes.iter().enumerate() {
        moves.clear();
        position.legal_moves(&mut moves);
        let mv = moves.get(usize::from(code)).copied().ok_or(CodeError { ply: index + 1, code })?;
        position.play(mv);
        each(&position);
    }
    Ok(())
}
