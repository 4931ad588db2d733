//! Reports: a run as a page for people, in HTML and in Markdown, with all that is needed to repeat it.

mod by_value;
mod charts;
mod contests;
mod curves;
mod decisions;
mod differences;
mod document;
mod figures;
mod html;
mod legend;
mod markdown;
mod numbers;
mod overview;
mod populations;
mod published;
mod study;
mod summary;
mod sweeps;
mod weights;

use std::path::{Component, Path, PathBuf};

use crate::blobs::Blob;
use crate::export::{Folder, PlaceError};
use crate::jobs::player_repeats;
use crate::shipped;
use crate::store::{RunRow, Store, StoreError, StoredMeasurement, TrialRow};
pub use charts::ChartError;
use document::{Block, Document, Table, prose};
pub use overview::{OverviewStudy, write_overview};
use published::{Told, ToldPositions};
pub use study::{StudyReport, write_study, write_words};
pub use summary::Summary;

/// More trials are left to exports.
const MOST_TRIALS: usize = 200;
/// More trials of a study are left out: its figures stand above, and its seeds are in the store.
const MOST_TRIALS_OF_STUDIES: usize = 20;
/// More settings have no section of their own.
const MOST_SECTIONS: usize = 8;
/// More warnings are left out.
const MOST_WARNINGS: usize = 50;
/// The file of the experiment in the folder of a report.
const EXPERIMENT: &str = "experiment.toml";

