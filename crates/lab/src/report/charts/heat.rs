//! A table of shares as colours: blue above one half, orange below.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::{About, Chart, ChartError, FONT, INK, LETTER, draw, say, shortened, writing};

/// What is shown.
#[derive(Clone, Debug)]
pub struct Heat {
    /// What stands at the rows and columns.
    pub names: Vec<String>,
    /// What the rows and the columns are.
    pub axes: [String; 2],
    /// Shares by row and column.
    pub cells: Vec<Vec<Option<f64>>>,
}

const CELL: (i32, i32) = (76, 44);
const LONGEST: usize = 22;
/// Black and white that the page does not replace.
pub(super) const DARK: RGBColor = RGBColor(1, 1, 1);
pub(super) const LIGHT: RGBColor = RGBColor(254, 254, 254);

/// The table.
pub fn heat(about: About, heat: &Heat) -> Result<Chart, ChartError> {
    let names: Vec<String> = heat.names.iter().map(|name| shortened(name, LONGEST)).collect();
    let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let count = names.len() as i32;
    // Long names would run into each other above their columns.
    let slanted = widest * LETTER > CELL.0 as usize;
    let left = ((widest.max(heat.axes[0].chars().count())) * LETTER) as i32 + 24;
    let top = if slanted { (widest * LETTER) as i32 + 40 } else { 58 };
    let size = ((left + count * CELL.0 + 10) as u32, (top + count * CELL.1 + 10) as u32);
    draw(about, size, |area| {
        let middle = left + count * CELL.0 / 2;
        say(area, &heat.axes[1], (middle, 10), &writing(HPos::Center, VPos::Top))?;
        say(area, &heat.axes[0], (left - 10, top - 22), &writing(HPos::Right, VPos::Top))?;
        for (row, cells) in (0..).zip(&heat.cells) {
            let y = top + row * CELL.1;
            say(area, &names[row as usize], (left - 10, y + CELL.1 / 2), &writing(HPos::Right, VPos::Center))?;
            let x = left + row * CELL.0 + CELL.0 / 2;
            match slanted {
                false => say(area, &names[row as usize], (x, top - 22), &writing(HPos::Center, VPos::Top))?,
                true => {
                    let style = (FONT, super::FONT_SIZE).into_font().transform(FontTransform::Rotate270).color(&INK);
                    say(area, &names[row as usize], (x - 6, top - 8), &style)?;
                }
            }
            for (column, cell) in (0..).zip(cells) {
                let x = left + column * CELL.0;
                let corners = [(x + 1, y + 1), (x + CELL.0 - 1, y + CELL.1 - 1)];
                let Some(share) = *cell else {
                    area.draw(&Rectangle::new(corners, RGBColor(128, 128, 128).mix(0.3)))?;
                    continue;
                };
                let colour = colour_of(share);
                area.draw(&Rectangle::new(corners, colour.filled()))?;
                let ink = if share > 0.95 { LIGHT } else { DARK };
                let style = writing(HPos::Center, VPos::Center).color(&ink);
                say(area, &format!("{:.1} %", share * 100.0), (x + CELL.0 / 2, y + CELL.1 / 2), &style)?;
            }
        }
        Ok(())
    })
}

/// From orange (0) over white (½) to blue (1). Black can be read on all but the darkest blue.
pub(super) fn colour_of(share: f64) -> RGBColor {
    const ENDS: [(f64, f64, f64); 2] = [(213.0, 94.0, 0.0), (0.0, 100.0, 170.0)];
    let end = ENDS[usize::from(share >= 0.5)];
    let strength = ((share - 0.5).abs() * 2.0).clamp(0.0, 1.0);
    let mix = |to: f64| (247.0 + (to - 247.0) * strength).round() as u8;
    RGBColor(mix(end.0), mix(end.1), mix(end.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_sides_and_a_middle() {
        assert_eq!(colour_of(0.5), RGBColor(247, 247, 247));
        assert_eq!(colour_of(1.0), RGBColor(0, 100, 170));
        assert_eq!(colour_of(0.0), RGBColor(213, 94, 0));
        assert_eq!(colour_of(7.0), colour_of(1.0));
    }
}
