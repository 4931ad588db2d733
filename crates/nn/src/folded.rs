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
        let units = plan.layer.size;
        let weight = |unit: usize, input: usize| f64::from(network.cells[plan.weight(unit, input)]);
        let mut base = vec![0.0f32; size];
        inputs.base(&mut base);
        inputs.free().iter().for_each(|&input| base[input] = 0.0);
        let start: Vec<f64> = (0..units)
            .map(|unit| {
                let bias = f64::from(network.cells[plan.bias(unit)]);
                base.iter().enumerate().fold(bias, |sum, (input, &base)| sum + f64::from(base) * weight(unit, input))
            })
            .collect();
        let mut vectors = Vec::with_capacity(switches * units);
        for switch in 0..switches {
            let effects = inputs.effects(switch);
            if effects.is_empty() {
                vectors.resize(vectors.len() + units, 0.0);
                continue;
            }
            vectors.extend((0..units).map(|unit| {
                effects.iter().fold(0.0, |sum, &(input, amount)| sum + f64::from(amount) * weight(unit, input))
            }));
        }
        // The largest that any unit's sum can be, whatever is on.
        let most = (0..units)
            .map(|unit| start[unit].abs() + vectors.iter().skip(unit).step_by(units).map(|sum| sum.abs()).sum::<f64>())
            .fold(0.0, f64::max);
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
            let mut whole = vec![Whole::default(); padded(units) / LANES];
            for (unit, sum) in sums.iter().enumerate() {
                whole[unit / LANES].0[unit % LANES] = (sum * scale).round_ties_even() as i32;
            }
            whole
        };
        let free = inputs.free().iter().flat_map(|&input| {
            let column: Vec<f32> = (0..padded(units))
                .map(|unit| if unit < units { network.cells[plan.weight(unit, input)] } else { 0.0 })
                .collect();
            column.as_chunks::<LANES>().0.to_vec()
        });
        let head = match &network.plans[1..] {
            [last] if inputs.free().is_empty() => last.only_unit(&network.cells),
            _ => None,
        };
        Ok(Folded {
            head: head.map(|(weights, bias)| (weights.as_chunks().0.to_vec(), bias)),
            start: whole(&start),
            vectors: vectors.chunks(units).flat_map(whole).collect(),
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