/// What the steps of a kind of study are called.
fn unit(kind: &str) -> &'static str {
    match kind {
        "td" => "batch",
        "offline" => "step",
        _ => "generation",
    }
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The files may not be written.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// A chart cannot be drawn.
    #[error(transparent)]
    Chart(#[from] ChartError),
    /// What an earlier report left cannot be read.
    #[error("{path}: {reason}; expected what `lanista studies` writes there, remove it to have it written anew")]
    Summary {
        /// Which file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The words of a report cannot be replaced.
    #[error("{path}: its words cannot be replaced: {reason}; run the study again to have it written anew")]
    Words {
        /// Which file.
        path: String,
        /// Why.
        reason: String,
    },
    /// The experiment in the store cannot be read.
    #[error("run {run}: its experiment cannot be read: {reason}")]
    Experiment {
        /// Which run.
        run: i64,
        /// Why.
        reason: String,
    },
}

/// Writes the report of a run to a folder: a page, the same as Markdown with charts beside it, and the experiment with
/// its files. Returns the files, the page first. What is there already is replaced only if a report wrote it before, or
/// with `force`.
pub fn write(store: &Store, run: i64, folder: &Path, force: bool) -> Result<Vec<PathBuf>, ReportError> {
    let row = store.find_run(&run.to_string())?;
    let mut blobs = store.blobs(run)?.all();
    blobs.extend(store.made_files(run)?);
    let document = document(store, &row, &told(&row)?, &Ending::Whole(&blobs))?;
    let mut folder = Folder::open(folder, force)?;
    folder.write("report.html", html::page(&document).as_bytes())?;
    folder.write("report.md", markdown::text(&document).as_bytes())?;
    for block in &document.blocks {
        if let Block::Chart(chart) = block {
            folder.write(&chart.file(), chart.alone().as_bytes())?;
        }
    }
    folder.write(EXPERIMENT, row.experiment.as_bytes())?;
    for blob in blobs.iter().filter(|blob| is_beside(blob)) {
        folder.write(&blob.name, &blob.content)?;
    }
    Ok(folder.finish()?)
}

/// The report of a run as one page, everything in it.
pub fn page(store: &Store, run: i64) -> Result<String, ReportError> {
    let row = store.find_run(&run.to_string())?;
    let mut blobs = store.blobs(run)?.all();
    blobs.extend(store.made_files(run)?);
    Ok(html::page(&document(store, &row, &told(&row)?, &Ending::Whole(&blobs))?))
}

/// Whether a file of the experiment can lie beside it under its own name.
fn is_beside(blob: &Blob) -> bool {
    let is_plain = Path::new(&blob.name).components().all(|part| matches!(part, Component::Normal(_)));
    let is_ours = ["report.html", "report.md", EXPERIMENT].contains(&blob.name.as_str()) || blob.name.ends_with(".svg");
    !blob.name.is_empty() && is_plain && !is_ours && !blob.name.starts_with('.')
}

/// Whether the program itself carries a file of the experiment, so that it is found wherever the experiment lies.
fn is_carried(blob: &Blob) -> bool {
    shipped::player_file(&blob.name).is_some_and(|content| *content == *blob.content)
}

/// How a report ends.
enum Ending<'a> {
    /// With everything that is needed to repeat it: the experiment, and the files beside it.
    Whole(&'a [Blob]),
    /// With the way to the experiment's file.
    Study(&'a StudyReport<'a>),
}

/// What a run's experiment says for people.
fn told(row: &RunRow) -> Result<Told, ReportError> {
    read_told(row.run, &row.experiment)
}

fn read_told(run: i64, text: &str) -> Result<Told, ReportError> {
    toml::from_str(text).map_err(|error| ReportError::Experiment { run, reason: error.message().to_string() })
}

fn document(store: &Store, row: &RunRow, told: &Told, ending: &Ending<'_>) -> Result<Document, ReportError> {
    let trials = store.trials(row.run)?;
    let measured = store.measurements(row.run, false)?;
    let groups = figures::groups(&trials, &measured);
    let mut blocks = Vec::new();
    if row.status != "finished" {
        blocks.push(Block::Notice(format!(
            "This run is not finished: {} of {} steps are done. All figures are of what was done so far; `lanista resume {}` goes on.",
            numbers::count(row.steps.0),
            numbers::count(row.steps.1),
            row.run
        )));
    }
    let changes = if let Ending::Study(study) = ending { study.changes } else { &[] };
    blocks.extend(introduction(told, changes));
    blocks.push(Block::Facts(facts(row, told)));
    blocks.extend(published::blocks(told, &groups));
    blocks.extend(findings(told));
    blocks.extend(sweeps::blocks(&groups, told)?);
    blocks.extend(results(store, row, told, &groups)?);
    blocks.extend(curves::blocks(&trials, &store.measurements(row.run, true)?, unit(&row.kind))?);
    blocks.extend(populations::blocks(store, row, &groups)?);
    blocks.extend(weights::blocks(store, row, told, &groups)?);
    blocks.extend(warnings(&store.warnings(row.run)?));
    blocks.extend(legend::blocks(&groups));
    match ending {
        Ending::Whole(blobs) => {
            blocks.extend(repeat(row, told, blobs));
            blocks.extend(trial_list(&trials, &measured, told));
        }
        Ending::Study(study) => {
            blocks.extend(study.repeat(row));
            if (2..=MOST_TRIALS_OF_STUDIES).contains(&trials.len()) {
                blocks.extend(trial_list(&trials, &measured, told));
            }
        }
    }
    Ok(Document { title: told.title.clone(), blocks })
}

/// What a report begins with: what it is about.
fn introduction(told: &Told, changes: &[(String, String)]) -> Vec<Block> {
    let mut blocks: Vec<Block> = scale_notice(told).into_iter().chain(study::changed_values(changes)).collect();
    blocks.extend(prose(&told.about));
    blocks
}

/// What people found; nothing if they wrote nothing.
fn findings(told: &Told) -> Vec<Block> {
    let mut blocks = prose(&told.findings);
    if !blocks.is_empty() {
        blocks.insert(0, Block::Heading(2, "Findings".into()));
    }
    blocks
}

/// Nobody may take a part for the whole.
fn scale_notice(told: &Told) -> Option<Block> {
    let scale = told.scaled.as_deref()?;
    let title = &told.title;
    Some(Block::Notice(match scale {
        "small" => format!(
            "This is the small scale of “{title}”. It only shows that the study can be run; its figures mean nothing."
        ),
        other => format!("This is the scale “{other}” of “{title}”: a part of the study, not all of it."),
    }))
}

fn facts(row: &RunRow, told: &Told) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("status", row.status.clone()),
        ("run", row.run.to_string()),
        ("kind", row.kind.clone()),
        ("game", row.game.clone()),
        ("rules", if row.rules.is_empty() { "the game's own".to_string() } else { row.rules.clone() }),
        ("trials done", format!("{} of {}", numbers::count(row.trials.1), numbers::count(row.trials.0))),
        ("games", numbers::count(row.games)),
        ("time", numbers::duration(row.seconds)),
        ("cost now", row.core_seconds.map_or("not known".into(), numbers::core_hours)),
        ("begun", row.created.clone()),
        ("program", row.program.clone()),
        ("fingerprint", row.fingerprint.clone().unwrap_or_else(|| "not yet".into())),
        ("hash of the experiment", row.hash.clone()),
    ];
    if !told.cost_then.trim().is_empty() {
        let now = facts.iter().position(|(name, _)| *name == "cost now").unwrap_or(facts.len());
        facts.insert(now, ("cost then", told.cost_then.trim().to_string()));
    }
    if let Some(scale) = &told.scaled {
        facts.insert(0, ("scale", scale.clone()));
    }
    if let Some((parent, generation)) = row.parent {
        facts.push(("forked from", format!("run {parent} after generation {generation}")));
    }
    facts
}

