//! Networks as evaluators that follow a search.

use std::sync::Arc;

use lanista_core::{Evaluator, Position, Score, Side, Switches};

use crate::activation::{Inlined, InlinedFine};
use crate::folded::{Folded, Whole};
use crate::lanes::{LANES, total};
use crate::{Activation, Room, View};

/// An evaluator that keeps the sums of a network's first layer for every position between the root of a search and its
/// top, as each side sees them, and computes the rest of the network when it is asked.
///
/// Nothing is computed before it is needed: `push` only writes down the position. The first question about a view then
/// goes up from the highest position whose sums are known, at the price of the switches that the moves turned.
pub struct NetworkEvaluator<P> {
    folded: Arc<Folded<P>>,
    output: Activation,
    /// The positions that were reset and pushed; above `top` lie some from before.
    positions: Vec<P>,
    /// The number of the last position.
    top: usize,
    /// For each view, sums are known for the positions below this number.
    known: [usize; 2],
    /// For each position the set of switches whose sum is kept, as each side sees it.
    sets: Vec<[Switches; 2]>,
    /// The sums of those sets: for each position and view as many groups as the first layer has.
    sums: Vec<Whole>,
    room: Room,
    free: Vec<f32>,
    /// Sums and outputs of positions that are judged at once.
    batch: Vec<Whole>,
    outputs: Vec<f32>,
}

impl<P: Position> NetworkEvaluator<P> {
    /// An evaluator that has seen no position yet.
    pub fn new(folded: Arc<Folded<P>>) -> NetworkEvaluator<P> {
        let layers = &folded.network.shape().layers;
        let output = layers[layers.len() - 1].activation;
        let mut room = Room::new();
        room.fit(&folded.network.plans);
        NetworkEvaluator {
            output,
            positions: Vec::new(),
            top: 0,
            known: [0; 2],
            // Whatever is known, a set and its sum belong together: here nothing, and the start.
            sets: vec![[Switches::default(); 2]],
            sums: folded.start.repeat(2),
            room,
            free: vec![0.0; folded.inputs.free().len()],
            batch: Vec::new(),
            outputs: Vec::new(),
            folded,
        }
    }

    /// The first output for a position as the network's [`View`] has it, which obeys the same law as [`Evaluator::value`].
    #[inline]
    pub fn output(&mut self, position: &P) -> f32 {
        let side = self.folded.view.of(position.side_to_move());
        for level in self.known[side.index()]..self.top {
            let on = self.folded.inputs.on(&self.positions[level], side);
            self.learn(level, side, on);
        }
        // Asked of the position itself, not of its copy: after a null move they differ in who is to move.
        let on = self.folded.inputs.on(position, side);
        self.learn(self.top, side, on);
        self.finish(position, side)
    }

    /// Makes the sums at `level` those of the switches `on`; those of the level below are known.
    #[inline]
    fn learn(&mut self, level: usize, side: Side, on: Switches) {
        let view = side.index();
        let from = if level < self.known[view] { level } else { level.saturating_sub(1) };
        let before = self.sets[from][view];
        if level < self.known[view] && before == on {
            return;
        }
        let chunks = self.folded.start.len();
        let (from, to) = ((2 * from + view) * chunks, (2 * level + view) * chunks);
        self.sums.copy_within(from..from + chunks, to);
        turn_all(&self.folded.vectors, chunks, &before, &on, &mut self.sums[to..to + chunks]);
        self.sets[level][view] = on;
        self.known[view] = self.known[view].max(level + 1);
    }

    /// Makes room for a position that is higher than any before, `after`.
    #[cold]
    fn grow(&mut self, before: &P, after: &P) {
        if self.positions.is_empty() {
            self.positions.push(*before);
        }
        self.positions.push(*after);
        if self.sets.len() < self.positions.len() {
            self.sets.push([Switches::default(); 2]);
            self.sums.extend_from_within(..2 * self.folded.start.len());
        }
    }

    /// From the sums at the top to the output.
    #[inline]
    fn finish(&mut self, position: &P, side: Side) -> f32 {
        let folded = &*self.folded;
        let chunks = folded.start.len();
        let sums = &self.sums[(2 * self.top + side.index()) * chunks..][..chunks];
        let layer = &folded.network.plans[0].layer;
        if let Some((weights, bias)) = &folded.head {
            let partial = layer.activation.inlined(Head { sums, unit: folded.unit, weights });
            return self.output.of(total(partial) + bias);
        }
        let values = &mut self.room.values[1];
        for (values, sums) in values.as_chunks_mut::<LANES>().0.iter_mut().zip(sums) {
            *values = sums.0.map(|sum| sum as f32 * folded.unit);
        }
        if !self.free.is_empty() {
            folded.inputs.write_free(position, side, &mut self.free);
            for (&input, column) in self.free.iter().zip(folded.free.chunks_exact(chunks)) {
                for (values, column) in values.as_chunks_mut::<LANES>().0.iter_mut().zip(column) {
                    for lane in 0..LANES {
                        values[lane] += input * column[lane];
                    }
                }
            }
        }
        layer.activation.apply(values);
        values[layer.size..].fill(0.0);
        folded.network.forward_from(1, &mut self.room);
        folded.network.outputs(&self.room)[0]
    }
}

