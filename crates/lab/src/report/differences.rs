//! Whether settings of a sweep differ by more than chance: t-tests between all of them, where they have replicates.

use super::document::{Block, Cell, Table};
use super::figures::Group;
use super::numbers;
use super::sweeps::Shown;
use crate::statistics::welch;

/// More settings have more pairs than anybody reads: each is compared with the first only.
const MOST_IN_PAIRS: usize = 8;
/// More settings are a search, not a comparison.
const MOST_SETTINGS: usize = 40;
/// A difference that chance makes more often than this is none.
const LEVEL: f64 = 0.05;

/// The section; nothing without replicates.
pub fn blocks(groups: &[Group], shown: &[Shown<'_>]) -> Vec<Block> {
    let has_replicates = groups.iter().all(|group| group.trials.len() > 1);
    if !has_replicates || !(2..=MOST_SETTINGS).contains(&groups.len()) {
        return Vec::new();
    }
    let in_pairs = groups.len() <= MOST_IN_PAIRS;
    let caption = match in_pairs {
        true => "Differences between settings: the first less the second, with Welch's t-test",
        false => "Differences from the first setting: the first less the one in the row, with Welch's t-test",
    };
    let mut table = Table::new(caption, &["settings"]);
    for column in shown {
        table.add_column(column.label.as_str(), true);
    }
    let mut tests = 0;
    for (index, first) in groups.iter().enumerate().take(if in_pairs { groups.len() } else { 1 }) {
        for second in &groups[index + 1..] {
            let mut cells: Vec<Cell> = vec![match in_pairs {
                true => format!("{} less {}", first.setting, second.setting).into(),
                false => second.setting.as_str().into(),
            }];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Figure;
    use crate::report::published::Told;
    use crate::report::sweeps::shown;

    /// The names of the rows for so many settings of two replicates.
    fn rows(settings: u32) -> Vec<String> {
        let group = |number: u32| Group {
            setting: format!("d={number}"),
            trials: vec![2 * number, 2 * number + 1],
            figures: vec![Figure {
                name: "score".into(),
                of: "x".into(),
                value: 0.5,
                error: None,
                count: 2,
                values: vec![0.25, 0.75],
            }],
        };
        let groups: Vec<Group> = (1..=settings).map(group).collect();
        let blocks = blocks(&groups, &shown(&groups, &Told::default()));
        let Some(Block::Table(table)) = blocks.last() else { return Vec::new() };
        table.rows.iter().map(|row| row[0].text.clone()).collect()
    }

    #[test]
    fn few_settings_are_compared_in_pairs_and_many_with_the_first() {
        assert_eq!(rows(3), ["d=1 less d=2", "d=1 less d=3", "d=2 less d=3"]);
        assert_eq!(rows(9), ["d=2", "d=3", "d=4", "d=5", "d=6", "d=7", "d=8", "d=9"]);
        assert!(rows(1).is_empty() && rows(41).is_empty());
    }
}
