//! Sweeps: the figures of all settings beside each other.

use super::charts::{About, Axes, Bar, ChartError, Cloud, Line, bars, cloud, lines};
use super::document::{Block, Cell, Table};
use super::figures::{Figure, Group, of_text, short_settings, values_of};
use super::numbers;
use super::published::{Told, comparisons, headlines};
use super::{by_value, differences};

/// More figures do not fit beside each other.
const MOST_FIGURES: usize = 6;
/// More settings are left to exports.
const MOST_ROWS: usize = 100;
/// More bars are no chart. More settings have a table of the best, and a chart for each of their values.
const MOST_BARS: usize = 40;
/// More names below columns of points cannot be read.
pub const MOST_COLUMNS: usize = 12;
/// How many the best are.
const BEST: usize = 10;
/// Figures of which less is better.
const LOW: [&str; 5] = ["mse", "nodes", "seconds", "points-lost", "spread"];
/// What people look at first, of each kind of study.
const HEADLINES: [&str; 10] =
    ["closing-score", "fitness", "rating", "score", "elo", "nodes", "agreement", "plies", "draws", "seconds"];

/// A column of the table: a figure of the setting that has most, and what the others have in its place.
pub struct Shown<'a> {
    /// The name of the figure.
    pub name: &'a str,
    of: &'a str,
    /// It is the so-many-eth of its name.
    turn: usize,
    /// The setting that has most figures.
    fullest: &'a Group,
    /// What heads it.
    pub label: String,
}

impl Shown<'_> {
    /// The figure of a setting.
    pub fn of<'a>(&self, group: &'a Group) -> Option<&'a Figure> {
        let named = || group.figures.iter().filter(|figure| figure.name == self.name);
        let same = named().find(|figure| figure.of == self.of);
        // Where names hold values of the sweep, places tell figures apart. What stands in another column is not meant.
        let is_another = |figure: &Figure| self.fullest.named(self.name).any(|known| known.of == figure.of);
        same.or_else(|| named().nth(self.turn).filter(|figure| !is_another(figure)))
    }

    /// The same as text.
    pub fn text(&self, group: &Group) -> String {
        self.of(group).map_or("–".to_string(), |figure| numbers::estimate(&figure.name, figure.value, figure.error))
    }
}

/// Which figures are shown: the headline first, then those that were published, then the rest. The headline is the figure that
/// `told` names as one, if it names any.
pub fn shown<'a>(groups: &'a [Group], told: &Told) -> Vec<Shown<'a>> {
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
    // What a learner came to before everything on the way.
    let turns = |name: &str| -> Vec<usize> {
        let mut turns: Vec<(usize, bool)> =
            first.named(name).map(|figure| !figure.of.starts_with("player=champion")).enumerate().collect();
        turns.sort_by_key(|(_, is_on_the_way)| *is_on_the_way);
        turns.into_iter().map(|(turn, _)| turn).collect()
    };
    // The first of every name, then the second of those names …
    for round in 0..first.figures.len() {
        for name in &names {
            let Some(turn) = turns(name).get(round).copied() else { continue };
            let Some(figure) = first.named(name).nth(turn) else { continue };
            // Two players' scores in a match are one figure.
            let is_match = first.named(name).count() == 2 && figure.of.starts_with("row=");
            let is_mirror = turn == 1 && is_match && ["score", "points"].contains(name);
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
            all.push(Shown { name, of: &figure.of, turn, fullest: first, label });
        }
    }
    let headline = headlines(told, groups).into_iter().find_map(|comparison| comparison.measured);
    let published: Vec<&Figure> =
        comparisons(told, groups).iter().filter_map(|comparison| comparison.measured).collect();
    let has = |column: &Shown<'_>, wanted: &Figure| {
        groups.iter().filter_map(|group| column.of(group)).any(|own| std::ptr::eq(wanted, own))
    };
    // Stable: the rest stays in its order.
    all.sort_by_key(|column| {
        let is_headline = headline.is_some_and(|wanted| has(column, wanted));
        (!is_headline, !published.iter().any(|wanted| has(column, wanted)))
    });
    all.truncate(MOST_FIGURES);
    all
}

/// The section; nothing without a sweep.
pub fn blocks(groups: &[Group], told: &Told) -> Result<Vec<Block>, ChartError> {
    if groups.len() < 2 {
        return Ok(Vec::new());
    }
    let shown = shown(groups, told);
    let replicates = groups.iter().map(|group| group.trials.len()).max().unwrap_or(1);
    let caption = match replicates {
        1 => "All settings, with 95 % intervals".to_string(),
        count => format!("All settings: means over {count} replicates, with 95 % intervals by Student's t"),
    };
    let names: Vec<String> = values_of(&groups[0].setting).into_iter().map(|(name, _)| name).collect();
    let mut found = vec![Block::Heading(2, "Settings".into())];
    let is_large = groups.len() > MOST_BARS;
    if let (true, Some(column)) = (is_large, shown.first()) {
        let (best, order) = best_settings(groups, column);
        let caption = format!("The {} best settings: {order} {}", best.len(), column.label);
        found.push(Block::Table(settings_table(caption, best, &names, &shown)));
        found.extend(clouds(groups, column, &names)?);
        found.extend(by_value::tables(groups, column));
    }
    let caption = match groups.len() > MOST_ROWS {
        true => format!("{caption}; the first {MOST_ROWS} of {}", numbers::count(groups.len() as i64)),
        false => caption,
    };
    let listed = groups.iter().take(MOST_ROWS).collect();
    found.push(Block::Table(settings_table(caption, listed, &names, &shown)));
    if groups.len() > MOST_ROWS {
        found.push(Block::Text(format!("And {} settings more; `lanista export` has them.", groups.len() - MOST_ROWS)));
    }
    if let Some(column) = shown.first() {
        found.extend(chart(groups, column, &names)?.map(Block::Chart));
    }
    found.extend(differences::blocks(groups, &shown));
    Ok(found)
}

