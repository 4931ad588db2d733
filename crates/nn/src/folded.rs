//! A network's first layer, ready to follow a search.
//!
//! The inputs of a game are sums of switches, and the first layer's sums are sums of inputs. So each switch has one
//! fixed vector: what it adds to the sums of all units. Floating-point sums depend on the order in which they are made,
//! and a search adds and takes away in any order; so the vectors are whole numbers, multiples of one small unit, whose
//! sums are exact.

use std::sync::Arc;

use lanista_core::{Inputs, Position};
use thiserror::Error;

use crate::lanes::{LANES, padded};
use crate::{Network, View};

/// The finest unit is 2⁻²²: a hundred roundings of it are far below what anybody can train.
const FINEST: i32 = 22;

/// Sums stay below this, so that they and their differences fit into 32 bits.
const LIMIT: f64 = (1u32 << 30) as f64;

/// A network together with the inputs of a game. Building one takes longer than many evaluations; threads share it.
pub struct Folded<P> {
    pub(crate) inputs: Arc<dyn Inputs<P>>,
    pub(crate) view: View,
    pub(crate) network: Network,
    /// The first layer's sums when all switches are off, in units.
    pub(crate) start: Vec<Whole>,
    /// What each switch adds, in units: as many groups as `start`, then those of the next switch.
    pub(crate) vectors: Vec<Whole>,
    /// The weights of the free inputs, laid out in the same way.
    pub(crate) free: Vec<[f32; LANES]>,
    /// The weights and the bias of the second layer, if that is the last, has one unit, and no input is free: then the
    /// rest of the network is one short loop.
    pub(crate) head: Option<(Vec<[f32; LANES]>, f32)>,
    /// What a unit is worth: a power of two.
    pub(crate) unit: f32,
}

/// A group of sums, aligned so that no load crosses a line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(crate) struct Whole(pub [i32; LANES]);

/// Why a network and inputs do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FoldError {
    /// They differ in the number of inputs.
    #[error("the network has {network} inputs, the game's input groups give {groups}")]
    Size {
        /// As the network has.
        network: usize,
        /// As the groups have.
        groups: usize,
    },
    /// There are more switches than a set of them holds.
    #[error("{0} switches: there can be 256")]
    Switches(usize),
    /// A weight is no finite number.
    #[error("weight {0} is not a finite number")]
    NotFinite(usize),
    /// Weights or effects are too large to be added.
    #[error("the weights of the first layer are too large")]
    Large,
}

impl<P: Position> Folded<P> {
    /// Folds a network's first layer with the inputs that it sees.
    pub fn new(network: Network, inputs: Arc<dyn Inputs<P>>, view: View) -> Result<Folded<P>, FoldError> {
        let size = network.shape().inputs;
        if inputs.size() != size {
            return Err(FoldError::Size { network: size, groups: inputs.size() });
        }
        let switches = inputs.switches();
        if switches > 256 {
            return Err(FoldError::Switches(switches));
        }
        if let Some(place) = network.not_finite() {
            return Err(FoldError::NotFinite(place));
        }
        let plan = &network.plans[0];
        // Columns and sums have a place for each unit and are filled up with zeros.
        let units = padded(plan.layer.size);
        let columns = plan.columns(&network.cells);
        let column = |input: usize| columns[input * units..][..units].iter();
        let mut base = vec![0.0f32; size];
        inputs.base(&mut base);
        inputs.free().iter().for_each(|&input| base[input] = 0.0);
        let add = |sums: &mut [f64], input: usize, amount: f32| {
            sums.iter_mut().zip(column(input)).for_each(|(sum, weight)| *sum += f64::from(amount) * weight);
        };
        let mut start: Vec<f64> = network.cells[plan.bias(0)..][..units].iter().map(|&bias| f64::from(bias)).collect();
        base.iter()
            .enumerate()
            .filter(|(_, base)| **base != 0.0)
            .for_each(|(input, &base)| add(&mut start, input, base));
        let mut vectors = vec![0.0; switches * units];
        // The sizes of all vectors together: no unit's sum can be larger, whatever is on.
        let mut sizes = vec![0.0; units];
        for (switch, vector) in vectors.chunks_exact_mut(units).enumerate() {
            inputs.effects(switch).iter().for_each(|&(input, amount)| add(vector, input, amount));
            sizes.iter_mut().zip(vector).for_each(|(size, sum)| *size += sum.abs());
        }
        let most = start.iter().zip(&sizes).map(|(start, size)| start.abs() + size).fold(0.0, f64::max);
        if most >= f64::from(f32::MAX) || most.is_nan() {
            return Err(FoldError::Large);
        }
        let mut exponent = FINEST;
        // Each rounding may add half a unit.
        while most * two_to(exponent) + switches as f64 >= LIMIT {
            exponent -= 1;
        }
        let scale = two_to(exponent);
        let whole = |sums: &[f64]| {
            let groups = sums.as_chunks::<LANES>().0.iter();
            groups.map(|sums| Whole(sums.map(|sum| (sum * scale).round_ties_even() as i32))).collect()
        };
        let free = inputs.free().iter().flat_map(|&input| {
            let groups = columns[input * units..][..units].as_chunks::<LANES>().0;
            groups.iter().map(|weights| weights.map(|weight| weight as f32)).collect::<Vec<_>>()
        });
        let head = match &network.plans[1..] {
            [last] if inputs.free().is_empty() => last.only_unit(&network.cells),
            _ => None,
        };
        Ok(Folded {
            head: head.map(|(weights, bias)| (weights.as_chunks().0.to_vec(), bias)),
            start: whole(&start),
            vectors: whole(&vectors),
            free: free.collect(),
            unit: (1.0 / scale) as f32,
            inputs,
            view,
            network,
        })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The inputs.
    pub fn inputs(&self) -> &Arc<dyn Inputs<P>> {
        &self.inputs
    }
}

fn two_to(exponent: i32) -> f64 {
    // Weights are below 2¹²⁸, so exponents stay far above the least of an f64.
    f64::from_bits(((1023 + exponent) as u64) << 52)
}
