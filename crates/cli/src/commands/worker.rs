//! `lanista worker`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use lanista_cluster::worker::{Summary, WorkerRequest, stop_signals, work};
use lanista_cluster::{Identity, worker_name};
use lanista_lab::jobs::Bounds;
use serde_json::json;

use crate::nats_request::NatsRequest;
use crate::output::{Output, remark};

/// Work for runs on other machines.
///
/// A worker takes jobs of every run on the server that has the same program, does them and sends the results. It keeps
/// nothing, may come and go at any time, reads no files and starts no programs for a job. SIGTERM or Ctrl-C lets it finish
/// what it is at, a second one gives everything back at once.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista worker --nats nats://head-node:4222
  lanista worker --threads 4 --name anna
  lanista worker --nats tls://lab:4222 --tls-ca ca.pem --nkey worker.nk
  lanista worker --once --quiet")]
pub struct WorkerCommand {
    #[command(flatten)]
    nats: NatsRequest,
    /// How many jobs at a time; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// What others call it; the machine and the process if not given.
    #[arg(long)]
    name: Option<String>,
    /// Leave when the runs that it found are over.
    #[arg(long)]
    once: bool,
    /// Seconds that jobs under way may go on when it is told to stop.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    grace: u64,
    /// Megabytes of files (weights, tables) that are kept between jobs.
    #[arg(long, value_name = "MB", default_value_t = 512)]
    cache: usize,
    /// Say nothing while it works.
    #[arg(long, short)]
    quiet: bool,
}

impl WorkerCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let wishes = stop_signals();
        let threads =
            self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let name = self.name.unwrap_or_else(worker_name);
        anyhow::ensure!(
            !name.is_empty() && name.chars().count() <= 64 && !name.chars().any(char::is_control),
            "--name {name:?}: expected 1 to 64 letters"
        );
        let quiet = self.quiet;
        let began = Instant::now();
        let summary = work(
            WorkerRequest {
                access: self.nats.access(),
                name: name.clone(),
                threads,
                once: self.once,
                grace: Duration::from_secs(self.grace),
                cache: self.cache << 20,
                bounds: Bounds::default(),
                identity: Identity::of_this_program(),
                say: Arc::new(move |text| {
                    if !quiet {
                        remark(format!("lanista worker: {text}"));
                    }
                }),
            },
            wishes,
        )?;
        let Summary { jobs, failures, worked } = summary;
        let seconds = began.elapsed().as_secs_f64();
        if output.is_json() {
            return output.json(&json!({
                "name": name, "jobs": jobs, "failures": failures, "worked": worked, "seconds": seconds,
            }));
        }
        Ok(output.line(format!("{name}: {jobs} jobs, {failures} failed, {worked:.1} s of work in {seconds:.1} s"))?)
    }
}
