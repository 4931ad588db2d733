//! `lanista convert`: games from one format to another.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use lanista_games::files::{Format, GameFiles};
use lanista_lab::import::ImportReport;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};

use crate::file_reports::FileReports;
use crate::game_file;
use crate::output::{Output, byte_bar, remark};
use crate::output_file::{ForceRequest, replace_if};
use crate::request::GameRequest;

/// Convert games from one file format to another.
///
/// Every move is checked. Illegal and unreadable games are left out and named on standard error; then the
/// program exits with 1. If no game is left, no file is written.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista convert draughts games.pdn --to text
  lanista convert loa a.sgf b.sgf --to text --output games.txt")]
pub struct ConvertCommand {
    #[command(flatten)]
    request: GameRequest,
    /// The files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The format to write: pdn, sgf or text.
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// The format to read; by default the end of the file's name tells.
    #[arg(long)]
    from: Option<String>,
    /// Write to this file instead of standard output. It appears when it is complete.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceRequest,
}

struct Run<'a>(ConvertCommand, &'a mut Output);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<ExitCode>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<ExitCode> {
        let Run(command, output) = self;
        let format = game_file::format::<G>(Some(&command.to), "")?;
        let mut reports = FileReports::default();
        match &command.output {
            None => convert(&command, &format, &mut reports, &mut io::BufWriter::new(io::stdout().lock()))?,
            Some(path) => {
                let rules = command.request.rules::<G>()?;
                let reads: Vec<&Path> = command.files.iter().map(|file| place_of(file)).collect();
                let kind = format!("{} games of {}", format.id, G::NAME);
                let is_alike = || Ok(game_file::holds_games(path, &format, &rules, false));
                command.force.allow(path, &reads, &kind, is_alike)?;
                replace_if(path, |out| {
                    convert(&command, &format, &mut reports, out)?;
                    Ok(reports.legal > 0)
                })?;
            }
        }
        for illegal in &reports.illegal {
            remark(format!("lanista: {} left out: {}", illegal.place(), illegal.fault.reason));
        }
        let Some(path) = &command.output else {
            return Ok(if reports.illegal.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
        };
        if output.is_json() {
            output.json(&reports)?;
        } else {
            let unwritten =
                if reports.legal > 0 { String::new() } else { format!("; {} is not written", path.display()) };
            output.line(format!("{} of {} games converted{unwritten}", reports.legal, reports.games))?;
        }
        let is_good = reports.legal > 0 && reports.illegal.is_empty();
        Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Where a file of that name is; standard input may be one, too.
fn place_of(file: &str) -> &Path {
    Path::new(if file == "-" { "/dev/stdin" } else { file })
}

fn convert<G: GameFiles>(
    command: &ConvertCommand,
    to: &Format<G>,
    reports: &mut FileReports,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let rules = command.request.rules::<G>()?;
    for path in &command.files {
        let bar = byte_bar("converting");
        let from = game_file::format::<G>(command.from.as_deref(), path)?;
        let input = game_file::open(path, &bar)?;
        let mut found = ImportReport::default();
        found
            .read_file(input, &from, &rules, &mut |game, record| to.write_game(out, &game.tags, record))
            .with_context(|| format!("cannot convert {path}"))?;
        bar.finish_and_clear();
        reports.add(path, found);
    }
    out.flush()?;
    Ok(())
}

impl ConvertCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        let game = self.request.game.clone();
        registry::visit(&game, Run(self, output))?
    }
}
