//! `lanista moves`.

use std::io::BufRead;

use anyhow::Context;
use clap::Args;
use lanista_core::{Game, MoveList, Rules};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::Serialize;

use crate::output::Output;
use crate::request::{PositionRequest, side_name};

/// List the legal moves of a position.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista moves loa
  lanista moves draughts --position B:W18,24,K10:B12,16,K22
  lanista moves connect-four --position 4455 --json
  lanista moves loa --each --json < positions.txt")]
pub struct MovesCommand {
    #[command(flatten)]
    request: PositionRequest,
    /// Read positions from standard input, one a line, and answer each with one line.
    #[arg(long, conflicts_with = "position")]
    each: bool,
}

#[derive(Serialize)]
struct MovesReport {
    position: String,
    side: &'static str,
    moves: Vec<String>,
    outcome: Option<String>,
}

impl MovesReport {
    fn new<G: Game>(position: &G) -> MovesReport {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        MovesReport {
            position: position.to_string(),
            side: side_name(position.side_to_move()),
            moves: moves.iter().map(ToString::to_string).collect(),
            outcome: position.outcome().map(|outcome| outcome.to_string()),
        }
    }
}

struct Run<'a>(MovesCommand, &'a mut Output);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let Run(command, output) = self;
        let rules = command.request.rules::<G>()?;
        if command.each {
            return each(&rules, output);
        }
        let report = MovesReport::new(&rules.start);
        if output.is_json() {
            return output.json(&report);
        }
        output.board(&rules.start.picture(), None)?;
        match report.outcome {
            Some(outcome) => output.line(format!("The game is over: {outcome}."))?,
            None => {
                let side = G::SIDES[rules.start.side_to_move().index()];
                output.line(format!("{side} to move, {} legal moves:", report.moves.len()))?;
                output.line(report.moves.join(" "))?;
            }
        }
        Ok(())
    }
}

fn each<G: Game>(rules: &Rules<G>, output: &mut Output) -> anyhow::Result<()> {
    for (index, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.with_context(|| format!("standard input, line {}", index + 1))?;
        let position =
            G::position(line.trim(), rules).with_context(|| format!("standard input, line {}", index + 1))?;
        let report = MovesReport::new(&position);
        if output.is_json() {
            output.json(&report)?;
        } else {
            output.line(report.moves.join(" "))?;
        }
    }
    Ok(())
}

impl MovesCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.game.clone();
        registry::visit(&game, Run(self, output))?
    }
}
