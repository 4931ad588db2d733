//! How often values occur, of one sample or of two over each other.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::super::numbers;
use super::{About, COLOURS, Chart, ChartError, GRID, INK, draw, range_of, say, shortened, writing};

/// A sample.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What it is called.
    pub label: String,
    /// The values.
    pub values: Vec<f64>,
}

const SIZE: (u32, u32) = (900, 400);
const BINS: usize = 40;
const LONGEST: usize = 40;

/// Shares of each sample in bins of equal width. Values from 0 to 1 get that whole range.
pub fn histogram(about: About, axis: &str, samples: &[Sample]) -> Result<Chart, ChartError> {
    let all = || samples.iter().flat_map(|sample| sample.values.iter().copied());
    let (from, to) = match all().all(|value| (0.0..=1.0).contains(&value)) {
        true => (0.0, 1.0),
        false => range_of(all().map(|value| (value, 0.0))),
    };
    let shares: Vec<Vec<f64>> = samples.iter().map(|sample| shares(&sample.values, from, to)).collect();
    let highest = shares.iter().flatten().copied().fold(0.0, f64::max).max(0.01) * 1.08;
    draw(about, SIZE, |area| {
        let mut chart = ChartBuilder::on(area)
            .margin_top(14)
            .margin_right(24)
            .x_label_area_size(46)
            .y_label_area_size(76)
            .build_cartesian_2d(from..to, 0.0..highest)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(INK)
            .x_labels(11)
            .y_labels(6)
            .x_label_formatter(&|value| numbers::short(*value))
            .y_label_formatter(&|share| format!("{:.0} %", share * 100.0))
            .x_desc(axis)
            .y_desc("share of all")
            .label_style(writing(HPos::Center, VPos::Center))
            .axis_desc_style(writing(HPos::Center, VPos::Center))
            .draw()?;
        let width = (to - from) / BINS as f64;
        for (index, shares) in shares.iter().enumerate() {
            let colour = COLOURS[index % COLOURS.len()];
            let bar = |(bin, share): (usize, &f64)| {
                let left = from + bin as f64 * width;
                Rectangle::new([(left, 0.0), (left + width, *share)], colour.mix(0.55).filled())
            };
            chart.draw_series(shares.iter().enumerate().filter(|(_, share)| **share > 0.0).map(bar))?;
            let (x, y) = (SIZE.0 as i32 - 330, 30 + 24 * index as i32);
            area.draw(&Rectangle::new([(x - 18, y - 7), (x - 4, y + 7)], colour.mix(0.55).filled()))?;
            say(area, &shortened(&samples[index].label, LONGEST), (x + 4, y), &writing(HPos::Left, VPos::Center))?;
        }
        Ok(())
    })
}

fn shares(values: &[f64], from: f64, to: f64) -> Vec<f64> {
    let mut counts = vec![0.0; BINS];
    for value in values {
        let bin = ((value - from) / (to - from) * BINS as f64) as usize;
        counts[bin.min(BINS - 1)] += 1.0 / values.len() as f64;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_everything_once() {
        let found = shares(&[0.0, 0.0, 0.5, 1.0], 0.0, 1.0);
        assert_eq!((found[0], found[20], found[39]), (0.5, 0.25, 0.25));
        assert_eq!(found.iter().sum::<f64>(), 1.0);
    }
}
