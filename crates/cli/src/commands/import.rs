//! `lanista import`: games from files, every move checked.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use lanista_lab::import::ImportReport;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};

use crate::file_reports::FileReports;
use crate::game_file;
use crate::output::{Output, byte_bar};
use crate::request::GameRequest;

/// Read games from files and check every move against the rules.
///
/// Exits with 1 if a game is illegal or unreadable.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista import draughts games.pdn
  lanista import loa *.sgf --json
  lanista import connect-four - < games.txt")]
pub struct ImportCommand {
    #[command(flatten)]
    request: GameRequest,
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Their format: pdn, sgf or text; by default the end of the file's name tells.
    #[arg(long)]
    format: Option<String>,
}

struct Run<'a>(ImportCommand, &'a mut Output);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<ExitCode> {
        let Run(command, output) = self;
        let rules = command.request.rules::<G>()?;
        let mut reports = FileReports::default();
        for path in &command.files {
            let bar = byte_bar("reading");
            let format = game_file::format::<G>(command.format.as_deref(), path)?;
            let input = game_file::open(path, &bar)?;
            let mut found = ImportReport::default();
            found
                .read_file(input, &format, &rules, &mut |_, _| Ok(()))
                .with_context(|| format!("cannot read {path}"))?;
            bar.finish_and_clear();
            reports.add(path, found);
        }
        if output.is_json() {
            output.json(&reports)?;
        } else {
            for illegal in &reports.illegal {
                let fault = &illegal.fault;
                let ply = if fault.ply > 0 { format!(", ply {}, {}", fault.ply, fault.mv) } else { String::new() };
                output.line(format!("{}{ply}: {}", illegal.place(), fault.reason))?;
            }
            output.line(format!("{} games, {} legal, {} not", reports.games, reports.legal, reports.illegal.len()))?;
        }
        Ok(if reports.illegal.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

impl ImportCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = self.request.game.clone();
        registry::visit(&game, Run(self, output))?
    }
}
