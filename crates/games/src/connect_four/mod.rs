//! Connect Four: 7 columns, 6 rows, four in a line wins, a full board is a draw.
//!
//! The board lies in a 64-bit word, seven bits a column (bit 0 the bottom of column 1); the seventh bit of a
//! column stays empty, so that no line wraps from one column into the next.

pub mod evaluation;
mod lanes;
mod notation;
mod position;
pub mod solver;
mod tactics;

pub use position::{Column, ConnectFour};

use lanista_core::{Cell, DrawRules, Game, Rules, Side};

use crate::files::GameFiles;

impl Game for ConnectFour {
    const ID: &'static str = "connect-four";
    const NAME: &'static str = "Connect Four";
    const SIDES: [&'static str; 2] = ["Red (x)", "Yellow (o)"];
    const COLOURS: [&'static str; 2] = ["red", "yellow"];

    fn presets() -> Vec<Rules<Self>> {
        vec![Rules {
            name: "standard".into(),
            about: "7×6, four in a row wins",
            start: ConnectFour::default(),
            draws: DrawRules::default(),
        }]
    }

    fn decisive_cells(&self) -> Vec<(usize, usize)> {
        Side::BOTH.into_iter().flat_map(|side| position::fours(self.stones(side))).collect()
    }

    fn text_of_cells(rows: &[Vec<Cell>], _side: Side) -> Option<String> {
        Some(rows.iter().map(|row| notation::row_text(row)).collect::<Vec<_>>().join("/"))
    }
}

impl GameFiles for ConnectFour {
    const JOINED_MOVES: bool = true;
    const OPENING_BOOK: &'static str = include_str!("data/openings.txt");
}
