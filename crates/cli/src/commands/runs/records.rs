//! `lanista records`.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use lanista_core::Outcome;
use lanista_lab::export::{record_of, tags_of};
use lanista_lab::jobs::reason_from_code;
use lanista_lab::openings::moves_as_text;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use lanista_lab::store::{GameFilter, KeptGame, RunRow, Store};
use serde_json::json;

use crate::game_file;
use crate::output::Output;
use crate::output_file::{ForceRequest, replace_if};
use crate::store_request::StoreRequest;

/// List the games that a run kept, or write them as a game file.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista records last --limit 5
  lanista records 3 --result 1/2-1/2 --player pvs
  lanista records 3 --after 12:400 --json
  lanista records last --to pdn -o games.pdn")]
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
    /// How many; 20 if they are listed, all if they are written as a file.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Go on behind this game: what the list before ended with.
    #[arg(long, value_name = "BATCH:GAME")]
    after: Option<String>,
    /// Write them in this format: pdn, sgf or text.
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Write to this file instead of standard output. It appears when it is complete.
    #[arg(long, short, value_name = "FILE", requires = "to")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceRequest,
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
        let chosen = Chosen { store: &store, run: &run, filter: &filter, after };
        if let Some(format) = &self.to {
            let limit = self.limit.unwrap_or(u64::MAX);
            let path = self.output.as_deref();
            let write = Write { chosen, limit, format, path, store: &self.store.store, force: self.force };
            return registry::visit(&run.game, write)?;
        }
        let count = chosen.each(self.limit.unwrap_or(20), |game| show(&run, game, output))?;
        if count == 0 && !output.is_json() {
            output.line("no such games")?;
        }
        Ok(())
    }
}

fn show(run: &RunRow, game: &KeptGame, output: &mut Output) -> anyhow::Result<()> {
    let moves = moves_as_text(&run.game, &run.rules, &game.codes).map_err(anyhow::Error::msg)?.join(" ");
    let reason = reason_from_code(game.reason).map_or(String::new(), |reason| reason.to_string());
    let place = format!("{}:{}", game.place.0, game.place.1);
    if output.is_json() {
        return output.json(&json!({
            "place": place, "trial": game.trial, "meeting": game.meeting, "number": game.number, "first": game.names[0],
            "second": game.names[1], "result": game.outcome.to_string(), "reason": reason, "plies": game.codes.len(),
            "opening": game.opening, "moves": moves,
        }));
    }
    let ([first, second], plies) = (&game.names, game.codes.len());
    Ok(output.line(format!("{place:>9}  {first} - {second}  {} ({reason}, {plies} plies)  {moves}", game.outcome))?)
}

/// Games of a run.
struct Chosen<'a> {
    store: &'a Store,
    run: &'a RunRow,
    filter: &'a GameFilter,
    after: Option<(i64, i64)>,
}

impl Chosen<'_> {
    /// Hands over so many of them, a page at a time. Returns how many there were.
    fn each(&self, limit: u64, mut take: impl FnMut(&KeptGame) -> anyhow::Result<()>) -> anyhow::Result<u64> {
        const PAGE: u64 = 10_000;
        let (mut after, mut count) = (self.after, 0);
        while count < limit {
            let games = self.store.games(self.run.run, self.filter, after, PAGE.min(limit - count) as usize)?;
            let Some(last) = games.last() else { break };
            after = Some(last.place);
            count += games.len() as u64;
            games.iter().try_for_each(&mut take)?;
        }
        Ok(count)
    }
}

/// Games of a run to be written.
struct Write<'a> {
    chosen: Chosen<'a>,
    limit: u64,
    format: &'a str,
    path: Option<&'a Path>,
    store: &'a Path,
    force: ForceRequest,
}

impl GameVisitor for Write<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let format = game_file::format::<G>(Some(self.format), "")?;
        let run = self.chosen.run;
        let rules = G::rules(&run.rules)?;
        let write = |out: &mut dyn io::Write| {
            let count = self.chosen.each(self.limit, |game| {
                let place = || format!("game {}:{} of run {}", game.place.0, game.place.1, run.run);
                let record = record_of(&rules, game).with_context(place)?;
                Ok(format.write_game(out, &tags_of(run, game), &record)?)
            })?;
            out.flush()?;
            anyhow::Ok(count > 0)
        };
        let Some(path) = self.path else {
            return write(&mut io::BufWriter::new(io::stdout().lock())).map(|_| ());
        };
        let is_alike = || Ok(game_file::holds_games(path, &format, &rules, false));
        self.force.allow(path, &[self.store], &format!("{} games of {}", format.id, G::NAME), is_alike)?;
        let is_written = replace_if(path, write)?;
        anyhow::ensure!(is_written, "run {} has no such games: {} is not written", run.run, path.display());
        Ok(())
    }
}
