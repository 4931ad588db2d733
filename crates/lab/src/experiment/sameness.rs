//! Whether two texts are the same study: what people wrote about it may differ, what is done may not.

/// What changes nothing of what is done.
const PROSE: [&str; 7] = ["title", "about", "findings", "published", "headline", "cost-then", "scale"];

/// Whether two texts describe the same study at the same scale. Texts that are no TOML are no study.
pub fn is_same_study(a: &str, b: &str) -> bool {
    essence(a).is_some_and(|a| Some(a) == essence(b))
}

/// What is done in a study, as a text that does not depend on the order of fields; none of a text that is no TOML.
pub fn essence(text: &str) -> Option<String> {
    let mut table: toml::Table = toml::from_str(text).ok()?;
    PROSE.iter().for_each(|name| drop(table.remove(*name)));
    // The order of a sweep is the order of its trials.
    let sweep = table.remove("sweep").map(|sweep| sweep.to_string()).unwrap_or_default();
    Some(format!("{}\n{sweep}", sorted(table.into())))
}

fn sorted(value: toml::Value) -> toml::Value {
    match value {
        toml::Value::Array(values) => values.into_iter().map(sorted).collect::<Vec<_>>().into(),
        toml::Value::Table(table) => {
            let mut fields: Vec<(String, toml::Value)> = table.into_iter().collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            fields.into_iter().map(|(name, value)| (name, sorted(value))).collect::<toml::Table>().into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_done_counts() {
        let text = "title = \"a\"\nseed = 1\n[sweep]\ngrid.a = [1]\ngrid.b = [2]\n[match]\npairs = 1\n";
        assert!(is_same_study(text, text));
        assert!(is_same_study(text, &text.replace("\"a\"", "\"b\"\nfindings = \"c\" # d")));
        assert!(is_same_study(
            text,
            &format!("{text}[[published]]\nvalue = 1\n[[headline]]\nname = \"x\"\n[scale.small]\nseed = 2\n")
        ));
        assert!(!is_same_study(text, &text.replace("seed = 1", "seed = 2")));
        assert!(!is_same_study(text, &text.replace("seed = 1", "seed = 1\nscaled = \"small\"")));
        assert!(!is_same_study(text, &text.replace("grid.a = [1]\ngrid.b = [2]", "grid.b = [2]\ngrid.a = [1]")));
        let other_order = "[match]\npairs = 1\n[sweep]\ngrid.a = [1]\ngrid.b = [2]\n";
        assert!(is_same_study(text, &format!("seed = 1\n{other_order}")));
        assert!(!is_same_study("=", "="));
    }
}
