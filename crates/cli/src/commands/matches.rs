//! `lanista match` and `lanista tournament`: experiments from flags instead of a file.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use lanista_lab::blobs::Blobs;
use lanista_lab::contest::{Contest, Standing};
use lanista_lab::experiment::Plan;
use lanista_lab::run::{Finished, Recorder, RunError, Start};
use lanista_lab::statistics::{Sprt, Verdict};
use lanista_lab::store::{NewRun, Store};
use serde_json::json;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::forfeits::{all_played, forfeits_of, print_forfeits};
use super::runs::{Begin, PROGRAM};
use crate::output::Output;
use crate::progress::ProgressRequest;
use crate::request::GameRequest;

/// More pairs are refused by experiments.
const MOST_PAIRS: u64 = 1_000_000_000;

/// Numbers that can stand in an experiment.
fn numbers(range: RangeInclusive<u64>) -> RangedU64ValueParser<i64> {
    RangedU64ValueParser::new().range(range)
}

/// What a match and a tournament have in common.
#[derive(Args, Clone)]
struct Setting {
    /// Pairs of games: one opening, colours swapped.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = numbers(1..=MOST_PAIRS))]
    pairs: i64,
    /// Openings from a file of games, one a pair; its format is told by the end of its name.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random_plies", "book"])]
    openings: Option<String>,
    /// Openings from the game's own book.
    #[arg(long, conflicts_with = "random_plies")]
    book: bool,
    /// Begin each pair with that many random plies.
    #[arg(long, value_name = "N", default_value_t = 4)]
    random_plies: u32,
    /// What each player may spend a move: depth=N, nodes=N, movetime=MILLISECONDS or clock=SECONDS+SECONDS.
    #[arg(long, value_name = "LIMIT")]
    limit: Option<String>,
    /// A player that thinks its game so bad three moves in a row resigns.
    #[arg(long, value_name = "SCORE")]
    resign: Option<f64>,
    /// A game that both players think so even for eight moves, after ply 40, is a draw.
    #[arg(long, value_name = "SCORE")]
    draw: Option<f64>,
    /// The seed of openings and players.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers(0..=i64::MAX as u64))]
    seed: i64,
    /// How many games at a time; all cores if not given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Keep the run with all its games in this store, so that it can be resumed and looked at.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    progress: ProgressRequest,
}

impl Setting {
    /// The experiment that the flags describe, without its study.
    fn experiment(&self, request: &GameRequest, title: &str) -> DocumentMut {
        let mut document = DocumentMut::new();
        document["title"] = value(title);
        document["game"] = value(&request.game);
        document["rules"] = value(&request.rules);
        document["seed"] = value(self.seed);
        let mut openings = Table::new();
        match &self.openings {
            Some(file) => openings["file"] = value(file),
            None if self.book => openings["book"] = value(true),
            None => openings["random-plies"] = value(i64::from(self.random_plies)),
        }
        document["openings"] = Item::Table(openings);
        if self.resign.is_some() || self.draw.is_some() {
            let mut adjudication = Table::new();
            if let Some(score) = self.resign {
                adjudication["resign-score"] = value(score);
            }
            if let Some(score) = self.draw {
                adjudication["draw-score"] = value(score);
            }
            document["adjudication"] = Item::Table(adjudication);
        }
        document
    }

    /// Runs the experiment and returns its contest.
    fn play(&self, document: &DocumentMut) -> anyhow::Result<(Contest, Finished)> {
        const FILE: &str = "(command line)";
        // What is wrong stands in a flag, not in a line of a file.
        let plan = Plan::read(&document.to_string(), FILE, Arc::new(Blobs::default()))
            .map_err(|error| anyhow::anyhow!("{}", error.message))?;
        let recorder = match &self.store {
            None => Recorder::none(),
            Some(path) => {
                let mut store = Store::open_to_write(path)?;
                let run = store.begin(NewRun { plan: &plan, file: FILE, program: PROGRAM })?;
                Recorder::new(store, run)
            }
        };
        let begin = Begin { plan: &plan, file: FILE, threads: self.threads, progress: self.progress, cluster: None };
        let run = recorder.run();
        let finished = begin.play(recorder, vec![Start::default()]).map_err(|error| match run {
            Some(run) => error.context(format!("run {run}")),
            None if matches!(error.downcast_ref(), Some(RunError::Stopped)) => {
                anyhow::anyhow!("stopped; nothing was kept: with --store FILE it could go on")
            }
            None => error,
        })?;
        let contest = plan.contest(0, &finished.states[0], FILE)?;
        Ok((contest, finished))
    }
}

/// Play a match between two players.
///
/// Games come in pairs: one opening, colours swapped. Elo with a 95 % interval from the pairs.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista match loa --a pvs:depth=4 --b alphabeta:depth=3 --pairs 100
  lanista match draughts --a pvs --b mcts --limit movetime=100 --book --json
  lanista match loa --a pvs:depth=4 --b pvs:depth=3 --sprt 0,20 --pairs 5000
  lanista match connect-four --a pvs --b 'engine:lanista engine connect-four' --limit nodes=1000")]