impl<P: Position> Evaluator<P> for NetworkEvaluator<P> {
    fn reset(&mut self, position: &P) {
        match self.positions.first_mut() {
            Some(root) => *root = *position,
            None => self.positions.push(*position),
        }
        self.top = 0;
        self.known = [0; 2];
    }

    #[inline]
    fn push(&mut self, before: &P, _mv: P::Move, after: &P) {
        self.top += 1;
        match self.positions.get_mut(self.top) {
            Some(position) => *position = *after,
            None => self.grow(before, after),
        }
    }

    #[inline]
    fn pop(&mut self) {
        self.top -= 1;
        self.known = self.known.map(|known| known.min(self.top + 1));
    }

    #[inline]
    fn value(&mut self, position: &P) -> Score {
        let output = self.output(position);
        self.score(output)
    }

    fn at_once(&self) -> usize {
        if self.folded.head.is_some() { AT_ONCE } else { 1 }
    }

    fn values(&mut self, before: &P, moves: &[P::Move], behind: &[P], values: &mut [Score]) {
        if self.folded.head.is_some() {
            return self.values_at_once(behind, values);
        }
        for ((&mv, after), value) in moves.iter().zip(behind).zip(values) {
            self.push(before, mv, after);
            *value = self.value(after);
            self.pop();
        }
    }

    fn opinions(&mut self, before: &P, moves: &[P::Move], behind: &[P], opinions: &mut [f64]) {
        if self.folded.head.is_some() {
            return self.opinions_at_once(behind, opinions);
        }
        for ((&mv, after), opinion) in moves.iter().zip(behind).zip(opinions) {
            self.push(before, mv, after);
            let output = self.output(after);
            let viewed = f64::from(self.output.opinion(output));
            *opinion = if self.folded.view == View::Mover { viewed } else { -viewed };
            self.pop();
        }
    }
}

/// So many positions keep the processor busy: while one waits for a division, it works on the others.
const AT_ONCE: usize = 8;

impl<P: Position> NetworkEvaluator<P> {
    #[inline]
    fn score(&self, output: f32) -> Score {
        let score = self.output.score(output);
        match self.folded.view {
            View::Mover => score,
            View::Waiting => -score,
        }
    }

    /// Puts the sums of positions one move behind the top into the batch. A move changes the side to move, so all have the
    /// same view.
    fn sum_at_once(&mut self, behind: &[P]) {
        let Some(first) = behind.first() else { return };
        let side = self.folded.view.of(first.side_to_move());
        for level in self.known[side.index()]..=self.top {
            let on = self.folded.inputs.on(&self.positions[level], side);
            self.learn(level, side, on);
        }
        let NetworkEvaluator { folded, sets, sums, batch, .. } = self;
        let chunks = folded.start.len();
        let before = sets[self.top][side.index()];
        let sums = &sums[(2 * self.top + side.index()) * chunks..][..chunks];
        batch.resize(behind.len() * chunks, Whole::default());
        for (position, batch) in behind.iter().zip(batch.chunks_exact_mut(chunks)) {
            let on = folded.inputs.on(position, side);
            batch.copy_from_slice(sums);
            turn_all(&folded.vectors, chunks, &before, &on, batch);
        }
    }

    /// The values of positions one move behind the top.
    fn values_at_once(&mut self, behind: &[P], values: &mut [Score]) {
        self.sum_at_once(behind);
        let NetworkEvaluator { folded, batch: sums, outputs, .. } = self;
        let Some((weights, bias)) = &folded.head else { return };
        outputs.resize(behind.len(), 0.0);
        let (chunks, unit) = (folded.start.len(), folded.unit);
        let layer = &folded.network.plans[0].layer;
        layer.activation.inlined(Heads { sums, chunks, unit, weights, bias: *bias, outputs });
        self.output.apply(outputs);
        for (&output, value) in self.outputs.iter().zip(values) {
            *value = self.score(output);
        }
    }

