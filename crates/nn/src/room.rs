//! Room to work in.

use crate::lanes::padded;
use crate::layer::{Plan, find_live};

/// The numbers inside a network while it works. Keep one a thread and reuse it: it allocates only when the shape
/// changes.
#[derive(Clone, Debug, Default)]
pub struct Room {
    /// What each layer sees, and at the end the outputs; padded with zeros.
    pub(crate) values: Vec<Vec<f32>>,
    /// The numbers of the values that are not 0, for layers that ask for them.
    live: Vec<Vec<u32>>,
    /// How many of them there are.
    live_counts: Vec<usize>,
    /// The slopes of the error at the sums of the layer at hand.
    pub(crate) slopes: Vec<f32>,
    /// The same for the layer below.
    pub(crate) below: Vec<f32>,
}

impl Room {
    /// Room that fits no network yet.
    pub fn new() -> Room {
        Room::default()
    }

    /// Makes it fit.
    #[inline]
    pub(crate) fn fit(&mut self, plans: &[Plan]) {
        let fits = self.values.len() == plans.len() + 1
            && plans.iter().zip(&self.live).all(|(plan, live)| plan.inputs == live.len())
            && self.values.last().map(Vec::len) == plans.last().map(|plan| padded(plan.layer.size));
        if !fits {
            self.build(plans);
        }
    }

    #[cold]
    fn build(&mut self, plans: &[Plan]) {
        let outputs = plans.last().map(|plan| plan.layer.size);
        let sizes: Vec<usize> = plans.iter().map(|plan| plan.inputs).chain(outputs).collect();
        let widest = sizes.iter().copied().max().unwrap_or(0);
        self.values = sizes.iter().map(|&size| vec![0.0; padded(size)]).collect();
        self.live = plans.iter().map(|plan| vec![0; plan.inputs]).collect();
        self.live_counts = vec![0; plans.len()];
        self.slopes = vec![0.0; padded(widest)];
        self.below = vec![0.0; padded(widest)];
    }

    /// Computes a layer from the values below it.
    #[inline]
    pub(crate) fn forward(&mut self, number: usize, plan: &Plan, cells: &[f32]) {
        let (below, above) = self.values.split_at_mut(number + 1);
        let (inputs, outputs) = (&below[number], &mut above[0]);
        let live = &mut self.live[number];
        if plan.wants_live() {
            self.live_counts[number] = find_live(&inputs[..plan.inputs], live);
        }
        plan.forward(cells, inputs, &live[..self.live_counts[number]], outputs);
    }

    /// What a layer saw last, and which of it was not 0.
    #[inline]
    pub(crate) fn seen(&self, number: usize) -> (&[f32], &[u32]) {
        (&self.values[number], &self.live[number][..self.live_counts[number]])
    }

    /// The slopes at the sums of a layer, padded.
    #[inline]
    pub(crate) fn slopes(&self, plan: &Plan) -> &[f32] {
        &self.slopes[..padded(plan.layer.size)]
    }
}
