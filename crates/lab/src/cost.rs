//! What an experiment would cost: one small job of each part is done to see how long it takes.

use std::time::{Duration, Instant};

use crate::experiment::{ExperimentError, Plan};
use crate::jobs::{Cancel, JobError};

/// Trials that are tried out, spread over all.
const TRIED: usize = 5;

/// What an experiment would cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// Its trials.
    pub trials: usize,
    /// Its steps, all trials together.
    pub steps: f64,
    /// What a step is.
    pub unit: String,
    /// Seconds on one core of this machine.
    pub core_seconds: f64,
    /// Whether that is only the least that it takes: trying out was stopped.
    pub is_least: bool,
}

impl Cost {
    /// Seconds on so many cores.
    pub fn seconds(&self, cores: usize) -> f64 {
        self.core_seconds / cores.max(1) as f64
    }
}

/// Why there is no estimate.
#[derive(Debug, thiserror::Error)]
pub enum CostError {
    /// The experiment is wrong.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A job failed.
    #[error(transparent)]
    Job(#[from] JobError),
}

/// The steps of an experiment and what a step is, without trying anything out.
pub fn steps(plan: &Plan, file: &str) -> Result<(f64, String), ExperimentError> {
    let chosen = chosen(plan);
    let (mut steps, mut unit) = (0.0, String::new());
    for &trial in &chosen {
        let progress = plan.study(trial, file)?.progress();
        steps += progress.total as f64;
        unit = progress.unit;
    }
    Ok((steps * plan.trials.len() as f64 / chosen.len() as f64, unit))
}

/// Estimates what an experiment costs. Trying out takes about as long as `patience`; whoever cannot wait cancels it, and learns
/// the least that it takes.
pub fn estimate(plan: &Plan, file: &str, patience: Duration, cancel: &Cancel) -> Result<Cost, CostError> {
    let (steps, unit) = steps(plan, file)?;
    let chosen = chosen(plan);
    let (mut seconds, mut is_least) = (0.0, false);
    for &trial in &chosen {
        let probes = plan.study(trial, file)?.probes();
        let began = Instant::now();
        let (mut spent, mut tried) = (0.0, 0);
        for probe in &probes {
            let job = Instant::now();
            match probe.job.run(&plan.blobs, cancel) {
                Ok(_) => {}
                Err(JobError::Cancelled) => is_least = true,
                Err(error) => return Err(error.into()),
            }
            is_least |= cancel.is_cancelled();
            spent += job.elapsed().as_secs_f64() * probe.times;
            tried += 1;
            if is_least || began.elapsed() > patience / chosen.len() as u32 {
                break;
            }
        }
        // What there was no time for is taken to be like the rest.
        seconds += spent * probes.len() as f64 / f64::from(tried.max(1));
    }
    let scale = plan.trials.len() as f64 / chosen.len() as f64;
    Ok(Cost { trials: plan.trials.len(), steps, unit, core_seconds: seconds * scale, is_least })
}

fn chosen(plan: &Plan) -> Vec<usize> {
    let trials = plan.trials.len();
    (0..trials).step_by(trials.div_ceil(TRIED)).collect()
}
