//! What is wrong with a text, and where.

use std::fmt;

/// The place and the reason of a text that could not be understood.
///
/// `line` is 0 for texts of one line (moves, positions, flags), where only the column helps.
/// Lines and columns count from 1; columns count characters, or bytes where a file is not valid UTF-8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line in the file, or 0.
    pub line: u64,
    /// Column in the line.
    pub column: u64,
    /// What was found and what was expected.
    pub message: String,
}

impl ParseError {
    /// An error in a text of one line.
    pub fn new(column: usize, message: impl Into<String>) -> ParseError {
        ParseError { line: 0, column: column as u64, message: message.into() }
    }

    /// An error in a file.
    pub fn at(line: u64, column: u64, message: impl Into<String>) -> ParseError {
        ParseError { line, column, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "line {}, ", self.line)?;
        }
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
