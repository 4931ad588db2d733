//! What learners came to, on the board.

use super::charts::{About, Board, boards, is_around_zero};
use super::document::{Block, Table};
use super::figures::{Group, with_values};
use super::numbers;
use super::published::Told;
use super::{MOST_SECTIONS, ReportError};
use crate::blobs::Blob;
use crate::experiment::evaluator_of;
use crate::store::{RunRow, Store};
use crate::weights::{WeightMap, weights_on_board};

/// More boards are not drawn.
const MOST_BOARDS: usize = 24;

/// More boards for one of many settings are not drawn.
const MOST_BOARDS_OF_SETTINGS: usize = 4;

/// The section; nothing if nothing learnt, or what learnt has no weights for squares.
pub fn blocks(store: &Store, row: &RunRow, told: &Told, groups: &[Group]) -> Result<Vec<Block>, ReportError> {
    let Some(learner) = told.learner.as_ref().filter(|_| groups.len() <= MOST_SECTIONS) else { return Ok(Vec::new()) };
    let made = store.made_files(row.run)?;
    let is_single = groups.iter().map(|group| group.trials.len()).sum::<usize>() == 1;
    let mut found = Vec::new();
    let mut named: Vec<(&str, Vec<(String, f64)>)> = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let Some(trial) = group.trials.first() else { continue };
        let start = if is_single { "champion.".to_string() } else { format!("trial-{}-champion.", trial + 1) };
        let Some(file) = made.iter().find(|blob: &&Blob| blob.name.starts_with(&start)) else { continue };
        // What cannot be read has no picture; its file is in the store all the same.
        let evaluator = evaluator_of(learner.weights_of.as_deref(), told.neat.is_some());
        let evaluator = with_values(evaluator, &group.setting);
        let Ok(weights) = weights_on_board(&row.game, &evaluator, &file.content) else { continue };
        if weights.maps.is_empty() && !weights.named.is_empty() {
            named.push((&group.setting, weights.named));
            continue;
        }
        let most = if groups.len() == 1 { usize::MAX } else { MOST_BOARDS_OF_SETTINGS };
        if !(1..=most).contains(&weights.maps.len()) {
            continue;
        }
        let is_one_kind = weights.maps.iter().all(|map| map.title == weights.maps[0].title);
        let board = |map: &WeightMap| Board {
            label: match map.unit {
                Some(unit) if is_one_kind => format!("unit {}", unit + 1),
                Some(unit) => format!("{}: {}", unit + 1, map.title),
                None => map.title.clone(),
            },
            values: map.values.clone(),
        };
        let all: Vec<Board> = weights.maps.iter().take(MOST_BOARDS).map(board).collect();
        if !group.setting.is_empty() {
            found.push(Block::Heading(3, group.setting.clone()));
        }
        let replicate = if group.trials.len() > 1 { " of the first replicate" } else { "" };
        let colours = if is_around_zero(&all) {
            "blue is above zero, orange below"
        } else {
            "blue is above the mean, orange below"
        };
        let what = match all.len() {
            1 => "Weights by square".to_string(),
            count if count < weights.maps.len() => {
                format!("Weights by square that lead to the first units, {count} of {} boards", weights.maps.len())
            }
            _ => "Weights by square that lead to each unit".to_string(),
        };
        let kind = match (is_one_kind, weights.maps[0].unit) {
            (true, Some(_)) => format!(", inputs of {}", weights.maps[0].title),
            _ => String::new(),
        };
        let title = format!("{what}{replicate} ({}{kind}); {colours}", weights.shape);
        let about = About { name: format!("weights-{}", number + 1), description: title.clone(), title };
        found.push(Block::Chart(boards(about, &all)?));
    }
    let table = named_weights(&named).map(Block::Table);
    let mut blocks: Vec<Block> = table.into_iter().chain(found).collect();
    if !blocks.is_empty() {
        blocks.insert(0, Block::Heading(2, "Weights of the champion".into()));
    }
    Ok(blocks)
}

/// Weights that have names, a column for each setting; nothing if none have.
fn named_weights(all: &[(&str, Vec<(String, f64)>)]) -> Option<Table> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in all.iter().flat_map(|(_, weights)| weights) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return None;
    }
    let mut table = Table::new("Weights by name, of the first replicate of each setting", &["weight"]);
    for (setting, _) in all {
        table.add_column(if setting.is_empty() { "value" } else { *setting }, true);
    }
    for name in names {
        let value = |weights: &[(String, f64)]| {
            let found = weights.iter().find(|(known, _)| known == name);
            found.map_or("–".to_string(), |(_, value)| numbers::figure("weight", *value))
        };
        let mut cells = vec![name.into()];
        cells.extend(all.iter().map(|(_, weights)| value(weights).into()));
        table.add(cells);
    }
    Some(table)
}
