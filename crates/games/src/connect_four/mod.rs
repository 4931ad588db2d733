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

use lanista_core::{DrawRules, Game, Rules};

use crate::files::GameFiles;

impl Game for ConnectFour {
    const ID: &'static str = "connect-four";
    const NAME: &'static str = "Connect Four";
    const SIDES: [&'static str; 2] = ["First (x)", "Second (o)"];

    fn presets() -> Vec<Rules<Self>> {
        vec![Rules {
            name: "standard".into(),
            about: "7×6, four in a row wins",
            start: ConnectFour::default(),
            draws: DrawRules::default(),
        }]
    }
}

impl GameFiles for ConnectFour {
    const JOINED_MOVES: bool = true;
    const OPENING_BOOK: &'static str = include_str!("data/openings.txt");
}
