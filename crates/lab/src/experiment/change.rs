//! The text of an experiment with some values changed; everything else stays as it is.

use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

/// Changes values, each given as `TABLE.FIELD=VALUE`. An error names the change that is wrong.
pub fn changed(text: &str, changes: &[String]) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error| format!("the experiment: {error}"))?;
    for change in changes {
        let (path, value) = change.split_once('=').ok_or_else(|| format!("{change:?}: expected TABLE.FIELD=VALUE"))?;
        let value: Value = match value.parse() {
            Ok(value) => value,
            // A text needs no quotes here.
            Err(_) => value.into(),
        };
        set(&mut document, path, value).map_err(|reason| format!("{change}: {reason}"))?;
    }
    Ok(document.to_string())
}

/// Sets the value at a path: names of tables and, where there is a list, the number of an element from 0, separated by dots.
/// Tables that are not there are made.
pub(super) fn set(document: &mut DocumentMut, path: &str, value: Value) -> Result<(), String> {
    let parts: Vec<&str> = path.split('.').collect();
    if parts.iter().any(|part| part.is_empty()) {
        return Err(format!("{path:?}: expected TABLE.FIELD"));
    }
    set_in_table(document.as_table_mut(), &parts, value)
}

fn set_in_table(table: &mut dyn TableLike, path: &[&str], value: Value) -> Result<(), String> {
    let Some((&name, rest)) = path.split_first() else { return Ok(()) };
    if rest.is_empty() {
        table.insert(name, Item::Value(value));
        return Ok(());
    }
    match table.entry(name).or_insert_with(|| Item::Value(InlineTable::new().into())) {
        Item::Table(inner) => set_in_table(inner, rest, value),
        Item::Value(inner) => set_in_value(inner, name, rest, value),
        Item::ArrayOfTables(list) => {
            let (count, number) = (list.len(), rest[0]);
            let element = number.parse().ok().and_then(|number| list.get_mut(number));
            let element = element.ok_or_else(|| no_element(name, count, number))?;
            match &rest[1..] {
                [] => Err(format!("{name}.{number} is a table: expected a field of it, or the whole list")),
                rest => set_in_table(element, rest, value),
            }
        }
        Item::None => Err(format!("{name} is no table")),
    }
}

fn set_in_value(holder: &mut Value, name: &str, path: &[&str], value: Value) -> Result<(), String> {
    let Some((&next, rest)) = path.split_first() else {
        *holder = value;
        return Ok(());
    };
    match holder {
        Value::InlineTable(table) => set_in_table(table, path, value),
        Value::Array(list) => {
            let count = list.len();
            let element = next.parse().ok().and_then(|number| list.get_mut(number));
            set_in_value(element.ok_or_else(|| no_element(name, count, next))?, next, rest, value)
        }
        _ => Err(format!("{name} is no table")),
    }
}

fn no_element(name: &str, count: usize, number: &str) -> String {
    format!("{name} is a list of {count}, and {number:?} is none of its numbers, from 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "title = \"x\" # a study\n\n[sweep]\ngrid.depth = [1, 2]\n\n[[a.players]]\nname = \"I\"\n\n\
                        [[a.players]]\nname = \"II\"\n\n[b]\nlist = [{ size = 1 }, { size = 2 }]\n";

    fn value_after(change: &str, path: &[&str]) -> toml::Value {
        let text = changed(TEXT, &[change.to_string()]).unwrap_or_else(|error| panic!("{error}"));
        let mut value: toml::Value = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for part in path {
            value = match part.parse::<usize>() {
                Ok(number) => value[number].clone(),
                Err(_) => value[*part].clone(),
            };
        }
        value
    }

    #[test]
    fn every_place_can_be_reached() {
        let cases: [(&str, &[&str], &str); 8] = [
            ("title=y", &["title"], "\"y\""),
            ("sweep.grid.depth=[7]", &["sweep", "grid", "depth"], "[7]"),
            ("a.players.1.name=III", &["a", "players", "1", "name"], "\"III\""),
            ("b.list.0.size=5", &["b", "list", "0", "size"], "5"),
            ("b.list.1={ size = 9 }", &["b", "list", "1", "size"], "9"),
            ("b.list=[]", &["b", "list"], "[]"),
            ("a.players=[{ name = \"IV\" }]", &["a", "players", "0", "name"], "\"IV\""),
            ("c.d.e=true", &["c", "d", "e"], "true"),
        ];
        for (change, path, expected) in cases {
            assert_eq!(value_after(change, path).to_string(), expected, "{change}");
        }
    }

    #[test]
    fn what_cannot_be_reached_is_told() {
        let cases = [
            ("title", "expected TABLE.FIELD=VALUE"),
            ("title.x=1", "title is no table"),
            ("a.players.2.name=x", "a list of 2"),
            ("a.players.1=x", "is a table"),
            ("b.list.x.size=1", "none of its numbers"),
            ("b..list=1", "expected TABLE.FIELD"),
        ];
        for (change, expected) in cases {
            let error = changed(TEXT, &[change.to_string()]).expect_err(change);
            assert!(error.starts_with(change) || error.starts_with(&format!("{change:?}")), "{error}");
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn everything_else_stays() {
        let text = changed(TEXT, &["b.list.0.size=5".to_string()]).expect("a change");
        assert_eq!(text, TEXT.replace("size = 1", "size = 5"));
    }
}
