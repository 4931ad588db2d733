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

/// The longest message, in characters.
const LONGEST: usize = 600;

/// A text with its name.
pub(super) struct Text<'a> {
    pub text: &'a str,
    pub file: &'a str,
}

impl Text<'_> {
    /// Something wrong at a place. What was mistyped gets the nearest known name.
    pub fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> ExperimentError {
        let before = self.text.get(..span.start.min(self.text.len())).unwrap_or_default();
        let file = self.file.to_string();
        ExperimentError {
            file,
            line: before.matches('\n').count() + 1,
            message: one_line(&with_nearest(message.into())),
        }
    }

    /// Something wrong with the text as TOML, or with a field of it.
    pub fn wrong_toml(&self, error: &toml::de::Error) -> ExperimentError {
        let span = error.span().unwrap_or(0..0);
        let message = error.message();
        let (field, table) = (self.field_at(&span), self.table_at(&span));
        let message = match message.split_once(", expected ") {
            Some((found, expected)) if found.starts_with("invalid type: ") || found.starts_with("invalid value: ") => {
                let found = found.split_once(": ").map_or(found, |(_, found)| found);
                match (&table, expected_in_words(expected)) {
                    (None, expected) => format!("{field}{}: expected {expected}", found_in_words(found)),
                    (Some(table), "a list") => format!("{table}: expected a list of tables, [{table}]"),
                    (Some(table), _) => format!("{table}: expected one table, {}", single(table)),
                }
            }
            Some((found, expected)) if found.starts_with("invalid length ") => {
                let length = found.trim_start_matches("invalid length ");
                format!("{field}a list of {length}: expected {}", expected_in_words(expected))
            }
            _ if message.starts_with("missing field ") => {
                format!("{message}{}", table.map_or(String::new(), |table| format!(" in {table}")))
            }
            _ if message.starts_with("unknown ") => message.replace("unknown variant", "unknown value"),
            _ if message == "wanted string or table" => format!("{field}{}: expected a text in quotes", self.at(&span)),
            _ if message == "duplicate key" => format!("{} is given twice", self.at(&span)),
            Some(("string values must be quoted", _)) => {
                format!("not TOML: {field}…: expected a text in quotes, a number, true, false, a list or a table")
            }
            // Everything else is about the text before any field is known.
            _ => format!("not TOML: {message}"),
        };
        self.wrong(span, message)
    }

    /// A place where a word stands, for what has no place of its own; the beginning if it stands nowhere.
    pub fn place_of(&self, word: &str) -> Range<usize> {
        self.text.find(word).map_or(0..0, |at| at..at + word.len())
    }

    /// The place behind `from` where a field of that name gets its value; `from` if it stands nowhere.
    pub fn place_of_field(&self, from: Range<usize>, name: &str) -> Range<usize> {
        let rest = self.text.get(from.start..).unwrap_or_default();
        let is_field = |at: usize| {
            let letter = |letter: char| letter.is_alphanumeric() || "-_{".contains(letter);
            rest[at + name.len()..].trim_start_matches(['"', '\'', ' ']).starts_with('=')
                && !rest[..at].chars().next_back().is_some_and(letter)
        };
        let found = rest.match_indices(name).map(|(at, _)| at).find(|&at| !name.is_empty() && is_field(at));
        found.map_or(from.clone(), |at| from.start + at..from.start + at + name.len())
    }

    /// The place of what a message is about in the table `[kind]`: the last field that it tells a value of (`field = …`), else the
    /// first name in it: in brackets, quoted, or before a colon.
    pub fn place_in_table(&self, kind: &str, message: &str) -> Option<Range<usize>> {
        let start = self.text.find(&format!("[{kind}"))?;
        let rest = &self.text[start..];
        let other = |line: &str| line.starts_with('[') && !line.trim_start_matches('[').starts_with(kind);
        let length = rest.split_inclusive('\n').take_while(|line| !other(line)).map(str::len).sum::<usize>();
        let table = Text { text: &rest[..length], file: self.file };
        let told = message.match_indices(" = ").filter_map(|(at, _)| message[..at].rsplit([' ', '`', ',']).next());
        let quoted = message.split('`').skip(1).step_by(2);
        let tables = message.split_once(" in [").and_then(|(_, rest)| rest.split(']').next()).into_iter();
        let parts = message.split(": ").map(|part| part.trim_matches('"'));
        told.collect::<Vec<_>>().into_iter().rev().chain(tables).chain(quoted).chain(parts).find_map(|name| {
            let field = Some(table.place_of_field(0..0, name)).filter(|place| !place.is_empty());
            let stands = |word: String| table.text.find(&word).map(|at| at..at + word.len());
            let place = field.or_else(|| stands(format!("[{kind}.{name}]"))).or_else(|| stands(format!("{name:?}")))?;
            Some(start + place.start..start + place.end)
        })
    }

    /// What stands at a place.
    fn at(&self, span: &Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or_default().trim()
    }

    /// The line at a place.
    fn line_at(&self, span: &Range<usize>) -> &str {
        let at = span.start.min(self.text.len());
        let start = self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default()
    }

    /// `field = `, if the line at a place begins with a field.
    fn field_at(&self, span: &Range<usize>) -> String {
        let line = self.line_at(span).trim_start();
        let name: String =
            line.chars().take_while(|&letter| letter.is_alphanumeric() || "-_.".contains(letter)).collect();
        let is_field = !name.is_empty() && line[name.len()..].trim_start().starts_with('=');
        if is_field { format!("{name} = ") } else { String::new() }
    }

    /// `[table]` or `[[table]]`, if the line at a place begins with one.
    fn table_at(&self, span: &Range<usize>) -> Option<String> {
        let line = self.line_at(span).trim_start();
        let name = line.split(']').next().filter(|name| name.starts_with('['))?;
        Some(if name.starts_with("[[") { format!("{name}]]") } else { format!("{name}]") })
    }
}

