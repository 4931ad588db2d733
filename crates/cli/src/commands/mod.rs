//! The commands, one file each.

mod bench;
mod best;
mod cluster;
mod convert;
mod engine;
mod export;
mod forfeits;
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

/// What the program can do. The help of a command is the documentation of its type.
#[derive(Subcommand)]
pub enum Command {
    Games(games::GamesCommand),
    Moves(moves::MovesCommand),
    Perft(perft::PerftCommand),
    Players(players::PlayersCommand),
    Best(best::BestCommand),
    Match(matches::MatchCommand),
    Tournament(matches::TournamentCommand),
    Run(runs::RunCommand),
    Resume(runs::ResumeCommand),
    Extend(runs::ExtendCommand),
    Fork(runs::ForkCommand),
    Runs(runs::RunsCommand),
    Show(runs::ShowCommand),
    Champion(runs::ChampionCommand),
    Records(runs::RecordsCommand),
    Report(report::ReportCommand),
    Export(export::ExportCommand),
    Studies(studies::StudiesCommand),
    Compare(runs::CompareCommand),
    Check(runs::CheckCommand),
    Verify(runs::VerifyCommand),
    Delete(runs::DeleteCommand),
    Doctor(runs::DoctorCommand),
    Openings(openings::OpeningsCommand),
    Solve(solve::SolveCommand),
    Engine(engine::EngineCommand),
    Play(play::PlayCommand),
    Serve(serve::ServeCommand),
    Import(import::ImportCommand),
    Convert(convert::ConvertCommand),
    Worker(worker::WorkerCommand),
    Cluster(cluster::ClusterCommand),
    Bench(bench::BenchCommand),
    Completions(shell::CompletionsCommand),
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
