//! Learning curves: figures by generation, as means over replicates.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::charts::{About, Axes, ChartError, Line, lines};
use super::document::{Block, Table};
use super::figures::{Figure, of_text, over, short_settings};
use super::numbers;
use crate::statistics::{Summary, moving_average, trend};
use crate::store::{StoredMeasurement, TrialRow};

/// More lines cannot be told apart.
const MOST_LINES: usize = 6;
/// More points of a line are not drawn.
const MOST_POINTS: usize = 400;
const MOST_CHARTS: usize = 24;
/// The curves of more settings say nothing; `lanista export` has them.
const MOST_SETTINGS: usize = 40;
/// A single line of at least so many points is shown with its smooth course and its trend.
const SMOOTHED: usize = 10;

/// Measurements by setting and purpose, then by generation.
type Lines<'a> = BTreeMap<(&'a str, &'a str), BTreeMap<u32, Vec<&'a StoredMeasurement>>>;

/// A line: what it is of, in which setting, and its figures by generation.
struct Curve<'a> {
    of: &'a str,
    setting: &'a str,
    points: Vec<(u32, Figure)>,
}

/// The section; nothing if no generation left figures. `unit` is what generations are called.
pub fn blocks(trials: &[TrialRow], measured: &[StoredMeasurement], unit: &str) -> Result<Vec<Block>, ChartError> {
    let different: HashSet<&str> = trials.iter().map(|trial| trial.setting.as_str()).collect();
    if different.len() > MOST_SETTINGS {
        return Ok(Vec::new());
    }
    let settings: HashMap<u32, &str> = trials.iter().map(|trial| (trial.trial, trial.setting.as_str())).collect();
    let long: Vec<&str> = different.into_iter().collect();
    let labels: HashMap<&str, String> = long.iter().copied().zip(short_settings(&long)).collect();
    // By name, then by setting and purpose, then by generation; names in the order in which they come.
    let mut names: Vec<&str> = Vec::new();
    let mut all: HashMap<&str, Lines<'_>> = HashMap::new();
    for stored in measured {
        let (Some(generation), Some(setting)) = (stored.generation, settings.get(&stored.trial)) else { continue };
        let name = stored.measurement.name.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
        let key = (*setting, stored.measurement.of.as_str());
        all.entry(name).or_default().entry(key).or_default().entry(generation).or_default().push(stored);
    }
    let mut found = Vec::new();
    for (number, name) in names.iter().take(MOST_CHARTS).enumerate() {
        let Some(lines_of) = all.get(name) else { continue };
        let curves: Vec<Curve<'_>> = lines_of
            .iter()
            .map(|(&(setting, of), points)| Curve {
                of,
                setting: labels.get(setting).map_or(setting, String::as_str),
                points: points.iter().filter_map(|(generation, values)| Some((*generation, over(values)?))).collect(),
            })
            .filter(|curve| !curve.points.is_empty())
            .collect();
        if found.is_empty() {
            found.push(Block::Heading(2, "Learning curves".into()));
        }
        found.push(Block::Heading(3, (*name).to_string()));
        found.extend(curve_blocks(name, &curves, number + 1, unit)?);
    }
    Ok(found)
}

fn label(curve: &Curve<'_>, name: &str) -> String {
    let parts: Vec<String> =
        [curve.setting.to_string(), of_text(curve.of)].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { name.to_string() } else { parts.join(", ") }
}

fn curve_blocks(name: &str, curves: &[Curve<'_>], number: usize, unit: &str) -> Result<Vec<Block>, ChartError> {
    let replicates =
        curves.iter().flat_map(|curve| &curve.points).map(|(_, figure)| figure.values.len()).max().unwrap_or(1);
    let line = |curve: &Curve<'_>| {
        let step = curve.points.len().div_ceil(MOST_POINTS).max(1);
        let last = curve.points.len() - 1;
        let kept = curve.points.iter().enumerate().filter(|(index, _)| index % step == 0 || *index == last);
        Line {
            label: label(curve, name),
            points: kept
                .map(|(_, (generation, figure))| (f64::from(*generation), figure.value, figure.error))
                .collect(),
        }
    };
    let mut shown: Vec<Line> = curves.iter().take(MOST_LINES).map(line).collect();
    if let ([only], [curve]) = (curves, shown.as_mut_slice())
        && only.points.len() >= SMOOTHED
    {
        curve.label = "measured".into();
        shown.extend(smoothed_and_straight(only));
    }
    let mut title = match replicates {
        1 => format!("{name} by {unit}"),
        count => format!("{name} by {unit}, means over {count} replicates with 95 % intervals"),
    };
    if curves.len() > MOST_LINES {
        title += &format!("; the first {MOST_LINES} of {} lines", curves.len());
    }
    let axes = Axes { x: unit.into(), y: name.to_string(), powers: false };
    let description = format!("{title}; the table below has first and last values");
    let chart = lines(About { name: format!("curve-{number}"), title, description }, &axes, &shown)?;
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
    for curve in curves.iter().take(200) {
        let text = |point: Option<&(u32, Figure)>| {
            point.map_or(String::new(), |(_, figure)| numbers::estimate(name, figure.value, figure.error))
        };
        let last = curve.points.last();
        let values: Vec<f64> = curve.points.iter().map(|(_, figure)| figure.value).collect();
        let summary = Summary::of(&values);
        let plain = |value: Option<f64>| value.map_or(String::new(), |value| numbers::figure(name, value));
        let line = trend(&curve.points.iter().map(|(at, figure)| (f64::from(*at), figure.value)).collect::<Vec<_>>());
        table.add(vec![
            label(curve, name).into(),
            last.map_or(String::new(), |(generation, _)| numbers::count(i64::from(*generation))).into(),
            text(curve.points.first()).into(),
            text(last).into(),
            plain(summary.map(|summary| summary.max)).into(),
            plain(summary.map(|summary| summary.mean)).into(),
            plain(summary.map(|summary| summary.median)).into(),
            plain(moving_average(&values, 5).last().copied()).into(),
            line.map_or(String::new(), |line| numbers::difference(name, 100.0 * line.slope)).into(),
            line.and_then(|line| line.p).map_or(String::new(), numbers::probability).into(),
            last.map_or(String::new(), |(_, figure)| figure.values.len().to_string()).into(),
        ]);
    }
    Ok(vec![Block::Chart(chart), Block::Table(table)])
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
