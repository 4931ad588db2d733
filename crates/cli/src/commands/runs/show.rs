//! `lanista show` and `lanista compare`.

use clap::Args;
use lanista_lab::experiment::Plan;
use lanista_lab::statistics::{Summary, welch};
use lanista_lab::store::{RunRow, Store, StoredMeasurement};
use serde_json::json;

use super::super::forfeits::print_forfeits;
use super::super::matches::print_table;
use super::start::stored_plan;
use crate::output::Output;
use crate::store_request::StoreRequest;

/// Show what a run came to.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista show last
  lanista show 3 --json")]
pub struct ShowCommand {
    /// The run: a number that `lanista runs` lists, or `last`.
    run: String,
    /// All figures, also where there is a cross-table.
    #[arg(long)]
    figures: bool,
    /// Also the text of the experiment.
    #[arg(long)]
    experiment: bool,
    #[command(flatten)]
    store: StoreRequest,
}

impl ShowCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let store = self.store.open()?;
        let run = store.find_run(&self.run)?;
        let trials = store.trials(run.run)?;
        let figures = store.measurements(run.run, false)?;
        let (meetings, warnings) = (store.meetings(run.run)?, store.warnings(run.run)?);
        if output.is_json() {
            return output.json(&json!({
                "run": run, "experiment": run.experiment, "trials": trials, "measurements": figures, "meetings": meetings,
                "warnings": warnings, "fork_points": fork_points(&store, run.run)?,
            }));
        }
        output.line(format!("run {}: {}", run.run, run.title))?;
        output.line(format!(
            "{} of {}, {}, begun {} UTC with {}",
            run.kind, run.game, run.status, run.created, run.program
        ))?;
        if let Some((parent, generation)) = run.parent {
            output.line(format!("forked from run {parent} after generation {generation}"))?;
        }
        let fingerprint = run.fingerprint.as_deref().unwrap_or("none yet");
        output.line(format!("{} games in {:.1} s, fingerprint {fingerprint}", run.games, run.seconds))?;
        let done = trials.iter().filter(|trial| trial.done).count();
        if trials.len() > 1 {
            output.line(format!("{done} of {} trials done", trials.len()))?;
        }
        output.line(told_forks(run.run, &fork_points(&store, run.run)?))?;
        output.line("")?;
        let plan = stored_plan(&run, &store)?;
        let has_tables = plan.experiment.is_contest();
        if has_tables {
            self.show_tables(&plan, &store, &run, output)?;
        }
        if !has_tables || self.figures {
            Table::new(&trials_by_setting(&store, &run)?).print(output)?;
        }
        for warning in warnings.iter().take(10) {
            output.line(format!("warning: {warning}"))?;
        }
        if warnings.len() > 10 {
            output.line(format!("and {} more warnings", warnings.len() - 10))?;
        }
        if self.experiment {
            output.line("")?;
            output.line(&run.experiment)?;
        }
        Ok(())
    }
}

impl ShowCommand {
    /// The cross-tables of a contest, one a trial.
    fn show_tables(&self, plan: &Plan, store: &Store, run: &RunRow, output: &mut Output) -> anyhow::Result<()> {
        for (number, start) in store.starts(run.run)?.into_iter().enumerate() {
            let Some(state) = start.state else { continue };
            let trial = &plan.trials[number];
            if plan.trials.len() > 1 {
                output.line(format!("trial {}: {} replicate {}", number + 1, trial.setting, trial.replicate + 1))?;
            }
            let contest = plan.contest(number, &state, &run.file)?;
            print_table(&contest.standing(), output)?;
            print_forfeits(&contest, output)?;
            output.line("")?;
        }
        Ok(())
    }
}

/// The generations after which a run can be forked, the latest thousand at most.
fn fork_points(store: &Store, run: i64) -> anyhow::Result<Vec<u32>> {
    const MOST: usize = 1000;
    let mut generations = Vec::new();
    let mut latest = Some(u32::MAX);
    while let Some(until) = latest.filter(|_| generations.len() < MOST) {
        let Some(generation) = store.fork_points(run, until)?.into_iter().map(|(_, generation)| generation).max()
        else {
            break;
        };
        generations.push(generation);
        latest = generation.checked_sub(1);
    }
    generations.reverse();
    Ok(generations)
}

/// Where forks can begin, for people: of many generations only the first and the last.
fn told_forks(run: i64, generations: &[u32]) -> String {
    const FEW: usize = 12;
    let list = |generations: &[u32]| generations.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    match generations {
        [] => "it has no state to fork from yet".to_string(),
        few if few.len() <= FEW => format!("`lanista fork {run}@N` goes on after N = {}", list(few)),
        many => {
            let (first, last) = (list(&many[..3]), list(&many[many.len() - 3..]));
            format!("`lanista fork {run}@N` goes on after N = {first}, …, {last}")
        }
    }
}

/// A figure over all replicates of a setting.
struct Figure {
    setting: String,
    name: String,
    of: String,
    values: Vec<f64>,
    error: Option<f64>,
    count: u64,
}

impl Figure {
    fn mean(&self) -> f64 {
        Summary::of(&self.values).map_or(f64::NAN, |summary| summary.mean)
    }

    /// Half the 95 % interval: over the replicates, or of the one there is.
    fn error(&self) -> Option<f64> {
        match self.values.len() {
            1 => self.error,
            _ => Summary::of(&self.values).and_then(|summary| summary.estimate()).map(|estimate| estimate.error),
        }
    }
}

