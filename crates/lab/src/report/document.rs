//! A report as blocks, whatever they are written in.

use super::charts::Chart;

/// A part of a report.
#[derive(Clone, Debug)]
pub enum Block {
    /// A heading of level 2 or 3.
    Heading(u8, String),
    /// A paragraph.
    Text(String),
    /// A paragraph that nobody should miss.
    Notice(String),
    /// A paragraph that leads to a file.
    Link {
        /// What stands before it.
        before: String,
        /// What it is called.
        text: String,
        /// Where it is, from here.
        target: String,
    },
    /// A list.
    List(Vec<String>),
    /// Names with their values.
    Facts(Vec<(&'static str, String)>),
    /// A table.
    Table(Table),
    /// A chart.
    Chart(Chart),
    /// Text as it is, such as commands and files.
    Code(String),
}

/// A table. The first cell of each row is its heading.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The headings of its columns.
    pub columns: Vec<Column>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

/// The heading of a column.
#[derive(Clone, Debug)]
pub struct Column {
    /// What it says.
    pub text: String,
    /// Whether the column holds numbers.
    pub numbers: bool,
}

/// A cell.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// A share of 1 to colour it by.
    pub share: Option<f64>,
    /// Good or bad news.
    pub verdict: Option<bool>,
    /// Where it leads to.
    pub link: Option<String>,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }
}

impl Table {
    /// A table without rows. Columns whose heading ends with `#` hold numbers.
    pub fn new(caption: impl Into<String>, columns: &[&str]) -> Table {
        let mut table = Table { caption: caption.into(), ..Table::default() };
        for heading in columns {
            match heading.strip_suffix('#') {
                Some(heading) => table.add_column(heading, true),
                None => table.add_column(*heading, false),
            }
        }
        table
    }

    /// Another column.
    pub fn add_column(&mut self, text: impl Into<String>, numbers: bool) {
        self.columns.push(Column { text: text.into(), numbers });
    }

    /// Another row.
    pub fn add(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }
}

/// A report.
#[derive(Clone, Debug)]
pub struct Document {
    /// What it is called.
    pub title: String,
    /// What is in it.
    pub blocks: Vec<Block>,
}

/// A piece of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span<'a> {
    /// Words.
    Plain(&'a str),
    /// Commands and names, between two backticks.
    Code(&'a str),
}

/// The pieces of a paragraph. Where a backtick has no partner, all of it is words.
pub fn spans(text: &str) -> impl Iterator<Item = Span<'_>> {
    let has_pairs = text.matches('`').count().is_multiple_of(2);
    let pieces = text.split(move |letter| has_pairs && letter == '`').enumerate();
    pieces.map(|(number, piece)| if number % 2 == 0 { Span::Plain(piece) } else { Span::Code(piece) })
}

/// Prose as people write it in files: paragraphs with empty lines between them; one whose lines begin with `- ` is a list.
pub fn prose(text: &str) -> Vec<Block> {
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let paragraphs = text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
    let block = |paragraph: &str| match paragraph.strip_prefix("- ") {
        None => Block::Text(joined(paragraph)),
        Some(items) => Block::List(items.split("\n- ").map(joined).collect()),
    };
    paragraphs.map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_alternate() {
        use Span::{Code, Plain};
        assert_eq!(spans("a `b` c").collect::<Vec<_>>(), [Plain("a "), Code("b"), Plain(" c")]);
        assert_eq!(spans("a `b c").collect::<Vec<_>>(), [Plain("a `b c")]);
        assert_eq!(spans("").collect::<Vec<_>>(), [Plain("")]);
    }

    #[test]
    fn prose_has_paragraphs_and_lists() {
        let blocks = prose("\nOne\n  goes on.\n\n- a\n  b\n- c - d\n\n\n\nTwo.\n");
        let [Block::Text(one), Block::List(items), Block::Text(two)] = blocks.as_slice() else { panic!("{blocks:?}") };
        assert_eq!((one.as_str(), two.as_str()), ("One goes on.", "Two."));
        assert_eq!(items, &["a b", "c - d"]);
    }
}
