//! Learning curves: figures by generation, as means over replicates.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::charts::{About, Axes, Chart, ChartError, LONGEST, Line, lines};
use super::document::{Block, Table};
use super::figures::{Figure, of_text, over, short_settings};
use super::numbers;
use crate::learning::CONSTANT;
use crate::statistics::{Summary, moving_average, trend};
use crate::store::{StoredMeasurement, TrialRow};

/// More lines cannot be told apart; they come into another chart.
const MOST_LINES: usize = 6;
/// More points of a line are not drawn.
const MOST_POINTS: usize = 400;
const MOST_CHARTS: usize = 36;
/// The curves of more settings say nothing; `lanista export` has them.
const MOST_SETTINGS: usize = 40;
/// Lines of fewer points have no trend; a single line of so many is shown with its smooth course and its trend.
const SMOOTHED: usize = 10;
const MOST_ROWS: usize = 200;

/// Measurements by purpose and number of the setting, then by generation.
type Lines<'a> = BTreeMap<(&'a str, usize), BTreeMap<u32, Vec<&'a StoredMeasurement>>>;

/// A line: what it is of, in which setting, and its figures by generation.
struct Curve<'a> {
    of: &'a str,
    setting: &'a str,
    points: Vec<(u32, Figure)>,
}

/// The section; nothing if no generation left figures. `unit` is what generations are called.
pub fn blocks(trials: &[TrialRow], measured: &[StoredMeasurement], unit: &str) -> Result<Vec<Block>, ChartError> {
    let mut settings: Vec<&str> = Vec::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    for trial in trials {
        let number = settings.iter().position(|setting| *setting == trial.setting).unwrap_or(settings.len());
        if number == settings.len() {
            settings.push(&trial.setting);
        }
        if number >= MOST_SETTINGS {
            return Ok(Vec::new());
        }
        places.insert(trial.trial, number);
    }
    let mut labels = short_settings(&settings);
    if labels.iter().any(|label| label.chars().count() > LONGEST) {
        // Charts cut them short; their numbers tell them apart.
        labels = labels.iter().zip(1..).map(|(label, number)| format!("{number}. {label}")).collect();
    }
    // By name, then by purpose and setting, then by generation; names in the order in which they come.
    let mut names: Vec<&str> = Vec::new();
    let mut all: HashMap<&str, Lines<'_>> = HashMap::new();
    for stored in measured {
        let (Some(generation), Some(setting)) = (stored.generation, places.get(&stored.trial)) else { continue };
        let name = stored.measurement.name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
        let key = (stored.measurement.of.as_str(), *setting);
        all.entry(name).or_default().entry(key).or_default().entry(generation).or_default().push(stored);
    }
    let (mut found, mut charts) = (Vec::new(), 0);
    for name in names {
        let Some(lines_of) = all.get(name) else { continue };
        let curves: Vec<Curve<'_>> = lines_of
            .iter()
            .map(|(&(of, setting), points)| Curve {
                of,
                setting: labels.get(setting).map_or("", String::as_str),
                points: points.iter().filter_map(|(generation, values)| Some((*generation, over(values)?))).collect(),
            })
            // A single point is no curve; it stands among the results.
            .filter(|curve| curve.points.len() > 1)
            .collect();
        if curves.is_empty() {
            continue;
        }
        if found.is_empty() {
            found.push(Block::Heading(2, "Learning curves".into()));
        }
        found.push(Block::Heading(3, name.to_string()));
        for (title, lines) in panels(name, &curves) {
            if charts < MOST_CHARTS {
                charts += 1;
                found.push(Block::Chart(chart(name, &title, &lines, charts, unit)?));
            }
        }
        found.push(Block::Table(table(name, &curves, unit)));
    }
    Ok(found)
}

