//! `lanista run` and `lanista resume`.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use lanista_cluster::{ClusterUse, NatsExecutor, OnPoison, RunRequest};
use lanista_lab::blobs::Blobs;
use lanista_lab::executor::{Executor, Threads};
use lanista_lab::experiment::{Plan, text_of};
use lanista_lab::jobs::Cancel;
use lanista_lab::run::{Finished, Recorder, Runner, Start};
use lanista_lab::store::{NewRun, RunRow, Store};
use serde_json::json;

use super::super::forfeits::all_played;
use super::super::serve::watch;
use super::PROGRAM;
use crate::nats_request::NatsSecrets;
use crate::output::Output;
use crate::progress::{ProgressRequest, ProgressView, stop_on_interrupt};
use crate::store_request::StoreRequest;

/// How a run is done.
#[derive(Args, Clone)]
pub struct RunSetting {
    #[command(flatten)]
    pub store: StoreRequest,
    /// How many jobs at a time; all cores if not given. Results do not depend on it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub progress: ProgressRequest,
    #[command(flatten)]
    pub cluster: ClusterSetting,
}

/// How a run is done by other machines.
#[derive(Args, Clone)]
pub struct ClusterSetting {
    /// Let the workers of this NATS server do the jobs (`lanista worker`). Results do not depend on it.
    #[arg(long, value_name = "URL", conflicts_with = "threads")]
    pub nats: Option<String>,
    /// What becomes of a job that failed on three workers: the run fails, or positions of a test are skipped.
    #[arg(long, value_name = "fail|skip", value_enum, default_value_t = PoisonChoice::Fail, requires = "nats", hide_possible_values = true)]
    pub on_poison: PoisonChoice,
    /// The share of results that another worker computes again, in per cent.
    #[arg(long, value_name = "PERCENT", default_value_t = 2.0, requires = "nats", value_parser = percent)]
    pub verify_share: f64,
    /// A worker without a sign of life for so many seconds is taken for dead.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, requires = "nats", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: u64,
    #[command(flatten)]
    pub secrets: NatsSecrets,
}

/// What becomes of poison.
#[derive(clap::ValueEnum, Clone, Copy)]
pub enum PoisonChoice {
    Fail,
    Skip,
}

fn percent(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.0..=100.0).contains(share));
    number.ok_or_else(|| "expected a number from 0 to 100".to_string())
}

impl ClusterSetting {
    /// How runs use the cluster, if there is one.
    pub fn cluster(&self) -> Option<ClusterUse> {
        Some(ClusterUse {
            access: self.secrets.access(self.nats.as_ref()?),
            on_poison: match self.on_poison {
                PoisonChoice::Fail => OnPoison::Fail,
                PoisonChoice::Skip => OnPoison::Skip,
            },
            verify_share: self.verify_share / 100.0,
            patience: Duration::from_secs(self.patience),
        })
    }
}

/// Run an experiment.
///
/// The run is kept in the store as it goes, a piece at a time. Whatever ends it early, `lanista resume` goes on where it was,
/// and comes to the same results to the bit.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista run experiments/quickstart.toml
  lanista run study.toml --store results.db --threads 4
  lanista run study.toml --scale small
  lanista run study.toml --nats nats://head-node:4222
  lanista run study.toml --json")]
pub struct RunCommand {
    /// The experiment: a TOML file, see docs/experiments.md.
    #[arg(value_name = "FILE.toml")]
    file: String,
    /// Run it at one of its scales: with the changes of its table [scale.NAME]; `full` changes nothing.
    #[arg(long, value_name = "NAME")]
    scale: Option<String>,
    /// Serve the browser view of it meanwhile, and afterwards until Ctrl-C.
    #[arg(long)]
    watch: bool,
    #[command(flatten)]
    setting: RunSetting,
}

impl RunCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let plan = read_plan(&self.file, self.scale.as_deref())?;
        if self.watch {
            return watch(&plan, &self.file, &self.setting, output);
        }
        let mut store = self.setting.store.open_to_write()?;
        let run = store.begin(NewRun { plan: &plan, file: &self.file, program: PROGRAM })?;
        let starts = vec![Start::default(); plan.trials.len()];
        go(&plan, &self.file, &self.setting, store, run, starts, output)
    }
}

/// Reads an experiment's file, at one of its scales if that is wanted.
pub fn read_plan(file: &str, scale: Option<&str>) -> anyhow::Result<Plan> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {file}"))?;
    let blobs = Arc::new(Blobs::beside(Path::new(file)));
    Ok(match scale {
        None => Plan::read_bytes(&bytes, file, blobs)?,
        Some(scale) => Plan::read_scale(text_of(&bytes, file)?, scale, file, blobs)?,
    })
}

/// Go on with a run that was broken off.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista resume last
  lanista resume 3 --threads 2")]
