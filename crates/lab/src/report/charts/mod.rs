//! Charts as SVG. Colours can be told apart by people who do not see all of them, and shapes differ as well.

mod bars;
mod boards;
mod cloud;
mod heat;
mod histogram;
mod lines;
mod scatter;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::html::escaped;
pub use bars::{Bar, bars};
pub use boards::{Board, boards, is_around_zero};
pub use cloud::{Cloud, cloud};
pub use heat::{Heat, heat};
pub use histogram::{Sample, histogram};
pub use lines::{Axes, LONGEST, Line, lines};
pub use scatter::{Scatter, scatter};

/// A chart cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("a chart cannot be drawn: {0}")]
pub struct ChartError(String);

/// A drawn chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The name of its file, without its end.
    pub name: String,
    /// What stands below it.
    pub title: String,
    /// What it shows, for those who do not see it.
    pub description: String,
    size: (u32, u32),
    /// What is in it, without the outermost element.
    drawing: String,
}

impl Chart {
    /// The name of its file.
    pub fn file(&self) -> String {
        format!("{}.svg", self.name)
    }

    fn opening(&self) -> String {
        let (width, height) = self.size;
        let description = escaped(&self.description);
        format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-label=\"{description}\" xmlns=\"http://www.w3.org/2000/svg\">\n<title>{description}</title>\n"
        )
    }

    /// As a part of a page, on whatever ground that has.
    pub fn inline(&self) -> String {
        format!("{}{}</svg>\n", self.opening(), self.drawing)
    }

    /// As a file of its own, on white.
    pub fn alone(&self) -> String {
        let ground = "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
        format!("{}{ground}{}</svg>\n", self.opening(), self.drawing)
    }
}

/// What every chart is told.
#[derive(Clone, Debug)]
pub struct About {
    /// The name of its file, without its end.
    pub name: String,
    /// What stands below it.
    pub title: String,
    /// What it shows, for those who do not see it.
    pub description: String,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Replaced by the page's own ink.
const INK: RGBColor = RGBColor(0, 0, 0);
/// Lines behind the data, to be seen on light and dark.
const GRID: RGBAColor = RGBAColor(128, 128, 128, 0.35);
/// The colours of Okabe and Ito that show on light and dark.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];
const FONT: &str = "sans-serif";
const FONT_SIZE: i32 = 16;
/// About how wide a letter is.
const LETTER: usize = 7;

fn draw(about: About, size: (u32, u32), work: impl FnOnce(&Area<'_>) -> Drawn) -> Result<Chart, ChartError> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        work(&area).map_err(|error| ChartError(error.to_string()))?;
        area.present().map_err(|error| ChartError(error.to_string()))?;
    }
    let drawing = text
        .split_once("<svg")
        .and_then(|(_, rest)| rest.split_once(">\n"))
        .and_then(|(_, rest)| rest.rsplit_once("</svg>"))
        .map(|(inside, _)| inside.to_string())
        .ok_or_else(|| ChartError("the drawing has no outermost element".into()))?;
    let About { name, title, description } = about;
    Ok(Chart { name, title, description, size, drawing })
}

fn writing(horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    TextStyle::from((FONT, FONT_SIZE).into_font()).color(&INK).pos(Pos::new(horizontal, vertical))
}

fn say(area: &Area<'_>, text: &str, at: (i32, i32), style: &TextStyle<'_>) -> Drawn {
    area.draw(&Text::new(text.to_string(), at, style.clone()))?;
    Ok(())
}

/// Text that is not longer than so many letters.
fn shortened(text: &str, letters: usize) -> String {
    match text.chars().count() {
        count if count <= letters => text.to_string(),
        _ => text.chars().take(letters.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The range of some values with their errors, not empty, a little wider than they are.
fn range_of(values: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (value, error) in values.filter(|(value, error)| value.is_finite() && error.is_finite()) {
        (low, high) = (low.min(value - error), high.max(value + error));
    }
    if low > high {
        return (0.0, 1.0);
    }
    let margin = if high > low { (high - low) * 0.05 } else { high.abs().max(1.0) * 0.1 };
    (low - margin, high + margin)
}
