//! The text of an experiment with some values changed; everything else stays as it is.

/// Changes values, each given as `TABLE.FIELD=VALUE`. An error names the change that is wrong.
pub fn changed(text: &str, changes: &[String]) -> Result<String, String> {
    let mut document: toml_edit::DocumentMut = text.parse().map_err(|error| format!("the experiment: {error}"))?;
    for change in changes {
        let (path, value) = change.split_once('=').ok_or_else(|| format!("{change:?}: expected TABLE.FIELD=VALUE"))?;
        let value: toml_edit::Value = match value.parse() {
            Ok(value) => value,
            // A text needs no quotes here.
            Err(_) => value.into(),
        };
        let (tables, field) = match path.rsplit_once('.') {
            Some((tables, field)) => (tables.split('.').collect(), field),
            None => (Vec::new(), path),
        };
        let mut table = document.as_table_mut() as &mut dyn toml_edit::TableLike;
        for name in tables {
            let item = table.get_mut(name).ok_or_else(|| format!("{change}: the experiment has no table [{name}]"))?;
            table = item.as_table_like_mut().ok_or_else(|| format!("{change}: {name} is no table"))?;
        }
        table.insert(field, toml_edit::value(value));
    }
    Ok(document.to_string())
}
