//! `lanista cluster`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use lanista_cluster::{Identity, Overview, Standing, new_key, overview};
use serde_json::json;

use crate::nats_request::NatsRequest;
use crate::output::Output;

/// Show who works for whom.
///
/// Workers and runs show a sign of life every second; this command listens for a while and shows what it heard. A worker is
/// called slow if its jobs take three times as long as those of the middle one, and is in quarantine if a run found a
/// result of it wrong.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista cluster --nats nats://head-node:4222
  lanista cluster --watch
  lanista cluster --json")]
pub struct ClusterCommand {
    #[command(flatten)]
    nats: NatsRequest,
    /// Make a key for workers or coordinators instead (an nkey): its secret goes into FILE, what the server's configuration
    /// needs to know of it is printed.
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    make_key: Option<PathBuf>,
    /// Go on showing until it is interrupted.
    #[arg(long)]
    watch: bool,
    /// Seconds to listen.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.5, value_parser = seconds)]
    listen: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds| (0.1..=3600.0).contains(seconds));
    number.ok_or_else(|| "expected seconds from 0.1 to 3600".to_string())
}

impl ClusterCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        if let Some(file) = &self.make_key {
            return make_key(file, output);
        }
        let here = Identity::of_this_program();
        let say = Arc::new(|text: String| eprintln!("lanista: {text}"));
        overview(&self.nats.access(), &here, Duration::from_secs_f64(self.listen), self.watch, say, |found| {
            if output.is_json() {
                return output.json(&found);
            }
            show(output, &found)
        })?
    }
}

/// Writes the secret of a new key where only its owner can read it, and never over anything.
fn make_key(file: &Path, output: &mut Output) -> anyhow::Result<()> {
    let (seed, public) = new_key()?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file).and_then(|mut opened| writeln!(opened, "{seed}"));
    written.with_context(|| format!("cannot write {}", file.display()))?;
    if output.is_json() {
        return output.json(&json!({"file": file, "public": public}));
    }
    Ok(output.line(public)?)
}

fn show(output: &mut Output, found: &Overview) -> anyhow::Result<()> {
    let Overview { workers, runs } = found;
    let threads: usize = workers.iter().map(|worker| worker.threads).sum();
    output.line(format!("{} workers with {threads} threads, {} runs", workers.len(), runs.len()))?;
    if !workers.is_empty() {
        let width = workers.iter().map(|worker| worker.name.chars().count()).max().unwrap_or(0).max(6);
        output.line(format!(
            "{:width$}  {:14}  {:>7}  {:>8}  {:>9}  {:>9}",
            "worker", "program", "threads", "jobs/s", "last seen", "jobs"
        ))?;
        for worker in workers {
            let standing = match worker.standing {
                Standing::Works => "",
                Standing::Idle => "idle",
                Standing::Slow => "slow",
                Standing::Quarantined => "in quarantine",
                Standing::OtherProgram => "another program or other bits",
                Standing::Leaving => "leaves",
            };
            let failed = if worker.failures > 0 { format!("{} failed ", worker.failures) } else { String::new() };
            let line = format!(
                "{:width$}  {:14}  {:>7}  {:>8.1}  {:>7.1} s  {:>9}  {failed}{standing}",
                worker.name, worker.program, worker.threads, worker.jobs_per_second, worker.last_seen, worker.jobs
            );
            output.line(line.trim_end())?;
        }
    }
    for run in runs {
        output.line(format!(
            "run {:?}: {} queued, {} running, {} done, {:.1} jobs/s, {} verified{}",
            run.title,
            run.queued,
            run.running,
            run.done,
            run.done_per_second,
            run.verified,
            if run.dropped > 0 { format!(", {} messages dropped", run.dropped) } else { String::new() }
        ))?;
    }
    Ok(())
}
