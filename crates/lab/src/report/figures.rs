//! Figures over replicates: trials of the same setting belong together.

use std::collections::HashMap;

use crate::statistics::Summary;
use crate::store::{StoredMeasurement, TrialRow};

/// A figure of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What was measured.
    pub name: String,
    /// What for.
    pub of: String,
    /// The figure; the mean over replicates.
    pub value: f64,
    /// Half its 95 % interval: over replicates if there are several, else its own.
    pub error: Option<f64>,
    /// Games or positions in all.
    pub count: u64,
    /// The figure of each replicate.
    pub values: Vec<f64>,
}

/// A setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The values of the sweep, as text; empty without a sweep.
    pub setting: String,
    /// Its trials, a replicate each.
    pub trials: Vec<u32>,
    /// Its figures, in the order in which they were measured.
    pub figures: Vec<Figure>,
}

impl Group {
    /// The first figure of that name and purpose.
    pub fn find(&self, name: &str, of: &str) -> Option<&Figure> {
        let named = || self.figures.iter().filter(|figure| figure.name == name);
        named().find(|figure| figure.of == of).or_else(|| named().find(|figure| same_parts(&figure.of, of)))
    }

    /// All figures of that name.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Figure> {
        self.figures.iter().filter(move |figure| figure.name == name)
    }
}

/// Whether two texts have the same parts, in any order.
fn same_parts(a: &str, b: &str) -> bool {
    let parts = |text: &str| {
        let mut parts: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        parts.sort();
        parts
    };
    parts(a) == parts(b)
}

/// The settings of a run, in order.
pub fn groups(trials: &[TrialRow], measured: &[StoredMeasurement]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for trial in trials {
        let place = *places.entry(&trial.setting).or_insert_with(|| {
            groups.push(Group { setting: trial.setting.clone(), trials: Vec::new(), figures: Vec::new() });
            groups.len() - 1
        });
        groups[place].trials.push(trial.trial);
    }
    let mut by_trial: HashMap<u32, Vec<&StoredMeasurement>> = HashMap::new();
    for found in measured {
        by_trial.entry(found.trial).or_default().push(found);
    }
    for group in &mut groups {
        group.figures = over_replicates(group.trials.iter().filter_map(|trial| by_trial.get(trial)));
    }
    groups
}

/// Every trial as a setting of its own, in order.
pub fn one_by_one(trials: &[TrialRow], measured: &[StoredMeasurement]) -> Vec<Group> {
    let apart = |trial: &TrialRow| TrialRow { setting: trial.trial.to_string(), ..trial.clone() };
    groups(&trials.iter().map(apart).collect::<Vec<_>>(), measured)
}

/// Figures of the same name and purpose together. A trial may have several of them, as when two players met twice:
/// the first goes with the first of the others, the second with the second.
fn over_replicates<'a>(trials: impl Iterator<Item = &'a Vec<&'a StoredMeasurement>>) -> Vec<Figure> {
    let mut keys: Vec<(&str, &str)> = Vec::new();
    let mut found: HashMap<(&str, &str, usize), (usize, Vec<&StoredMeasurement>)> = HashMap::new();
    for trial in trials {
        let mut seen: HashMap<(&str, &str), usize> = HashMap::new();
        for &stored in trial {
            let key = (stored.measurement.name.as_str(), stored.measurement.of.as_str());
            let turn = seen.entry(key).or_default();
            let place = found.entry((key.0, key.1, *turn)).or_insert_with(|| {
                keys.push(key);
                (keys.len(), Vec::new())
            });
            place.1.push(stored);
            *turn += 1;
        }
    }
    let mut found: Vec<(usize, Vec<&StoredMeasurement>)> = found.into_values().collect();
    found.sort_by_key(|(place, _)| *place);
    found.iter().filter_map(|(_, values)| over(values)).collect()
}

/// The mean of some measurements of the same thing.
pub fn over(values: &[&StoredMeasurement]) -> Option<Figure> {
    let first = &values.first()?.measurement;
    let all: Vec<f64> = values.iter().map(|stored| stored.measurement.value).collect();
    let (value, error) = match all.as_slice() {
        [value] => (*value, first.error),
        values => {
            let summary = Summary::of(values)?;
            (summary.mean, summary.mean_error)
        }
    };
    Some(Figure {
        name: first.name.clone(),
        of: first.of.clone(),
        value,
        error,
        count: values.iter().map(|stored| stored.measurement.count).sum(),
        values: all,
    })
}

/// Who met whom, if a figure is of a meeting.
pub fn pair_of(of: &str) -> Option<(&str, &str)> {
    of.strip_prefix("row=")?.split_once(" column=")
}

/// The player, and how deep, if a figure is of one.
pub fn player_of(of: &str) -> Option<(&str, Option<u32>)> {
    let player = of.strip_prefix("player=")?;
    if let Some((name, depth)) = player.rsplit_once(" depth=")
        && let Ok(depth) = depth.parse()
    {
        return Some((name, Some(depth)));
    }
    Some((player, None))
}

