//! Tables and charts of position tests.

use std::collections::HashMap;

use lanista_core::Score;

use super::charts::{About, Axes, Bar, Chart, ChartError, Line, Scatter, bars, lines, scatter};
use super::contests::figure_table;
use super::document::{Block, Cell, Table};
use super::figures::{Figure, Group, player_of};
use super::numbers;
use super::published::Reference;
use crate::store::DecisionList;

/// What has a table of its own, and how it is called there.
const SHOWN: [(&str, &str); 5] = [
    ("nodes", "Nodes a decision"),
    ("seconds", "Time a decision, on the machine of the run"),
    ("agreement", "Share of positions with the same value"),
    ("nodes-ratio", "Nodes, in those"),
    ("node-time-ratio", "Time a node, in that"),
];
/// More points are not drawn.
const MOST_POINTS: usize = 2000;
/// More charts of two players' values are not drawn.
const MOST_SCATTERS: usize = 6;

/// The figure of a name, a player and a depth.
type Find<'a> = dyn Fn(&str, &str, Option<u32>) -> Option<&'a Figure> + 'a;

/// The results of a test; `mark` keeps the names of files apart.
pub fn blocks(
    group: &Group,
    reference: Option<Reference<'_>>,
    decisions: &DecisionList,
    mark: &str,
) -> Result<Vec<Block>, ChartError> {
    let mut players: Vec<&str> = Vec::new();
    let mut depths: Vec<Option<u32>> = Vec::new();
    for (player, depth) in group.figures.iter().filter_map(|figure| player_of(&figure.of)) {
        if !players.contains(&player) {
            players.push(player);
        }
        if !depths.contains(&depth) {
            depths.push(depth);
        }
    }
    depths.sort();
    let find = |name: &str, player: &str, depth: Option<u32>| {
        let named = |figure: &&Figure| figure.name == name && player_of(&figure.of) == Some((player, depth));
        group.figures.iter().find(named)
    };
    let mut found = Vec::new();
    for (name, caption) in SHOWN {
        if group.named(name).next().is_none() {
            continue;
        }
        let compared = reference.map(|reference| reference.player).or(players.first().copied()).unwrap_or_default();
        let caption = match name {
            "agreement" if reference.is_some_and(|reference| reference.judges_moves) => {
                format!("Share of moves that {compared} finds as good as its own")
            }
            "agreement" => format!("{caption} as {compared}"),
            "nodes-ratio" | "node-time-ratio" => format!("{caption} of {compared}"),
            _ => caption.to_string(),
        };
        let mut table = Table::new(caption, &["player"]);
        for depth in &depths {
            table.add_column(depth.map_or("own limits".to_string(), |depth| format!("depth {depth}")), true);
        }
        for player in &players {
            let cell = |depth: &Option<u32>| {
                let figure = find(name, player, *depth);
                Cell::from(figure.map_or("–".to_string(), |figure| numbers::estimate(name, figure.value, figure.error)))
            };
            table.add(std::iter::once(Cell::from(*player)).chain(depths.iter().map(cell)).collect());
        }
        found.push(Block::Table(table));
        // A single depth has bars of the nodes only: times differ from machine to machine.
        if name == "nodes" || name == "seconds" && depths.len() > 1 {
            found.push(Block::Chart(cost_chart(name, &players, &depths, &find, mark)?));
        }
    }
    let is_other = |figure: &&Figure| SHOWN.iter().all(|(name, _)| figure.name != *name);
    found.extend(figure_table("Other figures", &group.figures.iter().filter(is_other).collect::<Vec<_>>()));
    if let Some(reference) = reference {
        found.extend(scatters(reference, &players, &depths, group, decisions, mark)?);
    }
    Ok(found)
}

