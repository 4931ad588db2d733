//! `lanista completions` and `lanista man`: made from the same description as the command line itself.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Arguments;
use crate::output::Output;

/// Print completions for a shell.
#[derive(Args)]
#[command(after_help = "Example:\n  lanista completions bash > ~/.local/share/bash-completion/completions/lanista")]
pub struct CompletionsCommand {
    /// The shell.
    shell: Shell,
}

impl CompletionsCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "lanista", &mut script);
        output.text(String::from_utf8(script)?)?;
        Ok(())
    }
}

/// Print the manual page.
#[derive(Args)]
#[command(after_help = "Examples:\n  lanista man | man -l -\n  lanista man perft | man -l -")]
pub struct ManCommand {
    /// A command; the whole program if not given.
    command: Option<String>,
}

impl ManCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut program = Arguments::command();
        program.build();
        let command = match &self.command {
            None => program,
            Some(name) => program
                .find_subcommand(name)
                .cloned()
                .ok_or_else(|| anyhow::anyhow!("unknown command {name:?}; `lanista --help` lists them"))?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        output.text(String::from_utf8(page)?)?;
        Ok(())
    }
}