/// `[table]` for `[[table]]`.
fn single(table: &str) -> String {
    format!("[{}]", table.trim_matches(['[', ']']))
}

/// What was found, as people write it.
fn found_in_words(found: &str) -> String {
    match found.split_once(' ') {
        _ if found == "map" => "a table".into(),
        _ if found == "sequence" => "a list".into(),
        Some(("string", text)) => text.to_string(),
        _ => found.split('`').nth(1).unwrap_or(found).to_string(),
    }
}

/// What was expected, without the words of a program.
fn expected_in_words(expected: &str) -> &str {
    match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        "an array of length 2" => "a list of two numbers",
        _ if expected.starts_with("struct ") => "a table",
        _ if expected.starts_with("internally tagged enum ") => "a table with its kind",
        _ => expected,
    }
}

/// Adds the nearest known name where a message tells what was found and what is known.
pub(super) fn with_nearest(message: String) -> String {
    // `unknown field `x`, expected one of `a`, `b``: the words of the TOML reader.
    if message.starts_with("unknown ") && message.contains('`') {
        let mut quoted = message.split('`').skip(1).step_by(2);
        let near = quoted.next().and_then(|wrong| nearest(wrong, quoted));
        return match (near, message.split_once(", expected ")) {
            (Some(known), Some((first, rest))) => format!("{first}, did you mean `{known}`? Expected {rest}"),
            _ => message,
        };
    }
    // `… "x", expected one of: a, b` and `… "x"; it has: a, b`: the words of this program.
    for mark in [", expected one of: ", "; it has: "] {
        if let Some((found, known)) = message.split_once(mark)
            && let Some(wrong) = found.strip_suffix('"').and_then(|found| found.rsplit_once('"'))
            && let Some(near) = nearest(wrong.1, known.split(", "))
        {
            let expected = mark.trim_start_matches([',', ';', ' ']);
            let (letter, rest) = expected.split_at(1);
            return format!("{found}, did you mean {near:?}? {}{rest}{known}", letter.to_uppercase());
        }
    }
    message
}

/// The name most like `wrong`, if one is like it at all.
pub(super) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if wrong.chars().count() > 60 {
        return None;
    }
    known
        .map(|name| (strsim::jaro_winkler(wrong, name), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// A message on one line, of bearable length, without what would confuse a terminal.
fn one_line(message: &str) -> String {
    let joined = message.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ");
    let plain = joined.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter });
    let mut text: String = plain.clone().take(LONGEST).collect();
    if plain.count() > LONGEST {
        text.push('…');
    }
    text
}