fn settings_table(caption: String, groups: Vec<&Group>, names: &[String], shown: &[Shown<'_>]) -> Table {
    let mut table = Table::new(caption, &names.iter().map(String::as_str).collect::<Vec<_>>());
    table.add_column("replicates", true);
    for column in shown {
        table.add_column(column.label.as_str(), true);
    }
    for group in groups {
        let mut cells: Vec<Cell> =
            values_of(&group.setting).into_iter().map(|(_, value)| short_value(&value).into()).collect();
        cells.push(numbers::count(group.trials.len() as i64).into());
        for column in shown {
            cells.push(column.text(group).into());
        }
        table.add(cells);
    }
    table
}

/// A drawn number has more digits than anybody reads.
fn short_value(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 8 && value.contains('.') => format!("{number:.4}"),
        _ => value.to_string(),
    }
}

/// The settings with the best figures, the best first, and which those are.
fn best_settings<'a>(groups: &'a [Group], column: &Shown<'_>) -> (Vec<&'a Group>, &'static str) {
    let mut known: Vec<(&Group, f64)> =
        groups.iter().filter_map(|group| Some((group, column.of(group)?.value))).collect();
    let is_low = LOW.contains(&column.name);
    known.sort_by(|a, b| if is_low { a.1.total_cmp(&b.1) } else { b.1.total_cmp(&a.1) });
    (known.into_iter().take(BEST).map(|(group, _)| group).collect(), if is_low { "least" } else { "greatest" })
}

/// The figure by each value of the settings, one chart each, then by every two values that are no numbers.
fn clouds(groups: &[Group], column: &Shown<'_>, names: &[String]) -> Result<Vec<Block>, ChartError> {
    let known: Vec<(Vec<(String, String)>, f64)> =
        groups.iter().filter_map(|group| Some((values_of(&group.setting), column.of(group)?.value))).collect();
    let texts = |number: usize| -> Vec<&str> {
        known.iter().map(|(values, _)| values.get(number).map_or("", |(_, value)| value.as_str())).collect()
    };
    let figures: Vec<f64> = known.iter().map(|(_, figure)| *figure).collect();
    let mut found: Vec<(String, Places)> = Vec::new();
    let mut worded = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let texts = texts(number);
        let numbers: Option<Vec<f64>> = texts.iter().map(|text| text.parse().ok()).collect();
        let places = match numbers {
            Some(places) => Places { places, columns: Vec::new() },
            None => {
                worded.push(number);
                Places::of_words(&texts)
            }
        };
        found.push((name.clone(), places));
    }
    for (index, &first) in worded.iter().enumerate() {
        for &second in &worded[index + 1..] {
            let both: Vec<String> =
                texts(first).iter().zip(texts(second)).map(|(first, second)| format!("{first}, {second}")).collect();
            let name = format!("{} and {}", names[first], names[second]);
            found.push((name, Places::of_words(&both.iter().map(String::as_str).collect::<Vec<_>>())));
        }
    }
    found.retain(|(_, places)| places.columns.len() <= MOST_COLUMNS);
    let chart = |(number, (name, Places { places, columns })): (usize, (String, Places))| {
        let means = if columns.is_empty() { "" } else { "; lines are means" };
        let title = format!("{} of {} settings by {name}{means}", column.label, numbers::count(figures.len() as i64));
        let about = About { name: format!("by-{}", number + 1), description: title.clone(), title };
        let points = places.into_iter().zip(figures.iter().copied()).collect();
        cloud(about, &Cloud { axes: [name, column.name.to_string()], columns, points }).map(Block::Chart)
    };
    found.into_iter().enumerate().map(chart).collect()
}

/// Where values stand on an axis, and the columns that words have on it.
struct Places {
    places: Vec<f64>,
    columns: Vec<String>,
}

impl Places {
    fn of_words(texts: &[&str]) -> Places {
        let mut columns: Vec<String> = texts.iter().map(ToString::to_string).collect();
        columns.sort();
        columns.dedup();
        let place = |text: &&str| columns.iter().position(|column| column == text).unwrap_or(0) as f64;
        Places { places: texts.iter().map(place).collect(), columns }
    }
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
    if let ([name], Some(numbers)) = (names, numbers.filter(|_| points.len() <= MOST_BARS)) {
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
    let labels = short_settings(&points.iter().map(|(group, _)| group.setting.as_str()).collect::<Vec<_>>());
    let bar =
        |(label, (_, figure)): (String, &(&Group, &Figure))| Bar { label, value: figure.value, error: figure.error };
    let all: Vec<Bar> = labels.into_iter().zip(&points).map(bar).collect();
    bars(about(format!("{} of all settings, with 95 % intervals", column.label)), column.name, 0.0, &all).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(ofs: [&str; 2]) -> Group {
        let figure = |of: &str| Figure {
            name: "score".into(),
            of: of.into(),
            value: 0.5,
            error: None,
            count: 2,
            values: vec![0.5],
        };
        Group { setting: "a=1".into(), trials: vec![0], figures: ofs.map(figure).to_vec() }
    }

    fn labels(ofs: [&str; 2]) -> Vec<String> {
        shown(&[group(ofs)], &Told::default()).into_iter().map(|column| column.label).collect()
    }

    #[test]
    fn one_score_of_a_match_and_all_of_a_learner() {
        assert_eq!(labels(["row=A column=B", "row=B column=A"]).len(), 1);
        let learner = labels(["player=top against=B", "player=champion against=B"]);
        assert_eq!(learner, ["score: champion against=B", "score: top against=B"]);
    }
}
