//! `lanista extend`, `lanista fork` and `lanista delete`.

use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use lanista_lab::experiment::Plan;
use lanista_lab::store::NewRun;
use serde_json::json;

use super::PROGRAM;
use super::start::{RunSetting, resume, stored_plan};
use crate::output::Output;
use crate::store_request::StoreRequest;

/// Make a run longer.
///
/// It comes to the same results as if it had been that long from the beginning.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista extend last --set match.pairs=2000
  lanista extend 3 --set replicates=20
  lanista extend 4 --set evolution.generations=500")]
pub struct ExtendCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// What becomes longer: the number of pairs, replicates or generations, as TABLE.FIELD=VALUE.
    #[arg(long = "set", value_name = "FIELD=VALUE", required = true)]
    changes: Vec<String>,
    #[command(flatten)]
    setting: RunSetting,
}

/// Fields that may change while a run keeps what it has.
const LENGTHS: [&str; 8] = [
    "match.pairs",
    "tournament.pairs",
    "depths.pairs",
    "evolution.generations",
    "strategy.generations",
    "neat.generations",
    "replicates",
    "title",
];

impl ExtendCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut store = self.setting.store.open_to_write()?;
        let row = store.find_run(&self.run)?;
        for change in &self.changes {
            let field = change.split('=').next().unwrap_or_default();
            anyhow::ensure!(
                LENGTHS.contains(&field),
                "--set {change}: extend changes only lengths ({}); fork changes everything",
                LENGTHS.join(", ")
            );
        }
        let before = stored_plan(&row, &store)?;
        let text = changed(&row.experiment, &self.changes)?;
        let plan = Plan::read(&text, &row.file, Arc::new(store.blobs(row.run)?))?;
        anyhow::ensure!(
            plan.trials.len() >= before.trials.len()
                && before.trials.iter().zip(&plan.trials).all(|(old, new)| old.seed == new.seed),
            "run {}: with these values its trials would be others, not more; begin a new run",
            row.run
        );
        anyhow::ensure!(
            plan.has_no_horizon() || !self.changes.iter().any(|change| change.contains(".generations=")),
            "run {}: its mutation rate falls over all generations, so a longer one is another one; begin a new run",
            row.run
        );
        store.extend(row.run, &plan)?;
        let row = store.find_run(&row.run.to_string())?;
        resume(&row, store, &self.setting, output)
    }
}

/// The text of an experiment with some values changed; everything else stays as it is.
fn changed(text: &str, changes: &[String]) -> anyhow::Result<String> {
    let mut document: toml_edit::DocumentMut = text.parse().context("the experiment in the store")?;
    for change in changes {
        let (path, value) =
            change.split_once('=').with_context(|| format!("--set {change:?}: expected TABLE.FIELD=VALUE"))?;
        let value: toml_edit::Value = match value.parse() {
            Ok(value) => value,
            // A text needs no quotes here.
            Err(_) => value.into(),
        };
        let (tables, field) = match path.rsplit_once('.') {
            Some((tables, field)) => (tables.split('.').collect(), field),
            None => (Vec::new(), path),
        };
        let mut table = document.as_table_mut() as &mut dyn toml_edit::TableLike;
        for name in tables {
            let item =
                table.get_mut(name).with_context(|| format!("--set {change}: the experiment has no table [{name}]"))?;
            table = item.as_table_like_mut().with_context(|| format!("--set {change}: {name} is no table"))?;
        }
        table.insert(field, toml_edit::value(value));
    }
    Ok(document.to_string())
}

/// Begin a new run where another one stood, with other settings if you like.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista fork 3@20
  lanista fork last --set match.b=pvs:depth=5
  lanista fork 3@100 --set title=\"Less mutation\"")]
pub struct ForkCommand {
    /// The run, and the generation after which to go on: RUN@GENERATION. Its latest one if not given.
    #[arg(value_name = "RUN[@GENERATION]")]
    run: String,
    /// Values to change, as TABLE.FIELD=VALUE.
    #[arg(long = "set", value_name = "FIELD=VALUE")]
    changes: Vec<String>,
    #[command(flatten)]
    setting: RunSetting,
}

impl ForkCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut store = self.setting.store.open_to_write()?;
        let (run, generation) = match self.run.split_once('@') {
            None => (self.run.as_str(), u32::MAX),
            Some((run, generation)) => {
                let number = generation.parse();
                (run, number.with_context(|| format!("{:?}: expected RUN@GENERATION, as in 3@20", self.run))?)
            }
        };
        let row = store.find_run(run)?;
        let text = changed(&row.experiment, &self.changes)?;
        let plan = Plan::read(&text, &row.file, Arc::new(store.blobs(row.run)?))?;
        let points = store.fork_points(row.run, generation)?;
        anyhow::ensure!(
            !points.is_empty(),
            "run {} has no state to fork from at generation {generation} or before; `lanista show {}` lists them",
            row.run,
            row.run
        );
        let points: Vec<(u32, u32)> =
            points.into_iter().filter(|&(trial, _)| (trial as usize) < plan.trials.len()).collect();
        let fork = store.fork(row.run, NewRun { plan: &plan, file: &row.file, program: PROGRAM }, &points)?;
        let row = store.find_run(&fork.to_string())?;
        resume(&row, store, &self.setting, output)
    }
}

/// Remove a run from the store.
#[derive(Args, Clone)]
#[command(after_help = "Example:
  lanista delete 3 --yes")]
pub struct DeleteCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// Really.
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    store: StoreRequest,
}

impl DeleteCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut store = self.store.open_to_write()?;
        let row = store.find_run(&self.run)?;
        anyhow::ensure!(
            self.yes,
            "run {} ({}, {} games) would be gone for good; say --yes if you want that",
            row.run,
            row.title,
            row.games
        );
        store.delete(row.run)?;
        if output.is_json() {
            return output.json(&json!({"deleted": row.run}));
        }
        Ok(output.line(format!("run {} is gone", row.run))?)
    }
}
