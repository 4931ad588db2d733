//! `lanista verify`.

use anyhow::Context;
use clap::Args;
use lanista_lab::experiment::{Keep, Plan};
use lanista_lab::jobs::Cancel;
use lanista_lab::store::{GameFilter, RunRow};
use lanista_lab::verify::{Replay, replay};
use rayon::prelude::*;
use serde_json::json;

use super::start::stored_plan;
use crate::output::{Output, progress_bar};
use crate::store_request::StoreRequest;

/// Play the games of a run again from their seeds and compare every move.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista verify last
  lanista verify 3 --all")]
pub struct VerifyCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// How many games, spread evenly over the run.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..))]
    sample: u64,
    /// All games.
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    #[command(flatten)]
    store: StoreRequest,
}

/// Why a run kept no games.
fn why_none(row: &RunRow, plan: &Plan) -> &'static str {
    let experiment = &plan.experiment;
    if experiment.is_learning() {
        "learners keep none"
    } else if experiment.positions.is_some() {
        "nobody plays any in a test of positions"
    } else if experiment.record == Keep::Counts {
        "its experiment says record = \"counts\""
    } else if row.games == 0 {
        "none was played yet"
    } else {
        "none is in the store"
    }
}

/// Games fetched and played at a time.
const PAGE: usize = 2000;

impl VerifyCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let store = self.store.open()?;
        let row = store.find_run(&self.run)?;
        let plan = stored_plan(&row, &store)?;
        let kept = store.kept_games(row.run)?;
        anyhow::ensure!(kept > 0, "run {} has no games to verify: {}", row.run, why_none(&row, &plan));
        let step = if self.all { 1 } else { kept.div_ceil(self.sample) };
        let adjudication = plan.adjudication();
        let bar = progress_bar(kept.div_ceil(step), "games");
        let (mut same, mut skipped, mut different) = (0u64, 0u64, Vec::new());
        let (mut after, mut index) = (None, 0u64);
        loop {
            let page = store.games(row.run, &GameFilter::default(), after, PAGE)?;
            let Some(last) = page.last() else { break };
            after = Some(last.place);
            let chosen: Vec<_> =
                (index..).zip(&page).filter(|(index, _)| index % step == 0).map(|(_, game)| game).collect();
            index += page.len() as u64;
            let cancel = Cancel::default();
            let replays: Vec<_> = chosen
                .par_iter()
                .map(|game| {
                    let found = replay(game, (&row.game, &row.rules), adjudication, &plan.blobs, &cancel);
                    bar.inc(1);
                    found
                })
                .collect();
            for (game, found) in chosen.into_iter().zip(replays) {
                match found.with_context(|| {
                    format!("trial {}, meeting {}, game {}", game.trial + 1, game.meeting + 1, game.number + 1)
                })? {
                    Replay::Same => same += 1,
                    Replay::NotRepeatable => skipped += 1,
                    Replay::Different(ply) => different.push((game.trial, game.meeting, game.number, ply)),
                }
            }
        }
        bar.finish_and_clear();
        if output.is_json() {
            output.json(&json!({"run": row.run, "kept": kept, "same": same, "different": different.len(), "not_repeatable": skipped}))?;
        } else {
            output.line(format!(
                "run {}: {same} of {} games came out the same, move by move",
                row.run,
                same + different.len() as u64
            ))?;
            if skipped > 0 {
                output.line(format!("{skipped} games cannot be repeated: a clock or another program took part"))?;
            }
        }
        let first = different.first().map(|&(trial, meeting, number, ply)| {
            format!("trial {}, meeting {}, game {} from ply {ply} on", trial + 1, meeting + 1, number + 1)
        });
        anyhow::ensure!(
            different.is_empty(),
            "{} games came out differently, the first: {}",
            different.len(),
            first.unwrap_or_default()
        );
        Ok(())
    }
}
