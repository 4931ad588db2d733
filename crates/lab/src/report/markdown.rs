//! A report as Markdown, its charts in files beside it.

use super::document::{Block, Cell, Document, Span, Table, spans};

/// The text.
pub fn text(document: &Document) -> String {
    format!("# {}\n\n{}", escaped(&document.title), blocks(&document.blocks))
}

/// The text of some blocks.
pub fn blocks(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect::<Vec<_>>().join("\n\n") + "\n"
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => format!("{} {}", "#".repeat(usize::from(*level)), escaped(text)),
        Block::Text(text) => paragraph(text),
        Block::Link { before, text, target } => {
            format!("{} {}", escaped(before), link(text, target)).trim_start().to_string()
        }
        Block::Notice(text) => format!("> **{}**", paragraph(text)),
        Block::List(items) => {
            let items: Vec<String> = items.iter().map(|item| format!("- {}", paragraph(item))).collect();
            items.join("\n")
        }
        Block::Facts(facts) => {
            let facts: Vec<String> =
                facts.iter().map(|(name, value)| format!("- {name}: {}", escaped(value))).collect();
            facts.join("\n")
        }
        Block::Chart(chart) => {
            format!("![{}]({})\n\n{}", escaped(&chart.description), chart.file(), escaped(&chart.title))
        }
        Block::Code(text) => {
            // A fence that the text does not contain.
            let mut fence = "```".to_string();
            while text.contains(&fence) {
                fence.push('`');
            }
            format!("{fence}\n{}\n{fence}", text.trim_end())
        }
        Block::Table(found) => table(found),
    }
}

fn table(table: &Table) -> String {
    let row = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines = vec![escaped(&table.caption), String::new()];
    lines.push(row(table.columns.iter().map(|column| escaped(&column.text)).collect()));
    lines.push(row(table
        .columns
        .iter()
        .map(|column| if column.numbers { "---:" } else { "---" }.to_string())
        .collect()));
    for cells in &table.rows {
        lines.push(row(cells.iter().map(cell).collect()));
    }
    lines.join("\n")
}

fn cell(cell: &Cell) -> String {
    match &cell.link {
        Some(target) => link(&cell.text, target),
        None => escaped(&cell.text),
    }
}

/// A link; what would end it early is written as numbers.
fn link(text: &str, target: &str) -> String {
    let mut safe = String::with_capacity(target.len());
    for letter in target.chars() {
        match letter {
            ' ' | '(' | ')' | '<' | '>' | '|' | '%' => safe.push_str(&format!("%{:02X}", u32::from(letter))),
            letter if letter.is_control() => {}
            letter => safe.push(letter),
        }
    }
    format!("[{}]({safe})", escaped(text))
}

/// A paragraph with its commands and names.
fn paragraph(text: &str) -> String {
    let span = |span| match span {
        Span::Plain(text) => harmless(text),
        Span::Code(text) => format!("`{text}`"),
    };
    spans(text.trim()).map(span).collect()
}

fn escaped(text: &str) -> String {
    harmless(text.trim())
}

/// Text on one line, with what Markdown would take for itself made harmless.
fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' => safe.extend(['\\', letter]),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_cells() {
        let mut table = Table::new("Of <all>", &["player", "score#"]);
        table.add(vec!["a|b\nc".into(), "1".into()]);
        let expected = "Of \\<all\\>\n\n| player | score |\n| --- | ---: |\n| a\\|b c | 1 |";
        assert_eq!(block(&Block::Table(table)), expected);
    }

    #[test]
    fn names_keep_their_letters() {
        assert_eq!(block(&Block::Text("a_b `c_d` [e]".into())), "a\\_b `c_d` \\[e\\]");
    }

    #[test]
    fn links_hold() {
        let blocks = Block::Link { before: "See".into(), text: "a [b]".into(), target: "../c (d).toml".into() };
        assert_eq!(block(&blocks), "See [a \\[b\\]](../c%20%28d%29.toml)");
    }

    #[test]
    fn fences_hold() {
        assert_eq!(block(&Block::Code("a\n```\nb".into())), "````\na\n```\nb\n````");
    }
}
