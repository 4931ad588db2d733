//! Orders of the squares of a board, so that crossover keeps neighbours together (plogann names snake and spiral).

use serde::{Deserialize, Serialize};

/// In which order squares stand in a chromosome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WeightOrder {
    /// Row by row, each from the left. (plogann.)
    #[default]
    Rows,
    /// Row by row, to the right and back in turns.
    Snake,
    /// From the first corner inwards.
    Spiral,
}

impl WeightOrder {
    /// The squares of a board in this order; square `r · columns + c` is in row `r` and column `c`.
    pub fn squares(self, rows: u32, columns: u32) -> Vec<u32> {
        match self {
            WeightOrder::Rows => (0..rows * columns).collect(),
            WeightOrder::Snake => (0..rows * columns)
                .map(|place| {
                    let (row, column) = (place / columns, place % columns);
                    row * columns + if row % 2 == 0 { column } else { columns - 1 - column }
                })
                .collect(),
            WeightOrder::Spiral => spiral(rows, columns),
        }
    }

    /// The order of a list of weights that has blocks of `block` weights for each square, square by square, from `start` on. What is
    /// before and behind stays where it is: `total` weights in all.
    pub fn weights(self, rows: u32, columns: u32, start: u32, block: u32, total: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..start).collect();
        for square in self.squares(rows, columns) {
            order.extend((0..block).map(|weight| start + square * block + weight));
        }
        order.extend(start + rows * columns * block..total);
        order
    }
}

/// Whether a list has every number below `weights` once. An error says that it has not.
pub fn check_order(order: &[u32], weights: usize) -> Result<(), String> {
    let mut seen = vec![false; weights];
    let is_new = |&place: &u32| seen.get_mut(place as usize).is_some_and(|seen| !std::mem::replace(seen, true));
    if order.len() == weights && order.iter().all(is_new) {
        return Ok(());
    }
    Err(format!("weight order: expected every number below {weights} once"))
}

fn spiral(rows: u32, columns: u32) -> Vec<u32> {
    let mut order = Vec::with_capacity((rows * columns) as usize);
    let (mut top, mut left, mut bottom, mut right) = (0, 0, rows, columns);
    while top < bottom && left < right {
        order.extend((left..right).map(|column| top * columns + column));
        order.extend((top + 1..bottom).map(|row| row * columns + right - 1));
        if bottom - top > 1 {
            order.extend((left..right - 1).rev().map(|column| (bottom - 1) * columns + column));
        }
        if right - left > 1 {
            order.extend((top + 1..bottom - 1).rev().map(|row| row * columns + left));
        }
        (top, left, bottom, right) = (top + 1, left + 1, bottom - 1, right - 1);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_boards_by_hand() {
        assert_eq!(WeightOrder::Snake.squares(2, 3), [0, 1, 2, 5, 4, 3]);
        assert_eq!(WeightOrder::Spiral.squares(3, 3), [0, 1, 2, 5, 8, 7, 6, 3, 4]);
        assert_eq!(WeightOrder::Snake.weights(2, 2, 1, 2, 10), [0, 1, 2, 3, 4, 7, 8, 5, 6, 9]);
    }

    #[test]
    fn neighbours_stay_together() {
        for (rows, columns) in [(8, 8), (1, 5), (5, 1), (6, 7), (7, 6)] {
            for order in [WeightOrder::Rows, WeightOrder::Snake, WeightOrder::Spiral] {
                let squares = order.squares(rows, columns);
                assert_eq!(check_order(&squares, (rows * columns) as usize), Ok(()), "{order:?}");
                let touch = |pair: &[u32]| {
                    (pair[0] / columns).abs_diff(pair[1] / columns) + (pair[0] % columns).abs_diff(pair[1] % columns)
                        == 1
                };
                assert!(order == WeightOrder::Rows || squares.windows(2).all(touch), "{order:?} {squares:?}");
            }
        }
        assert!(check_order(&[0, 0], 2).is_err() && check_order(&[1, 2], 2).is_err() && check_order(&[0], 2).is_err());
    }
}
