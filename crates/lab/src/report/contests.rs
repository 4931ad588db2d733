//! Tables and charts of matches, tournaments and depths.

use super::charts::{About, Bar, ChartError, Heat, bars, heat};
use super::document::{Block, Cell, Table};
use super::figures::{Figure, Group, of_text, pair_of, player_of};
use super::numbers;

/// More players do not fit beside each other.
const MOST_COLUMNS: usize = 16;
/// More bars are no chart.
const MOST_BARS: usize = 40;
/// More meetings are left to exports.
const MOST_MEETINGS: usize = 120;

/// Everybody against everybody.
struct Cross<'a> {
    names: Vec<&'a str>,
    /// Points and games by row and column.
    cells: Vec<Vec<(f64, u64)>>,
}

impl<'a> Cross<'a> {
    fn of(group: &'a Group) -> Cross<'a> {
        let mut names: Vec<&str> = Vec::new();
        let met = || group.named("score").filter_map(|figure| Some((pair_of(&figure.of)?, figure)));
        for ((row, column), _) in met() {
            for name in [row, column] {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let rating = |name: &str| group.find("rating", &format!("player={name}")).map(|figure| figure.value);
        if names.iter().all(|name| rating(name).is_some()) && !names.iter().all(|name| name.parse::<u32>().is_ok()) {
            names.sort_by(|a, b| rating(b).unwrap_or(0.0).total_cmp(&rating(a).unwrap_or(0.0)));
        }
        let mut cells = vec![vec![(0.0, 0); names.len()]; names.len()];
        let place = |name: &str| names.iter().position(|other| *other == name);
        for ((row, column), figure) in met() {
            if let (Some(row), Some(column)) = (place(row), place(column)) {
                cells[row][column].0 += figure.value * figure.count as f64;
                cells[row][column].1 += figure.count;
            }
        }
        Cross { names, cells }
    }

    fn share(&self, row: usize, column: usize) -> Option<f64> {
        let (points, games) = self.cells[row][column];
        (games > 0).then(|| points / games as f64)
    }

    /// Points and games against others.
    fn sum(&self, row: usize) -> (f64, u64) {
        let others = self.cells[row].iter().enumerate().filter(|&(column, _)| column != row);
        others.fold((0.0, 0), |sum, (_, cell)| (sum.0 + cell.0, sum.1 + cell.1))
    }
}

/// The results of a contest; `mark` keeps the names of files apart.
pub fn blocks(kind: &str, group: &Group, mark: &str) -> Result<Vec<Block>, ChartError> {
    let cross = Cross::of(group);
    let mut found = Vec::new();
    match cross.names.len() {
        0 => return Ok(found),
        1 | 2 if kind != "depths" => found.extend(of_match(group, mark)?),
        _ => {
            found.push(Block::Table(cross_table(&cross, group, kind)));
            if kind == "depths" {
                found.push(Block::Chart(heat_map(&cross, mark)?));
            } else {
                found.push(Block::Chart(rating_chart(&cross, group, mark)?));
            }
            found.extend(meetings(group));
        }
    }
    found.extend(others(group));
    Ok(found)
}

fn of_match(group: &Group, mark: &str) -> Result<Vec<Block>, ChartError> {
    let replicates = group.figures.iter().map(|figure| figure.values.len()).max().unwrap_or(1);
    let caption =
        if replicates > 1 { "The match: means over replicates, and the games of all of them" } else { "The match" };
    let mut table = Table::new(caption, &["figure", "of", "value#", "95 % interval#", "games#"]);
    for figure in &group.figures {
        let Some(_) = pair_of(&figure.of) else { continue };
        let interval = figure.error.map_or(String::new(), |error| numbers::interval(&figure.name, figure.value, error));
        table.add(vec![
            figure.name.as_str().into(),
            of_text(&figure.of).into(),
            numbers::figure(&figure.name, figure.value).into(),
            interval.into(),
            numbers::count(figure.count as i64).into(),
        ]);
    }
    let bar = |figure: &Figure| {
        let label = pair_of(&figure.of)?.0.to_string();
        Some(Bar { label, value: figure.value, error: figure.error })
    };
    let all: Vec<Bar> = group.named("score").filter_map(bar).collect();
    let about = About {
        name: format!("scores{mark}"),
        title: "Scores, with 95 % intervals".into(),
        description: format!("Bars of the scores: {}", described("score", &all)),
    };
    Ok(vec![Block::Table(table), Block::Chart(bars(about, "score", 0.0, &all)?)])
}

fn described(name: &str, bars: &[Bar]) -> String {
    let bar = |bar: &Bar| format!("{} {}", bar.label, numbers::estimate(name, bar.value, bar.error));
    bars.iter().take(20).map(bar).collect::<Vec<String>>().join(", ")
}

fn cross_table(cross: &Cross<'_>, group: &Group, kind: &str) -> Table {
    let is_depths = kind == "depths";
    let wide = cross.names.len() > MOST_COLUMNS;
    let caption = match (is_depths, wide) {
        (true, _) => "Score of the depth in the row against the depth in the column",
        (_, true) => "Standing; `lanista export` has the meetings",
        _ => "Cross-table: the score of the player in the row against the player whose number heads the column",
    };
    let mut table = Table::new(caption, &[if is_depths { "depth" } else { "player" }]);
    let has_ratings = group.named("rating").next().is_some();
    if has_ratings {
        table.add_column("rating (Elo)", true);
    }
    table.add_column("points", true);
    table.add_column("games", true);
    for (index, name) in cross.names.iter().enumerate().filter(|_| !wide) {
        table.add_column(if is_depths { (*name).to_string() } else { (index + 1).to_string() }, true);
    }
    for (row, name) in cross.names.iter().enumerate() {
        let label = if is_depths { (*name).to_string() } else { format!("{}. {name}", row + 1) };
        let mut cells = vec![Cell::from(label)];
        if has_ratings {
            let rating = group.find("rating", &format!("player={name}"));
            let text = rating.map_or(String::new(), |rating| numbers::estimate("rating", rating.value, rating.error));
            cells.push(text.into());
        }
        let (points, games) = cross.sum(row);
        cells.push(numbers::figure("points", points).into());
        cells.push(numbers::count(games as i64).into());
        for column in (0..cross.names.len()).filter(|_| !wide) {
            let share = cross.share(row, column);
            let text = share.map_or("–".to_string(), |share| numbers::figure("score", share));
            cells.push(Cell { share, ..Cell::from(text) });
        }
        table.add(cells);
    }
    table
}

fn heat_map(cross: &Cross<'_>, mark: &str) -> Result<super::charts::Chart, ChartError> {
    let count = cross.names.len();
    let cells = (0..count).map(|row| (0..count).map(|column| cross.share(row, column)).collect()).collect();
    let shown = Heat {
        names: cross.names.iter().map(|name| (*name).to_string()).collect(),
        axes: ["depth of the player".into(), "depth of the opponent".into()],
        cells,
    };
    let about = About {
        name: format!("depths{mark}"),
        title: "Score of the depth in the row against the depth in the column: blue above one half, orange below"
            .into(),
        description: format!("Map of the scores of {count} depths against each other; the table above has the numbers"),
    };
    heat(about, &shown)
}

fn rating_chart(cross: &Cross<'_>, group: &Group, mark: &str) -> Result<super::charts::Chart, ChartError> {
    let rating = |name: &&str| {
        let figure = group.find("rating", &format!("player={name}"))?;
        Some(Bar { label: (*name).to_string(), value: figure.value, error: figure.error })
    };
    let ratings: Vec<Bar> = cross.names.iter().filter_map(rating).collect();
    let (name, mut all) = if ratings.is_empty() {
        let score = |(row, name): (usize, &&str)| {
            let (points, games) = cross.sum(row);
            Bar { label: (*name).to_string(), value: points / games.max(1) as f64, error: None }
        };
        ("score", cross.names.iter().enumerate().map(score).collect())
    } else {
        ("rating", ratings)
    };
    let more = if all.len() > MOST_BARS { format!("; the first {MOST_BARS} of {}", all.len()) } else { String::new() };
    all.truncate(MOST_BARS);
    let about = About {
        name: format!("{name}s{mark}"),
        title: match name {
            "rating" => format!("Ratings in Elo, the mean of all being 0, with 95 % intervals{more}"),
            _ => format!("Scores{more}"),
        },
        description: format!("Bars of the {name}s: {}", described(name, &all)),
    };
    bars(about, name, 0.0, &all)
}

/// What each meeting says beyond the score.
fn meetings(group: &Group) -> Vec<Block> {
    let pairs: Vec<&Figure> = group.named("elo").collect();
    if pairs.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(
        "Meetings, seen by the player named first",
        &["meeting", "score#", "Elo#", "plies#", "draws#", "opener scores#", "games#"],
    );
    for elo in pairs.iter().take(MOST_MEETINGS) {
        let text = |name: &str| {
            group
                .find(name, &elo.of)
                .map_or(String::new(), |figure| numbers::estimate(name, figure.value, figure.error))
        };
        table.add(vec![
            of_text(&elo.of).into(),
            text("score").into(),
            numbers::estimate("elo", elo.value, elo.error).into(),
            text("plies").into(),
            text("draws").into(),
            text("opener").into(),
            numbers::count(elo.count as i64).into(),
        ]);
    }
    let mut found = vec![Block::Table(table)];
    if pairs.len() > MOST_MEETINGS {
        found.push(Block::Text(format!(
            "And {} meetings more; `lanista export` has them.",
            pairs.len() - MOST_MEETINGS
        )));
    }
    found
}

/// Figures that belong to no meeting and no player.
fn others(group: &Group) -> Vec<Block> {
    let left: Vec<&Figure> = group
        .figures
        .iter()
        .filter(|figure| pair_of(&figure.of).is_none() && player_of(&figure.of).is_none())
        .collect();
    figure_table("Figures of the whole", &left)
}

/// A plain table of figures; nothing if there are none.
pub fn figure_table(caption: &str, figures: &[&Figure]) -> Vec<Block> {
    if figures.is_empty() {
        return Vec::new();
    }
    let has_purpose = figures.iter().any(|figure| !figure.of.is_empty());
    let mut table = Table::new(caption, &["figure", "value#", "of so many#"]);
    for figure in figures {
        let name = match has_purpose && !figure.of.is_empty() {
            true => format!("{}: {}", figure.name, of_text(&figure.of)),
            false => figure.name.clone(),
        };
        let value = numbers::estimate(&figure.name, figure.value, figure.error);
        table.add(vec![name.into(), value.into(), numbers::count(figure.count as i64).into()]);
    }
    vec![Block::Table(table)]
}
