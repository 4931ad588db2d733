//! Numbers on the squares of boards, as colours.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::heat::{DARK, LIGHT, colour_of};
use super::{About, Chart, ChartError, draw, say, shortened, writing};

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    /// What it is called.
    pub label: String,
    /// The numbers, rows from the top; none where a square has none.
    pub values: Vec<Vec<Option<f64>>>,
}

/// The side of a square if there is one board, and if there are several.
const SQUARE: (i32, i32) = (56, 17);
const WIDEST: i32 = 900;
const GAP: i32 = 20;

/// Whether colours tell the side of zero; otherwise they tell the side of the mean.
pub fn is_around_zero(boards: &[Board]) -> bool {
    values(boards).any(|value| value < 0.0)
}

/// Boards beside and below each other, all on the same scale of colours. A single one has its numbers in it.
pub fn boards(about: About, boards: &[Board]) -> Result<Chart, ChartError> {
    let side = if boards.len() == 1 { SQUARE.0 } else { SQUARE.1 };
    let columns = boards.iter().flat_map(|board| board.values.iter().map(Vec::len)).max().unwrap_or(0) as i32;
    let rows = boards.iter().map(|board| board.values.len()).max().unwrap_or(0) as i32;
    let (width, height) = (columns * side + GAP, rows * side + GAP + 24);
    let a_row = ((WIDEST - GAP) / width.max(1)).clamp(1, boards.len().max(1) as i32);
    let lines = (boards.len() as i32 + a_row - 1) / a_row;
    let size = ((a_row * width + GAP) as u32, (lines * height + GAP) as u32);
    let count = values(boards).count().max(1) as f64;
    let middle = if is_around_zero(boards) { 0.0 } else { values(boards).sum::<f64>() / count };
    let farthest = values(boards).map(|value| (value - middle).abs()).fold(0.0, f64::max).max(1e-9);
    draw(about, size, |area| {
        for (index, board) in (0..).zip(boards) {
            let (left, top) = (GAP + index % a_row * width, GAP + index / a_row * height);
            let label = shortened(&board.label, ((width - GAP) / super::LETTER as i32) as usize);
            say(area, &label, (left, top + 8), &writing(HPos::Left, VPos::Center))?;
            for (row, cells) in (0..).zip(&board.values) {
                for (column, cell) in (0..).zip(cells) {
                    let (x, y) = (left + column * side, top + 24 + row * side);
                    let corners = [(x, y), (x + side - 1, y + side - 1)];
                    let Some(value) = *cell else {
                        area.draw(&Rectangle::new(corners, RGBColor(128, 128, 128).mix(0.2).filled()))?;
                        continue;
                    };
                    let share = 0.5 + (value - middle) / farthest / 2.0;
                    area.draw(&Rectangle::new(corners, colour_of(share).filled()))?;
                    if boards.len() == 1 {
                        let ink = if share > 0.95 { LIGHT } else { DARK };
                        let style = writing(HPos::Center, VPos::Center).color(&ink);
                        say(area, &format!("{value:.2}"), (x + side / 2, y + side / 2), &style)?;
                    }
                }
            }
        }
        Ok(())
    })
}

fn values(boards: &[Board]) -> impl Iterator<Item = f64> {
    boards.iter().flat_map(|board| board.values.iter().flatten()).filter_map(|value| *value)
}
