//! `lanista engine`: the protocol on standard input and output.

use clap::Args;
use lanista_lab::engine::serve;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};

use crate::output::Output;
use crate::request::GameRequest;

/// Serve a player to other programs, line by line on standard input and output.
///
/// The protocol is described in docs/protocol.md.
#[derive(Args, Clone)]
#[command(after_help = "Example:
  printf 'hello\\ninit\\npos moves=\"d1-d3\"\\nlevel depth=6\\ngo\\n' | lanista engine loa")]
pub struct EngineCommand {
    #[command(flatten)]
    request: GameRequest,
    /// The player: see `lanista players`.
    #[arg(long, value_name = "SPEC", default_value = "pvs")]
    player: String,
}

struct Run(EngineCommand);

impl GameVisitor for Run {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let Run(command) = self;
        let rules = command.request.rules::<G>()?;
        let spec = PlayerSpec::parse(&command.player)?;
        serve(&rules, &spec, std::io::stdin().lock(), std::io::stdout())?;
        Ok(())
    }
}

impl EngineCommand {
    pub fn run(self, _output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.clone();
        registry::visit(&game, Run(self))?
    }
}
