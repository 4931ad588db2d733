//! Whether settings of a sweep differ by more than chance: t-tests between them, where they have replicates.

use super::document::{Block, Cell, Table};
use super::figures::{Group, short_settings, values_of};
use super::numbers;
use super::sweeps::Shown;
use crate::statistics::{Welch, welch};

/// More settings have more pairs than anybody reads: only those that differ in one thing are compared.
const MOST_IN_PAIRS: usize = 8;
/// More pairs than these are compared with the first setting only.
const MOST_PAIRS: usize = 60;
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
    let (pairs, caption) = pairs(groups);
    let names = short_settings(&groups.iter().map(|group| group.setting.as_str()).collect::<Vec<_>>());
    let mut table = Table::new(format!("{caption}, with Welch's t-test"), &["settings"]);
    for column in shown {
        table.add_column(column.label.as_str(), true);
    }
    let mut tests = 0;
    for (first, second) in pairs {
        let mut cells: Vec<Cell> = vec![format!("{} less {}", names[first], names[second]).into()];
        let (first, second) = (&groups[first], &groups[second]);
        for column in shown {
            let cell = compared(column, first, second);
            tests += usize::from(cell.is_some());
            cells.push(cell.unwrap_or_else(|| "–".into()));
        }
        table.add(cells);
    }
    vec![Block::Heading(3, "Tests".into()), warning(tests), Block::Table(table)]
}

/// What so many tests find by chance.
pub fn warning(tests: usize) -> Block {
    Block::Text(format!(
        "A p below {LEVEL} is called significant and marked by an asterisk. There are {tests} tests here: about {} of them would \
         get one by chance if nothing differed.",
        numbers::figure("tests", (tests as f64 * LEVEL).round())
    ))
}

/// Which settings are compared, and what that is called: all if they are few. Of many, each is compared with the first if it differs
/// from that in one thing only, as where one parameter is changed at a time; else those two by two that differ in one thing.
fn pairs(groups: &[Group]) -> (Vec<(usize, usize)>, &'static str) {
    let all = || (0..groups.len()).flat_map(|first| (first + 1..groups.len()).map(move |second| (first, second)));
    if groups.len() <= MOST_IN_PAIRS {
        return (all().collect(), "Differences between settings: the first less the second");
    }
    let things = things(groups);
    let is_one =
        |&(first, second): &(usize, usize)| things.iter().filter(|values| values[first] != values[second]).count() == 1;
    let with_first: Vec<(usize, usize)> = all().filter(|(first, _)| *first == 0).collect();
    let close: Vec<(usize, usize)> = all().filter(is_one).collect();
    if !(1..=MOST_PAIRS).contains(&close.len()) || with_first.iter().all(is_one) {
        return (with_first, "Differences from the first setting: it less the other");
    }
    (close, "Differences between settings that differ in one thing: the first less the second")
}

/// What settings differ in: for each thing the value that every setting has of it, as a number. Names whose values always change
/// together are one thing.
fn things(groups: &[Group]) -> Vec<Vec<usize>> {
    let settings: Vec<Vec<(String, String)>> = groups.iter().map(|group| values_of(&group.setting)).collect();
    let mut things = Vec::new();
    for place in 0..settings[0].len() {
        let values: Vec<Option<&str>> =
            settings.iter().map(|values| values.get(place).map(|(_, value)| value.as_str())).collect();
        let numbers: Vec<usize> =
            values.iter().map(|value| values.iter().position(|first| first == value).unwrap_or_default()).collect();
        if !things.contains(&numbers) {
            things.push(numbers);
        }
    }
    things
}

/// The difference of two settings in a figure; nothing if one of them has no spread to measure it with.
fn compared(column: &Shown<'_>, first: &Group, second: &Group) -> Option<Cell> {
    let (first, second) = (column.of(first)?, column.of(second)?);
    let test = welch(&first.values, &second.values)?;
    Some(told(column.name, first.value - second.value, &test).into())
}

/// A difference with its test, as text.
pub fn told(name: &str, difference: f64, test: &Welch) -> String {
    let mark = if test.p < LEVEL { " *" } else { "" };
    let p = if test.p < 0.001 { "p < 0.001".to_string() } else { format!("p = {:.3}", test.p) };
    format!("{}; t({:.0}) = {:.2}, {p}{mark}", numbers::difference(name, difference), test.df, test.t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figures::Figure;
    use crate::report::published::Told;
    use crate::report::sweeps::shown;

    /// The names of the rows of settings with two replicates each.
    fn rows(settings: &[String]) -> Vec<String> {
        let group = |(number, setting): (usize, &String)| Group {
            setting: setting.clone(),
            trials: vec![2 * number as u32, 2 * number as u32 + 1],
            figures: vec![Figure {
                name: "score".into(),
                of: "x".into(),
                value: 0.5,
                error: None,
                count: 2,
                values: vec![0.25, 0.75],
            }],
        };
        let groups: Vec<Group> = settings.iter().enumerate().map(group).collect();
        let blocks = blocks(&groups, &shown(&groups, &Told::default()));
        let Some(Block::Table(table)) = blocks.last() else { return Vec::new() };
        table.rows.iter().map(|row| row[0].text.clone()).collect()
    }

    fn depths(count: u32) -> Vec<String> {
        (1..=count).map(|depth| format!("d={depth}")).collect()
    }

    #[test]
    fn few_settings_are_compared_in_pairs_and_many_with_the_first() {
        assert_eq!(rows(&depths(3)), ["d=1 less d=2", "d=1 less d=3", "d=2 less d=3"]);
        assert_eq!(rows(&depths(9)).len(), 8);
        assert!(rows(&depths(9)).iter().all(|row| row.starts_with("d=1 less ")));
        assert!(rows(&depths(1)).is_empty() && rows(&depths(41)).is_empty());
    }

    /// Population and generations change together: they are one thing, and its values are compared at the same depth.
    #[test]
    fn many_settings_are_compared_where_they_differ_in_one_thing() {
        let sizes = ["population=9 generations=1", "population=3 generations=3", "population=1 generations=9"];
        let settings: Vec<String> =
            (1..=3).flat_map(|depth| sizes.map(|size| format!("depth={depth} {size}"))).collect();
        let rows = rows(&settings);
        assert_eq!(rows.len(), 9 + 9, "{rows:?}");
        assert!(rows.contains(&format!("{} less {}", settings[0], settings[1])));
        assert!(rows.contains(&format!("{} less {}", settings[0], settings[3])));
        assert!(!rows.contains(&format!("{} less {}", settings[0], settings[4])));
    }
}
