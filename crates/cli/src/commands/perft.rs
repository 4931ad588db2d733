//! `lanista perft`.

use std::time::Instant;

use clap::Args;
use lanista_core::PerftCount;
use lanista_lab::perft::divide;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::Serialize;

use crate::output::{Output, progress_bar};
use crate::request::PositionRequest;

/// Count the positions of a game tree.
///
/// Counts all sequences of DEPTH moves. A finished game has no children; rules that look back do not apply.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista perft loa 5
  lanista perft draughts 8 --position B:W18,19,21,23,24,26,29,30,31,32:B1,2,3,4,6,7,9,10,11,12 --divide")]
pub struct PerftCommand {
    #[command(flatten)]
    request: PositionRequest,
    /// How many moves deep.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=99))]
    depth: u32,
    /// Show the count below each move.
    #[arg(long)]
    divide: bool,
    /// How many threads; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Serialize)]
struct PerftReport {
    game: &'static str,
    depth: u32,
    nodes: u64,
    finished: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<DivideEntry>>,
}

#[derive(Serialize)]
struct DivideEntry {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

struct Run<'a>(PerftCommand, &'a mut Output);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let Run(command, output) = self;
        let start = command.request.rules::<G>()?.start;
        let began = Instant::now();
        let bar = progress_bar(0, "counting");
        let threads = command.threads.map_or_else(cores, usize::from);
        let divided = divide(&start, command.depth, threads, &|done, all| {
            bar.set_length(all);
            bar.set_position(done);
        })?;
        bar.finish_and_clear();
        let seconds = began.elapsed().as_secs_f64();
        let mut total = PerftCount::default();
        divided.iter().for_each(|(_, count)| total += *count);
        if command.depth == 0 {
            total.leaves = 1;
            total.finished = u64::from(start.outcome().is_some());
        }
        let entries = divided.iter().map(|(mv, count)| DivideEntry { mv: mv.to_string(), nodes: count.leaves });
        let entries: Option<Vec<DivideEntry>> = command.divide.then(|| entries.collect());
        let report = PerftReport {
            game: G::ID,
            depth: command.depth,
            nodes: total.leaves,
            finished: total.finished,
            seconds,
            divide: entries,
        };
        if output.is_json() {
            return output.json(&report);
        }
        for entry in report.divide.iter().flatten() {
            output.line(format!("{:<10} {}", entry.mv, entry.nodes))?;
        }
        let speed = total.nodes as f64 / seconds / 1e6;
        output.line(format!(
            "{} perft({}) = {}  ({} of them finished games; {seconds:.3} s, {speed:.1} million positions/s)",
            G::ID,
            report.depth,
            report.nodes,
            report.finished
        ))?;
        Ok(())
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl PerftCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.game.clone();
        registry::visit(&game, Run(self, output))?
    }
}
