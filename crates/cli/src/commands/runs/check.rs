//! `lanista check`.

use std::time::{Duration, Instant};

use clap::Args;
use indicatif::HumanDuration;
use lanista_lab::experiment::reference;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::Ask;
use serde_json::json;

use super::start::read_plan;
use crate::output::Output;

/// Check an experiment, and estimate how long it takes.
///
/// Everything is read and built as for a run. Then some jobs are done to see how long they take.
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
const PATIENCE: Duration = Duration::from_secs(5);

impl CheckCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let Some(file) = self.file else {
            return Ok(output.text(reference())?);
        };
        let plan = read_plan(&file)?;
        let trials = plan.trials.len();
        let chosen: Vec<usize> = (0..trials).step_by(trials.div_ceil(TRIED)).collect();
        let (mut steps, mut games, mut seconds) = (0.0, 0.0, 0.0);
        let mut unit = String::new();
        for &trial in &chosen {
            let mut study = plan.study(trial, &file)?;
            let began = Instant::now();
            let mut spent = 0.0;
            while began.elapsed() < PATIENCE / chosen.len() as u32 {
                let Ask::Jobs(jobs) = study.ask(1) else { break };
                let mut results = Vec::new();
                for job in jobs {
                    let began = Instant::now();
                    let result = job.run(&plan.blobs, &Cancel::default())?;
                    let seconds = began.elapsed().as_secs_f64();
                    spent += seconds;
                    results.push((result, seconds));
                }
                study.tell(results);
            }
            let progress = study.progress();
            let share = progress.total as f64 / progress.done.max(1) as f64;
            seconds += spent * share;
            steps += progress.total as f64;
            games += progress.games as f64 * share;
            unit = progress.unit;
        }
        let scale = trials as f64 / chosen.len() as f64;
        let (steps, games, seconds) = (steps * scale, games * scale, seconds * scale);
        let cores =
            self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let wall = seconds / cores as f64;
        if output.is_json() {
            return output.json(&json!({
                "file": file, "kind": plan.kind(), "trials": trials, "steps": steps, "unit": unit, "games": games,
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
