//! A report as one page of HTML that needs nothing else. It is well-formed XML as well.

use std::fmt::Write as _;

use super::document::{Block, Document, Span, Table, spans};

const STYLE: &str = include_str!("style.css");

/// The page.
pub fn page(document: &Document) -> String {
    let title = escaped(&document.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n<meta name=\"generator\" content=\"lanista\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    for block in &document.blocks {
        write_block(block, &mut page);
    }
    page + "</main>\n</body>\n</html>\n"
}

// Writing to a string cannot fail, so results of `write!` are dropped below.
fn write_block(block: &Block, page: &mut String) {
    let _ = match block {
        Block::Heading(level, text) => writeln!(page, "<h{level}>{}</h{level}>", escaped(text)),
        Block::Text(text) => writeln!(page, "<p>{}</p>", paragraph(text)),
        Block::Link { before, text, target } => {
            writeln!(page, "<p>{} {}</p>", escaped(before), link(text, target))
        }
        Block::Notice(text) => writeln!(page, "<p class=\"notice\" role=\"note\">{}</p>", paragraph(text)),
        Block::Code(text) => writeln!(page, "<pre tabindex=\"0\"><code>{}</code></pre>", escaped(text)),
        Block::List(items) => {
            let items: Vec<String> = items.iter().map(|item| format!("<li>{}</li>", paragraph(item))).collect();
            writeln!(page, "<ul>\n{}\n</ul>", items.join("\n"))
        }
        Block::Facts(facts) => {
            let fact = |(name, value): &(&str, String)| {
                format!("<div><dt>{}</dt><dd>{}</dd></div>", escaped(name), escaped(value))
            };
            let facts: Vec<String> = facts.iter().map(fact).collect();
            writeln!(page, "<dl>\n{}\n</dl>", facts.join("\n"))
        }
        Block::Chart(chart) => {
            writeln!(page, "<figure>\n{}<figcaption>{}</figcaption>\n</figure>", chart.inline(), escaped(&chart.title))
        }
        Block::Table(table) => {
            write_table(table, page);
            Ok(())
        }
    };
}

fn write_table(table: &Table, page: &mut String) {
    let _ = write!(
        page,
        "<div class=\"table\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table>\n",
        escaped(&table.caption)
    );
    let _ = write!(page, "<caption>{}</caption>\n<thead>\n<tr>", escaped(&table.caption));
    for column in &table.columns {
        let class = if column.numbers { " class=\"number\"" } else { "" };
        let _ = write!(page, "<th scope=\"col\"{class}>{}</th>", escaped(&column.text));
    }
    page.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in &table.rows {
        page.push_str("<tr>");
        for (index, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
            let mut classes = Vec::new();
            if column.numbers {
                classes.push("number");
            }
            match cell.verdict {
                Some(true) => classes.push("good"),
                Some(false) => classes.push("bad"),
                None => {}
            }
            let class = if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) };
            let style = cell.share.map_or(String::new(), |share| format!(" style=\"--tint: {}\"", tint(share)));
            let text = match &cell.link {
                Some(target) => link(&cell.text, target),
                None => escaped(&cell.text),
            };
            let _ = match index {
                0 => write!(page, "<th scope=\"row\"{class}{style}>{text}</th>"),
                _ => write!(page, "<td{class}{style}>{text}</td>"),
            };
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody>\n</table>\n</div>\n");
}

/// A paragraph with its commands and names.
fn paragraph(text: &str) -> String {
    let span = |span| match span {
        Span::Plain(text) => escaped(text),
        Span::Code(text) => format!("<code>{}</code>", escaped(text)),
    };
    spans(text).map(span).collect()
}

fn link(text: &str, target: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(target), escaped(text))
}

/// A see-through colour that works on light and dark ground: blue above one half, orange below.
fn tint(share: f64) -> String {
    let strength = ((share - 0.5).abs() * 2.0).clamp(0.0, 1.0) * 0.45;
    let colour = if share >= 0.5 { "0 114 178" } else { "213 94 0" };
    format!("rgb({colour} / {strength:.2})")
}

/// Text with what HTML would take for itself made harmless, and without letters that XML forbids.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => safe.push(letter),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_break_out() {
        assert_eq!(escaped("<a href=\"x\"> & \u{1}"), "&lt;a href=&quot;x&quot;&gt; &amp; \u{fffd}");
    }

    #[test]
    fn tints_have_a_side() {
        assert_eq!(tint(1.0), "rgb(0 114 178 / 0.45)");
        assert_eq!(tint(0.0), "rgb(213 94 0 / 0.45)");
        assert_eq!(tint(0.5), "rgb(0 114 178 / 0.00)");
    }
}
