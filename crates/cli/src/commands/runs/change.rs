//! `lanista extend`, `lanista fork` and `lanista delete`.

use anyhow::Context;
use clap::Args;
use lanista_lab::extend::{extended, forked};
use lanista_lab::store::NewRun;
use serde_json::json;

use super::PROGRAM;
use super::start::{RunSetting, resume};
use crate::output::Output;
use crate::store_request::StoreRequest;

/// Make a run longer.
///
/// It comes to the same results as if it had been that long from the beginning.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista extend last --set match.pairs=2000
  lanista extend 3 --set replicates=20
  lanista extend 4 --set evolution.generations=500
  lanista extend 5 --set 'offline.stages=[{ rate = 0.2, cycles = 500 }]'")]
pub struct ExtendCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// What becomes longer: the number of pairs, replicates or generations, or the stages of training, as TABLE.FIELD=VALUE.
    #[arg(long = "set", value_name = "FIELD=VALUE", required = true)]
    changes: Vec<String>,
    #[command(flatten)]
    setting: RunSetting,
}

impl ExtendCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut store = self.setting.store.open_existing_to_write()?;
        let row = store.find_run(&self.run)?;
        let plan = extended(&row, &self.changes, &store)?;
        store.extend(row.run, &plan)?;
        let row = store.find_run(&row.run.to_string())?;
        resume(&row, store, &self.setting, output)
    }
}

/// Begin a new run where another one stood, with other settings if you like.
///
/// What learns may go on with any settings that fit what it has learnt. Games that were played stay what they were: a match or a
/// tournament may only become longer.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista fork 3@20
  lanista fork last --set match.pairs=2000
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
        let mut store = self.setting.store.open_existing_to_write()?;
        let (run, generation) = match self.run.split_once('@') {
            None => (self.run.as_str(), u32::MAX),
            Some((run, generation)) => {
                let number = generation.parse();
                (run, number.with_context(|| format!("{:?}: expected RUN@GENERATION, as in 3@20", self.run))?)
            }
        };
        let row = store.find_run(run)?;
        let points = store.fork_points(row.run, generation)?;
        anyhow::ensure!(
            !points.is_empty(),
            "run {} has no state to fork from at generation {generation} or before; `lanista show {}` lists them",
            row.run,
            row.run
        );
        let (plan, points) = forked(&row, &self.changes, &points, &store)?;
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
        let mut store = self.store.open_existing_to_write()?;
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
