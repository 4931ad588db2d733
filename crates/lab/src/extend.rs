//! Runs made longer: the same trials with more to do, and perhaps more trials.

use std::sync::Arc;

use crate::experiment::{ExperimentError, Plan, changed};
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

/// Why a run cannot be made longer.
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
    if plan.trials.len() < before.trials.len() || !same {
        return another("with these values its trials would be others, not more");
    }
    if !plan.has_no_horizon() && changes.iter().any(|change| change.contains(".generations=")) {
        return another("its mutation rate falls over all generations, so a longer one is another one");
    }
    if let Err(reason) = plan.trains_on_after(&before) {
        return another(reason);
    }
    Ok(plan)
}
