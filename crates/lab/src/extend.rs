//! Runs that go on as others: longer, with the same trials and more to do, or as a fork.

use std::sync::Arc;

use serde_json::Value;

use crate::experiment::{Experiment, ExperimentError, Plan, changed};
use crate::store::{RunRow, Store, StoreError};

/// Fields that may change while a run keeps what it has.
pub const LENGTHS: [&str; 9] = [
    "match.pairs",
    "tournament.pairs",
    "depths.pairs",
    "evolution.generations",
    "strategy.generations",
    "neat.generations",
    "offline.stages",
    "replicates",
    "title",
];

/// Fields that tell about a study and change nothing in it.
const PROSE: [&str; 8] = ["title", "about", "published", "headline", "findings", "cost-then", "scale", "scaled"];

/// Why a run cannot go on like that.
#[derive(Debug, thiserror::Error)]
pub enum ExtendError {
    /// A change that is none, or not of a length.
    #[error("--set {0}")]
    Change(String),
    /// The run would be another one.
    #[error("run {run}: {reason}; begin a new run")]
    Another {
        /// Which run.
        run: i64,
        /// Why.
        reason: &'static str,
    },
    /// What it has come to is of no use with these values.
    #[error("trial {trial} cannot go on with these values: {reason}")]
    State {
        /// Of which trial.
        trial: usize,
        /// Why.
        reason: String,
    },
    /// The experiment is wrong with these values.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The plan of a run with other lengths, given as `TABLE.FIELD=VALUE`: it comes to the same results as if it had been that
/// long from the beginning.
pub fn extended(row: &RunRow, changes: &[String], store: &Store) -> Result<Plan, ExtendError> {
    for change in changes {
        let field = change.split('=').next().unwrap_or_default();
        if !LENGTHS.contains(&field) {
            let lengths = LENGTHS.join(", ");
            let text = format!("{change}: extend changes only lengths ({lengths}); fork changes everything");
            return Err(ExtendError::Change(text));
        }
    }
    let before = Plan::read_alone(&row.experiment, &row.file, Arc::new(store.blobs(row.run)?))?;
    let text = changed(&row.experiment, changes).map_err(ExtendError::Change)?;
    let plan = Plan::read_alone(&text, &row.file, Arc::new(store.blobs(row.run)?))?;
    let same = before.trials.iter().zip(&plan.trials).all(|(old, new)| old.seed == new.seed);
    let another = |reason| Err(ExtendError::Another { run: row.run, reason });
    not_shorter(&before.experiment, &plan.experiment)?;
    if plan.trials.len() < before.trials.len() || !same {
        return another("with these values its trials would be others, not more");
    }
    if !plan.has_no_horizon() && changes.iter().any(|change| change.contains(".generations=")) {
        return another("its mutation rate falls over all generations, so a longer one is another one");
    }
    if let Err(reason) = plan.trains_on_after(&before) {
        return another(reason);
    }
    let states = store.starts(row.run)?.into_iter().map(|start| start.state);
    can_go_on(&plan, &row.file, states.enumerate().filter_map(|(trial, state)| Some((trial, state?))))?;
    Ok(plan)
}

/// The plan of a new run that begins where another stood after `points`, its trials and their generations, with other values,
/// given as `TABLE.FIELD=VALUE`. What learns may go on in any way that its state allows. Games that were played stay what they
/// were, so a contest may only become longer.
pub fn forked(
    row: &RunRow,
    changes: &[String],
    points: &[(u32, u32)],
    store: &Store,
) -> Result<(Plan, Vec<(u32, u32)>), ExtendError> {
    let before = Plan::read_alone(&row.experiment, &row.file, Arc::new(store.blobs(row.run)?))?;
    let text = changed(&row.experiment, changes).map_err(ExtendError::Change)?;
    let plan = Plan::read(&text, &row.file, Arc::new(store.blobs(row.run)?))?;
    let another = |reason| Err(ExtendError::Another { run: row.run, reason });
    if *plan.experiment.game != *before.experiment.game {
        return another("what it has come to is of another game");
    }
    if plan.experiment.learner.is_none() {
        let mut trials = before.trials.iter().zip(&plan.trials);
        let is_same = |old: &Experiment, new: &Experiment| essence(old) == essence(new);
        if !trials.all(|(old, new)| old.seed == new.seed && is_same(&old.experiment, &new.experiment)) {
            return another("what it has played is of other players, rules, openings or seeds");
        }
        not_shorter(&before.experiment, &plan.experiment)?;
    }
    let points: Vec<(u32, u32)> =
        points.iter().copied().filter(|&(trial, _)| (trial as usize) < plan.trials.len()).collect();
    let mut states = Vec::new();
    for &(trial, generation) in &points {
        states.push((trial as usize, store.state_at(row.run, trial, generation)?));
    }
    can_go_on(&plan, &row.file, states.into_iter())?;
    Ok((plan, points))
}

/// Whether no length is less than it was.
fn not_shorter(before: &Experiment, after: &Experiment) -> Result<(), ExtendError> {
    let [before, after] = [before, after].map(values);
    for field in LENGTHS {
        let number = |of: &Value| of.pointer(&format!("/{}", field.replace('.', "/"))).and_then(Value::as_u64);
        if let (Some(old), Some(new)) = (number(&before), number(&after))
            && new < old
        {
            return Err(ExtendError::Change(format!(
                "{field}={new}: expected {old} or more, which the run has already"
            )));
        }
    }
    Ok(())
}

/// Whether the states of trials fit a plan.
fn can_go_on(plan: &Plan, file: &str, mut states: impl Iterator<Item = (usize, Vec<u8>)>) -> Result<(), ExtendError> {
    states.try_for_each(|(trial, state)| {
        let mut study = plan.study(trial, file)?;
        study.restore(&state).map_err(|reason| ExtendError::State { trial: trial + 1, reason })
    })
}

/// What makes a study what it is: neither how long it is, nor what is told about it.
fn essence(experiment: &Experiment) -> Value {
    let mut all = values(experiment);
    for field in PROSE.into_iter().chain(LENGTHS) {
        let (table, name) = field.split_once('.').map_or((None, field), |(table, name)| (Some(table), name));
        let table = match table {
            Some(table) => all.get_mut(table),
            None => Some(&mut all),
        };
        table.and_then(Value::as_object_mut).map(|table| table.remove(name));
    }
    all
}

fn values(experiment: &Experiment) -> Value {
    // Everything in it was read from a text of the same form.
    serde_json::to_value(experiment).unwrap_or_default()
}
