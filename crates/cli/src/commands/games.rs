//! `lanista games`.

use clap::Args;
use lanista_core::DrawRules;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::Serialize;

use crate::output::Output;

/// List the games with their rules.
#[derive(Args)]
#[command(after_help = "Examples:\n  lanista games\n  lanista games --json")]
pub struct GamesCommand {}

#[derive(Serialize)]
struct GameEntry {
    id: &'static str,
    aliases: &'static [&'static str],
    name: &'static str,
    sides: [&'static str; 2],
    start: String,
    rules: Vec<RulesEntry>,
    parameters: Vec<ParameterEntry>,
    formats: Vec<FormatEntry>,
}

#[derive(Clone, PartialEq, Serialize)]
struct RulesEntry {
    name: String,
    about: &'static str,
    draws: String,
}

#[derive(Serialize)]
struct ParameterEntry {
    name: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct FormatEntry {
    id: &'static str,
    about: &'static str,
}

#[derive(Clone)]
struct Describe;

impl GameVisitor for Describe {
    type Output = GameEntry;

    fn visit<G: RegisteredGame>(self) -> GameEntry {
        let presets = G::presets();
        let own = G::PARAMETERS.iter().map(|parameter| (parameter.name, parameter.about));
        GameEntry {
            id: G::ID,
            aliases: G::ALIASES,
            name: G::NAME,
            sides: G::SIDES,
            start: presets.first().map(|rules| rules.start.to_string()).unwrap_or_default(),
            parameters: own.chain(DrawRules::PARAMETERS).map(|(name, about)| ParameterEntry { name, about }).collect(),
            formats: G::formats().iter().map(|format| FormatEntry { id: format.id, about: format.about }).collect(),
            rules: presets
                .into_iter()
                .map(|rules| RulesEntry { name: rules.name, about: rules.about, draws: rules.draws.to_string() })
                .collect(),
        }
    }
}

impl GamesCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let games = registry::visit_all(&Describe);
        if output.is_json() {
            return output.json(&games);
        }
        let mut shown = None;
        for game in games {
            let formats: Vec<&str> = game.formats.iter().map(|format| format.id).collect();
            let aliases =
                if game.aliases.is_empty() { String::new() } else { format!(" (or {})", game.aliases.join(", ")) };
            output.line(format!(
                "{:<13} {}{aliases}; {} moves first; files: {}",
                game.id,
                game.name,
                game.sides[0],
                formats.join(", ")
            ))?;
            if shown == Some(game.rules.clone()) {
                output.line(format!("{:14}the same rules", ""))?;
                continue;
            }
            for rules in &game.rules {
                output.line(format!("{:14}--rules {:<12}{}; {}", "", rules.name, rules.about, rules.draws))?;
            }
            shown = Some(game.rules);
        }
        output.line(
            "\nRules can be changed: --rules NAME,parameter=value,…  (lanista games --json lists the parameters)",
        )?;
        Ok(())
    }
}
