//! `lanista solve`.

use std::io::BufRead;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use lanista_core::{Game, Position, Rules};
use lanista_games::connect_four::ConnectFour;
use lanista_games::connect_four::solver::{Analysis, Solver};
use lanista_games::files::GameFiles;
use lanista_lab::players::has_room;
use lanista_lab::registry::{self, GameVisitor};
use serde::Serialize;

use super::make_book::BookRequest;
use crate::output::Output;
use crate::request::PositionRequest;

/// Find the exact score of a position and of each of its moves.
///
/// The score counts from the end: 22 less the stones of the winner. It is positive if the side to move wins,
/// negative if it loses, 0 for a draw; the sooner the win, the higher. Only Connect Four can be solved.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista solve connect-four
  lanista solve connect-four --position 4455 --json
  lanista solve connect-four --each --json < positions.txt
  lanista solve connect-four --no-book --table 1024
  lanista solve connect-four --make-book 8 --output book.bin")]
pub struct SolveCommand {
    #[command(flatten)]
    request: PositionRequest,
    /// Read positions from standard input, one a line, and answer each with one line.
    #[arg(long, conflicts_with = "position")]
    each: bool,
    /// Size of the table in MiB: a power of two, or the next smaller one is taken; 64 at least.
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(64..=16384))]
    table: u64,
    /// Search everything; do not use the opening book.
    #[arg(long)]
    no_book: bool,
    #[command(flatten)]
    book: BookRequest,
}

#[derive(Serialize)]
struct SolveReport {
    position: String,
    score: i32,
    /// For the side to move: `win`, `draw` or `loss`.
    outcome: &'static str,
    /// Plies to the end of the game.
    distance: u32,
    moves: Vec<MoveEntry>,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct MoveEntry {
    column: usize,
    score: i32,
}

impl SolveReport {
    fn new(position: &ConnectFour, solver: &mut Solver) -> SolveReport {
        let before = solver.nodes();
        let began = Instant::now();
        let Analysis { solution, moves } = solver.analyse(position);
        let moves = moves.iter().map(|&(column, score)| MoveEntry { column: column.index() + 1, score });
        SolveReport {
            position: position.to_string(),
            score: solution.score,
            outcome: match solution.score {
                0 => "draw",
                1.. => "win",
                _ => "loss",
            },
            distance: solution.distance,
            moves: moves.collect(),
            nodes: solver.nodes() - before,
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

struct Run<'a>(SolveCommand, &'a mut Output);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: GameFiles>(self) -> anyhow::Result<()> {
        let Run(command, output) = self;
        if G::ID != ConnectFour::ID {
            bail!("{}: only {} can be solved", G::ID, ConnectFour::ID);
        }
        let rules = command.request.rules::<ConnectFour>()?;
        let table = command.table;
        anyhow::ensure!(has_room(table), "--table {table}: this machine has no room for a table of {table} MiB");
        let table_bytes = (table << 20) as usize;
        if let Some(plies) = command.book.make_book {
            return command.book.make(plies, table_bytes, output);
        }
        let mut solver = if command.no_book { Solver::without_book(table_bytes) } else { Solver::new(table_bytes) };
        if command.each {
            return each(&rules, &mut solver, output);
        }
        let report = SolveReport::new(&rules.start, &mut solver);
        if output.is_json() {
            return output.json(&report);
        }
        output.board(&rules.start.picture(), None)?;
        show(&rules.start, &report, output)
    }
}

/// The scores of the columns, then what they mean.
fn show(position: &ConnectFour, report: &SolveReport, output: &mut Output) -> anyhow::Result<()> {
    let SolveReport { score, distance, nodes, seconds, .. } = *report;
    if let Some(outcome) = position.outcome() {
        output.line(format!("The game is over: {outcome}."))?;
        return Ok(());
    }
    let cells =
        |cell: &dyn Fn(usize) -> String| (1..=7).map(|column| format!("{:>4}", cell(column))).collect::<String>();
    let score_of = |column| report.moves.iter().find(|entry| entry.column == column).map(|entry| entry.score);
    output.line(format!("column{}", cells(&|column| column.to_string())))?;
    output
        .line(format!("score {}", cells(&|column| score_of(column).map_or("-".into(), |score| score.to_string()))))?;
    let side = ConnectFour::SIDES[position.side_to_move().index()];
    let best: Vec<String> =
        report.moves.iter().filter(|entry| entry.score == score).map(|entry| entry.column.to_string()).collect();
    let verdict = match report.outcome {
        "win" => format!("wins in {distance} plies"),
        "loss" => format!("loses in {distance} plies"),
        _ => "draws".into(),
    };
    output.line(format!("{side} to move {verdict} (score {score}); best: {}", best.join(" ")))?;
    output.line(format!("{nodes} positions searched in {seconds:.3} s"))?;
    Ok(())
}

fn each(rules: &Rules<ConnectFour>, solver: &mut Solver, output: &mut Output) -> anyhow::Result<()> {
    for (index, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.with_context(|| format!("standard input, line {}", index + 1))?;
        let position =
            ConnectFour::position(line.trim(), rules).with_context(|| format!("standard input, line {}", index + 1))?;
        let report = SolveReport::new(&position, solver);
        if output.is_json() {
            output.json(&report)?;
        } else {
            let scores = report.moves.iter().map(|entry| format!("{}:{}", entry.column, entry.score));
            let scores: Vec<String> = scores.collect();
            output.line(format!("{} {}", report.score, scores.join(" ")))?;
        }
    }
    Ok(())
}

impl SolveCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.game.clone();
        registry::visit(&game, Run(self, output))?
    }
}
