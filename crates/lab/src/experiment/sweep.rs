//! Many trials from one text: every `{name}` stands for a value.

use std::fmt;
use std::ops::Range;

use lanista_core::Seed;

use super::errors::{ExperimentError, Text, nearest};
use super::fields::Sweep;

/// The most trials of one file, replicates included.
pub(super) const MOST_TRIALS: usize = 10_000;

/// The values of one setting, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Vec<(String, toml::Value)>);

impl Values {
    /// The names that have values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// The text with the values in place of their names. `"{name}"` alone in its quotes becomes the value itself, so that it
    /// may be a number; `{name}` inside a longer string becomes its text. Lines stay where they are.
    pub fn put_into(&self, text: &str) -> String {
        let mut text = text.to_string();
        for (name, value) in &self.0 {
            text = text.replace(&format!("\"{{{name}}}\""), &value.to_string());
            text = text.replace(&format!("{{{name}}}"), &plain(value));
        }
        text
    }
}

/// A value as part of a string.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The names in braces that are left in a line: placeholders that nothing replaced.
pub(super) fn placeholders(line: &str) -> impl Iterator<Item = &str> {
    line.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name).filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter))
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
        f.write_str(&parts.join(" "))
    }
}

/// What is wrong with a sweep: the name that it is about, if it is about one, and the message.
type Wrong = (Option<String>, String);

/// All settings of a sweep, in order. `span` is where it stands.
pub(super) fn settings(
    sweep: &Sweep,
    span: Range<usize>,
    seed: Seed,
    source: &Text<'_>,
) -> Result<Vec<Values>, ExperimentError> {
    let fail = |(name, message): Wrong| {
        let place = name.map_or(span.clone(), |name| source.place_of_field(span.clone(), &name));
        source.wrong(place, format!("sweep: {message}"))
    };
    let kinds = [("grid", sweep.grid.is_empty()), ("list", sweep.list.is_empty()), ("random", sweep.random.is_empty())];
    let given: Vec<&str> = kinds.iter().filter(|(_, empty)| !empty).map(|&(kind, _)| kind).collect();
    if given.len() != 1 {
        let found = if given.is_empty() { "none".to_string() } else { given.join(" and ") };
        return Err(fail((None, format!("expected exactly one of grid, list and random, found {found}"))));
    }
    if let (Some(trials), true) = (&sweep.trials, sweep.random.is_empty()) {
        return Err(source.wrong(trials.span(), "sweep: trials belongs to random"));
    }
    let settings = if !sweep.grid.is_empty() {
        grid(&sweep.grid).map_err(fail)?
    } else if !sweep.list.is_empty() {
        list(&sweep.list).map_err(fail)?
    } else {
        let Some(trials) = &sweep.trials else {
            return Err(fail((None, "random needs trials, the number of its trials".into())));
        };
        if !(1..=MOST_TRIALS).contains(&(**trials as usize)) {
            let message = format!("sweep: trials = {}: expected 1 to {MOST_TRIALS}", **trials);
            return Err(source.wrong(trials.span(), message));
        }
        (0..u64::from(**trials))
            .map(|trial| draw(&sweep.random, seed.child(trial)))
            .collect::<Result<_, _>>()
            .map_err(fail)?
    };
    for (name, _) in settings.first().into_iter().flat_map(|values| &values.0) {
        if !is_name(name) {
            let message = format!("the name {name:?}: expected letters, digits, - and _ only");
            return Err(fail((Some(name.clone()), message)));
        }
        if !source.text.contains(&format!("{{{name}}}")) {
            let near = nearest(name, source.text.lines().flat_map(placeholders));
            let hint = near.map_or(String::new(), |near| format!(", did you mean {{{near}}}?"));
            return Err(fail((Some(name.clone()), format!("{{{name}}} stands nowhere in the file{hint}"))));
        }
    }
    Ok(settings)
}