pub struct MatchCommand {
    #[command(flatten)]
    request: GameRequest,
    /// The first player.
    #[arg(long, value_name = "SPEC")]
    a: String,
    /// The second player.
    #[arg(long, value_name = "SPEC")]
    b: String,
    /// What the second player may spend, if not the same as the first.
    #[arg(long, value_name = "LIMIT", requires = "limit")]
    limit_b: Option<String>,
    /// Stop as soon as a sequential test decides between two Elo differences.
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// The scale of the test.
    #[arg(long, value_enum, default_value_t = Model::Normalised, requires = "sprt")]
    sprt_model: Model,
    #[command(flatten)]
    setting: Setting,
}

/// The scale of a sequential test.
#[derive(Clone, Copy, ValueEnum)]
enum Model {
    /// Elo as the score tells it.
    Logistic,
    /// Elo in units of the spread of results.
    Normalised,
}

impl MatchCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut document = self.setting.experiment(&self.request, &format!("{} against {}", self.a, self.b));
        let mut study = Table::new();
        study["a"] = value(&self.a);
        study["b"] = value(&self.b);
        if let Some(limit) = &self.setting.limit {
            study["limit-a"] = value(limit);
            study["limit-b"] = value(self.limit_b.as_ref().unwrap_or(limit));
        }
        study["pairs"] = value(self.setting.pairs);
        if let Some(sprt) = self.sprt {
            study["sprt"] = value(toml_edit::Array::from_iter([sprt.elo0(), sprt.elo1()]));
            study["sprt-model"] = value(match self.sprt_model {
                Model::Logistic => "logistic",
                Model::Normalised => "normalised",
            });
        }
        document["match"] = Item::Table(study);
        let (contest, finished) = self.setting.play(&document)?;
        print_match(&contest, &finished, output)
    }
}

fn print_match(contest: &Contest, finished: &Finished, output: &mut Output) -> anyhow::Result<()> {
    let standing = contest.standing();
    let Some(meeting) = standing.meetings.first() else { return Ok(()) };
    let result = &meeting.result;
    let (games, pairs) = (result.games, result.pairs);
    let (elo, normalised, los) = (pairs.elo(), pairs.normalised_elo(), pairs.superiority());
    let (different, looked_at) = contest.distinct();
    let distinct = different as f64 / looked_at.max(1) as f64;
    let sprt = contest.plan().sprt.as_ref().map(|sprt| (sprt, sprt.status(&pairs)));
    let verdict = |verdict: Verdict| match verdict {
        Verdict::Undecided => "undecided",
        Verdict::AcceptH0 => "the lower difference",
        Verdict::AcceptH1 => "the higher difference",
    };
    if output.is_json() {
        let forfeits = [0, 1].map(|player| forfeits_of(contest, player));
        let mut json = json!({
            "wins": games.wins, "draws": games.draws, "losses": games.losses, "pairs": pairs.0,
            "elo": elo.value, "elo_error": elo.error, "normalised_elo": normalised.value,
            "normalised_elo_error": normalised.error, "los": los, "distinct": distinct,
            "plies": result.plies as f64 / games.games().max(1) as f64,
            "forfeits": forfeits, "seconds": finished.seconds,
            "fingerprint": finished.fingerprint, "run": finished.run,
        });
        if let Some((sprt, state)) = sprt {
            json["sprt"] = json!({
                "elo0": sprt.elo0(), "elo1": sprt.elo1(), "llr": state.llr, "lower": state.lower, "upper": state.upper,
                "verdict": verdict(state.verdict), "games_left": state.games_left,
            });
        }
        output.json(&json)?;
        return all_played(contest);
    }
    output.line(format!("{} against {}", standing.names[0], standing.names[1]))?;
    let (wins, draws, losses) = (games.wins, games.draws, games.losses);
    output.line(format!("wins {wins}, draws {draws}, losses {losses}; pairs 0 ¼ ½ ¾ 1: {:?}", pairs.0))?;
    output.line(format!(
        "Elo {:+.1} ± {:.1} (95 %), normalised {:+.1} ± {:.1}, better with likelihood {:.1} %; {:.0} % of the games distinct",
        elo.value,
        elo.error,
        normalised.value,
        normalised.error,
        100.0 * los,
        100.0 * distinct
    ))?;
    if let Some((sprt, state)) = sprt {
        let undecided = state.verdict == Verdict::Undecided && state.games_left.is_finite();
        let left = if undecided { format!(", about {:.0} games left", state.games_left) } else { String::new() };
        output.line(format!(
            "SPRT of {} and {} Elo: {}, LLR {:.2} between {:.2} and {:.2}{left}",
            sprt.elo0(),
            sprt.elo1(),
            verdict(state.verdict),
            state.llr,
            state.lower,
            state.upper
        ))?;
    }
    print_forfeits(contest, output)?;
    print_end(finished, output)?;
    all_played(contest)
}

