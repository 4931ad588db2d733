//! What each value of a large sweep is worth on average, whatever the others are.

use super::differences;
use super::document::{Block, Cell, Table};
use super::figures::{Group, values_of};
use super::numbers;
use super::sweeps::{MOST_COLUMNS, Shown};
use crate::statistics::{Summary, trend, welch};

/// A table of the values that are words, and one of those that are numbers; what a sweep has none of is left out.
pub fn tables(groups: &[Group], column: &Shown<'_>) -> Vec<Block> {
    let known: Vec<(Vec<(String, String)>, f64)> =
        groups.iter().filter_map(|group| Some((values_of(&group.setting), column.of(group)?.value))).collect();
    let Some((first, _)) = known.first() else { return Vec::new() };
    let mean = format!("mean of {}", column.label);
    let caption = format!("{mean} by value, each against all others of its name by Welch's t-test");
    let mut words = Table::new(caption, &["value", "settings#", &mean, "difference from the others"]);
    let caption = format!("{} by number: the straight line through all settings", column.label);
    let mut lines = Table::new(caption, &["value", "from", "to", "correlation#", "p#"]);
    for (place, (name, _)) in first.iter().enumerate() {
        let all: Vec<(&str, f64)> =
            known.iter().filter_map(|(values, figure)| Some((values.get(place)?.1.as_str(), *figure))).collect();
        let points: Option<Vec<(f64, f64)>> =
            all.iter().map(|(value, figure)| Some((value.parse().ok()?, *figure))).collect();
        match points {
            Some(points) => lines.rows.extend(line(name, &points)),
            None => words.rows.extend(by_word(name, &all, column)),
        }
    }
    let tests = words.rows.iter().filter(|row| row.last().is_some_and(|cell| !cell.text.is_empty())).count();
    let warned = (tests > 0).then(|| differences::warning(tests));
    let tables = [words, lines].into_iter().filter(|table| !table.rows.is_empty()).map(Block::Table);
    warned.into_iter().chain(tables).collect()
}

fn line(name: &str, points: &[(f64, f64)]) -> Option<Vec<Cell>> {
    let line = trend(points)?;
    let xs = || points.iter().map(|point| point.0);
    let correlation = line.r_squared?.sqrt().copysign(line.slope);
    Some(vec![
        name.into(),
        numbers::short(xs().fold(f64::INFINITY, f64::min)).into(),
        numbers::short(xs().fold(f64::NEG_INFINITY, f64::max)).into(),
        numbers::correlation(correlation).into(),
        line.p.map_or(String::new(), numbers::probability).into(),
    ])
}

fn by_word(name: &str, all: &[(&str, f64)], column: &Shown<'_>) -> Vec<Vec<Cell>> {
    let mut words: Vec<&str> = all.iter().map(|(word, _)| *word).collect();
    words.sort_unstable();
    words.dedup();
    if !(2..=MOST_COLUMNS).contains(&words.len()) {
        return Vec::new();
    }
    let row = |word: &&str| {
        let (own, others): (Vec<_>, Vec<_>) = all.iter().partition(|(value, _)| value == word);
        let [own, others] = [own, others].map(|part| part.into_iter().map(|(_, figure)| figure).collect::<Vec<f64>>());
        let summary = Summary::of(&own)?;
        let difference = welch(&own, &others)
            .zip(Summary::of(&others))
            .map_or(String::new(), |(test, rest)| differences::told(column.name, summary.mean - rest.mean, &test));
        Some(vec![
            format!("{name}={word}").into(),
            numbers::count(own.len() as i64).into(),
            numbers::estimate(column.name, summary.mean, summary.mean_error).into(),
            difference.into(),
        ])
    };
    words.iter().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Figure;
    use crate::report::published::Told;
    use crate::report::sweeps::shown;

    #[test]
    fn words_have_means_and_numbers_have_correlations() {
        let group = |number: u32| {
            let value = f64::from(number % 2) * 0.5 + f64::from(number) * 0.01;
            let figure =
                Figure { name: "score".into(), of: "x".into(), value, error: None, count: 2, values: vec![value] };
            let word = if number % 2 == 1 { "fit" } else { "trunc" };
            Group { setting: format!("kind={word} size={number}"), trials: vec![number], figures: vec![figure] }
        };
        let groups: Vec<Group> = (0..20).map(group).collect();
        let shown = shown(&groups, &Told::default());
        let found = tables(&groups, &shown[0]);
        let [Block::Text(warning), Block::Table(words), Block::Table(lines)] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert!(warning.contains("There are 2 tests here"), "{warning}");
        let text = |table: &Table| -> Vec<Vec<String>> {
            table.rows.iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect()).collect()
        };
        // The means of 0.51, 0.53 … 0.69 and of 0, 0.02 … 0.18.
        assert_eq!(text(words)[0][..2], ["kind=fit", "10"]);
        assert!(text(words)[0][2].starts_with("60.0 ±") && text(words)[1][2].starts_with("9.0 ±"), "{words:?}");
        assert!(text(words)[0][3].starts_with("+51.0 pp; t(18) = "), "{words:?}");
        // r = 0.30353 and t(18) = 1.35154 by hand; p by integrating the density of t.
        assert_eq!(text(lines), [["size", "0", "19", "+0.30", "0.1933"]]);
    }
}
