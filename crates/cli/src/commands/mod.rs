//! The commands, one file each.

mod bench;
mod best;
mod convert;
mod engine;
mod games;
mod import;
mod make_book;
mod matches;
mod moves;
mod perft;
mod play;
mod players;
mod shell;
mod solve;

use std::process::ExitCode;

use clap::Subcommand;

use crate::output::Output;

/// What the program can do.
#[derive(Subcommand)]
pub enum Command {
    /// List the games with their rules.
    Games(games::GamesCommand),
    /// List the legal moves of a position.
    Moves(moves::MovesCommand),
    /// Count the positions of a game tree.
    Perft(perft::PerftCommand),
    /// List the players and the evaluators.
    Players(players::PlayersCommand),
    /// Ask a player for one decision.
    Best(best::BestCommand),
    /// Play a match between two players.
    Match(matches::MatchCommand),
    /// Play a round robin.
    Tournament(matches::TournamentCommand),
    /// Find the exact score of a position.
    Solve(solve::SolveCommand),
    /// Serve a player to other programs.
    Engine(engine::EngineCommand),
    /// Play in the terminal.
    Play(play::PlayCommand),
    /// Read games from files and check every move.
    Import(import::ImportCommand),
    /// Convert games from one file format to another.
    Convert(convert::ConvertCommand),
    /// Measure the speed of this program on this machine.
    Bench(bench::BenchCommand),
    /// Print completions for a shell.
    Completions(shell::CompletionsCommand),
    /// Print the manual page.
    Man(shell::ManCommand),
}

impl Command {
    /// Does it. An `Err` is one clear line for the user.
    pub fn run(self, output: &mut Output) -> anyhow::Result<ExitCode> {
        match self {
            Command::Games(command) => command.run(output)?,
            Command::Moves(command) => command.run(output)?,
            Command::Perft(command) => command.run(output)?,
            Command::Players(command) => command.run(output)?,
            Command::Best(command) => command.run(output)?,
            Command::Match(command) => command.run(output)?,
            Command::Tournament(command) => command.run(output)?,
            Command::Solve(command) => command.run(output)?,
            Command::Engine(command) => command.run(output)?,
            Command::Play(command) => command.run(output)?,
            Command::Import(command) => return command.run(output),
            Command::Convert(command) => return command.run(output),
            Command::Bench(command) => command.run(output)?,
            Command::Completions(command) => command.run(output)?,
            Command::Man(command) => command.run(output)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
