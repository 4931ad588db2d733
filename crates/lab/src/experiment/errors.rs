//! What is wrong with an experiment, and where.

use std::ops::Range;

/// Something wrong with an experiment: one line that names file, line and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {message}")]
pub struct ExperimentError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// A text with its name.
pub(super) struct Text<'a> {
    pub text: &'a str,
    pub file: &'a str,
}

impl Text<'_> {
    /// Something wrong at a place.
    pub fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> ExperimentError {
        let before = self.text.get(..span.start.min(self.text.len())).unwrap_or_default();
        let message = message.into().lines().map(str::trim).collect::<Vec<_>>().join(" ");
        ExperimentError { file: self.file.to_string(), line: before.matches('\n').count() + 1, message }
    }

    /// Something wrong with the text as TOML, or with a field of it.
    pub fn wrong_toml(&self, error: &toml::de::Error) -> ExperimentError {
        let message = with_nearest(error.message());
        self.wrong(error.span().unwrap_or(0..0), message)
    }

    /// A place where a word stands, for what has no place of its own; the beginning if it stands nowhere.
    pub fn place_of(&self, word: &str) -> Range<usize> {
        self.text.find(word).map_or(0..0, |at| at..at + word.len())
    }
}

/// Adds the nearest known name to `unknown field` and `unknown variant`.
fn with_nearest(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let (Some(wrong), true) = (quoted.next(), message.starts_with("unknown ")) else { return message.to_string() };
    match nearest(wrong, quoted) {
        Some(known) => {
            let (first, rest) = message.split_once(',').unwrap_or((message, ""));
            format!("{first}, did you mean `{known}`?{}{rest}", if rest.is_empty() { "" } else { " Known:" })
        }
        None => message.to_string(),
    }
}

/// The name most like `wrong`, if one is like it at all.
pub(super) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|name| (strsim::jaro_winkler(wrong, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
