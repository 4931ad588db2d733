//! `lanista openings`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use lanista_core::Score;
use lanista_lab::opening_sets::{OpeningRequest, OpeningSet, make};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde_json::json;

use crate::game_file;
use crate::output::{Output, progress_bar, remark};
use crate::output_file::{ForceRequest, replace};
use crate::request::GameRequest;

/// Make a set of balanced openings.
///
/// Random lines are drawn and judged; the even ones are kept. No two of them lead to the same position, symmetric ones
/// included, and the side to move cannot win at once. The same seed makes the same set. `openings.file` of an experiment takes it.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista openings loa --plies 6 --count 100 -o openings.txt
  lanista openings connect-four --plies 8 --count 100
  lanista openings draughts --plies 5 --within 0.2 --player pvs:depth=11 --seed 7")]
pub struct OpeningsCommand {
    #[command(flatten)]
    game: GameRequest,
    /// Plies of an opening.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: u32,
    /// How many openings.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// How far from even the judge may think them, in the evaluator's unit.
    #[arg(long, value_name = "SCORE", default_value_t = 0.1)]
    within: f64,
    /// The player that judges: see `lanista players`. If not given: the exact solver of games that have one (then only
    /// draws are even), pvs:depth=8 for others.
    #[arg(long, value_name = "SPEC")]
    player: Option<String>,
    /// The seed of the random lines.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Where the set is written; standard output if not given.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceRequest,
}

impl OpeningsCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        anyhow::ensure!((0.0..=9000.0).contains(&self.within), "--within {}: expected 0 to 9000", self.within);
        let request = OpeningRequest {
            game: self.game.game.clone(),
            rules: self.game.rules.clone(),
            plies: self.plies,
            count: self.count as usize,
            within: Score((self.within * 100.0).round() as i32),
            judge: self.player.clone(),
            seed: self.seed,
        };
        if let Some(path) = &self.output {
            let kind = format!("openings of {}", self.game.game);
            let is_alike = || registry::visit(&self.game.game, HoldsOpenings { path, request: &self.game })?;
            self.force.allow(path, &[], &kind, is_alike)?;
        }
        let bar = progress_bar(u64::from(self.count), "openings");
        let set = make(&request, &mut |found| bar.set_position(found as u64)).map_err(anyhow::Error::msg)?;
        bar.finish_and_clear();
        anyhow::ensure!(
            !set.openings.is_empty(),
            "no opening in {} random lines of {} plies; try other --plies, or a wider --within",
            set.drawn,
            self.plies
        );
        if set.openings.len() < request.count {
            remark(format!(
                "lanista: warning: {} openings, not {}: random lines of {} plies bring nothing new",
                set.openings.len(),
                self.count,
                self.plies
            ));
        }
        let text = self.written(&set)?;
        if let Some(path) = &self.output {
            replace(path, |out| Ok(out.write_all(text.as_bytes())?))?;
        }
        if output.is_json() {
            let openings = set
                .openings
                .iter()
                .map(|opening| json!({"moves": opening.moves, "value": f64::from(opening.value.0) / 100.0}));
            return output.json(&json!({
                "game": self.game.game, "rules": set.rules, "judge": set.judge, "drawn": set.drawn, "judged": set.judged,
                "openings": openings.collect::<Vec<_>>(),
            }));
        }
        match &self.output {
            None => output.text(text)?,
            Some(path) => output.line(format!(
                "{}: {} openings; {} lines drawn, {} judged",
                path.display(),
                set.openings.len(),
                set.drawn,
                set.judged
            ))?,
        }
        Ok(())
    }

    /// The set as a file: how it was made, then one opening a line.
    fn written(&self, set: &OpeningSet) -> Result<String, std::fmt::Error> {
        let (count, plies, game) = (set.openings.len(), self.plies, &self.game.game);
        let mut text = String::new();
        writeln!(text, "# {count} openings of {}, {plies} random plies each (rules: {}).", set.name, set.rules)?;
        match &set.judge {
            None => writeln!(text, "# All are draws with best play, by the exact solver.")?,
            Some(judge) => {
                writeln!(text, "# {judge} thinks each at most {} from even for the side to move.", self.within)?;
            }
        }
        writeln!(
            text,
            "# No two lead to the same position, symmetric ones included; the side to move cannot win at once."
        )?;
        let mut made = format!("lanista openings {game} --plies {plies} --count {} --seed {}", self.count, self.seed);
        if !self.game.rules.is_empty() {
            write!(made, " --rules {}", self.game.rules)?;
        }
        if let Some(judge) = &set.judge {
            write!(made, " --within {} --player {judge}", self.within)?;
        }
        writeln!(text, "# Made by: {made}")?;
        for opening in &set.openings {
            writeln!(text, "{}", opening.moves.join(" "))?;
        }
        Ok(text)
    }
}

/// Whether a file holds openings of a game.
struct HoldsOpenings<'a> {
    path: &'a Path,
    request: &'a GameRequest,
}

impl GameVisitor for HoldsOpenings<'_> {
    type Output = anyhow::Result<bool>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<bool> {
        Ok(game_file::holds_games(self.path, &G::text_lines(), &self.request.rules::<G>()?, false))
    }
}