/// What is drawn together: the settings of the same figure, or without several of them its seats or structures.
fn panels<'a>(name: &str, curves: &'a [Curve<'a>]) -> Vec<(String, Vec<(String, &'a Curve<'a>)>)> {
    let settings: HashSet<&str> = curves.iter().map(|curve| curve.setting).collect();
    let is_sweep = settings.len() > 1;
    let mut panels: Vec<(String, Vec<(String, &Curve<'_>)>)> = Vec::new();
    for curve in curves {
        let is_line = |part: &&str| part.starts_with("seat=") || !is_sweep && part.starts_with("structure=");
        let (apart, rest): (Vec<&str>, Vec<&str>) = curve.of.split_whitespace().partition(is_line);
        // The seats of all settings would be too many charts, and how far values spread is in the table.
        if is_sweep && apart.iter().any(|seat| *seat != "seat=both") || rest.contains(&"statistic=sd") {
            continue;
        }
        // The guess that knows no position would only flatten the others; the table has it.
        if apart.iter().any(|part| part.strip_prefix("structure=") == Some(CONSTANT)) {
            continue;
        }
        let part = apart.first().and_then(|part| part.split_once('=')).map_or("", |(_, value)| value);
        let label = if is_sweep { curve.setting } else { part }.to_string();
        let title = match of_text(&rest.join(" ")) {
            of if of.is_empty() => name.to_string(),
            of => format!("{name}: {of}"),
        };
        match panels.iter_mut().find(|(known, lines)| *known == title && lines.len() < MOST_LINES) {
            Some((_, lines)) => lines.push((label, curve)),
            None => panels.push((title, vec![(label, curve)])),
        }
    }
    panels
}

fn chart(
    name: &str,
    title: &str,
    curves: &[(String, &Curve<'_>)],
    number: usize,
    unit: &str,
) -> Result<Chart, ChartError> {
    let points = || curves.iter().flat_map(|(_, curve)| &curve.points);
    let replicates = points().map(|(_, figure)| figure.values.len()).max().unwrap_or(1);
    let line = |(label, curve): &(String, &Curve<'_>)| {
        let step = curve.points.len().div_ceil(MOST_POINTS).max(1);
        let last = curve.points.len() - 1;
        let kept = curve.points.iter().enumerate().filter(|(index, _)| index % step == 0 || *index == last);
        let point = |(generation, figure): &(u32, Figure)| (f64::from(*generation), figure.value, figure.error);
        Line { label: label.clone(), points: kept.map(|(_, at)| point(at)).collect() }
    };
    let mut shown: Vec<Line> = curves.iter().map(line).collect();
    if let ([(_, only)], [line]) = (curves, shown.as_mut_slice())
        && only.points.len() >= SMOOTHED
    {
        line.label = "measured".into();
        shown.extend(smoothed_and_straight(only));
    }
    let title = match replicates {
        1 => format!("{title} by {unit}"),
        count => format!("{title} by {unit}, means over {count} replicates with 95 % intervals"),
    };
    let axes = Axes { x: unit.into(), y: name.to_string(), powers: false };
    let description = format!("{title}; the table below has first and last values");
    lines(About { name: format!("curve-{number}"), title, description }, &axes, &shown)
}

fn table(name: &str, curves: &[Curve<'_>], unit: &str) -> Table {
    let plural = if unit == "batch" { "batches".to_string() } else { format!("{unit}s") };
    let mut table = Table::new(
        format!("{name}: where each line begins and ends, and what lies between"),
        &[
            "line",
            &format!("{plural}#"),
            "first#",
            "last#",
            "greatest#",
            "mean#",
            "median#",
            "last, mean of 5#",
            &format!("trend in 100 {plural}#"),
            "p of the trend#",
            "replicates#",
        ],
    );
    for curve in curves.iter().take(MOST_ROWS) {
        let parts = [of_text(curve.of), curve.setting.to_string()];
        let label = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
        let text = |point: Option<&(u32, Figure)>| {
            point.map_or(String::new(), |(_, figure)| numbers::estimate(name, figure.value, figure.error))
        };
        let last = curve.points.last();
        let values: Vec<f64> = curve.points.iter().map(|(_, figure)| figure.value).collect();
        let summary = Summary::of(&values);
        let plain = |value: Option<f64>| value.map_or(String::new(), |value| numbers::figure(name, value));
        let points: Vec<(f64, f64)> = curve.points.iter().map(|(at, figure)| (f64::from(*at), figure.value)).collect();
        let line = trend(&points).filter(|_| points.len() >= SMOOTHED);
        table.add(vec![
            if label.is_empty() { name.to_string() } else { label }.into(),
            last.map_or(String::new(), |(generation, _)| numbers::count(i64::from(*generation))).into(),
            text(curve.points.first()).into(),
            text(last).into(),
            plain(summary.map(|summary| summary.max)).into(),
            plain(summary.map(|summary| summary.mean)).into(),
            plain(summary.map(|summary| summary.median)).into(),
            plain(Summary::of(&values[values.len().saturating_sub(5)..]).map(|last| last.mean)).into(),
            line.map_or(String::new(), |line| numbers::difference(name, 100.0 * line.slope)).into(),
            line.and_then(|line| line.p).map_or(String::new(), numbers::probability).into(),
            last.map_or(String::new(), |(_, figure)| figure.values.len().to_string()).into(),
        ]);
    }
    table
}

/// The mean of five points around each, and the straight line of least squares.
fn smoothed_and_straight(curve: &Curve<'_>) -> Vec<Line> {
    let points: Vec<(f64, f64)> = curve.points.iter().map(|(at, figure)| (f64::from(*at), figure.value)).collect();
    let values: Vec<f64> = points.iter().map(|point| point.1).collect();
    let step = points.len().div_ceil(MOST_POINTS).max(1);
    let smooth = points.iter().zip(moving_average(&values, 5)).step_by(step);
    let mut lines = vec![Line { label: "mean of 5".into(), points: smooth.map(|(&(x, _), y)| (x, y, None)).collect() }];
    if let (Some(line), [first, .., last]) = (trend(&points), points.as_slice()) {
        let end = |x: f64| (x, line.intercept + line.slope * x, None);
        lines.push(Line { label: "trend".into(), points: vec![end(first.0), end(last.0)] });
    }
    lines
}
