//! What an experiment would cost: one small job of each part is done to see how long it takes.

use std::time::{Duration, Instant};

use crate::experiment::{ExperimentError, Plan};
use crate::jobs::{Cancel, JobError, JobResult};
use crate::run::{LONG_LESSON, Probe};

/// Settings that are tried out, spread over all.
const TRIED: usize = 10;
/// What takes less is tried out again until it has taken so long.
pub(crate) const ENOUGH: Duration = Duration::from_millis(50);

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
    /// Those of them that learners need between their games. One core does it for a trial, and for all of them if lessons are short.
    pub learning_seconds: f64,
    /// Whether that is only the least that it takes: trying out was stopped.
    pub is_least: bool,
}

impl Cost {
    /// Seconds on so many cores.
    pub fn seconds(&self, cores: usize) -> f64 {
        let (cores, learning) = (cores.max(1) as f64, self.learning_seconds);
        // A trial waits while it learns; meanwhile the other cores play for the other trials, and learn if lessons are long.
        let one_by_one = learning + (self.core_seconds - learning) / cores;
        let side_by_side = learning / self.steps.max(1.0) >= LONG_LESSON.as_secs_f64();
        let alone = if side_by_side { 0.0 } else { learning };
        (one_by_one / self.trials.max(1) as f64).max(alone).max(self.core_seconds / cores)
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
    let (mut seconds, mut learning, mut is_least) = (0.0, 0.0, false);
    for &trial in &chosen {
        let mut study = plan.study(trial, file)?;
        let end = Instant::now() + patience / chosen.len() as u32;
        let probes = study.probes();
        let first = try_out(&probes, plan, cancel, end)?;
        let further = try_out(&study.further_probes(&first.results), plan, cancel, end)?;
        let measuring = try_out(&study.measuring_probes(), plan, cancel, end)?;
        learning += study.own_seconds(&first.results);
        seconds += first.seconds + further.seconds + measuring.seconds;
        is_least |= first.is_least || further.is_least || measuring.is_least;
    }
    let scale = plan.trials.len() as f64 / chosen.len() as f64;
    let (core_seconds, learning_seconds) = ((seconds + learning) * scale, learning * scale);
    Ok(Cost { trials: plan.trials.len(), steps, unit, core_seconds, learning_seconds, is_least })
}

/// What trying out some jobs came to.
#[derive(Default)]
struct Tried {
    /// What all the work that they stand for would take.
    seconds: f64,
    /// The results of those that were done.
    results: Vec<JobResult>,
    is_least: bool,
}

/// Does one of these jobs at least, and others until the time is over.
fn try_out(probes: &[Probe], plan: &Plan, cancel: &Cancel, end: Instant) -> Result<Tried, JobError> {
    let (mut tried, began) = (Tried::default(), Instant::now());
    let mut fastest = Vec::new();
    for probe in probes {
        let (seconds, result) = timed(probe, plan, cancel)?;
        fastest.push(seconds);
        tried.is_least |= result.is_none() || cancel.is_cancelled();
        tried.results.extend(result);
        if tried.is_least || Instant::now() > end {
            break;
        }
    }
    // The first time is a slow one, which tells little of short jobs.
    while !fastest.is_empty() && began.elapsed() < ENOUGH && Instant::now() < end && !cancel.is_cancelled() {
        for (before, probe) in fastest.iter_mut().zip(probes) {
            if let (seconds, Some(_)) = timed(probe, plan, cancel)? {
                *before = seconds.min(*before);
            }
        }
    }
    tried.seconds = fastest.iter().zip(probes).map(|(seconds, probe)| seconds * probe.times).sum();
    // What there was no time for is taken to be like the rest.
    tried.seconds *= probes.len() as f64 / fastest.len().max(1) as f64;
    Ok(tried)
}

/// Does a job; without a result if it was cancelled.
fn timed(probe: &Probe, plan: &Plan, cancel: &Cancel) -> Result<(f64, Option<JobResult>), JobError> {
    let began = Instant::now();
    let result = match probe.job.run(&plan.blobs, cancel) {
        Ok(result) => Some(result),
        Err(JobError::Cancelled) => None,
        Err(error) => return Err(error),
    };
    Ok((began.elapsed().as_secs_f64(), result))
}

/// A trial each of some settings: of all, if they are few. Replicates cost the same.
fn chosen(plan: &Plan) -> Vec<usize> {
    let trials = plan.trials.iter().enumerate();
    let settings: Vec<usize> = trials.filter(|(_, trial)| trial.replicate == 0).map(|(number, _)| number).collect();
    settings.iter().copied().step_by(settings.len().div_ceil(TRIED)).collect()
}
