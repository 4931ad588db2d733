//! Lines: a figure by depth, by generation or by a value of a sweep.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::numbers;
use super::{
    About, Area, COLOURS, Chart, ChartError, Drawn, GRID, INK, LETTER, draw, range_of, say, shortened, writing,
};

/// A line.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is called.
    pub label: String,
    /// Where it goes, from left to right: x, y and half the interval of y.
    pub points: Vec<(f64, f64, Option<f64>)>,
}

/// What the axes say.
#[derive(Clone, Debug)]
pub struct Axes {
    /// The one below.
    pub x: String,
    /// The one on the left: the name of the figure.
    pub y: String,
    /// Whether the one on the left counts in powers of ten.
    pub powers: bool,
}

const SIZE: (u32, u32) = (900, 420);
/// More points of a line than these are not marked.
const MARKED: usize = 40;
/// Longer labels are cut.
pub const LONGEST: usize = 30;

/// Lines over the same axis.
pub fn lines(about: About, axes: &Axes, lines: &[Line]) -> Result<Chart, ChartError> {
    // Powers of ten have no place for what is not positive.
    let lines: Vec<Line> = lines.iter().map(|line| placed(line, axes.powers)).collect();
    let (from, to) = range_of(lines.iter().flat_map(|line| line.points.iter().map(|point| (point.0, 0.0))));
    let (low, high) =
        range_of(lines.iter().flat_map(|line| line.points.iter().map(|point| (point.1, point.2.unwrap_or(0.0)))));
    let (low, high) = if numbers::is_share(&axes.y) { (low.max(0.0), high.min(1.0)) } else { (low, high) };
    let longest = lines.iter().map(|line| line.label.chars().count().min(LONGEST)).max().unwrap_or(0) as u32;
    let right = longest * LETTER as u32 + 48;
    let mut steps: Vec<f64> = lines.iter().flat_map(|line| &line.points).map(|point| point.0).collect();
    steps.sort_by(f64::total_cmp);
    steps.dedup();
    let is_whole = steps.iter().all(|step| step.fract() == 0.0);
    draw(about, SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(14)
            .margin_right(right)
            .x_label_area_size(46)
            .y_label_area_size(86)
            .build_cartesian_2d(from..to, low..high)?;
        let value = |value: &f64| match (axes.powers, numbers::is_share(&axes.y)) {
            (true, _) => numbers::short(10f64.powf(*value)),
            (_, true) => format!("{:.0} %", value * 100.0),
            _ => numbers::short(*value),
        };
        let step = |step: &f64| if is_whole && step.fract() != 0.0 { String::new() } else { numbers::short(*step) };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_labels(if steps.len() <= 12 { steps.len().max(2) } else { 10 })
            // Powers of ten stand at whole steps, where there are enough of them.
            .y_labels(if axes.powers && high - low > 2.0 { (high - low).ceil() as usize } else { 8 })
            .x_label_formatter(&step)
            .y_label_formatter(&value)
            .x_desc(axes.x.as_str())
            .y_desc(axes.y.as_str())
            .label_style(writing(HPos::Center, VPos::Center))
            .axis_desc_style(writing(HPos::Center, VPos::Center))
            .draw()?;
        for (index, line) in lines.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let thick = ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: 2 };
            let many = line.points.len() > MARKED;
            if many && line.points.iter().all(|point| point.2.is_some()) {
                let upper = line.points.iter().map(|&(x, y, error)| (x, (y + error.unwrap_or(0.0)).min(high)));
                let lower = line.points.iter().rev().map(|&(x, y, error)| (x, (y - error.unwrap_or(0.0)).max(low)));
                chart.draw_series([Polygon::new(upper.chain(lower).collect::<Vec<_>>(), colour.mix(0.2))])?;
            }
            chart.draw_series([PathElement::new(
                line.points.iter().map(|&(x, y, _)| (x, y)).collect::<Vec<_>>(),
                thick,
            )])?;
            for &(x, y, error) in line.points.iter().filter(|_| !many) {
                if let Some(error) = error {
                    let ends = [(x, (y - error).max(low)), (x, (y + error).min(high))];
                    chart.draw_series([PathElement::new(ends, thick)])?;
                }
                let at = chart.backend_coord(&(x, y));
                mark(area, index, at)?;
            }
            let (x, y) = (SIZE.0 as i32 - right as i32 + 20, 30 + 24 * index as i32);
            area.draw(&PathElement::new([(x - 10, y), (x + 10, y)], thick))?;
            mark(area, index, (x, y))?;
            say(area, &shortened(&line.label, LONGEST), (x + 18, y), &writing(HPos::Left, VPos::Center))?;
        }
        Ok(())
    })
}

fn placed(line: &Line, powers: bool) -> Line {
    let place = |&(x, y, error): &(f64, f64, Option<f64>)| match powers {
        // Intervals would have two different halves.
        true => (x, y.log10(), None),
        false => (x, y, error),
    };
    let points = line.points.iter().map(place).filter(|point| point.0.is_finite() && point.1.is_finite()).collect();
    Line { label: line.label.clone(), points }
}

/// A mark at a point: a different shape for each line.
fn mark(area: &Area<'_>, index: usize, at: (i32, i32)) -> Drawn {
    let style = COLOURS[index % COLOURS.len()].filled();
    match index % 4 {
        0 => area.draw(&Circle::new(at, 5, style))?,
        1 => area.draw(&TriangleMarker::new(at, 7, style))?,
        2 => area.draw(&Rectangle::new([(at.0 - 5, at.1 - 5), (at.0 + 5, at.1 + 5)], style))?,
        _ => area.draw(&Cross::new(at, 5, style.stroke_width(3)))?,
    }
    Ok(())
}
