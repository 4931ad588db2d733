//! Where a layer's weights lie, and the loops over them.
//!
//! All weights of a network are *cells* of one list. A wide layer keeps a column for each input: its weights to all
//! units side by side. A unit then sums its inputs in the order of their numbers, its bias first, and vector
//! instructions run across the units, so they cannot change any unit's order. A narrow layer, which has too few units
//! for that, keeps a row for each unit and sums it as [`dot`] says; its bias comes last. Columns, rows and biases are
//! filled up to groups of eight with zeros, and stay so.

use crate::lanes::{LANES, dot, padded};
use crate::shape::{Layer, Shape};

/// Up to this many units a layer is narrow.
const NARROW: usize = 4;

/// One layer's place among the cells.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub layer: Layer,
    pub inputs: usize,
    narrow: bool,
    /// Cells from one column, or row, to the next.
    stride: usize,
    /// The first weight's cell.
    weights: usize,
    /// The first bias's cell.
    biases: usize,
}

impl Plan {
    /// The plans of all layers, and how many cells they take together.
    pub fn all(shape: &Shape) -> (Vec<Plan>, usize) {
        let mut end = 0;
        let plans = shape.fans().zip(&shape.layers).map(|(inputs, &layer)| {
            let narrow = layer.size <= NARROW;
            let (count, stride) = if narrow { (layer.size, padded(inputs)) } else { (inputs, padded(layer.size)) };
            let weights = end;
            let biases = weights + count * stride;
            end = biases + padded(layer.size);
            Plan { layer, inputs, narrow, stride, weights, biases }
        });
        (plans.collect(), end)
    }

    /// The cell of a weight.
    pub fn weight(&self, unit: usize, input: usize) -> usize {
        self.weights + if self.narrow { unit * self.stride + input } else { input * self.stride + unit }
    }

    /// The cell of a unit's bias.
    pub fn bias(&self, unit: usize) -> usize {
        self.biases + unit
    }

    /// For each input its weights to all units, filled up with zeros.
    pub fn columns(&self, cells: &[f32]) -> Vec<f64> {
        let weights = &cells[self.weights..self.biases];
        if !self.narrow {
            return weights.iter().map(|&weight| f64::from(weight)).collect();
        }
        let units = padded(self.layer.size);
        let mut columns = vec![0.0; self.inputs * units];
        for (unit, row) in weights.chunks_exact(self.stride).enumerate() {
            for (column, &weight) in columns.chunks_exact_mut(units).zip(row) {
                column[unit] = f64::from(weight);
            }
        }
        columns
    }

