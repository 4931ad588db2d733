//! A board as cells, for terminals and pages to draw in their own way.

use std::fmt;

use crate::Side;

/// One place of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A square that is part of the board's pattern but never used.
    Unused,
    /// A free square.
    Empty,
    /// A piece: whose, and its letter.
    Piece(Side, char),
}

/// A board as rows of cells, the top row first, with labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Rows from top to bottom, cells from left to right.
    pub rows: Vec<Vec<Cell>>,
    /// The label to the left of each row; empty where the game labels no rows.
    pub row_labels: Vec<String>,
    /// The label under each column; empty where the game labels no columns.
    pub column_labels: Vec<String>,
    /// The name of each cell, where the labels do not tell it; otherwise empty.
    pub square_names: Vec<Vec<String>>,
}

/// Plain text, without colours.
impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = self.row_labels.iter().map(String::len).max().unwrap_or(0);
        for (index, row) in self.rows.iter().enumerate() {
            let label = self.row_labels.get(index).map_or("", String::as_str);
            write!(f, "{label:>margin$}")?;
            for cell in row {
                let letter = match *cell {
                    Cell::Unused => ' ',
                    Cell::Empty => '.',
                    Cell::Piece(_, letter) => letter,
                };
                write!(f, " {letter}")?;
            }
            writeln!(f)?;
        }
        if !self.column_labels.is_empty() {
            write!(f, "{:margin$}", "")?;
            for label in &self.column_labels {
                write!(f, " {label}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_stand_beside_rows_and_under_columns() {
        let mut picture = Picture {
            rows: vec![
                vec![Cell::Piece(Side::First, 'x'), Cell::Empty],
                vec![Cell::Unused, Cell::Piece(Side::Second, 'o')],
            ],
            row_labels: vec!["10".into(), "9".into()],
            column_labels: vec!["a".into(), "b".into()],
            square_names: Vec::new(),
        };
        assert_eq!(picture.to_string(), "10 x .\n 9   o\n   a b\n");
        picture.row_labels.clear();
        picture.column_labels.clear();
        assert_eq!(picture.to_string(), " x .\n   o\n");
    }
}
