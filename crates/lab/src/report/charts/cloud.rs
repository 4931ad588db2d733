//! Points: a figure of many settings by one of their values, which may be a number or a name.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::numbers;
use super::{About, COLOURS, Chart, ChartError, GRID, INK, draw, range_of, shortened, writing};

/// What is shown.
#[derive(Clone, Debug)]
pub struct Cloud {
    /// What the axes are: below and left. The one on the left is the name of the figure.
    pub axes: [String; 2],
    /// What stands below columns of points; none if the axis below is one of numbers.
    pub columns: Vec<String>,
    /// The points: the number, or that of the column, and the figure.
    pub points: Vec<(f64, f64)>,
}

const SIZE: (u32, u32) = (640, 420);
const LONGEST: usize = 26;
/// How far a column's points spread to each side, so that they do not hide each other.
const SPREAD: f64 = 0.22;

/// The points; in columns also their means.
pub fn cloud(about: About, cloud: &Cloud) -> Result<Chart, ChartError> {
    let count = cloud.columns.len();
    let (from, to) = match count {
        0 => range_of(cloud.points.iter().map(|point| (point.0, 0.0))),
        count => (-0.5, count as f64 - 0.5),
    };
    let (low, high) = range_of(cloud.points.iter().map(|point| (point.1, 0.0)));
    let is_share = numbers::is_share(&cloud.axes[1]);
    let (low, high) = if is_share { (low.max(0.0), high.min(1.0)) } else { (low, high) };
    draw(about, SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(14)
            .margin_right(24)
            .x_label_area_size(46)
            .y_label_area_size(86)
            .build_cartesian_2d(from..to, low..high)?;
        let below = |at: &f64| match count {
            0 => numbers::short(*at),
            _ if at.fract() != 0.0 => String::new(),
            _ => cloud.columns.get(*at as usize).map_or(String::new(), |name| shortened(name, LONGEST)),
        };
        let left = |value: &f64| if is_share { format!("{:.0} %", value * 100.0) } else { numbers::short(*value) };
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_labels(if count == 0 { 8 } else { 2 * count + 1 })
            .y_labels(8)
            .x_label_formatter(&below)
            .y_label_formatter(&left)
            .x_desc(cloud.axes[0].as_str())
            .y_desc(cloud.axes[1].as_str())
            .label_style(writing(HPos::Center, VPos::Center))
            .axis_desc_style(writing(HPos::Center, VPos::Center))
            .draw()?;
        // Neighbours in the list stand apart; the same list gives the same picture.
        let beside = |index: usize| (index as f64 * 0.618_033_988_75).fract() * 2.0 - 1.0;
        let place = |(index, &(x, y)): (usize, &(f64, f64))| match count {
            0 => (x, y),
            _ => (x + SPREAD * beside(index), y),
        };
        let dots = cloud.points.iter().enumerate().map(place);
        chart.draw_series(dots.map(|at| Circle::new(at, 4, COLOURS[0].mix(0.5).filled())))?;
        for column in 0..count {
            let own = cloud.points.iter().filter(|point| point.0 == column as f64).map(|point| point.1);
            let values: Vec<f64> = own.collect();
            if let Some(mean) = crate::statistics::mean(&values) {
                let ends = [(column as f64 - 0.35, mean), (column as f64 + 0.35, mean)];
                let style = ShapeStyle { color: COLOURS[1].to_rgba(), filled: false, stroke_width: 3 };
                chart.draw_series([PathElement::new(ends, style)])?;
            }
        }
        Ok(())
    })
}
