//! Experiments as a page for people, the fields made from their descriptions in the code.

use std::fmt::Write;

use schemars::schema_for;
use serde_json::{Map, Value};

use super::Experiment;

/// What stands before the tables.
const INTRODUCTION: &str = include_str!("reference.md");

/// The page `docs/experiments.md`: what experiments are, then all their fields.
pub fn reference() -> String {
    let schema = schema_for!(Experiment).to_value();
    let empty = Map::new();
    let definitions = schema.get("$defs").and_then(Value::as_object).unwrap_or(&empty);
    let mut parts = Vec::new();
    find_parts(&schema, "", definitions, &mut parts);
    let mut page = INTRODUCTION.to_string();
    describe(&mut page, "The file", &schema, &parts, definitions);
    for part in &parts {
        if let Some(definition) = definitions.get(&part.definition) {
            describe(&mut page, &part.titles.join(" and "), definition, &parts, definitions);
        }
    }
    page.truncate(page.trim_end().len());
    page + "\n"
}

/// A table of a file, or a field with a choice of values.
struct Part {
    /// What the code calls it.
    definition: String,
    /// What people write: `[match]`, `[[tournament.players]]`; several if the same part stands in several places.
    titles: Vec<String>,
}

/// The parts of a table in the order of its fields, those of each part right behind it.
fn find_parts(schema: &Value, path: &str, definitions: &Map<String, Value>, parts: &mut Vec<Part>) {
    for (name, field) in properties(schema) {
        let Some((definition, is_list)) = part_of(field) else { continue };
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let is_choice = definitions.get(definition).is_some_and(|definition| definition.get("oneOf").is_some());
        let title = match (is_choice, is_list) {
            (true, _) => format!("Values of `{path}`"),
            (false, false) => format!("`[{path}]`"),
            (false, true) => format!("`[[{path}]]`"),
        };
        match parts.iter_mut().find(|part| part.definition == definition) {
            Some(known) => known.titles.push(title),
            None => {
                parts.push(Part { definition: definition.to_string(), titles: vec![title] });
                if let Some(definition) = definitions.get(definition) {
                    find_parts(definition, &path, definitions, parts);
                }
            }
        }
    }
}

/// The definition that a field refers to, if it does, and whether it takes a list of them.
fn part_of(field: &Value) -> Option<(&str, bool)> {
    if let Some(name) = field.get("$ref").and_then(Value::as_str) {
        return name.strip_prefix("#/$defs/").map(|name| (name, false));
    }
    if let Some(items) = field.get("items") {
        return part_of(items).map(|(name, _)| (name, true));
    }
    field.get("anyOf").and_then(Value::as_array)?.iter().find_map(part_of)
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).into_iter().flatten()
}

/// A table that begins with `kind`: its name, and its meaning with all its fields.
fn described_kind(choice: &Value, definitions: &Map<String, Value>) -> (String, String) {
    let kind = choice.pointer("/properties/kind/const").and_then(Value::as_str).unwrap_or_default();
    let name = match (kind, properties(choice).next()) {
        // A table in a table: `{ uniform = { low = …, high = … } }`.
        ("", Some((name, _))) => name.clone(),
        _ => format!("kind = \"{kind}\""),
    };
    let behind = part_of(choice).and_then(|(name, _)| definitions.get(name));
    let inside = if kind.is_empty() { properties(choice).next().map(|(_, table)| table) } else { None };
    let own = if inside.is_none() { Some(choice) } else { inside };
    let fields = own.into_iter().chain(behind).flat_map(properties).filter(|(name, _)| *name != "kind");
    let fields: Vec<String> = fields.map(|(name, field)| format!("`{name}`: {}", text(field, "description"))).collect();
    (name, [text(choice, "description"), fields.join(" ")].join(" ").trim().to_string())
}

fn describe(page: &mut String, title: &str, schema: &Value, parts: &[Part], definitions: &Map<String, Value>) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "### {title}\n\n{}\n", text(schema, "description"));
    if let Some(choices) = schema.get("oneOf").and_then(Value::as_array) {
        let _ = writeln!(page, "| value | meaning |\n|---|---|");
        for choice in choices {
            let (name, meaning) = match text(choice, "const") {
                name if name.is_empty() => described_kind(choice, definitions),
                name => (name, text(choice, "description")),
            };
            let _ = writeln!(page, "| `{name}` | {meaning} |");
        }
        let _ = writeln!(page);
        return;
    }
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let _ = writeln!(page, "| field | takes | default | meaning |\n|---|---|---|---|");
    for (name, field) in properties(schema) {
        let default = match field.get("default") {
            _ if required.contains(&name.as_str()) => "required".to_string(),
            None | Some(Value::Null | Value::Object(_) | Value::Array(_)) => "none".to_string(),
            Some(Value::String(text)) if text.is_empty() => "none".to_string(),
            Some(value) => format!("`{}`", plain(value)),
        };
        let _ = writeln!(page, "| `{name}` | {} | {default} | {} |", kind(field, parts), text(field, "description"));
    }
    let _ = writeln!(page);
}

/// A value as people write it: numbers of single precision with the digits that they have.
fn plain(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if value.is_f64() && f64::from(number as f32) == number => format!("{:?}", number as f32),
        _ => value.to_string().trim_matches('"').to_string(),
    }
}

fn text(schema: &Value, key: &str) -> String {
    schema.get(key).and_then(Value::as_str).unwrap_or_default().replace("\n\n", " ").replace('\n', " ")
}

/// What a field takes, in words.
fn kind(field: &Value, parts: &[Part]) -> String {
    if let Some((definition, is_list)) = part_of(field) {
        let titles = parts.iter().find(|part| part.definition == definition).map(|part| &part.titles);
        let is_choice = titles.is_some_and(|titles| titles.iter().any(|title| title.starts_with("Values of")));
        return match (is_choice, is_list) {
            (true, _) => "a name or a table with `kind`, see below",
            (false, false) => "table",
            (false, true) => "list of tables",
        }
        .to_string();
    }
    let word = |name: &str| match name {
        "string" => "text".to_string(),
        "integer" => "whole number".to_string(),
        "boolean" => "true or false".to_string(),
        "object" => "table".to_string(),
        "array" => format!("list of {}s", field.get("items").map_or("value".into(), |items| kind(items, parts))),
        other => other.to_string(),
    };
    let names = match field.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).filter(|&name| name != "null").collect(),
        _ => return "value".into(),
    };
    names.into_iter().map(word).collect::<Vec<_>>().join(" or ")
}