pub struct ResumeCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    #[command(flatten)]
    setting: RunSetting,
}

impl ResumeCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let store = self.setting.store.open_existing_to_write()?;
        let row = store.find_run(&self.run)?;
        resume(&row, store, &self.setting, output)
    }
}

/// Goes on with a run of a store.
pub fn resume(row: &RunRow, store: Store, setting: &RunSetting, output: &mut Output) -> anyhow::Result<()> {
    let plan = stored_plan(row, &store)?;
    let starts = starts(row, &plan, &store)?;
    go(&plan, &row.file, setting, store, row.run, starts, output)
}

/// Where the trials of a run stand.
pub fn starts(row: &RunRow, plan: &Plan, store: &Store) -> anyhow::Result<Vec<Start>> {
    let starts = store.starts(row.run)?;
    anyhow::ensure!(
        starts.len() == plan.trials.len(),
        "{}: run {} has {} trials in the store and {} in its experiment; was it begun by another version?",
        store.name(),
        row.run,
        starts.len(),
        plan.trials.len()
    );
    Ok(starts)
}

/// The plan of a run, with the files that it began with.
pub fn stored_plan(row: &RunRow, store: &Store) -> anyhow::Result<Plan> {
    let blobs = Arc::new(store.blobs(row.run)?);
    Ok(Plan::read_alone(&row.experiment, &row.file, blobs)?)
}

fn go(
    plan: &Plan,
    file: &str,
    setting: &RunSetting,
    store: Store,
    run: i64,
    starts: Vec<Start>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let name = store.name();
    let cluster = setting.cluster.cluster();
    let cluster = cluster.map(|cluster| cluster.request(&plan.experiment.title, Path::new(&name), run));
    let begin = Begin { plan, file, threads: setting.threads, progress: setting.progress, cluster };
    let finished = begin.play(Recorder::new(store, run), starts).with_context(|| format!("run {run}"))?;
    if output.is_json() {
        output.json(&json!({
            "run": run, "fingerprint": finished.fingerprint, "seconds": finished.seconds, "games": finished.games,
            "played": finished.played, "steps": finished.steps, "trials": finished.trials, "store": name,
        }))?;
    } else {
        print_end(plan, run, &finished, output)?;
    }
    all_were_played(plan, file, run, &finished)
}

/// Says no if a meeting of a contest was nothing but breakdowns.
pub fn all_were_played(plan: &Plan, file: &str, run: i64, finished: &Finished) -> anyhow::Result<()> {
    if plan.experiment.is_contest() {
        for (trial, state) in finished.states.iter().enumerate() {
            all_played(&plan.contest(trial, state, file)?)
                .with_context(|| format!("run {run}, trial {}", trial + 1))?;
        }
    }
    Ok(())
}

fn print_end(plan: &Plan, run: i64, finished: &Finished, output: &mut Output) -> anyhow::Result<()> {
    let Finished { fingerprint, seconds, games, .. } = finished;
    output.line(format!("run {run} finished: {games} games, {seconds:.1} s, fingerprint {fingerprint}"))?;
    output.line(format!("lanista show {run} tells what it came to, lanista report {run} makes a page of it"))?;
    if plan.experiment.is_learning() {
        output.line(format!("lanista champion {run} writes the player that came out of it"))?;
    }
    Ok(())
}

/// A plan about to be run.
pub struct Begin<'a> {
    pub plan: &'a Plan,
    pub file: &'a str,
    pub threads: Option<u16>,
    pub progress: ProgressRequest,
    /// The cluster that does the jobs; threads of this process if there is none.
    pub cluster: Option<RunRequest>,
}

impl Begin<'_> {
    /// Runs it to its end, or until Ctrl-C.
    pub fn play(self, recorder: Recorder, starts: Vec<Start>) -> anyhow::Result<Finished> {
        let cancel = Cancel::default();
        stop_on_interrupt(&cancel);
        self.play_until(&cancel, recorder, starts)
    }

    /// Runs it to its end, or until it is cancelled.
    pub fn play_until(self, cancel: &Cancel, recorder: Recorder, starts: Vec<Start>) -> anyhow::Result<Finished> {
        let threads = self.threads.map_or(0, usize::from);
        let blobs = &self.plan.blobs;
        let mut executor: Box<dyn Executor> = match self.cluster {
            Some(request) => Box::new(NatsExecutor::connect(request, blobs, cancel)?),
            None => Box::new(Threads::new(threads, blobs, cancel).context("cannot start threads")?),
        };
        let mut view = ProgressView::new(self.progress);
        let mut listen = |event: &_| view.show(event);
        let runner = Runner::new(self.plan, self.file, executor.as_mut(), recorder, starts, &mut listen);
        let runner = if self.plan.experiment.is_contest() { runner.keep_states() } else { runner };
        Ok(runner.run()?)
    }
}
