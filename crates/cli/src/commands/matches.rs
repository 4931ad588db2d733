//! `lanista match` and `lanista tournament`.

use anyhow::Context;
use clap::Args;
use lanista_core::{Rules, Seed};
use lanista_games::files::check;
use lanista_lab::matches::{Match, MatchResult, Openings};
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use lanista_lab::statistics::ratings;
use serde_json::json;

use crate::game_file;
use crate::output::{Output, byte_bar, progress_bar};
use crate::request::GameRequest;

/// What a match and a tournament have in common.
#[derive(Args, Clone)]
struct Setting {
    /// Pairs of games: one opening, colours swapped.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pairs: u64,
    /// Openings from a file of games, one a pair; its format is told by the end of its name.
    #[arg(long, value_name = "FILE", conflicts_with = "random_plies")]
    openings: Option<String>,
    /// Begin each pair with that many random plies.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(0..=200))]
    random_plies: u32,
    /// The seed of openings and players.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many games at a time; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Setting {
    fn openings<G: RegisteredGame>(&self, rules: &Rules<G>) -> anyhow::Result<Openings<G>> {
        let Some(path) = &self.openings else { return Ok(Openings::Random(self.random_plies)) };
        let format = game_file::format::<G>(None, path)?;
        let mut lines = Vec::new();
        for game in format.games(game_file::open(path, &byte_bar("openings"))?) {
            let record = check(&game.with_context(|| path.clone())?, rules).with_context(|| path.clone())?;
            anyhow::ensure!(record.ending.is_none(), "{path}: opening {} ends the game", lines.len() + 1);
            lines.push(record.moves);
        }
        anyhow::ensure!(!lines.is_empty(), "{path}: no opening in it, expected at least one");
        Ok(Openings::Lines(lines))
    }

    fn pool(&self) -> anyhow::Result<rayon::ThreadPool> {
        let threads = self.threads.map_or(0, usize::from);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")
    }
}

/// Play a match between two players.
///
/// Games come in pairs: one opening, colours swapped. Elo with a 95 % interval from the pairs.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista match loa --a pvs:depth=4 --b alphabeta:depth=3 --pairs 100
  lanista match draughts --a pvs:depth=6 --b pvs:depth=5 --openings ballots.txt --json")]
pub struct MatchCommand {
    #[command(flatten)]
    request: GameRequest,
    /// The first player.
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// The second player.
    #[arg(long, value_name = "SPEC")]
    b: String,
    #[command(flatten)]
    setting: Setting,
}

struct RunMatch<'a>(MatchCommand, &'a mut Output);

impl GameVisitor for RunMatch<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let RunMatch(command, output) = self;
        let rules = command.request.rules::<G>()?;
        let players = [PlayerSpec::parse(&command.a)?, PlayerSpec::parse(&command.b)?];
        let openings = command.setting.openings(&rules)?;
        let bar = progress_bar(command.setting.pairs, "pairs");
        let result = play(
            &rules,
            [&players[0], &players[1]],
            &openings,
            &command.setting,
            Seed::new(command.setting.seed),
            &|done| bar.set_position(done),
        )?;
        bar.finish_and_clear();
        let (games, elo, los) = (result.games, result.pairs.elo(), result.pairs.superiority());
        let distinct = result.distinct.0 as f64 / result.distinct.1.max(1) as f64;
        if output.is_json() {
            return output.json(&json!({
                "wins": games.wins, "draws": games.draws, "losses": games.losses, "pairs": result.pairs.0,
                "elo": elo.value, "elo_error": elo.error, "los": los, "distinct": distinct,
            }));
        }
        output.line(format!("{} against {}", players[0].text(), players[1].text()))?;
        output.line(format!(
            "wins {}, draws {}, losses {}; pairs 0 ¼ ½ ¾ 1: {:?}",
            games.wins, games.draws, games.losses, result.pairs.0
        ))?;
        output.line(format!(
            "Elo {:+.1} ± {:.1} (95 %), better with likelihood {:.1} %; {:.0} % of the games distinct",
            elo.value,
            elo.error,
            100.0 * los,
            100.0 * distinct
        ))?;
        Ok(())
    }
}

