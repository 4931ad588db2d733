//! `lanista best`: one decision.

use std::time::Instant;

use anyhow::Context;
use clap::Args;
use lanista_core::{Budget, Referee, Seed};
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::Serialize;

use crate::output::Output;
use crate::request::PositionRequest;

/// Ask a player for one decision.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista best loa --player pvs:depth=8
  lanista best draughts --player pvs:movetime=1000 --position B:W18,24,K10:B12,16,K22 --json")]
pub struct BestCommand {
    #[command(flatten)]
    request: PositionRequest,
    /// The player: see `lanista players`.
    #[arg(long, value_name = "SPEC")]
    player: String,
    /// The seed of its random choices.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

#[derive(Serialize)]
struct BestReport {
    #[serde(rename = "move")]
    mv: String,
    /// In the evaluator's unit, for the mover.
    score: Option<f64>,
    /// For the mover, if proved.
    outcome: Option<&'static str>,
    plies_to_end: Option<u32>,
    depth: u32,
    nodes: u64,
    seconds: f64,
    line: Vec<String>,
}

struct Run<'a>(BestCommand, &'a mut Output);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let Run(command, output) = self;
        let game = Referee::new(&command.request.rules::<G>()?);
        if let Some(ending) = game.ending() {
            anyhow::bail!("{}: the game is over ({})", game.position(), ending.outcome);
        }
        let mut player = PlayerSpec::parse(&command.player)?.build::<G>(&Default::default())?;
        let began = Instant::now();
        let decision = player.choose(&game, &Budget::default(), &mut Seed::new(command.seed).stream());
        let decision = decision.with_context(|| match player.failure() {
            Some(failure) => format!("player {:?} breaks down: {failure}", command.player),
            None => "the player resigns".to_string(),
        })?;
        let seconds = began.elapsed().as_secs_f64();
        let plies_to_end = decision.score.and_then(lanista_core::Score::plies_to_end);
        let report = BestReport {
            mv: decision.mv.to_string(),
            score: decision.score.map(|score| f64::from(score.0) / 100.0),
            outcome: decision
                .score
                .filter(|_| plies_to_end.is_some())
                .map(|score| if score.0 > 0 { "win" } else { "loss" }),
            plies_to_end,
            depth: decision.depth,
            nodes: decision.nodes,
            seconds,
            line: decision.line.iter().map(ToString::to_string).collect(),
        };
        if output.is_json() {
            return output.json(&report);
        }
        output.board(&game.position().picture(), None)?;
        let score = decision.score.map_or("no opinion".to_string(), |score| score.to_string());
        output.line(format!("{} plays {} ({score})", G::SIDES[game.position().side_to_move().index()], report.mv))?;
        output.line(format!("line   {}", report.line.join(" ")))?;
        let speed = report.nodes as f64 / seconds.max(1e-9) / 1e6;
        output.line(format!(
            "depth {}, {} nodes, {seconds:.3} s, {speed:.2} million nodes/s",
            report.depth, report.nodes
        ))?;
        Ok(())
    }
}

impl BestCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.game.clone();
        registry::visit(&game, Run(self, output))?
    }
}
