//! Words in lines of bearable length.

use std::io::{self, Write};

/// No line gets longer, unless one word is.
const WIDTH: usize = 79;

/// Writes words, beginning a new line where one would get too long.
pub(crate) struct Wrapped<'a> {
    out: &'a mut dyn Write,
    /// What stands between two words of a line.
    gap: &'static str,
    column: usize,
}

impl<'a> Wrapped<'a> {
    pub fn new(out: &'a mut dyn Write, gap: &'static str) -> Wrapped<'a> {
        Wrapped { out, gap, column: 0 }
    }

    pub fn word(&mut self, word: &str) -> io::Result<()> {
        let length = word.chars().count();
        if self.column > 0 && self.column + self.gap.len() + length > WIDTH {
            self.end_line()?;
        }
        let gap = if self.column > 0 { self.gap } else { "" };
        self.column += gap.len() + length;
        write!(self.out, "{gap}{word}")
    }

    pub fn end_line(&mut self) -> io::Result<()> {
        self.column = 0;
        writeln!(self.out)
    }
}