fn results(store: &Store, row: &RunRow, told: &Told, groups: &[figures::Group]) -> Result<Vec<Block>, ReportError> {
    if groups.len() > MOST_SECTIONS {
        // The table of settings says it all.
        return Ok(Vec::new());
    }
    let reference = told.positions.as_ref().and_then(ToldPositions::reference);
    let decisions = if reference.is_some() { store.decisions(row.run)? } else { Vec::new() };
    let mut blocks = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let mark = if groups.len() > 1 { format!("-{}", number + 1) } else { String::new() };
        let found = match row.kind.as_str() {
            "match" | "tournament" | "depths" => contests::blocks(&row.kind, group, &mark)?,
            "positions" => decisions::blocks(group, reference, &decisions, &mark)?,
            _ => contests::figure_table("Figures", &group.figures.iter().collect::<Vec<_>>()),
        };
        if !found.is_empty() && groups.len() > 1 {
            blocks.push(Block::Heading(3, group.setting.clone()));
        }
        blocks.extend(found);
    }
    let replicates = groups.iter().map(|group| group.trials.len()).max().unwrap_or(1);
    if blocks.is_empty() {
        blocks.push(Block::Text("Nothing was measured yet.".into()));
    } else if replicates > 1 {
        let text = format!("Figures are means over {replicates} replicates, their 95 % intervals by Student's t.");
        blocks.insert(0, Block::Text(text));
    }
    blocks.insert(0, Block::Heading(2, "Results".into()));
    Ok(blocks)
}

fn warnings(all: &[String]) -> Vec<Block> {
    if all.is_empty() {
        return Vec::new();
    }
    let mut blocks =
        vec![Block::Heading(2, "Warnings".into()), Block::List(all.iter().take(MOST_WARNINGS).cloned().collect())];
    if all.len() > MOST_WARNINGS {
        blocks.push(Block::Text(format!("And {} warnings more.", all.len() - MOST_WARNINGS)));
    }
    blocks
}

fn repeat(row: &RunRow, told: &Told, blobs: &[Blob]) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(2, "How to repeat it".into()),
        Block::Text(format!(
            "In the folder of this report, where {EXPERIMENT} is, with {} (seed {}):",
            row.program, told.seed
        )),
        Block::Code(format!("lanista run {EXPERIMENT}")),
    ];
    blocks.extend(sameness(row));
    let is_apart = |blob: &&Blob| !blob.name.is_empty() && !is_beside(blob) && !is_carried(blob);
    let apart: Vec<String> = blobs.iter().filter(is_apart).map(|blob| blob.name.clone()).collect();
    if !apart.is_empty() {
        let text = format!(
            "These files of the experiment are only in the store, not beside this report: {}",
            apart.join(", ")
        );
        blocks.push(Block::Notice(text));
    }
    blocks.push(Block::Heading(3, format!("The experiment, {EXPERIMENT}")));
    blocks.push(Block::Code(row.experiment.clone()));
    blocks
}

/// What another run must come to, or why it may come to something else.
fn sameness(row: &RunRow) -> Vec<Block> {
    let mut blocks = Vec::new();
    if row.parent.is_some() {
        let text =
            "This run is a fork: it went on where another run stood, so that its experiment alone gives other results.";
        blocks.push(Block::Notice(text.into()));
    }
    if ["movetime=", "clock="].iter().any(|limit| row.experiment.contains(limit)) {
        let text = "Clocks limit the players, so that another run gives other results.";
        blocks.push(Block::Notice(text.into()));
    } else if !row.experiment.split('"').all(player_repeats) {
        let text =
            "Players with several threads or other programs take part, so that another run may give other results.";
        blocks.push(Block::Notice(text.into()));
    }
    match &row.fingerprint {
        None => blocks.push(Block::Text("The run is not finished, so there is no fingerprint to compare with.".into())),
        Some(fingerprint) if blocks.is_empty() => {
            blocks.push(Block::Text(format!("The fingerprint of the results must be {fingerprint}; times may differ.")))
        }
        Some(_) => {}
    }
    blocks
}

fn trial_list(trials: &[TrialRow], measured: &[StoredMeasurement], told: &Told) -> Vec<Block> {
    let has_settings = trials.iter().any(|trial| !trial.setting.is_empty());
    let mut columns = vec!["trial"];
    if has_settings {
        columns.push("setting");
    }
    columns.extend(["replicate#", "seed", "steps#", "games#", "done", "digest"]);
    let mut table = Table::new("Trials with their seeds and the hashes of their results", &columns);
    let groups = figures::one_by_one(trials, measured);
    // The figures of a single trial stand above.
    let shown = if trials.len() > 1 { sweeps::shown(&groups, told) } else { Vec::new() };
    for column in &shown {
        table.add_column(column.label.as_str(), true);
    }
    for (trial, group) in trials.iter().zip(&groups).take(MOST_TRIALS) {
        let mut cells = vec![(trial.trial + 1).to_string().into()];
        if has_settings {
            cells.push(trial.setting.as_str().into());
        }
        cells.extend([
            (trial.replicate + 1).to_string().into(),
            trial.seed.as_str().into(),
            format!("{} of {}", numbers::count(trial.steps.0), numbers::count(trial.steps.1)).into(),
            numbers::count(trial.games).into(),
            if trial.done { "yes" } else { "no" }.into(),
            trial.digest.clone().unwrap_or_default().into(),
        ]);
        cells.extend(shown.iter().map(|column| column.text(group).into()));
        table.add(cells);
    }
    let mut blocks = vec![Block::Heading(2, "Trials".into()), Block::Table(table)];
    if trials.len() > MOST_TRIALS {
        blocks.push(Block::Text(format!("And {} trials more; `lanista export` has them.", trials.len() - MOST_TRIALS)));
    }
    blocks
}