/// Nodes or seconds by depth.
fn cost_chart<'a>(
    name: &str,
    players: &[&str],
    depths: &[Option<u32>],
    find: &Find<'a>,
    mark: &str,
) -> Result<Chart, ChartError> {
    let about = |title: &str| About {
        name: format!("{name}{mark}"),
        title: title.into(),
        description: format!("{title}, of {}; the table above has the numbers", players.join(", ")),
    };
    if depths.len() < 2 {
        let bar = |player: &&str| {
            let figure = find(name, player, depths.first().copied().flatten())?;
            Some(Bar { label: (*player).to_string(), value: figure.value, error: figure.error })
        };
        let all: Vec<Bar> = players.iter().filter_map(bar).collect();
        return bars(about("Nodes a decision, with 95 % intervals"), "nodes", 0.0, &all);
    }
    let point = |player: &str, depth: &Option<u32>| {
        let figure = find(name, player, *depth)?;
        Some((f64::from((*depth)?), figure.value, figure.error))
    };
    let line = |player: &&str| Line {
        label: (*player).to_string(),
        points: depths.iter().filter_map(|depth| point(player, depth)).collect(),
    };
    let all: Vec<Line> = players.iter().map(line).collect();
    let axes = Axes { x: "depth".into(), y: name.into(), powers: true };
    let what = if name == "nodes" { "Nodes" } else { "Seconds" };
    lines(about(&format!("{what} a decision by depth, on a logarithmic axis")), &axes, &all)
}

/// The values of each player against those of the one that it is compared with, at the greatest depth.
fn scatters(
    reference: Reference<'_>,
    players: &[&str],
    depths: &[Option<u32>],
    group: &Group,
    decisions: &DecisionList,
    mark: &str,
) -> Result<Vec<Block>, ChartError> {
    let (Some(&trial), Some(&depth)) = (group.trials.first(), depths.last()) else { return Ok(Vec::new()) };
    let mut by_player: HashMap<&str, HashMap<u32, i32>> = HashMap::new();
    for (of_trial, decision) in decisions {
        if let (true, Some((player, at)), Some(score)) =
            (*of_trial == trial, player_of(&decision.of), decision.row.score)
            && at == depth
        {
            by_player.entry(player).or_default().insert(decision.position, score);
        }
    }
    let Reference { player: reference, judges_moves } = reference;
    let Some(of_reference) = by_player.get(reference) else { return Ok(Vec::new()) };
    let (title_start, axis) =
        if judges_moves { ("Worth of the moves of", "move of") } else { ("Values of", "value of") };
    let mut found = Vec::new();
    let others = players.iter().filter(|player| **player != reference && by_player.contains_key(**player));
    for (number, player) in others.take(MOST_SCATTERS).enumerate() {
        let mut both: Vec<(u32, i32, i32)> = by_player[player]
            .iter()
            .filter_map(|(position, score)| Some((*position, *of_reference.get(position)?, *score)))
            .collect();
        both.sort_unstable();
        let is_open = |score: i32| Score(score).plies_to_end().is_none();
        let open: Vec<(f64, f64)> = both
            .iter()
            .filter(|(_, a, b)| is_open(*a) && is_open(*b))
            .map(|(_, a, b)| (f64::from(*a) / 100.0, f64::from(*b) / 100.0))
            .collect();
        if open.is_empty() {
            continue;
        }
        let equal = both.iter().filter(|(_, a, b)| a == b).count();
        let at = depth.map_or(String::new(), |depth| format!(" at depth {depth}"));
        let mut title =
            format!("{title_start} {player} against those of {reference}{at}: {equal} of {} equal", both.len());
        let (shown, proved) = (open.len().min(MOST_POINTS), both.len() - open.len());
        if proved > 0 {
            title += &format!("; {proved} with a proved value are not drawn");
        }
        if shown < open.len() {
            title += &format!("; the first {shown} are drawn");
        }
        let about = About { name: format!("values{mark}-{}", number + 1), title: title.clone(), description: title };
        let shown = Scatter {
            axes: [reference, *player].map(|player| format!("{axis} {player}")),
            points: open.into_iter().take(MOST_POINTS).collect(),
        };
        found.push(Block::Chart(scatter(about, &shown)?));
    }
    Ok(found)
}