/// The figures of a run, replicates of a setting together, in the order in which they were measured.
fn trials_by_setting(store: &Store, run: &RunRow) -> anyhow::Result<Vec<Figure>> {
    let trials = store.trials(run.run)?;
    let mut figures: Vec<Figure> = Vec::new();
    for StoredMeasurement { trial, measurement, .. } in store.measurements(run.run, false)? {
        let setting = trials.iter().find(|row| row.trial == trial).map_or("", |row| row.setting.as_str());
        let same = |figure: &&mut Figure| {
            figure.setting == setting && figure.name == measurement.name && figure.of == measurement.of
        };
        match figures.iter_mut().find(same) {
            Some(figure) => {
                figure.values.push(measurement.value);
                figure.count += measurement.count;
            }
            None => figures.push(Figure {
                setting: setting.to_string(),
                name: measurement.name,
                of: measurement.of,
                values: vec![measurement.value],
                error: measurement.error,
                count: measurement.count,
            }),
        }
    }
    Ok(figures)
}

struct Table {
    rows: Vec<[String; 5]>,
}

impl Table {
    fn new(figures: &[Figure]) -> Table {
        let row = |figure: &Figure| {
            let error = figure.error().map_or(String::new(), |error| format!("± {}", number(error)));
            let of = [figure.setting.as_str(), figure.of.as_str()];
            let of: Vec<&str> = of.into_iter().filter(|text| !text.is_empty()).collect();
            [figure.name.clone(), of.join(", "), number(figure.mean()), error, figure.count.to_string()]
        };
        Table { rows: figures.iter().map(row).collect() }
    }

    fn print(&self, output: &mut Output) -> anyhow::Result<()> {
        let titles = ["figure", "of", "value", "95 %", "count"].map(str::to_string);
        let width = |column: usize| {
            self.rows.iter().chain([&titles]).map(|row| row[column].chars().count()).max().unwrap_or(0).min(70)
        };
        let widths: [usize; 5] = std::array::from_fn(width);
        for [name, of, value, error, count] in [&titles].into_iter().chain(&self.rows) {
            output.line(format!(
                "{name:<0$}  {of:<1$}  {value:>2$}  {error:<3$}  {count:>4$}",
                widths[0], widths[1], widths[2], widths[3], widths[4]
            ))?;
        }
        Ok(())
    }
}

/// A number with four digits that matter.
fn number(value: f64) -> String {
    match value.abs() {
        size if size == 0.0 || size >= 1000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        size if size >= 0.001 => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}

/// Compare two runs, figure by figure.
///
/// Where both runs have replicates, p is that of Welch's t-test.
#[derive(Args, Clone)]
#[command(after_help = "Examples:
  lanista compare 3 4
  lanista compare 3 last --json")]
pub struct CompareCommand {
    /// The first run.
    first: String,
    /// The second run.
    second: String,
    #[command(flatten)]
    store: StoreRequest,
}

impl CompareCommand {
    pub fn run(self, output: &mut Output) -> anyhow::Result<()> {
        let store = self.store.open()?;
        let runs = [store.find_run(&self.first)?, store.find_run(&self.second)?];
        let [first, second] = [trials_by_setting(&store, &runs[0])?, trials_by_setting(&store, &runs[1])?];
        let mut rows = Vec::new();
        for a in &first {
            let same = |b: &&Figure| a.setting == b.setting && a.name == b.name && a.of == b.of;
            if let Some(b) = second.iter().find(same) {
                rows.push((a, b, welch(&a.values, &b.values).map(|test| test.p)));
            }
        }
        if output.is_json() {
            let figures: Vec<_> = rows
                .iter()
                .map(|(a, b, p)| {
                    json!({
                        "name": a.name, "of": a.of, "setting": a.setting, "first": a.mean(), "first_error": a.error(),
                        "second": b.mean(), "second_error": b.error(), "difference": b.mean() - a.mean(), "p": p,
                    })
                })
                .collect();
            return output.json(&json!({"runs": [runs[0].run, runs[1].run], "figures": figures}));
        }
        for run in &runs {
            output.line(format!("run {}: {} ({})", run.run, run.title, run.status))?;
        }
        if rows.is_empty() {
            return Ok(output.line("the two runs measured nothing in common")?);
        }
        let of = |figure: &Figure| [figure.setting.as_str(), figure.of.as_str()].join(" ").trim().to_string();
        let width = rows.iter().map(|(a, ..)| of(a).chars().count()).max().unwrap_or(0).clamp(2, 60);
        output.line(format!(
            "{:<10}  {:<width$}  {:>20}  {:>20}  {:>10}  p",
            "figure", "of", "first", "second", "difference"
        ))?;
        for (a, b, p) in rows {
            let text = |figure: &Figure| match figure.error() {
                Some(error) => format!("{} ± {}", number(figure.mean()), number(error)),
                None => number(figure.mean()),
            };
            let p = p.map_or(String::new(), |p| format!("{p:.4}"));
            let difference = number(b.mean() - a.mean());
            output.line(format!(
                "{:<10}  {:<width$}  {:>20}  {:>20}  {difference:>10}  {p}",
                a.name,
                of(a),
                text(a),
                text(b)
            ))?;
        }
        Ok(())
    }
}