/// What a figure is of, for people.
pub fn of_text(of: &str) -> String {
    match (pair_of(of), player_of(of)) {
        (Some((row, column)), _) => format!("{row} against {column}"),
        (_, Some((player, Some(depth)))) => format!("{player}, depth {depth}"),
        (_, Some((player, None))) => player.to_string(),
        _ => of.to_string(),
    }
}

/// The values of a setting by their names.
pub fn values_of(setting: &str) -> Vec<(String, String)> {
    let mut values: Vec<(String, String)> = Vec::new();
    for part in setting.split_whitespace() {
        match (part.split_once('='), values.last_mut()) {
            (Some((name, value)), _) => values.push((name.to_string(), value.to_string())),
            // A value with a space in it.
            (None, Some((_, value))) => *value += &format!(" {part}"),
            (None, None) => values.push((String::new(), part.to_string())),
        }
    }
    values
}

/// A text with the values of a setting where it has their names, as `{name}`.
pub fn with_values(text: &str, setting: &str) -> String {
    let fill = |text: String, (name, value): (String, String)| text.replace(&format!("{{{name}}}"), &value);
    values_of(setting).into_iter().fold(text.to_string(), fill)
}

/// What tells settings apart, for labels: values that more than half of them share are left out.
pub fn short_settings(settings: &[&str]) -> Vec<String> {
    let all: Vec<Vec<(String, String)>> = settings.iter().map(|setting| values_of(setting)).collect();
    let mut counts: HashMap<&(String, String), usize> = HashMap::new();
    for value in all.iter().flatten() {
        *counts.entry(value).or_default() += 1;
    }
    let is_usual = |value: &(String, String)| counts[value] * 2 > settings.len();
    let short = |values: &Vec<(String, String)>| {
        let rare = values.iter().filter(|value| !is_usual(value)).map(|(name, value)| format!("{name}={value}"));
        rare.collect::<Vec<_>>().join(" ")
    };
    let found: Vec<String> = all.iter().map(short).collect();
    let mut different = found.clone();
    different.sort();
    different.dedup();
    if different.len() < found.len() || settings.len() == 1 {
        return settings.iter().map(ToString::to_string).collect();
    }
    found.into_iter().map(|short| if short.is_empty() { "the usual values".to_string() } else { short }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Measurement;

    fn trial(trial: u32, setting: &str) -> TrialRow {
        let (setting, seed) = (setting.to_string(), String::new());
        TrialRow {
            trial,
            setting,
            replicate: 0,
            seed,
            generation: 0,
            steps: (0, 0),
            games: 0,
            done: true,
            digest: None,
        }
    }

    fn measured(trial: u32, name: &str, of: &str, value: f64) -> StoredMeasurement {
        let measurement = Measurement::new(name, of, value, 10).with_error(Some(0.5));
        StoredMeasurement { trial, generation: None, measurement }
    }

    #[test]
    fn replicates_are_put_together() {
        let trials = [trial(0, "a=1"), trial(1, "a=1"), trial(2, "a=2")];
        let all = [measured(0, "score", "x", 1.0), measured(1, "score", "x", 3.0), measured(2, "score", "x", 7.0)];
        let groups = groups(&trials, &all);
        assert_eq!(groups.len(), 2);
        let both = groups[0].find("score", "x").expect("a figure");
        assert_eq!((both.value, both.count, both.values.as_slice()), (2.0, 20, [1.0, 3.0].as_slice()));
        // t(1) at 97.5 % is 12.706, sd/√2 is 1.
        assert!((both.error.expect("an interval") - 12.706).abs() < 1e-3);
        let one = groups[1].find("score", "x").expect("a figure");
        assert_eq!((one.value, one.error, one.values.len()), (7.0, Some(0.5), 1));
    }

    #[test]
    fn two_meetings_of_the_same_players_stay_two() {
        let all = [measured(0, "score", "x", 1.0), measured(0, "score", "x", 0.0)];
        let groups = groups(&[trial(0, "")], &all);
        assert_eq!(groups[0].named("score").map(|figure| figure.value).collect::<Vec<_>>(), [1.0, 0.0]);
    }

    #[test]
    fn labels_name_what_is_special() {
        assert_eq!(short_settings(&["a=1 b=2", "a=1 b=3", "a=2 b=2"]), ["the usual values", "b=3", "a=2"]);
        assert_eq!(short_settings(&["a=1 b=2", "a=2 b=2"]), ["a=1", "a=2"]);
        assert_eq!(short_settings(&["a=1", "a=1", "b=1"]), ["a=1", "a=1", "b=1"], "what would be the same stays long");
        assert_eq!(short_settings(&[""]), [""]);
        assert_eq!(short_settings(&["a=1"]), ["a=1"]);
    }

    #[test]
    fn names_are_read() {
        assert_eq!(pair_of("row=a b column=c"), Some(("a b", "c")));
        assert_eq!(player_of("player=pvs:depth=3 depth=4"), Some(("pvs:depth=3", Some(4))));
        assert_eq!(player_of("player=pvs"), Some(("pvs", None)));
        assert_eq!(of_text("row=a column=b"), "a against b");
        assert_eq!(values_of("a=1 b=x y"), [("a".into(), "1".into()), ("b".into(), "x y".into())]);
        assert!(same_parts("row=a column=b", "column=b row=a") && !same_parts("row=a", "row=b"));
    }
}
