//! Many trials from one text: every `{name}` stands for a value.

use std::fmt;

use lanista_core::Seed;

use super::errors::{ExperimentError, Text};
use super::fields::Sweep;

/// The most trials of one file.
const MOST_TRIALS: usize = 100_000;

/// The values of one setting, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Values(Vec<(String, toml::Value)>);

impl Values {
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

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = self.0.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
        f.write_str(&parts.join(" "))
    }
}

/// All settings of a sweep, in order.
pub(super) fn settings(sweep: &Sweep, seed: Seed, source: &Text<'_>) -> Result<Vec<Values>, ExperimentError> {
    let fail = |message: String| source.wrong(source.place_of("[sweep"), message);
    let given = [!sweep.grid.is_empty(), !sweep.list.is_empty(), !sweep.random.is_empty()];
    if given.iter().filter(|&&given| given).count() != 1 {
        return Err(fail("sweep: expected one of grid, list and random".into()));
    }
    if sweep.trials.is_some() && sweep.random.is_empty() {
        return Err(fail("sweep: trials belongs to a random search".into()));
    }
    let settings = if !sweep.grid.is_empty() {
        grid(&sweep.grid).map_err(fail)?
    } else if !sweep.list.is_empty() {
        list(&sweep.list).map_err(fail)?
    } else {
        let trials = sweep.trials.as_deref().copied().unwrap_or(0);
        if trials == 0 {
            return Err(fail("sweep: a random search needs trials, the number of its trials".into()));
        }
        (0..u64::from(trials))
            .map(|trial| draw(&sweep.random, seed.child(trial)))
            .collect::<Result<_, _>>()
            .map_err(fail)?
    };
    if settings.len() > MOST_TRIALS {
        return Err(fail(format!("sweep: {} trials, expected at most {MOST_TRIALS}", settings.len())));
    }
    for (name, _) in settings.iter().flat_map(|values| &values.0) {
        if !source.text.contains(&format!("{{{name}}}")) {
            return Err(fail(format!("sweep: {{{name}}} stands nowhere in the file")));
        }
    }
    Ok(settings)
}

fn grid(grid: &toml::Table) -> Result<Vec<Values>, String> {
    let mut settings = vec![Values::default()];
    for (name, values) in grid {
        let values = values.as_array().filter(|values| !values.is_empty());
        let values = values.ok_or_else(|| format!("sweep: grid.{name}: expected a list of values"))?;
        values.iter().try_for_each(|value| check(name, value))?;
        if settings.len() * values.len() > MOST_TRIALS {
            return Err(format!("sweep: more than {MOST_TRIALS} trials"));
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

fn list(list: &[toml::Table]) -> Result<Vec<Values>, String> {
    let names: Vec<&String> = list[0].keys().collect();
    list.iter()
        .map(|entry| {
            if !entry.keys().eq(names.iter().copied()) {
                return Err(
                    "sweep: every entry of list must give the same names a value, in the same order".to_string()
                );
            }
            entry.iter().try_for_each(|(name, value)| check(name, value))?;
            Ok(Values(entry.iter().map(|(name, value)| (name.clone(), value.clone())).collect()))
        })
        .collect()
}

/// A setting of a random search.
fn draw(ranges: &toml::Table, seed: Seed) -> Result<Values, String> {
    let mut random = seed.stream();
    let mut values = Vec::new();
    for (name, range) in ranges {
        let fail = || {
            format!(
                "sweep: random.{name}: expected {{ from = 1, to = 9 }}, {{ from = 0.0, to = 1.0 }} or {{ of = [\"a\", \"b\"] }}"
            )
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

fn check(name: &str, value: &toml::Value) -> Result<(), String> {
    match value {
        toml::Value::String(text) if text.contains(['"', '\\', '\n', '{', '}']) => {
            Err(format!("sweep: {name} = {text:?}: values must not contain quotes, backslashes, braces or line ends"))
        }
        toml::Value::String(_) | toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) => Ok(()),
        _ => Err(format!("sweep: {name}: expected texts, numbers, true or false")),
    }
}
