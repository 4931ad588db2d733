//! `lanista champion`.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde_json::json;

use super::start::stored_plan;
use crate::output::Output;
use crate::output_file::{ForceRequest, replace};
use crate::store_request::StoreRequest;

/// Write what a learner came to as a file, and tell how it plays.
///
/// The printed text is a player for `match`, `play`, `engine` and every other command.
#[derive(Args)]
#[command(after_help = "Examples:
  lanista champion last
  lanista champion 3 --trial 2 -o best.safetensors
  lanista play connect-four --against \"$(lanista champion last)\"")]
pub struct ChampionCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// Which trial, if there are several; the first if not given.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    trial: u32,
    /// The file to write; run-RUN-champion with its usual ending if not given.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceRequest,
    #[command(flatten)]
    store: StoreRequest,
}

impl ChampionCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let store = self.store.open()?;
        let row = store.find_run(&self.run)?;
        let plan = stored_plan(&row, &store)?;
        let trials = plan.trials.len();
        anyhow::ensure!(
            self.trial as usize <= trials,
            "run {} has {trials} trials, there is no trial {}",
            row.run,
            self.trial
        );
        let prefix = if trials > 1 { format!("trial-{}-champion.", self.trial) } else { "champion.".to_string() };
        let blob = store.made_files(row.run)?.into_iter().find(|blob| blob.name.starts_with(&prefix));
        let blob = blob.with_context(|| match (plan.experiment.is_learning(), row.status == "finished") {
            (true, false) => {
                format!("run {} has no champion yet: `lanista resume {}` goes on with it", row.run, row.run)
            }
            (true, true) => format!(
                "run {} is finished, but the store has no file of its champion: `lanista show {}` has the warnings, \
                 `lanista doctor` looks whether the store is sound",
                row.run, row.run
            ),
            (false, _) => format!("run {} is a {}: nothing learns in it", row.run, row.kind),
        })?;
        let ending = blob.name.rsplit('.').next().unwrap_or_default();
        let file = self.output.unwrap_or_else(|| PathBuf::from(format!("run-{}-{prefix}{ending}", row.run)));
        let player = plan.champion(self.trial as usize - 1, &file.display().to_string()).unwrap_or_default();
        let kind = format!("weights for a player of {}", row.game);
        self.force.allow(&file, &[&self.store.store], &kind, || Ok(registry::visit(&row.game, Plays(&player))?))?;
        replace(&file, |out| Ok(out.write_all(&blob.content)?))?;
        if output.is_json() {
            return output
                .json(&json!({"run": row.run, "trial": self.trial, "file": file, "player": player, "game": row.game}));
        }
        Ok(output.line(player)?)
    }
}

/// Whether a player can play with the file that it names.
struct Plays<'a>(&'a str);

impl GameVisitor for Plays<'_> {
    type Output = bool;

    fn visit<G: RegisteredGame>(self) -> bool {
        PlayerSpec::parse(self.0).is_ok_and(|spec| spec.build::<G>(&Default::default()).is_ok())
    }
}
