//! `lanista runs` and `lanista records`.

use anyhow::Context;
use clap::Args;
use lanista_core::Outcome;
use lanista_lab::jobs::reason_from_code;
use lanista_lab::openings::moves_as_text;
use lanista_lab::store::GameFilter;
use serde_json::json;

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

/// List the games that a run kept.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista records last --limit 5
  lanista records 3 --result 1/2-1/2 --player pvs
  lanista records 3 --after 12:400 --json")]
pub struct RecordsCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// Only games of a player whose name contains this.
    #[arg(long, value_name = "TEXT")]
    player: Option<String>,
    /// Only games with this result: 1-0 if who opened won, 0-1, 1/2-1/2.
    #[arg(long, value_name = "RESULT")]
    result: Option<Outcome>,
    /// Only games that ended for this reason: board, repetition, no-progress, ply-cap, resignation, forfeit, agreement.
    #[arg(long, value_name = "REASON")]
    reason: Option<String>,
    /// Only games with at least so many plies.
    #[arg(long, value_name = "N")]
    shortest: Option<u32>,
    /// Only games with at most so many plies.
    #[arg(long, value_name = "N")]
    longest: Option<u32>,
    /// How many.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    limit: u32,
    /// Go on behind this game: what the list before ended with.
    #[arg(long, value_name = "BATCH:GAME")]
    after: Option<String>,
    #[command(flatten)]
    store: StoreRequest,
}

impl RecordsCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let store = self.store.open()?;
        let run = store.find_run(&self.run)?;
        let reason = match &self.reason {
            None => None,
            Some(text) => {
                let known = (0..).map_while(reason_from_code).position(|reason| reason.to_string() == *text);
                let names: Vec<String> = (0..).map_while(reason_from_code).map(|reason| reason.to_string()).collect();
                Some(known.with_context(|| format!("--reason {text:?}: expected one of: {}", names.join(", ")))? as u8)
            }
        };
        let after = match &self.after {
            None => None,
            Some(text) => {
                let place =
                    text.split_once(':').and_then(|(batch, game)| Some((batch.parse().ok()?, game.parse().ok()?)));
                Some(place.with_context(|| format!("--after {text:?}: expected BATCH:GAME, as in 12:400"))?)
            }
        };
        let (shortest, longest) = (self.shortest, self.longest);
        let filter = GameFilter {
            player: self.player,
            outcome: self.result,
            reason,
            shortest,
            longest,
            ..GameFilter::default()
        };
        let games = store.games(run.run, &filter, after, self.limit as usize)?;
        for game in &games {
            let moves = moves_as_text(&run.game, &run.rules, &game.codes).map_err(anyhow::Error::msg)?.join(" ");
            let reason = reason_from_code(game.reason).map_or(String::new(), |reason| reason.to_string());
            let place = format!("{}:{}", game.place.0, game.place.1);
            if output.is_json() {
                output.json(&json!({
                    "place": place, "trial": game.trial, "meeting": game.meeting, "number": game.number, "first": game.names[0],
                    "second": game.names[1], "result": game.outcome.to_string(), "reason": reason, "plies": game.codes.len(),
                    "opening": game.opening, "moves": moves,
                }))?;
            } else {
                output.line(format!(
                    "{place:>9}  {} - {}  {} ({reason}, {} plies)  {moves}",
                    game.names[0],
                    game.names[1],
                    game.outcome,
                    game.codes.len()
                ))?;
            }
        }
        if games.is_empty() && !output.is_json() {
            output.line("no such games")?;
        }
        Ok(())
    }
}
