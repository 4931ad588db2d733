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
