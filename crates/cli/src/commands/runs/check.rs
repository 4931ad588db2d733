//! `lanista check`.

use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanDuration;
use lanista_lab::experiment::reference;
use lanista_lab::jobs::Cancel;
use serde_json::json;

use super::start::read_plan;
use crate::output::Output;

/// Check an experiment, and estimate how long it takes.
///
/// Everything is read and built as for a run. Then one small job of each part is done to see how long it takes.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista check experiments/quickstart.toml
  lanista check --fields")]
pub struct CheckCommand {
    /// The experiment: a TOML file.
    #[arg(value_name = "FILE.toml", required_unless_present = "fields")]
    file: Option<String>,
    /// Print all fields that an experiment can have, as Markdown.
    #[arg(long, conflicts_with = "file")]
    fields: bool,
    /// The cores to estimate for; those of this machine if not given.
    #[arg(long, value_name = "N")]
    threads: Option<u16>,
}

/// Trials that are tried out, spread over all.
const TRIED: usize = 5;
/// Trying out takes about so long.
const PATIENCE: Duration = Duration::from_secs(20);

impl CheckCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let Some(file) = self.file else {
            return Ok(output.text(reference())?);
        };
        let plan = read_plan(&file)?;
        let trials = plan.trials.len();
        let chosen: Vec<usize> = (0..trials).step_by(trials.div_ceil(TRIED)).collect();
        let (mut steps, mut seconds) = (0.0, 0.0);
        let mut unit = String::new();
        for &trial in &chosen {
            let mut study = plan.study(trial, &file)?;
            let progress = study.progress();
            steps += progress.total as f64;
            unit = progress.unit;
            let probes = study.probes();
            let began = Instant::now();
            let (mut spent, mut tried) = (0.0, 0);
            for probe in &probes {
                let job = Instant::now();
                probe.job.run(&plan.blobs, &Cancel::default())?;
                spent += job.elapsed().as_secs_f64() * probe.times;
                tried += 1;
                if began.elapsed() > PATIENCE / chosen.len() as u32 {
                    break;
                }
            }
            // What there was no time for is taken to be like the rest.
            seconds += spent * probes.len() as f64 / f64::from(tried.max(1));
        }
        let scale = trials as f64 / chosen.len() as f64;
        let (steps, seconds) = (steps * scale, seconds * scale);
        let cores =
            self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let wall = seconds / cores as f64;
        if output.is_json() {
            return output.json(&json!({
                "file": file, "kind": plan.kind(), "trials": trials, "steps": steps, "unit": unit,
                "core_seconds": seconds, "threads": cores, "seconds": wall,
            }));
        }
        output.line(format!(
            "{file} is good: {}, {} with {trials} {}",
            plan.experiment.title,
            plan.kind(),
            if trials == 1 { "trial" } else { "trials" }
        ))?;
        output.line(format!(
            "{steps:.0} {unit}, about {} on {cores} {}",
            HumanDuration(Duration::from_secs_f64(wall.min(1e12))),
            if cores == 1 { "core" } else { "cores" }
        ))?;
        Ok(())
    }
}