fn print_end(finished: &Finished, output: &mut Output) -> anyhow::Result<()> {
    let kept = finished.run.map_or(String::new(), |run| format!(", kept as run {run}"));
    output.line(format!(
        "{} games in {:.1} s, fingerprint {}{kept}",
        finished.games, finished.seconds, finished.fingerprint
    ))?;
    Ok(())
}

/// Play a tournament.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista tournament connect-four random alphabeta:depth=2 pvs:depth=4 --pairs 20
  lanista tournament draughts pvs:depth=4 ants mcts greedy --format swiss --store results.db")]
pub struct TournamentCommand {
    #[command(flatten)]
    request: GameRequest,
    /// The players, at least two.
    #[arg(required = true, num_args = 2.., value_name = "SPEC")]
    players: Vec<String>,
    /// Who meets whom.
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    format: Format,
    /// Rounds of a Swiss tournament.
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    #[command(flatten)]
    setting: Setting,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Rounds in which players with equal points meet.
    Swiss,
    /// Who loses a meeting is out.
    KnockOut,
}

impl TournamentCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let mut document =
            self.setting.experiment(&self.request, &format!("Tournament of {}", self.players.join(", ")));
        let mut study = Table::new();
        study["format"] = value(match self.format {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Swiss => "swiss",
            Format::KnockOut => "knock-out",
        });
        study["pairs"] = value(self.setting.pairs);
        if let Some(rounds) = self.rounds {
            study["rounds"] = value(i64::from(rounds));
        }
        let mut players = ArrayOfTables::new();
        for spec in &self.players {
            let mut player = Table::new();
            player["player"] = value(spec);
            if let Some(limit) = &self.setting.limit {
                player["limit"] = value(limit);
            }
            players.push(player);
        }
        study["players"] = Item::ArrayOfTables(players);
        document["tournament"] = Item::Table(study);
        let (contest, finished) = self.setting.play(&document)?;
        let standing = contest.standing();
        let winner = winner_of_knock_out(&standing).filter(|_| self.format == Format::KnockOut);
        if output.is_json() {
            output.json(&table_as_json(&contest, winner.as_deref(), &finished))?;
            return all_played(&contest);
        }
        print_table(&standing, output)?;
        print_forfeits(&contest, output)?;
        if let Some(winner) = winner {
            output.line(format!("{winner} wins the final"))?;
        }
        print_end(&finished, output)?;
        all_played(&contest)
    }
}

/// Who won the last meeting.
fn winner_of_knock_out(standing: &Standing) -> Option<String> {
    let last = standing.meetings.last()?;
    let [a, b] = last.players;
    let points = last.points();
    let winner = if points[1] > points[0] || points[1] == points[0] && b < a { b } else { a };
    Some(standing.names[winner].clone())
}

fn table_as_json(contest: &Contest, winner: Option<&str>, finished: &Finished) -> serde_json::Value {
    let standing = contest.standing();
    let rows: Vec<_> = standing
        .rows()
        .iter()
        .map(|row| {
            let against: Vec<_> = (standing.names.iter().zip(&row.against))
                .filter_map(|(name, cell)| {
                    cell.map(|(points, games)| json!({"player": name, "points": points, "games": games}))
                })
                .collect();
            json!({
                "player": standing.names[row.player], "rating": row.rating.elo, "rating_error": row.rating.error,
                "points": row.points, "games": row.games, "forfeits": forfeits_of(contest, row.player), "against": against,
            })
        })
        .collect();
    json!({
        "table": rows, "winner": winner, "games": finished.games, "seconds": finished.seconds,
        "fingerprint": finished.fingerprint, "run": finished.run,
    })
}

/// The cross-table: points of the row against the column.
pub fn print_table(standing: &Standing, output: &mut Output) -> anyhow::Result<()> {
    let rows = standing.rows();
    let width = standing.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let header: String = (1..=rows.len()).map(|place| format!("{place:>8}")).collect();
    output.line(format!("   {:<width$} {:>12} {:>9} {:>7}{header}", "player", "Elo", "points", "games"))?;
    for (place, row) in (1..).zip(&rows) {
        let cell = |other: &usize| row.against[*other].map_or("—".to_string(), |(points, _)| points.to_string());
        let cells: String = rows.iter().map(|other| format!("{:>8}", cell(&other.player))).collect();
        let error = row.rating.error.map_or(String::new(), |error| format!(" ± {error:.0}"));
        let elo = format!("{:+.0}{error}", row.rating.elo);
        let name = &standing.names[row.player];
        output.line(format!("{place:>2} {name:<width$} {elo:>12} {:>9} {:>7}{cells}", row.points, row.games))?;
    }
    Ok(())
}
