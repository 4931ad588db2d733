//! Sweeps: the figures of all settings beside each other.

use super::charts::{About, Axes, Bar, ChartError, Line, bars, lines};
use super::document::{Block, Cell, Table};
use super::figures::{Figure, Group, of_text, values_of};
use super::numbers;

/// More figures do not fit beside each other.
const MOST_FIGURES: usize = 6;
/// More settings are left to exports.
const MOST_ROWS: usize = 1000;
/// More bars are no chart.
const MOST_BARS: usize = 40;
/// What people look at first, of each kind of study.
const HEADLINES: [&str; 9] = ["fitness", "rating", "score", "elo", "nodes", "agreement", "plies", "draws", "seconds"];

/// A column of the table: the so-many-eth figure of a name.
pub struct Shown<'a> {
    name: &'a str,
    turn: usize,
    /// What heads it.
    pub label: String,
}

impl Shown<'_> {
    /// The figure of a setting.
    pub fn of<'a>(&self, group: &'a Group) -> Option<&'a Figure> {
        group.figures.iter().filter(|figure| figure.name == self.name).nth(self.turn)
    }

    /// The same as text.
    pub fn text(&self, group: &Group) -> String {
        self.of(group).map_or("–".to_string(), |figure| numbers::estimate(&figure.name, figure.value, figure.error))
    }
}

/// Which figures are shown: names of players may hold values of the sweep, so that figures are told apart by their place.
pub fn shown(groups: &[Group]) -> Vec<Shown<'_>> {
    let Some(first) = groups.iter().max_by_key(|group| group.figures.len()) else { return Vec::new() };
    let mut names: Vec<&str> = Vec::new();
    for figure in &first.figures {
        if !names.contains(&figure.name.as_str()) {
            names.push(&figure.name);
        }
    }
    let rank = |name: &str| HEADLINES.iter().position(|headline| *headline == name).unwrap_or(HEADLINES.len());
    names.sort_by_key(|name| rank(name));
    let mut all = Vec::new();
    // The first of every name, then the second of those names …
    for turn in 0..first.figures.len() {
        for name in &names {
            let Some(figure) = first.named(name).nth(turn) else { continue };
            // Two players' scores are one figure.
            let is_mirror = turn == 1 && first.named(name).count() == 2 && ["score", "points"].contains(name);
            if is_mirror {
                continue;
            }
            let mut ofs =
                groups.iter().filter_map(|group| group.named(name).nth(turn)).map(|figure| figure.of.as_str());
            let same = ofs.all(|of| of == figure.of);
            let label = match (same, figure.of.as_str()) {
                (_, "") => (*name).to_string(),
                (true, of) => format!("{name}: {}", of_text(of)),
                (false, _) if turn == 0 => (*name).to_string(),
                (false, _) => format!("{name} ({})", turn + 1),
            };
            all.push(Shown { name, turn, label });
        }
    }
    all.truncate(MOST_FIGURES);
    all
}

/// The section; nothing without a sweep.
pub fn blocks(groups: &[Group]) -> Result<Vec<Block>, ChartError> {
    if groups.len() < 2 {
        return Ok(Vec::new());
    }
    let shown = shown(groups);
    let replicates = groups.iter().map(|group| group.trials.len()).max().unwrap_or(1);
    let caption = match replicates {
        1 => "All settings, with 95 % intervals".to_string(),
        count => format!("All settings: means over {count} replicates, with 95 % intervals by Student's t"),
    };
    let names: Vec<String> = values_of(&groups[0].setting).into_iter().map(|(name, _)| name).collect();
    let mut table = Table::new(caption, &names.iter().map(String::as_str).collect::<Vec<_>>());
    table.add_column("replicates", true);
    for column in &shown {
        table.add_column(column.label.as_str(), true);
    }
    for group in groups.iter().take(MOST_ROWS) {
        let mut cells: Vec<Cell> = values_of(&group.setting).into_iter().map(|(_, value)| value.into()).collect();
        cells.push(numbers::count(group.trials.len() as i64).into());
        for column in &shown {
            cells.push(column.text(group).into());
        }
        table.add(cells);
    }
    let mut found = vec![Block::Heading(2, "Settings".into()), Block::Table(table)];
    if groups.len() > MOST_ROWS {
        found.push(Block::Text(format!("And {} settings more; `lanista export` has them.", groups.len() - MOST_ROWS)));
    }
    if let Some(column) = shown.first() {
        found.extend(chart(groups, column, &names)?.map(Block::Chart));
    }
    Ok(found)
}

fn chart(groups: &[Group], column: &Shown<'_>, names: &[String]) -> Result<Option<super::charts::Chart>, ChartError> {
    let about = |title: String| About {
        name: "settings".into(),
        description: format!("{title}; the table above has the numbers"),
        title,
    };
    let points: Vec<(&Group, &Figure)> = groups.iter().filter_map(|group| Some((group, column.of(group)?))).collect();
    let number = |group: &Group| values_of(&group.setting).first().and_then(|(_, value)| value.parse::<f64>().ok());
    let numbers: Option<Vec<f64>> = points.iter().map(|(group, _)| number(group)).collect();
    if let ([name], Some(numbers)) = (names, numbers) {
        let mut points: Vec<(f64, f64, Option<f64>)> =
            numbers.into_iter().zip(&points).map(|(x, (_, figure))| (x, figure.value, figure.error)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let axes = Axes { x: name.clone(), y: column.name.to_string(), powers: column.name == "nodes" };
        let title = format!("{} by {name}, with 95 % intervals", column.label);
        return lines(about(title), &axes, &[Line { label: column.name.to_string(), points }]).map(Some);
    }
    if points.len() > MOST_BARS {
        return Ok(None);
    }
    let bar = |(group, figure): &(&Group, &Figure)| Bar {
        label: group.setting.clone(),
        value: figure.value,
        error: figure.error,
    };
    let all: Vec<Bar> = points.iter().map(bar).collect();
    bars(about(format!("{} of all settings, with 95 % intervals", column.label)), column.name, 0.0, &all).map(Some)
}
