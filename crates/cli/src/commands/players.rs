//! `lanista players`.

use clap::Args;
use lanista_core::{EvaluatorInfo, InputGroupInfo};
use lanista_lab::players::PLAYERS;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use lanista_search::parameters::{Kind, Parameter};
use serde_json::{Value, json};

use crate::output::Output;

/// List the players with their parameters, and the evaluators of a game.
#[derive(Args)]
#[command(after_help = "Examples:
  lanista players
  lanista players loa

A player is written as text: its name, then parameters. `pvs:depth=6,eval=mia4`, `alphabeta:depth=3`.")]
pub struct PlayersCommand {
    /// The game whose evaluators are listed; all games if not given.
    game: Option<String>,
}

/// The evaluators of a game, with the game's id.
#[derive(Clone)]
struct EvaluatorsOf;

impl GameVisitor for EvaluatorsOf {
    type Output = (&'static str, &'static [EvaluatorInfo], &'static [InputGroupInfo]);

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        (G::ID, G::evaluators(), G::input_groups())
    }
}

/// What a parameter takes, for people.
fn takes(parameter: &Parameter) -> String {
    match parameter.kind {
        Kind::Flag => "true or false".into(),
        Kind::Whole { least, most } => format!("{least} to {most}"),
        Kind::Real { least, most } => format!("{least} to {most}, fractions too"),
        Kind::Choice(choices) => choices.join(" or "),
        Kind::Evaluator => "an evaluator, NAME or NAME@FILE".into(),
        Kind::Player => "a player in round brackets".into(),
    }
}

impl PlayersCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let games = match &self.game {
            Some(game) => vec![registry::visit(game, EvaluatorsOf)?],
            None => registry::visit_all(&EvaluatorsOf),
        };
        if output.is_json() {
            let players: Vec<Value> = PLAYERS.iter().map(|player| {
                let parameters: Vec<Value> = player.parameters.iter().map(|parameter| json!({
                    "name": parameter.name, "takes": takes(parameter), "default": parameter.default, "about": parameter.about,
                })).collect();
                json!({"name": player.name, "about": player.about, "parameters": parameters})
            }).collect();
            let evaluators: serde_json::Map<String, Value> = games
                .iter()
                .map(|(game, evaluators, _)| {
                    let list: Vec<Value> = evaluators
                        .iter()
                        .map(|info| json!({"name": info.name, "about": info.about, "file": info.file}))
                        .collect();
                    (game.to_string(), json!(list))
                })
                .collect();
            let inputs: serde_json::Map<String, Value> = games
                .iter()
                .map(|(game, _, groups)| {
                    let list = groups.iter().map(|info| json!({"name": info.name, "about": info.about}));
                    (game.to_string(), list.collect())
                })
                .collect();
            return output.json(&json!({"players": players, "evaluators": evaluators, "inputs": inputs}));
        }
        for player in PLAYERS {
            output.line(format!("{}: {}", player.name, player.about))?;
            for parameter in player.parameters {
                let default =
                    if parameter.default.is_empty() { String::new() } else { format!(" [{}]", parameter.default) };
                output.line(format!(
                    "    {:<14} {} ({}){default}",
                    parameter.name,
                    parameter.about,
                    takes(parameter)
                ))?;
            }
        }
        for (game, evaluators, groups) in games {
            output.line(format!("\nEvaluators of {game} (and zero, hash-random, networks mlp@FILE and neat@FILE):"))?;
            for info in evaluators {
                let file = info.file.map_or(String::new(), |file| format!("; @FILE: {file}"));
                output.line(format!("    {:<14} {}{file}", info.name, info.about))?;
            }
            output.line(format!("Network inputs of {game}:"))?;
            for info in groups {
                output.line(format!("    {:<14} {}", info.name, info.about))?;
            }
        }
        Ok(())
    }
}
