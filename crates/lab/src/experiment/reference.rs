//! The fields of experiments as a page for people, made from their descriptions in the code.

use std::fmt::Write;

use schemars::schema_for;
use serde_json::Value;

use super::Experiment;

/// The tables of fields, as Markdown: part of `docs/experiments.md`.
pub fn reference() -> String {
    let schema = schema_for!(Experiment).to_value();
    let mut page = String::new();
    describe(&mut page, "The file", &schema);
    let definitions = schema.get("$defs").and_then(Value::as_object);
    // In the order in which the fields of the file mention them.
    let mut names = Vec::new();
    mentioned(&schema["properties"], definitions, &mut names);
    for name in names {
        if let Some(definition) = definitions.and_then(|definitions| definitions.get(&name)) {
            describe(&mut page, &format!("`{name}`"), definition);
        }
    }
    page
}

/// The definitions that a schema refers to, each once, those it leads to right behind it.
fn mentioned(schema: &Value, definitions: Option<&serde_json::Map<String, Value>>, names: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value.as_str().and_then(|text| text.strip_prefix("#/$defs/")) {
                    Some(name) if key == "$ref" && !names.iter().any(|known| known == name) => {
                        names.push(name.to_string());
                        if let Some(definition) = definitions.and_then(|definitions| definitions.get(name)) {
                            mentioned(definition, definitions, names);
                        }
                    }
                    _ => mentioned(value, definitions, names),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| mentioned(item, definitions, names)),
        _ => {}
    }
}

fn describe(page: &mut String, title: &str, schema: &Value) {
    // Writing to a string cannot fail.
    let _ = writeln!(page, "## {title}\n\n{}\n", text(schema, "description"));
    if let Some(choices) = schema.get("oneOf").and_then(Value::as_array) {
        let _ = writeln!(page, "| value | meaning |\n|---|---|");
        for choice in choices {
            let _ = writeln!(page, "| `{}` | {} |", text(choice, "const"), text(choice, "description"));
        }
        let _ = writeln!(page);
        return;
    }
    let required: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let _ = writeln!(page, "| field | takes | default | meaning |\n|---|---|---|---|");
    for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let default = match field.get("default") {
            _ if required.contains(&name.as_str()) => "required".to_string(),
            None | Some(Value::Null | Value::Object(_) | Value::Array(_)) => "none".to_string(),
            Some(Value::String(text)) if text.is_empty() => "none".to_string(),
            Some(value) => format!("`{}`", value.to_string().trim_matches('"')),
        };
        let _ = writeln!(page, "| `{name}` | {} | {default} | {} |", kind(field), text(field, "description"));
    }
    let _ = writeln!(page);
}

fn text(schema: &Value, key: &str) -> String {
    schema.get(key).and_then(Value::as_str).unwrap_or_default().replace("\n\n", " ").replace('\n', " ")
}

fn kind(schema: &Value) -> String {
    let reference = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix("#/$defs/"));
    if let Some(name) = reference {
        return format!("`{name}`");
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        let named: Vec<String> = any.iter().map(kind).filter(|kind| kind != "nothing").collect();
        return named.join(" or ");
    }
    let word = |name: &str| match name {
        "string" => "text".to_string(),
        "integer" => "whole number".to_string(),
        "number" => "number".to_string(),
        "boolean" => "true or false".to_string(),
        "object" => "table".to_string(),
        "null" => "nothing".to_string(),
        "array" => format!("list of {}", schema.get("items").map_or("values".into(), kind)),
        other => other.to_string(),
    };
    match schema.get("type") {
        Some(Value::String(name)) => word(name),
        Some(Value::Array(names)) => {
            let named: Vec<String> =
                names.iter().filter_map(Value::as_str).map(word).filter(|kind| kind != "nothing").collect();
            named.join(" or ")
        }
        _ => "value".into(),
    }
}
