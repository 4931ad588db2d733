//! `lanista check`.

use std::time::Duration;

use clap::Args;
use indicatif::HumanDuration;
use lanista_lab::cost::{Cost, estimate};
use lanista_lab::experiment::reference;
use lanista_lab::jobs::Cancel;
use serde_json::json;

use super::start::read_plan;
use crate::output::Output;

/// Check an experiment, and estimate how long it takes.
///
/// Everything is read and built as for a run. Then one small job of each part is done to see how long it takes. Learners are tried
/// out as beginners; with what they learn, their games may become longer, and the whole may take a few times as long.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista check experiments/quickstart.toml
  lanista check experiments/quickstart.toml --scale small
  lanista check --fields")]
pub struct CheckCommand {
    /// The experiment: a TOML file.
    #[arg(value_name = "FILE.toml", required_unless_present = "fields")]
    file: Option<String>,
    /// Check one of its scales only: with the changes of its table [scale.NAME]. Without, all are checked.
    #[arg(long, value_name = "NAME")]
    scale: Option<String>,
    /// Print all fields that an experiment can have, as Markdown.
    #[arg(long, conflicts_with = "file")]
    fields: bool,
    /// The cores to estimate for; those of this machine if not given.
    #[arg(long, value_name = "N")]
    threads: Option<u16>,
}

/// Trying out takes about so long.
const PATIENCE: Duration = Duration::from_secs(20);

impl CheckCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let Some(file) = self.file else {
            return Ok(output.text(reference())?);
        };
        let plan = read_plan(&file, self.scale.as_deref())?;
        let cost = estimate(&plan, &file, PATIENCE, &Cancel::default())?;
        let cores =
            self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let wall = cost.seconds(cores);
        let Cost { trials, steps, unit, core_seconds: seconds, .. } = cost;
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
