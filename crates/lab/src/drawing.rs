//! The squares of a picture by name.

use std::collections::HashMap;

use lanista_core::{Cell, Picture};

/// A picture whose cells have names: `a1`, or the number of a square.
pub struct Drawing {
    /// The cells.
    pub picture: Picture,
    names: Vec<Vec<Option<String>>>,
    places: HashMap<String, (usize, usize)>,
}

impl Drawing {
    /// Names the cells of a picture. Where the game labels no squares, columns are letters and rows are numbers from the
    /// bottom.
    pub fn new(picture: Picture) -> Drawing {
        let height = picture.rows.len();
        let name = |row: usize, column: usize| -> Option<String> {
            if picture.rows[row][column] == Cell::Unused {
                return None;
            }
            if let Some(names) = picture.square_names.get(row) {
                return names.get(column).filter(|name| !name.is_empty()).cloned();
            }
            let letter = char::from(b'a' + (column % 26) as u8).to_string();
            let label = picture.row_labels.get(row).cloned().unwrap_or_else(|| (height - row).to_string());
            let file = picture.column_labels.get(column).filter(|label| label.starts_with(char::is_alphabetic));
            Some(format!("{}{label}", file.unwrap_or(&letter)))
        };
        let names: Vec<Vec<Option<String>>> =
            (0..height).map(|row| (0..picture.rows[row].len()).map(|column| name(row, column)).collect()).collect();
        let places = names.iter().enumerate().flat_map(|(row, names)| {
            let place = move |(column, name): (usize, &Option<String>)| Some((name.clone()?, (row, column)));
            names.iter().enumerate().filter_map(place)
        });
        Drawing { places: places.collect(), names, picture }
    }

    /// The names of all cells, rows from the top; `None` for those that are never used.
    pub fn names(&self) -> &[Vec<Option<String>>] {
        &self.names
    }

    /// The name of a cell; empty if it has none.
    pub fn name(&self, (row, column): (usize, usize)) -> String {
        self.names[row][column].clone().unwrap_or_default()
    }

    /// The place of a square.
    pub fn place(&self, name: &str) -> Option<(usize, usize)> {
        self.places.get(name).copied()
    }

    /// All cells with their places.
    pub fn cells(&self) -> impl Iterator<Item = ((usize, usize), Cell)> {
        self.picture
            .rows
            .iter()
            .enumerate()
            .flat_map(|(row, cells)| cells.iter().enumerate().map(move |(column, &cell)| ((row, column), cell)))
    }
}
