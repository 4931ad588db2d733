//! Tables as a stream of rows, whatever becomes of them.

use super::ExportError;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// True or false.
    Flag,
}

/// A column. Every value may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// How wide people want it, in letters.
    pub width: u16,
}

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name: that of its file or sheet.
    pub name: &'static str,
    /// Its columns.
    pub columns: &'static [Column],
}

/// A value in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// For [`Kind::Text`].
    Text(&'a str),
    /// For [`Kind::Whole`].
    Whole(i64),
    /// For [`Kind::Number`].
    Number(f64),
    /// For [`Kind::Flag`].
    Flag(bool),
    /// Nothing.
    Missing,
}

impl<'a> Value<'a> {
    /// The text, if there is one.
    pub fn text(text: Option<&'a str>) -> Value<'a> {
        text.map_or(Value::Missing, Value::Text)
    }

    /// The whole number, if there is one.
    pub fn whole(number: Option<i64>) -> Value<'a> {
        number.map_or(Value::Missing, Value::Whole)
    }

    /// The number, if there is one.
    pub fn number(number: Option<f64>) -> Value<'a> {
        number.map_or(Value::Missing, Value::Number)
    }
}

/// Takes tables, one after the other.
pub trait Rows {
    /// A table begins.
    fn begin(&mut self, table: &Table) -> Result<(), ExportError>;

    /// Its next row, a value for each column.
    fn row(&mut self, values: &[Value<'_>]) -> Result<(), ExportError>;

    /// The table is complete.
    fn end(&mut self) -> Result<(), ExportError>;
}
