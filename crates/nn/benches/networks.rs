//! Networks under criterion: whole, incremental, in batches, and learning.

// The macros below make undocumented public functions.
#![allow(missing_docs)]

#[allow(dead_code)]
#[path = "../tests/toy/mod.rs"]
mod toy;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanista_core::{Evaluator, Inputs, MoveList, Position, RandomStream, Seed, Side, Switches};
use lanista_nn::{Activation, Folded, Layer, Network, NetworkEvaluator, Room, Shape, Start, View};
use toy::{Everything, Put, Stones};

/// The networks of the literature, with how many of their inputs are usually not 0.
fn shapes() -> [(Shape, usize); 4] {
    let layer = |size, activation, bias| Layer { size, activation, bias };
    let (sigmoid, tanh) = (Activation::Sigmoid, Activation::Tanh);
    [
        (Shape::uniform(100, &[20, 1], tanh), 90),
        (Shape { inputs: 85, layers: vec![layer(25, sigmoid, true), layer(1, sigmoid, false)] }, 40),
        (Shape { inputs: 64, layers: vec![layer(50, sigmoid, true), layer(1, tanh, true)] }, 24),
        (Shape::uniform(25, &[12, 1], tanh), 12),
    ]
}

fn network(shape: Shape, random: &mut RandomStream) -> Network {
    Network::random(shape, Start::Xavier, random).expect("a good shape")
}

/// Rows of inputs, in each `live` that are not 0.
fn rows(size: usize, live: usize, count: usize, random: &mut RandomStream) -> Vec<Vec<f32>> {
    let row = |random: &mut RandomStream| {
        let mut row = vec![0.0; size];
        while row.iter().filter(|&&input| input != 0.0).count() < live {
            row[random.below(size as u32) as usize] = random.unit() as f32 * 2.0 - 1.0;
        }
        row
    };
    (0..count).map(|_| row(random)).collect()
}

fn whole(criterion: &mut Criterion) {
    let mut random = Seed::new(1).stream();
    for (shape, live) in shapes() {
        let rows = rows(shape.inputs, live, 256, &mut random);
        let mut network = network(shape.clone(), &mut random);
        let mut group = criterion.benchmark_group(shape.to_string());
        let (mut room, mut next) = (Room::new(), (0..256).cycle());
        group.bench_function("forward", |bench| {
            bench.iter(|| network.forward(&rows[next.next().unwrap_or(0)], &mut room)[0]);
        });
        group.throughput(Throughput::Elements(256));
        let flat = rows.concat();
        let mut out = vec![0.0; 256];
        group.bench_function("batch of 256", |bench| {
            bench.iter(|| network.forward_batch(black_box(&flat), &mut out, &mut room));
        });
        group.throughput(Throughput::Elements(1));
        group.bench_function("train", |bench| {
            bench.iter(|| network.train(&rows[next.next().unwrap_or(0)], &[0.5], 1e-4, &mut room));
        });
        group.finish();
    }
}

/// The toy's switches with effects on as many inputs as a network has.
struct Spread(usize, Everything);

impl Inputs<Stones> for Spread {
    fn size(&self) -> usize {
        self.0
    }

    fn write(&self, _position: &Stones, _side: Side, out: &mut [f32]) {
        out.fill(0.0);
    }

    fn switches(&self) -> usize {
        self.1.switches()
    }

    fn base(&self, out: &mut [f32]) {
        out.fill(0.0);
    }

    fn effects(&self, switch: usize) -> Vec<(usize, f32)> {
        (0..5).map(|step| ((switch * 7 + step * 11) % self.0, 1.0)).collect()
    }

    fn on(&self, position: &Stones, side: Side) -> Switches {
        self.1.on(position, side)
    }

    fn free(&self) -> &[usize] {
        &[]
    }

    fn write_free(&self, _position: &Stones, _side: Side, _out: &mut [f32]) {}
}

/// A search's leaves: each is pushed, valued and popped. In the toy a move turns three to five switches.
fn incremental(criterion: &mut Criterion) {
    let mut random = Seed::new(2).stream();
    let root = std::iter::repeat_with(|| Stones::random(&mut random)).find(|root| root.material(Side::First) > 5);
    let root = root.unwrap_or_default();
    let mut moves = MoveList::new();
    root.legal_moves(&mut moves);
    let leaves: Vec<(Put, Stones)> = moves.iter().map(|&mv| (mv, played(root, mv))).collect();
    for (shape, _) in shapes() {
        let network = network(shape.clone(), &mut Seed::new(3).stream());
        let inputs = Arc::new(Spread(shape.inputs, Everything::new(false)));
        let folded = Arc::new(Folded::new(network, inputs, View::Mover).expect("they fit"));
        let mut evaluator = NetworkEvaluator::new(folded);
        evaluator.reset(&root);
        let mut group = criterion.benchmark_group(shape.to_string());
        let mut next = (0..leaves.len()).cycle();
        group.bench_function("push, value, pop", |bench| {
            bench.iter(|| {
                let (mv, leaf) = &leaves[next.next().unwrap_or(0)];
                evaluator.push(&root, *mv, leaf);
                let value = evaluator.value(leaf);
                evaluator.pop();
                value
            });
        });
        group.finish();
    }
}

fn played(mut position: Stones, mv: Put) -> Stones {
    position.play(mv);
    position
}

criterion_group!(benches, whole, incremental);
criterion_main!(benches);
