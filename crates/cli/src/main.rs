//! The command line program `lanista`.

// They panic when nobody reads: `output` has ways that do not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod commands;
mod cpu;
mod file_reports;
mod game_file;
mod nats_request;
mod output;
mod output_file;
mod progress;
mod request;
mod stopped;
mod store_request;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use commands::Command;
use output::{Output, remark};

/// Breeds, trains and matches players of abstract strategy games, and measures them against the truth.
#[derive(Parser)]
#[command(name = "lanista", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Examples:\n  lanista games\n  lanista perft loa 5\n  lanista play draughts --against random")]
struct Arguments {
    /// Print machine-readable JSON on standard output.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    cpu::switch_to_best_build();
    let given = Arguments::command().try_get_matches().and_then(|matches| {
        let arguments = Arguments::from_arg_matches(&matches)?;
        Ok((matches, arguments))
    });
    let (matches, arguments) = match given {
        Ok(given) => given,
        Err(error) => return usage(&error),
    };
    let mut output = Output::new(arguments.json);
    match arguments.command.run(&mut output) {
        Ok(code) => code,
        // The reader of a pipe has gone, as `| head` does: nothing is wrong.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let way_on = stopped::way_on(&error, &matches);
            let way_on = way_on.map_or(String::new(), |command| format!("; `{command}` goes on"));
            remark(format!("lanista: {error:#}{way_on}"));
            ExitCode::FAILURE
        }
    }
}

/// Shows the help that was asked for, or says in one line what is wrong with the arguments.
fn usage(error: &clap::Error) -> ExitCode {
    let helps = error.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if helps || !error.use_stderr() {
        // Nothing can be done if the help itself cannot be shown.
        let _ = error.print();
        return ExitCode::from(error.exit_code() as u8);
    }
    let text = error.to_string();
    let reason: Vec<&str> = text.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let reason = reason.join(" ");
    remark(format!("lanista: {} (--help tells more)", reason.strip_prefix("error: ").unwrap_or(&reason)));
    ExitCode::from(2)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    })
}
