//! Populations of learners: how the points of their individuals are spread, at the beginning and at the end.

use super::charts::{About, Sample, histogram};
use super::document::{Block, Table};
use super::figures::Group;
use super::{MOST_SECTIONS, ReportError, numbers};
use crate::statistics::Summary;
use crate::store::{RunRow, Store};

/// Smaller populations are no distribution.
const LEAST: usize = 10;

/// The section; nothing if nobody's points were kept.
pub fn blocks(store: &Store, row: &RunRow, groups: &[Group]) -> Result<Vec<Block>, ReportError> {
    let kept = store.populations(row.run)?;
    if groups.len() > MOST_SECTIONS || kept.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let own = || kept.iter().filter(|(trial, _)| group.trials.contains(trial)).map(|(_, generation)| *generation);
        let (Some(first), Some(last)) = (own().min(), own().max()) else { continue };
        let mut samples = Vec::new();
        for generation in if first == last { vec![first] } else { vec![first, last] } {
            let values = points_of(store, row, group, generation, &kept)?;
            if values.len() >= LEAST {
                samples.push((generation, values));
            }
        }
        if samples.is_empty() {
            continue;
        }
        if found.is_empty() {
            found.push(Block::Heading(2, "Populations".into()));
        }
        if !group.setting.is_empty() {
            found.push(Block::Heading(3, group.setting.clone()));
        }
        found.extend(group_blocks(&samples, number + 1)?);
    }
    Ok(found)
}

/// The points of everybody in a generation, in all replicates of a setting.
fn points_of(
    store: &Store,
    row: &RunRow,
    group: &Group,
    generation: u32,
    kept: &[(u32, u32)],
) -> Result<Vec<f64>, ReportError> {
    let mut values = Vec::new();
    for trial in group.trials.iter().filter(|trial| kept.contains(&(**trial, generation))) {
        let population = store.population(row.run, *trial, generation)?;
        values.extend(population.individuals.iter().map(|one| one.fitness).filter(|fitness| fitness.is_finite()));
    }
    Ok(values)
}

fn group_blocks(samples: &[(u32, Vec<f64>)], number: usize) -> Result<Vec<Block>, ReportError> {
    let caption = "Points a game of the individuals in their own contests, all replicates together";
    let mut table = Table::new(
        caption,
        &["generation", "individuals#", "mean#", "median#", "standard deviation#", "least#", "greatest#", "above 0.6#"],
    );
    for (generation, values) in samples {
        let Some(summary) = Summary::of(values) else { continue };
        let share = values.iter().filter(|value| **value > 0.6).count() as f64 / values.len() as f64;
        let text = |value: f64| format!("{value:.4}");
        table.add(vec![
            numbers::count(i64::from(*generation)).into(),
            numbers::count(values.len() as i64).into(),
            text(summary.mean).into(),
            text(summary.median).into(),
            summary.sd.map_or(String::new(), text).into(),
            text(summary.min).into(),
            text(summary.max).into(),
            format!("{:.2} %", share * 100.0).into(),
        ]);
    }
    let sample = |(generation, values): &(u32, Vec<f64>)| Sample {
        label: format!("generation {generation}, {} individuals", numbers::count(values.len() as i64)),
        values: values.clone(),
    };
    let shown: Vec<Sample> = samples.iter().map(sample).collect();
    let labels: Vec<&str> = shown.iter().map(|sample| sample.label.as_str()).collect();
    let title = format!("How points a game are spread: {}", labels.join("; "));
    let about = About { name: format!("population-{number}"), description: title.clone(), title };
    Ok(vec![Block::Chart(histogram(about, "points a game", &shown)?), Block::Table(table)])
}
