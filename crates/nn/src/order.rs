//! Orders of the chromosome.
//!
//! Crossover cuts chromosomes, and weights that lie side by side stay together more often. The weights of a unit that
//! looks at a board can lie in rows, as they do in a [`crate::Network`]; or so that squares which touch each other on
//! the board stay neighbours at the ends of rows as well.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Shape;

/// A way through the squares of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Default, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Row by row, each from the left.
    #[default]
    Rows,
    /// Row by row, every second one from the right, as an ox ploughs.
    Snake,
    /// From the first corner along the first row, then inwards.
    Spiral,
}

/// A group of inputs that is a square board, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Square {
    /// Its first input.
    pub offset: usize,
    /// The length of its sides.
    pub side: usize,
}

/// Why squares cannot be arranged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OrderError {
    /// A square reaches beyond the inputs.
    #[error("a square of side {side} at input {offset} reaches beyond the {inputs} inputs")]
    Beyond {
        /// The square's first input.
        offset: usize,
        /// The length of its sides.
        side: usize,
        /// How many inputs there are.
        inputs: usize,
    },
    /// Two squares have an input in common.
    #[error("two squares share input {0}")]
    Overlap(usize),
}

/// A permutation of the chromosomes of one shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// For each place of an arranged chromosome, the plain place that stands there.
    places: Vec<usize>,
}

impl Order {
    /// All of them.
    pub const ALL: [Order; 3] = [Order::Rows, Order::Snake, Order::Spiral];

    /// The squares of a board in this order; square `row * side + column` is a number.
    pub fn walk(self, side: usize) -> Vec<usize> {
        match self {
            Order::Rows => (0..side * side).collect(),
            Order::Snake => (0..side * side)
                .map(|index| match (index / side, index % side) {
                    (row, column) if row % 2 == 1 => row * side + side - 1 - column,
                    (row, column) => row * side + column,
                })
                .collect(),
            Order::Spiral => spiral(side),
        }
    }
}

impl Arrangement {
    /// Arranges what the units of the first layer have for the inputs in `squares`; all else stays where it is.
    pub fn new(order: Order, shape: &Shape, squares: &[Square]) -> Result<Arrangement, OrderError> {
        let inputs = shape.inputs;
        let mut row: Vec<usize> = (0..inputs).collect();
        let mut taken = vec![false; inputs];
        for &Square { offset, side } in squares {
            let end = side.checked_mul(side).and_then(|area| area.checked_add(offset));
            let end = end.filter(|&end| end <= inputs).ok_or(OrderError::Beyond { offset, side, inputs })?;
            if let Some(shared) = (offset..end).find(|&input| taken[input]) {
                return Err(OrderError::Overlap(shared));
            }
            taken[offset..end].fill(true);
            for (place, square) in row[offset..end].iter_mut().zip(order.walk(side)) {
                *place = offset + square;
            }
        }
        let mut places: Vec<usize> = (0..shape.weights()).collect();
        if let Some(first) = shape.layers.first() {
            let stride = inputs + usize::from(first.bias);
            for unit in places.chunks_exact_mut(stride).take(first.size) {
                let begin = unit[0];
                unit.iter_mut().zip(&row).for_each(|(place, input)| *place = begin + input);
            }
        }
        Ok(Arrangement { places })
    }

    /// For each place of an arranged chromosome, the plain place that stands there.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// A plain chromosome, arranged.
    ///
    /// # Panics
    ///
    /// If it is of another length; so does [`Arrangement::restore`].
    pub fn arrange<T: Copy>(&self, plain: &[T]) -> Vec<T> {
        assert_eq!(plain.len(), self.places.len(), "a chromosome of this shape");
        self.places.iter().map(|&place| plain[place]).collect()
    }

    /// An arranged chromosome, plain again.
    pub fn restore<T: Copy>(&self, arranged: &[T]) -> Vec<T> {
        assert_eq!(arranged.len(), self.places.len(), "a chromosome of this shape");
        let mut plain = arranged.to_vec();
        self.places.iter().zip(arranged).for_each(|(&place, &value)| plain[place] = value);
        plain
    }
}

fn spiral(side: usize) -> Vec<usize> {
    let mut walk = Vec::with_capacity(side * side);
    let (mut low, mut high) = (0, side);
    while low < high {
        // Around the ring of squares between `low` and `high`: each leg stops before the corner that begins the next.
        let last = high - 1;
        if low == last {
            walk.push(low * side + low);
        }
        walk.extend((low..last).map(|column| low * side + column));
        walk.extend((low..last).map(|row| row * side + last));
        walk.extend((low + 1..high).rev().map(|column| last * side + column));
        walk.extend((low + 1..high).rev().map(|row| row * side + low));
        (low, high) = (low + 1, last);
    }
    walk
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Activation;

    #[test]
    fn walks_by_hand() {
        assert_eq!(Order::Rows.walk(2), [0, 1, 2, 3]);
        assert_eq!(Order::Snake.walk(3), [0, 1, 2, 5, 4, 3, 6, 7, 8]);
        assert_eq!(Order::Spiral.walk(3), [0, 1, 2, 5, 8, 7, 6, 3, 4]);
        assert_eq!(Order::Spiral.walk(4), [0, 1, 2, 3, 7, 11, 15, 14, 13, 12, 8, 4, 5, 6, 10, 9]);
    }

    #[test]
    fn walks_visit_all_and_step_to_neighbours() {
        for order in Order::ALL {
            for side in 0..12 {
                let walk = order.walk(side);
                let mut sorted = walk.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..side * side).collect::<Vec<_>>());
                let touch = |a: usize, b: usize| (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side) == 1;
                let broken = walk.windows(2).filter(|pair| !touch(pair[0], pair[1])).count();
                assert_eq!(broken, if order == Order::Rows { side.saturating_sub(1) } else { 0 }, "{order:?} {side}");
            }
        }
    }

    #[test]
    fn arranging_can_be_undone() {
        let shape = Shape::uniform(103, &[5, 2], Activation::Tanh);
        let plain: Vec<f32> = (0..shape.weights()).map(|index| index as f32).collect();
        let squares = [Square { offset: 0, side: 8 }, Square { offset: 65, side: 6 }];
        for order in Order::ALL {
            let arrangement = Arrangement::new(order, &shape, &squares).expect("squares that fit");
            let arranged = arrangement.arrange(&plain);
            assert_eq!(arrangement.restore(&arranged), plain);
            assert_eq!(arranged == plain, order == Order::Rows);
            // Inputs outside the squares, biases and other layers stay.
            for place in [64, 101, 103, 104 + 64, 5 * 104, plain.len() - 1] {
                assert_eq!(arranged[place], plain[place]);
            }
            let unit = &arranged[2 * 104..][..64];
            let walk: Vec<f32> = order.walk(8).iter().map(|square| (2 * 104 + square) as f32).collect();
            assert_eq!(unit, walk);
        }
        let refused = |squares: &[Square]| Arrangement::new(Order::Snake, &shape, squares).err();
        let beyond = OrderError::Beyond { offset: 60, side: 8, inputs: 103 };
        assert_eq!(refused(&[Square { offset: 60, side: 8 }]), Some(beyond));
        assert_eq!(refused(&[squares[0], Square { offset: 63, side: 2 }]), Some(OrderError::Overlap(63)));
    }
}