    /// The opinions about positions one move behind the top: the sums of the last unit, in 64 bits from the first layer's
    /// sums on. Its activation would not change their order.
    fn opinions_at_once(&mut self, behind: &[P], opinions: &mut [f64]) {
        self.sum_at_once(behind);
        let NetworkEvaluator { folded, batch: sums, .. } = self;
        let Some((weights, bias)) = &folded.head else { return };
        let (chunks, unit) = (folded.start.len(), f64::from(folded.unit));
        let layer = &folded.network.plans[0].layer;
        layer.activation.inlined_fine(FineHeads { sums, chunks, unit, weights, bias: f64::from(*bias), opinions });
        if folded.view == View::Waiting {
            opinions.iter_mut().for_each(|opinion| *opinion = -*opinion);
        }
    }
}

/// [`Heads`] in 64 bits, without the last activation.
struct FineHeads<'a> {
    sums: &'a [Whole],
    chunks: usize,
    unit: f64,
    weights: &'a [[f32; LANES]],
    bias: f64,
    opinions: &'a mut [f64],
}

impl InlinedFine for FineHeads<'_> {
    #[inline(never)]
    fn with(self, function: impl Fn(f64) -> f64) {
        for (sums, opinion) in self.sums.chunks_exact(self.chunks).zip(self.opinions) {
            let mut partial = [0.0; LANES];
            for (sums, weights) in sums.iter().zip(self.weights) {
                for lane in 0..LANES {
                    partial[lane] += f64::from(weights[lane]) * function(f64::from(sums.0[lane]) * self.unit);
                }
            }
            *opinion = partial.iter().sum::<f64>() + self.bias;
        }
    }
}

/// [`Head`] for several positions, one after the other.
struct Heads<'a> {
    sums: &'a [Whole],
    chunks: usize,
    unit: f32,
    weights: &'a [[f32; LANES]],
    bias: f32,
    outputs: &'a mut [f32],
}

impl Inlined<()> for Heads<'_> {
    #[inline(never)]
    fn with(self, function: impl Fn(f32) -> f32) {
        for (sums, output) in self.sums.chunks_exact(self.chunks).zip(self.outputs) {
            let mut partial = [0.0; LANES];
            for (sums, weights) in sums.iter().zip(self.weights) {
                for lane in 0..LANES {
                    partial[lane] += weights[lane] * function(sums.0[lane] as f32 * self.unit);
                }
            }
            *output = total(partial) + self.bias;
        }
    }
}

/// The partial sums of the last layer's only unit: the same bits as layer by layer.
struct Head<'a> {
    sums: &'a [Whole],
    unit: f32,
    weights: &'a [[f32; LANES]],
}

impl Inlined<[f32; LANES]> for Head<'_> {
    // Not inlined for the same reason as in `lanes.rs`.
    #[inline(never)]
    fn with(self, function: impl Fn(f32) -> f32) -> [f32; LANES] {
        let mut partial = [0.0; LANES];
        for (sums, weights) in self.sums.iter().zip(self.weights) {
            for lane in 0..LANES {
                partial[lane] += weights[lane] * function(sums.0[lane] as f32 * self.unit);
            }
        }
        partial
    }
}

/// Adds the vectors of the switches that went on to sums, and takes away those that went off.
#[inline]
fn turn_all(vectors: &[Whole], chunks: usize, before: &Switches, after: &Switches, sums: &mut [Whole]) {
    // Several groups at a time stay in registers over all switches.
    let mut done = 0;
    while chunks - done >= 4 {
        turn::<4>(vectors, chunks, done, before, after, sums);
        done += 4;
    }
    match chunks - done {
        3 => turn::<3>(vectors, chunks, done, before, after, sums),
        2 => turn::<2>(vectors, chunks, done, before, after, sums),
        1 => turn::<1>(vectors, chunks, done, before, after, sums),
        _ => {}
    }
}

/// [`turn_all`] for `N` groups from `first` on.
#[inline]
fn turn<const N: usize>(
    vectors: &[Whole],
    chunks: usize,
    first: usize,
    before: &Switches,
    after: &Switches,
    sums: &mut [Whole],
) {
    let Some(sums) = sums.get_mut(first..first + N) else { return };
    let mut kept: [Whole; N] = std::array::from_fn(|chunk| sums[chunk]);
    for word in 0..before.len() {
        let mut turned = before[word] ^ after[word];
        while turned != 0 {
            let bit = turned.trailing_zeros() as usize;
            turned &= turned - 1;
            // All ones where the switch went off: then the vector's negative is added.
            let sign = (after[word] >> bit & 1) as i32 - 1;
            let vector = &vectors[(64 * word + bit) * chunks + first..][..N];
            for chunk in 0..N {
                for lane in 0..LANES {
                    kept[chunk].0[lane] += (vector[chunk].0[lane] ^ sign) - sign;
                }
            }
        }
    }
    sums.copy_from_slice(&kept);
}