fn grid(grid: &toml::Table) -> Result<Vec<Values>, Wrong> {
    let mut settings = vec![Values::default()];
    for (name, values) in grid {
        let fail = |message: String| (Some(name.clone()), message);
        let values = values.as_array().filter(|values| !values.is_empty());
        let values = values.ok_or_else(|| fail(format!("grid.{name}: expected a list of values")))?;
        for (index, value) in values.iter().enumerate() {
            check(name, value)?;
            if values[..index].contains(value) {
                return Err(fail(format!("grid.{name}: {} is listed twice", plain(value))));
            }
        }
        if settings.len() * values.len() > MOST_TRIALS {
            return Err(fail(format!("more than {MOST_TRIALS} trials: expected fewer combinations")));
        }
        settings = settings
            .iter()
            .flat_map(|setting| {
                values.iter().map(|value| {
                    let mut setting = setting.clone();
                    setting.0.push((name.clone(), value.clone()));
                    setting
                })
            })
            .collect();
    }
    Ok(settings)
}

fn list(list: &[toml::Table]) -> Result<Vec<Values>, Wrong> {
    if list.len() > MOST_TRIALS {
        return Err((None, format!("{} trials, expected at most {MOST_TRIALS}", list.len())));
    }
    let names: Vec<&String> = list[0].keys().collect();
    if names.is_empty() {
        return Err((None, "list: the first entry is empty, expected name = value".into()));
    }
    list.iter()
        .enumerate()
        .map(|(index, entry)| {
            if !entry.keys().eq(names.iter().copied()) {
                let names = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ");
                let number = index + 1;
                return Err((None, format!("entry {number} of list: expected values for {names}, in this order")));
            }
            if let Some(same) = list[..index].iter().position(|other| other == entry) {
                return Err((None, format!("entries {} and {} of list are the same", same + 1, index + 1)));
            }
            entry.iter().try_for_each(|(name, value)| check(name, value))?;
            Ok(Values(entry.iter().map(|(name, value)| (name.clone(), value.clone())).collect()))
        })
        .collect()
}

/// A setting of a random search.
fn draw(ranges: &toml::Table, seed: Seed) -> Result<Values, Wrong> {
    let mut random = seed.stream();
    let mut values = Vec::new();
    for (name, range) in ranges {
        let fail = || {
            let kinds = "{ from = 1, to = 9 }, { from = 0.0, to = 1.0 }, from below to, or { of = [\"a\", \"b\"] }";
            (Some(name.clone()), format!("random.{name}: expected {kinds}"))
        };
        let range = range.as_table().ok_or_else(fail)?;
        let known = range.keys().all(|key| ["from", "to", "of"].contains(&key.as_str()));
        let value = match (range.get("from"), range.get("to"), range.get("of")) {
            (Some(toml::Value::Integer(from)), Some(toml::Value::Integer(to)), None) if known && from <= to => {
                let span = to.checked_sub(*from).and_then(|span| u32::try_from(span + 1).ok()).ok_or_else(fail)?;
                toml::Value::Integer(from + i64::from(random.below(span)))
            }
            (Some(toml::Value::Float(from)), Some(toml::Value::Float(to)), None)
                if known && from <= to && from.is_finite() && to.is_finite() =>
            {
                toml::Value::Float(from + (to - from) * random.unit())
            }
            (None, None, Some(toml::Value::Array(of))) if known && !of.is_empty() => {
                let value = of[random.below(of.len() as u32) as usize].clone();
                check(name, &value)?;
                value
            }
            _ => return Err(fail()),
        };
        values.push((name.clone(), value));
    }
    Ok(Values(values))
}

fn check(name: &str, value: &toml::Value) -> Result<(), Wrong> {
    let fail = |message: String| Err((Some(name.to_string()), message));
    match value {
        toml::Value::String(text) if text.contains(['"', '\\', '{', '}']) || text.contains(char::is_control) => {
            fail(format!("{name} = {text:?}: values must not contain quotes, backslashes, braces or line ends"))
        }
        toml::Value::String(_) | toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Ok(()),
        _ => fail(format!("{name}: expected texts, numbers, true or false")),
    }
}
