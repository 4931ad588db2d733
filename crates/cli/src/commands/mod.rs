//! The commands, one file each.

mod bench;
mod best;
mod cluster;
mod convert;
mod engine;
mod export;
mod games;
mod import;
mod make_book;
mod matches;
mod moves;
mod openings;
mod perft;
mod play;
mod players;
mod report;
mod runs;
mod serve;
mod shell;
mod solve;
mod studies;
mod worker;

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
    /// Play a tournament.
    Tournament(matches::TournamentCommand),
    /// Run an experiment.
    Run(runs::RunCommand),
    /// Go on with a run that was broken off.
    Resume(runs::ResumeCommand),
    /// Make a run longer.
    Extend(runs::ExtendCommand),
    /// Begin a new run where another one stood.
    Fork(runs::ForkCommand),
    /// List the runs of a store.
    Runs(runs::RunsCommand),
    /// Show what a run came to.
    Show(runs::ShowCommand),
    /// Write what a learner came to as a file, and tell how it plays.
    Champion(runs::ChampionCommand),
    /// List the games that a run kept.
    Records(runs::RecordsCommand),
    /// Make a page of a run.
    Report(report::ReportCommand),
    /// Write the tables of a run for other programs.
    Export(export::ExportCommand),
    /// Run all studies of a folder and report them side by side with what was published.
    Studies(studies::StudiesCommand),
    /// Compare two runs, figure by figure.
    Compare(runs::CompareCommand),
    /// Check an experiment, and estimate how long it takes.
    Check(runs::CheckCommand),
    /// Play the games of a run again and compare every move.
    Verify(runs::VerifyCommand),
    /// Remove a run from the store.
    Delete(runs::DeleteCommand),
    /// Look whether a store is sound, and repair it.
    Doctor(runs::DoctorCommand),
    /// Make a set of balanced openings.
    Openings(openings::OpeningsCommand),
    /// Find the exact score of a position.
    Solve(solve::SolveCommand),
    /// Serve a player to other programs.
    Engine(engine::EngineCommand),
    /// Play in the terminal.
    Play(play::PlayCommand),
    /// Serve the browser application.
    Serve(serve::ServeCommand),
    /// Read games from files and check every move.
    Import(import::ImportCommand),
    /// Convert games from one file format to another.
    Convert(convert::ConvertCommand),
    /// Work for runs on other machines.
    Worker(worker::WorkerCommand),
    /// Show who works for whom.
    Cluster(cluster::ClusterCommand),
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
            Command::Run(command) => command.run(output)?,
            Command::Resume(command) => command.run(output)?,
            Command::Extend(command) => command.run(output)?,
            Command::Fork(command) => command.run(output)?,
            Command::Runs(command) => command.run(output)?,
            Command::Show(command) => command.run(output)?,
            Command::Champion(command) => command.run(output)?,
            Command::Records(command) => command.run(output)?,
            Command::Report(command) => command.run(output)?,
            Command::Export(command) => command.run(output)?,
            Command::Studies(command) => return command.run(output),
            Command::Compare(command) => command.run(output)?,
            Command::Check(command) => command.run(output)?,
            Command::Verify(command) => command.run(output)?,
            Command::Delete(command) => command.run(output)?,
            Command::Doctor(command) => command.run(output)?,
            Command::Openings(command) => command.run(output)?,
            Command::Solve(command) => command.run(output)?,
            Command::Engine(command) => command.run(output)?,
            Command::Play(command) => command.run(output)?,
            Command::Serve(command) => command.run(output)?,
            Command::Import(command) => return command.run(output),
            Command::Convert(command) => return command.run(output),
            Command::Worker(command) => command.run(output)?,
            Command::Cluster(command) => command.run(output)?,
            Command::Bench(command) => command.run(output)?,
            Command::Completions(command) => command.run(output)?,
            Command::Man(command) => command.run(output)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
