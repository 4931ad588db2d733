//! Scales: an experiment with some values changed, as its own tables `[scale.NAME]` say.

use std::ops::Range;

use serde::Deserialize;
use toml_edit::{DocumentMut, Item, Value};

use super::change::set;
use super::errors::{ExperimentError, Text};

/// The name that means the experiment itself, with nothing changed.
pub const FULL: &str = "full";

/// More scales are a mistake.
const MOST_SCALES: usize = 8;

/// What is read before anything else.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    scale: toml::Table,
}

/// An experiment at a scale.
pub(super) struct Scaled<'a> {
    /// Its text.
    pub text: String,
    name: &'a str,
    /// What was changed, as paths.
    changes: Vec<String>,
}

/// The names of the scales in a text, in order.
pub(super) fn names(scales: &toml::Table, source: &Text<'_>) -> Result<Vec<String>, ExperimentError> {
    if scales.len() > MOST_SCALES {
        let message = format!("scale: {} of them, expected at most {MOST_SCALES}", scales.len());
        return Err(source.wrong(place(source, ""), message));
    }
    if scales.contains_key(FULL) {
        let message = format!("scale.{FULL}: the name means the experiment with nothing changed, expected another one");
        return Err(source.wrong(place(source, FULL), message));
    }
    Ok(scales.keys().cloned().collect())
}

/// What a scale changes, each as a path with its value; nothing if there is no such scale.
pub fn changes(text: &str, scale: &str) -> Vec<(String, String)> {
    let Ok(head) = toml::from_str::<Head>(text) else { return Vec::new() };
    let found = head.scale.get(scale).and_then(toml::Value::as_table);
    found.into_iter().flatten().map(|(path, value)| (path.clone(), value.to_string())).collect()
}

/// The names of the scales of a text, in order; none if it cannot be read.
pub fn names_of(text: &str) -> Vec<String> {
    toml::from_str::<Head>(text).map(|head| head.scale.keys().cloned().collect()).unwrap_or_default()
}

/// An experiment at one of its scales: the values changed, no tables of scales left, and the name of the scale in it.
pub(super) fn at_scale<'a>(source: &Text<'_>, name: &'a str) -> Result<Scaled<'a>, ExperimentError> {
    let head: Head = toml::from_str(source.text).map_err(|error| source.wrong_toml(&error))?;
    let known = names(&head.scale, source)?;
    if !head.scale.contains_key(name) {
        let message = match known.as_slice() {
            [] => format!("unknown scale {name:?}: the experiment has none, expected a table [scale.{name}]"),
            known => format!("unknown scale {name:?}, expected one of: {}", known.join(", ")),
        };
        return Err(source.wrong(place(source, ""), message));
    }
    let wrong = |path: &str, message: String| {
        let place = source.place_of_field(place(source, name), path);
        source.wrong(place, format!("scale.{name}: {message}"))
    };
    let mut document: DocumentMut = source.text.parse().map_err(|error| wrong("", format!("{error}")))?;
    let scales = document.remove("scale");
    let own = scales.as_ref().and_then(Item::as_table_like).and_then(|scales| scales.get(name));
    let own = own.and_then(Item::as_table_like);
    let own = own.ok_or_else(|| wrong("", "expected a table of changes".into()))?;
    if own.is_empty() {
        return Err(wrong("", "it changes nothing, expected \"TABLE.FIELD\" = VALUE".into()));
    }
    let mut changes = Vec::new();
    for (path, item) in own.iter() {
        let value = item.as_value().filter(|value| path.contains('.') || !matches!(value, Value::InlineTable(_)));
        let Some(value) = value else {
            let message = format!("{path}: expected the path of a value, in quotes: \"{path}.FIELD\" = VALUE");
            return Err(wrong(path, message));
        };
        if matches!(path.split('.').next(), Some("scale" | "scaled")) {
            return Err(wrong(path, format!("{path}: a scale changes no scales")));
        }
        let mut value = value.clone();
        value.decor_mut().clear();
        set(&mut document, path, value).map_err(|reason| wrong(path, format!("{path}: {reason}")))?;
        changes.push(path.to_string());
    }
    document.insert("scaled", toml_edit::value(name));
    Ok(Scaled { text: document.to_string(), name, changes })
}

impl Scaled<'_> {
    /// What is wrong with the changed text, told where the file says it: at the change, or at the line that was not changed.
    pub fn explain(&self, error: &ExperimentError, source: &Text<'_>) -> ExperimentError {
        let line = self.text.lines().nth(error.line - 1).unwrap_or_default();
        let field = line.split('=').next().unwrap_or_default().trim();
        let own = place(source, self.name);
        let is_meant = |path: &&String| path.rsplit('.').next() == Some(field) || path.as_str() == field;
        let changed = self.changes.iter().find(is_meant).map(|path| source.place_of_field(own.clone(), path));
        let same = || {
            let earlier = self.text.lines().take(error.line - 1).filter(|other| *other == line).count();
            let mut starts = line_starts(source.text).filter(|(_, other)| *other == line && !line.trim().is_empty());
            starts.nth(earlier).map(|(start, _)| start..start)
        };
        let place = changed.or_else(same).unwrap_or(own);
        source.wrong(place, format!("scale.{}: {}", self.name, error.message))
    }
}

/// Where a scale stands; where scales begin, if it stands nowhere as a table of its own.
fn place(source: &Text<'_>, name: &str) -> Range<usize> {
    let own = source.place_of(&format!("[scale.{name}]"));
    if own.is_empty() { source.place_of("[scale") } else { own }
}

/// The lines of a text with the places where they begin.
fn line_starts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let own = start;
        start += line.len() + 1;
        (own, line)
    })
}