    /// The only unit's weights, padded, and its bias, if the layer has one unit.
    pub fn only_unit<'cells>(&self, cells: &'cells [f32]) -> Option<(&'cells [f32], f32)> {
        (self.layer.size == 1).then(|| (&cells[self.weights..self.biases], cells[self.biases]))
    }

    /// The cells in the order of the chromosome.
    pub fn chromosome(&self) -> impl Iterator<Item = usize> {
        (0..self.layer.size).flat_map(move |unit| {
            let weights = (0..self.inputs).map(move |input| self.weight(unit, input));
            weights.chain(self.layer.bias.then(|| self.bias(unit)))
        })
    }

    /// Puts the first numbers of a chromosome into the cells of this layer. Returns the others.
    pub fn place<'weights>(&self, cells: &mut [f32], weights: &'weights [f32]) -> &'weights [f32] {
        let mut rest = weights;
        for unit in 0..self.layer.size {
            let (own, others) = rest.split_at(self.inputs);
            for (input, &weight) in own.iter().enumerate() {
                cells[self.weight(unit, input)] = weight;
            }
            rest = others;
            if self.layer.bias
                && let Some((&bias, others)) = rest.split_first()
            {
                cells[self.bias(unit)] = bias;
                rest = others;
            }
        }
        rest
    }

    /// Whether [`Plan::forward`] wants a list of the inputs that are not 0.
    pub fn wants_live(&self) -> bool {
        !self.narrow
    }

    /// Outputs from inputs. `inputs` and `outputs` are padded; `live` lists the inputs that are not 0.
    #[inline]
    pub fn forward(&self, cells: &[f32], inputs: &[f32], live: &[u32], outputs: &mut [f32]) {
        let weights = &cells[self.weights..self.biases];
        let biases = &cells[self.biases..][..outputs.len()];
        if self.narrow {
            for (unit, row) in weights.chunks_exact(self.stride).enumerate() {
                outputs[unit] = dot(row, inputs) + biases[unit];
            }
            self.layer.activation.apply(&mut outputs[..self.layer.size]);
            return;
        }
        let columns = weights.as_chunks::<LANES>().0;
        let biases = biases.as_chunks::<LANES>().0;
        let chunks = outputs.as_chunks_mut::<LANES>().0;
        // As many groups as there are registers for, over all inputs: their sums run side by side.
        let mut done = 0;
        while chunks.len() - done > 7 {
            sum_columns::<4>(columns, biases, done, inputs, live, chunks);
            done += 4;
        }
        match chunks.len() - done {
            1 => sum_columns::<1>(columns, biases, done, inputs, live, chunks),
            2 => sum_columns::<2>(columns, biases, done, inputs, live, chunks),
            3 => sum_columns::<3>(columns, biases, done, inputs, live, chunks),
            4 => sum_columns::<4>(columns, biases, done, inputs, live, chunks),
            5 => sum_columns::<5>(columns, biases, done, inputs, live, chunks),
            6 => sum_columns::<6>(columns, biases, done, inputs, live, chunks),
            _ => sum_columns::<7>(columns, biases, done, inputs, live, chunks),
        }
        self.layer.activation.apply(outputs);
        // A unit that is not there must stay silent, whatever the activation makes of 0.
        outputs[self.layer.size..].fill(0.0);
    }

    /// What the error's slopes at the sums make of slopes at the inputs, before the activation below. Padded.
    #[inline]
    pub fn back(&self, cells: &[f32], slopes: &[f32], below: &mut [f32]) {
        let weights = &cells[self.weights..self.biases];
        if self.narrow {
            below.fill(0.0);
            for (row, &slope) in weights.chunks_exact(self.stride).zip(slopes) {
                for (below, row) in below.as_chunks_mut::<LANES>().0.iter_mut().zip(row.as_chunks::<LANES>().0) {
                    for lane in 0..LANES {
                        below[lane] += slope * row[lane];
                    }
                }
            }
        } else {
            below[self.inputs..].fill(0.0);
            for (below, column) in below.iter_mut().zip(weights.chunks_exact(self.stride)) {
                *below = dot(column, slopes);
            }
        }
    }

    /// Hands `put` each cell with the slope of the error there, cells of inputs that are 0 left out where that is
    /// quicker: their slope is 0.
    #[inline]
    pub fn spread(
        &self,
        cells: &mut [f32],
        inputs: &[f32],
        live: &[u32],
        slopes: &[f32],
        put: impl Fn(&mut f32, f32) + Copy,
    ) {
        let (weights, biases) = cells[self.weights..].split_at_mut(self.biases - self.weights);
        if self.narrow {
            for (row, &slope) in weights.chunks_exact_mut(self.stride).zip(slopes) {
                put_products(row, inputs, slope, put);
            }
        } else {
            for &input in live {
                let input = input as usize;
                put_products(&mut weights[input * self.stride..][..self.stride], slopes, inputs[input], put);
            }
        }
        if self.layer.bias {
            biases.iter_mut().zip(&slopes[..self.layer.size]).for_each(|(bias, &slope)| put(bias, slope));
        }
    }
}

/// Writes the numbers of the inputs that are not 0 to the front of `live` and returns how many there are. Without a
/// branch: which inputs are 0 cannot be predicted.
#[inline]
pub(crate) fn find_live(inputs: &[f32], live: &mut [u32]) -> usize {
    let mut count = 0;
    for (number, &input) in inputs.iter().enumerate() {
        live[count] = number as u32;
        count += usize::from(input != 0.0);
    }
    count
}

#[inline]
fn sum_columns<const N: usize>(
    columns: &[[f32; LANES]],
    biases: &[[f32; LANES]],
    first: usize,
    inputs: &[f32],
    live: &[u32],
    outputs: &mut [[f32; LANES]],
) {
    let stride = biases.len();
    let mut sums: [[f32; LANES]; N] = std::array::from_fn(|chunk| biases[first + chunk]);
    for &input in live {
        let value = inputs[input as usize];
        let column = &columns[input as usize * stride + first..][..N];
        for chunk in 0..N {
            for lane in 0..LANES {
                sums[chunk][lane] += value * column[chunk][lane];
            }
        }
    }
    outputs[first..first + N].copy_from_slice(&sums);
}

#[inline]
fn put_products(cells: &mut [f32], values: &[f32], factor: f32, put: impl Fn(&mut f32, f32) + Copy) {
    for (cells, values) in cells.as_chunks_mut::<LANES>().0.iter_mut().zip(values.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            put(&mut cells[lane], factor * values[lane]);
        }
    }
}
