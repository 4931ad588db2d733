//! The values of two players for the same positions.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::numbers;
use super::{About, COLOURS, Chart, ChartError, GRID, INK, draw, range_of, writing};

/// What is shown.
#[derive(Clone, Debug)]
pub struct Scatter {
    /// What the axes are: below and left.
    pub axes: [String; 2],
    /// The points.
    pub points: Vec<(f64, f64)>,
}

const SIZE: (u32, u32) = (560, 520);

/// The points, and the line where both values are equal.
pub fn scatter(about: About, scatter: &Scatter) -> Result<Chart, ChartError> {
    let (low, high) = range_of(scatter.points.iter().flat_map(|&(x, y)| [(x, 0.0), (y, 0.0)]));
    draw(about, SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(14)
            .margin_right(20)
            .x_label_area_size(46)
            .y_label_area_size(86)
            .build_cartesian_2d(low..high, low..high)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_labels(8)
            .y_labels(8)
            .x_label_formatter(&|value| numbers::short(*value))
            .y_label_formatter(&|value| numbers::short(*value))
            .x_desc(scatter.axes[0].as_str())
            .y_desc(scatter.axes[1].as_str())
            .label_style(writing(HPos::Center, VPos::Center))
            .axis_desc_style(writing(HPos::Center, VPos::Center))
            .draw()?;
        chart.draw_series([PathElement::new([(low, low), (high, high)], INK)])?;
        chart.draw_series(scatter.points.iter().map(|&at| Circle::new(at, 4, COLOURS[0].mix(0.5).filled())))?;
        Ok(())
    })
}
