//! Whether settings of a sweep differ by more than chance: t-tests between all of them, where they have replicates.

use super::document::{Block, Cell, Table};
use super::figures::Group;
use super::numbers;
use super::sweeps::Shown;
use crate::statistics::welch;

/// More settings have more pairs than anybody reads.
const MOST_SETTINGS: usize = 8;
/// A difference that chance makes more often than this is none.
const LEVEL: f64 = 0.05;

/// The section; nothing without replicates.
pub fn blocks(groups: &[Group], shown: &[Shown<'_>]) -> Vec<Block> {
    let has_replicates = groups.iter().all(|group| group.trials.len() > 1);
    if !has_replicates || !(2..=MOST_SETTINGS).contains(&groups.len()) {
        return Vec::new();
    }
    let mut table =
        Table::new("Differences between settings: the first less the second, with Welch's t-test", &["settings"]);
    for column in shown {
        table.add_column(column.label.as_str(), true);
    }
    let mut tests = 0;
    for (index, first) in groups.iter().enumerate() {
        for second in &groups[index + 1..] {
            let mut cells: Vec<Cell> = vec![format!("{} less {}", first.setting, second.setting).into()];
            for column in shown {
                let cell = compared(column, first, second);
                tests += usize::from(cell.is_some());
                cells.push(cell.unwrap_or_else(|| "–".into()));
            }
            table.add(cells);
        }
    }
    let text = format!(
        "A p below {LEVEL} is called significant and marked by an asterisk. There are {tests} tests here: about {} of them would \
         get one by chance if nothing differed.",
        numbers::figure("tests", (tests as f64 * LEVEL).round())
    );
    vec![Block::Heading(3, "Tests".into()), Block::Text(text), Block::Table(table)]
}

/// The difference of two settings in a figure; nothing if one of them has no spread to measure it with.
fn compared(column: &Shown<'_>, first: &Group, second: &Group) -> Option<Cell> {
    let (first, second) = (column.of(first)?, column.of(second)?);
    let test = welch(&first.values, &second.values)?;
    let mark = if test.p < LEVEL { " *" } else { "" };
    let p = if test.p < 0.001 { "p < 0.001".to_string() } else { format!("p = {:.3}", test.p) };
    let difference = numbers::difference(column.name, first.value - second.value);
    Some(format!("{difference}; t({:.0}) = {:.2}, {p}{mark}", test.df, test.t).into())
}
