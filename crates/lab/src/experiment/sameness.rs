//! Whether two texts are the same study: what people wrote about it may differ, what is done may not.

/// What changes nothing of what is done.
const PROSE: [&str; 6] = ["title", "about", "findings", "published", "cost-then", "scale"];

/// Whether two texts describe the same study at the same scale. Texts that are no TOML are no study.
pub fn is_same_study(a: &str, b: &str) -> bool {
    match (essence(a), essence(b)) {
        // The order of a sweep is the order of its trials.
        (Some(a), Some(b)) => a == b && a.get("sweep").map(order) == b.get("sweep").map(order),
        _ => false,
    }
}

fn essence(text: &str) -> Option<toml::Table> {
    let mut table: toml::Table = toml::from_str(text).ok()?;
    PROSE.iter().for_each(|name| drop(table.remove(*name)));
    Some(table)
}

fn order(sweep: &toml::Value) -> String {
    sweep.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_done_counts() {
        let text = "title = \"a\"\nseed = 1\n[sweep]\ngrid.a = [1]\ngrid.b = [2]\n[match]\npairs = 1\n";
        assert!(is_same_study(text, text));
        assert!(is_same_study(text, &text.replace("\"a\"", "\"b\"\nfindings = \"c\" # d")));
        assert!(is_same_study(text, &format!("{text}[[published]]\nvalue = 1\n[scale.small]\nseed = 2\n")));
        assert!(!is_same_study(text, &text.replace("seed = 1", "seed = 2")));
        assert!(!is_same_study(text, &text.replace("seed = 1", "seed = 1\nscaled = \"small\"")));
        assert!(!is_same_study(text, &text.replace("grid.a = [1]\ngrid.b = [2]", "grid.b = [2]\ngrid.a = [1]")));
        assert!(!is_same_study("=", "="));
    }
}
