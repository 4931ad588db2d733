//! `lanista runs`.

use clap::Args;

use crate::output::Output;
use crate::store_request::StoreRequest;

/// List the runs of a store.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista runs
  lanista runs --store results.db --json")]
pub struct RunsCommand {
    #[command(flatten)]
    store: StoreRequest,
}

impl RunsCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let runs = self.store.open()?.runs()?;
        if output.is_json() {
            return output.json(&runs);
        }
        if runs.is_empty() {
            return Ok(output.line("no runs yet; lanista run FILE.toml begins one")?);
        }
        let width = runs.iter().map(|run| run.title.chars().count()).max().unwrap_or(0).clamp(5, 50);
        output.line(format!(
            "{:>4}  {:<width$}  {:<10}  {:<12}  {:<8}  {:>11}  {:>9}  {:<19}",
            "run", "title", "kind", "game", "status", "games", "seconds", "begun (UTC)"
        ))?;
        for run in runs {
            let percent = 100 * run.steps.0 / run.steps.1.max(1);
            let status = if run.status == "finished" { "finished".to_string() } else { format!("{percent} %") };
            let title: String = run.title.chars().take(width).collect();
            output.line(format!(
                "{:>4}  {title:<width$}  {:<10}  {:<12}  {status:<8}  {:>11}  {:>9.1}  {:<19}",
                run.run, run.kind, run.game, run.games, run.seconds, run.created
            ))?;
        }
        Ok(())
    }
}
