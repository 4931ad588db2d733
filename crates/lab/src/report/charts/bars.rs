//! Bars that lie, with the intervals of their values.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::numbers;
use super::{About, COLOURS, Chart, ChartError, GRID, INK, LETTER, draw, range_of, say, shortened, writing};

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it is called.
    pub label: String,
    /// How far it goes.
    pub value: f64,
    /// Half the interval.
    pub error: Option<f64>,
}

const ROW: u32 = 34;
const LONGEST: usize = 34;

/// Bars of figures of one name, from the top down, beginning at `base`.
pub fn bars(about: About, name: &str, base: f64, bars: &[Bar]) -> Result<Chart, ChartError> {
    let labels: Vec<String> = bars.iter().map(|bar| shortened(&bar.label, LONGEST)).collect();
    let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0) as u32;
    let left = widest * LETTER as u32 + 24;
    let values: Vec<String> = bars.iter().map(|bar| numbers::estimate(name, bar.value, bar.error)).collect();
    let right = values.iter().map(|value| value.chars().count()).max().unwrap_or(0) as u32 * LETTER as u32 + 24;
    let size = (900, ROW * bars.len().max(1) as u32 + 56);
    let (low, high) =
        range_of(bars.iter().map(|bar| (bar.value, bar.error.unwrap_or(0.0))).chain(std::iter::once((base, 0.0))));
    let (low, high) = if numbers::is_share(name) { (0.0, 1.0) } else { (low, high) };
    let (low, high) = if low < base && bars.iter().all(|bar| bar.value - bar.error.unwrap_or(0.0) >= base) {
        (base, high)
    } else {
        (low, high)
    };
    draw(about, size, |area| {
        let rows = bars.len().max(1) as f64;
        let mut chart = ChartBuilder::on(area)
            .margin_top(8)
            .margin_right(right)
            .margin_left(left)
            .x_label_area_size(44)
            .build_cartesian_2d(low..high, 0.0..rows)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_labels(8)
            .x_label_formatter(&|value| match numbers::is_share(name) {
                true => format!("{:.0} %", value * 100.0),
                false => numbers::short(*value),
            })
            .x_desc(name)
            .label_style(writing(HPos::Center, VPos::Top))
            .axis_desc_style(writing(HPos::Center, VPos::Bottom))
            .draw()?;
        for (index, bar) in bars.iter().enumerate() {
            let middle = rows - index as f64 - 0.5;
            let (from, to) = (bar.value.min(base), bar.value.max(base));
            chart.draw_series([Rectangle::new([(from, middle - 0.3), (to, middle + 0.3)], COLOURS[0].filled())])?;
            if let Some(error) = bar.error {
                let (from, to) = ((bar.value - error).max(low), (bar.value + error).min(high));
                let line = ShapeStyle { color: INK.to_rgba(), filled: false, stroke_width: 2 };
                for ends in [
                    [(from, middle), (to, middle)],
                    [(from, middle - 0.14), (from, middle + 0.14)],
                    [(to, middle - 0.14), (to, middle + 0.14)],
                ] {
                    chart.draw_series([PathElement::new(ends, line)])?;
                }
            }
            let (_, y) = chart.backend_coord(&(base, middle));
            say(area, &labels[index], (left as i32 - 10, y), &writing(HPos::Right, VPos::Center))?;
            say(area, &values[index], (size.0 as i32 - right as i32 + 10, y), &writing(HPos::Left, VPos::Center))?;
        }
        chart.draw_series([PathElement::new([(base, 0.0), (base, rows)], INK)])?;
        Ok(())
    })
}