fn play<G: RegisteredGame>(
    rules: &Rules<G>,
    players: [&PlayerSpec; 2],
    openings: &Openings<G>,
    setting: &Setting,
    seed: Seed,
    progress: &(dyn Fn(u64) + Sync),
) -> anyhow::Result<MatchResult> {
    let game = Match { rules, players, openings, pairs: setting.pairs, seed };
    Ok(setting.pool()?.install(|| game.play(progress))?)
}

impl MatchCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.clone();
        registry::visit(&game, RunMatch(self, output))?
    }
}

/// Play a round robin: everybody against everybody.
#[derive(Args, Clone)]
#[command(after_help = "Example:
  lanista tournament connect-four random alphabeta:depth=2 pvs:depth=4 --pairs 20")]
pub struct TournamentCommand {
    #[command(flatten)]
    request: GameRequest,
    /// The players, at least two.
    #[arg(required = true, num_args = 2.., value_name = "SPEC")]
    players: Vec<String>,
    #[command(flatten)]
    setting: Setting,
}

struct RunTournament<'a>(TournamentCommand, &'a mut Output);

impl GameVisitor for RunTournament<'_> {
    type Output = anyhow::Result<()>;

    fn visit<G: RegisteredGame>(self) -> anyhow::Result<()> {
        let RunTournament(command, output) = self;
        let rules = command.request.rules::<G>()?;
        let players = command.players.iter().map(|text| PlayerSpec::parse(text)).collect::<Result<Vec<_>, _>>()?;
        let openings = command.setting.openings(&rules)?;
        let count = players.len();
        let meetings = (count * (count - 1) / 2) as u64;
        let bar = progress_bar(meetings * command.setting.pairs, "pairs");
        let mut points = vec![vec![0.0; count]; count];
        let mut played = 0;
        for a in 0..count {
            for b in a + 1..count {
                // Every meeting has the same openings: the seed does not depend on who meets.
                let seed = Seed::new(command.setting.seed);
                let done = played * command.setting.pairs;
                let result = play(&rules, [&players[a], &players[b]], &openings, &command.setting, seed, &|pairs| {
                    bar.set_position(done + pairs)
                })?;
                played += 1;
                points[a][b] = result.games.wins as f64 + result.games.draws as f64 / 2.0;
                points[b][a] = result.games.losses as f64 + result.games.draws as f64 / 2.0;
            }
        }
        bar.finish_and_clear();
        let ratings = ratings(&points);
        let games = 2 * command.setting.pairs * (count as u64 - 1);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| ratings[b].total_cmp(&ratings[a]));
        if output.is_json() {
            let rows: Vec<_> = order.iter().map(|&a| json!({
                "player": players[a].text(), "rating": ratings[a], "points": points[a].iter().sum::<f64>(), "games": games,
                "against": order.iter().filter(|&&b| b != a).map(|&b| json!({"player": players[b].text(), "points": points[a][b]})).collect::<Vec<_>>(),
            })).collect();
            return output.json(&rows);
        }
        let width = players.iter().map(|player| player.text().chars().count()).max().unwrap_or(0);
        let header: String = (1..=count).map(|place| format!("{place:>7}")).collect();
        output.line(format!("   {:<width$} {:>7} {:>9}{header}", "player", "Elo", "points"))?;
        for (place, &a) in order.iter().enumerate() {
            let cells: String = order
                .iter()
                .map(|&b| if a == b { format!("{:>7}", "—") } else { format!("{:>7}", points[a][b]) })
                .collect();
            let total: f64 = points[a].iter().sum();
            output.line(format!(
                "{:>2} {:<width$} {:>+7.0} {total:>9}{cells}",
                place + 1,
                players[a].text(),
                ratings[a]
            ))?;
        }
        output.line(format!("{games} games each; points of the row against the column"))?;
        Ok(())
    }
}

impl TournamentCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let game = self.request.game.clone();
        registry::visit(&game, RunTournament(self, output))?
    }
}
