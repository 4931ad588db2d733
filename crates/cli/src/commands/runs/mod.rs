//! Commands about runs: begin, go on, look at, change.

mod champion;
mod change;
mod check;
mod doctor;
mod list;
mod records;
mod show;
mod start;
mod verify;

pub use champion::ChampionCommand;
pub use change::{DeleteCommand, ExtendCommand, ForkCommand};
pub use check::CheckCommand;
pub use doctor::DoctorCommand;
pub use list::RunsCommand;
pub use records::RecordsCommand;
pub use show::{CompareCommand, ShowCommand};
pub(super) use start::{Begin, starts, stored_plan};
pub use start::{ClusterSetting, ResumeCommand, RunCommand, RunSetting, all_were_played};
pub use verify::VerifyCommand;

/// The program, as runs remember it.
pub const PROGRAM: &str = concat!("lanista ", env!("CARGO_PKG_VERSION"));
