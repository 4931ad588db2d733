//! Networks as evaluators: incremental, fresh and plain computation agree.

mod toy;

use std::sync::Arc;

use lanista_core::{Evaluator, Inputs, MoveList, Position, RandomStream, Score, Seed};
use lanista_nn::{
    Activation, Edge, FoldError, Folded, Graph, GraphEvaluator, GraphNetwork, Layer, Network, NetworkEvaluator, Node,
    Room, SCORE_UNIT, Shape, Start, View,
};
use toy::{Everything, Stones};

fn folded(shape: Shape, start: Start, free: bool, seed: u64) -> Arc<Folded<Stones>> {
    let network = Network::random(shape, start, &mut Seed::new(seed).stream()).expect("a good shape");
    Arc::new(Folded::new(network, Arc::new(Everything::new(free)), View::Mover).expect("24 inputs"))
}

/// The same network without any incremental work.
fn plain(folded: &Folded<Stones>, position: &Stones, room: &mut Room) -> f32 {
    let mut inputs = [0.0; 24];
    folded.inputs().write(position, position.side_to_move(), &mut inputs);
    folded.network().forward(&inputs, room)[0]
}

fn fresh(folded: &Arc<Folded<Stones>>, position: &Stones) -> u32 {
    let mut evaluator = NetworkEvaluator::new(folded.clone());
    evaluator.reset(position);
    evaluator.output(position).to_bits()
}

/// Up and down a tree at random, with questions about the top and about the top after a null move.
fn walk(folded: &Arc<Folded<Stones>>, random: &mut RandomStream, steps: usize) {
    let (mut room, mut moves) = (Room::new(), MoveList::new());
    let mut evaluator = NetworkEvaluator::new(folded.clone());
    let mut path = vec![Stones::random(random)];
    evaluator.reset(&path[0]);
    for _ in 0..steps {
        let top = path[path.len() - 1];
        match random.below(12) {
            0..4 if top.outcome().is_none() => {
                // A move after a null move comes from the board with the other side to move.
                let before = if random.below(5) == 0 { top.passed() } else { top };
                let mv = before.random_move(random, &mut moves);
                let mut after = before;
                after.play(mv);
                evaluator.push(&before, mv, &after);
                path.push(after);
            }
            4..7 if path.len() > 1 => {
                evaluator.pop();
                path.pop();
            }
            7 if random.below(10) == 0 => {
                path = vec![Stones::random(random)];
                evaluator.reset(&path[0]);
            }
            8..12 => {
                let asked = if random.below(4) == 0 { top.passed() } else { top };
                let output = evaluator.output(&asked);
                assert_eq!(output.to_bits(), fresh(folded, &asked), "a function of the position");
                let exact = plain(folded, &asked, &mut room);
                assert!((output - exact).abs() < 1e-4, "{output} {exact}");
                let last = folded.network().shape().layers.last().expect("a layer").activation;
                assert_eq!(evaluator.value(&asked), last.score(output));
                if asked.outcome().is_none() {
                    children_at_once(folded, &mut evaluator, &asked);
                }
            }
            _ => {}
        }
    }
}

/// The positions behind all moves, judged at once, have the values that each would have alone.
fn children_at_once(folded: &Arc<Folded<Stones>>, evaluator: &mut NetworkEvaluator<Stones>, before: &Stones) {
    let mut moves = MoveList::new();
    before.legal_moves(&mut moves);
    let behind: Vec<_> = moves
        .iter()
        .map(|&mv| {
            let mut after = *before;
            after.play(mv);
            after
        })
        .collect();
    let mut values = vec![Score::DRAW; behind.len()];
    evaluator.values(before, &moves, &behind, &mut values);
    for (after, &value) in behind.iter().zip(&values) {
        let mut alone = NetworkEvaluator::new(folded.clone());
        alone.reset(after);
        assert_eq!(value, alone.value(after));
    }
    let mut opinions = vec![0.0; behind.len()];
    evaluator.opinions(before, &moves, &behind, &mut opinions);
    let mut ordered: Vec<_> = opinions.iter().zip(&values).collect();
    ordered.sort_by(|(left, _), (right, _)| left.total_cmp(right));
    // A little of the order is lost where 32 bits round.
    assert!(ordered.is_sorted_by_key(|(_, value)| value.0 / 2), "finer, but in the same order: {ordered:?}");
    for index in 0..behind.len() {
        let mut alone = [0.0];
        evaluator.opinions(before, &moves[index..=index], &behind[index..=index], &mut alone);
        assert_eq!(alone, [opinions[index]]);
    }
}

#[test]
fn incremental_is_fresh_is_plain() {
    let mut random = Seed::new(1).stream();
    for (number, sizes) in [&[20, 1][..], &[1], &[3, 1], &[50, 9, 2], &[40, 1], &[8, 1]].into_iter().enumerate() {
        for activation in Activation::ALL {
            let shape = Shape::uniform(24, sizes, activation);
            for free in [false, true] {
                let folded = folded(shape.clone(), Start::Xavier, free, number as u64);
                walk(&folded, &mut random, 1500);
            }
        }
    }
}

#[test]
fn biases_may_be_missing() {
    let layer = |size, bias| Layer { size, activation: Activation::Sigmoid, bias };
    for (first, last) in [(true, false), (false, true), (false, false)] {
        let shape = Shape { inputs: 24, layers: vec![layer(25, first), layer(1, last)] };
        let start = Start::Uniform { low: -1.0, high: 1.0 };
        walk(&folded(shape, start, true, 5), &mut Seed::new(6).stream(), 2000);
    }
}

#[test]
fn a_fresh_evaluator_needs_no_reset() {
    let shape = Shape::uniform(24, &[20, 1], Activation::Tanh);
    let folded = folded(shape, Start::Xavier, true, 2);
    let mut random = Seed::new(8).stream();
    let mut evaluator = NetworkEvaluator::new(folded.clone());
    for _ in 0..20 {
        let position = Stones::random(&mut random);
        assert_eq!(evaluator.output(&position).to_bits(), fresh(&folded, &position));
    }
    let before = Stones::random(&mut random);
    let mv = before.random_move(&mut random, &mut MoveList::new());
    let mut after = before;
    after.play(mv);
    let mut evaluator = NetworkEvaluator::new(folded.clone());
    evaluator.push(&before, mv, &after);
    assert_eq!(evaluator.output(&after).to_bits(), fresh(&folded, &after));
    evaluator.pop();
    assert_eq!(evaluator.output(&before).to_bits(), fresh(&folded, &before));
}

#[test]
fn large_weights_do_not_overflow() {
    for size in [100.0, 1e6, 1e30] {
        let shape = Shape::uniform(24, &[20, 1], Activation::Tanh);
        let folded = folded(shape, Start::Uniform { low: -size, high: size }, false, 4);
        let mut evaluator = NetworkEvaluator::new(folded);
        let mut random = Seed::new(9).stream();
        for _ in 0..200 {
            let value = evaluator.value(&Stones::random(&mut random));
            assert!(value.0.abs() <= SCORE_UNIT as i32);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let inputs = || -> Arc<dyn Inputs<Stones>> { Arc::new(Everything::new(true)) };
    let network = |inputs: usize, weight: f32| {
        let shape = Shape::uniform(inputs, &[1], Activation::Tanh);
        Network::from_weights(shape, &vec![weight; inputs + 1]).expect("finite weights")
    };
    assert_eq!(
        Folded::new(network(23, 0.0), inputs(), View::Mover).err(),
        Some(FoldError::Size { network: 23, groups: 24 })
    );
    assert_eq!(Folded::new(network(24, f32::MAX), inputs(), View::Mover).err(), Some(FoldError::Large));
    assert!(Folded::new(network(24, 1.0), inputs(), View::Mover).is_ok());
}

/// The layered network 24-5-1 as a graph, its edges in a strange order.
#[test]
fn a_graph_can_be_a_layered_network() {
    let shape = Shape::uniform(24, &[5, 1], Activation::Tanh);
    let folded = folded(shape, Start::Uniform { low: -0.5, high: 0.5 }, true, 7);
    let weights = folded.network().weights();
    let node = |bias| Node { activation: Activation::Tanh, bias };
    let mut nodes = vec![node(weights[weights.len() - 1])];
    let mut edges = Vec::new();
    for unit in 0..5 {
        let own = &weights[unit * 25..][..25];
        nodes.push(node(own[24]));
        edges.extend((0..24).rev().map(|from| Edge { from, to: 25 + unit, weight: own[from] }));
        edges.insert(0, Edge { from: 25 + unit, to: 24, weight: weights[125 + unit] });
    }
    let network = GraphNetwork::new(Graph { inputs: 24, outputs: 1, nodes, edges }).expect("no cycles");
    let mut evaluator = GraphEvaluator::new(Arc::new(network), folded.inputs().clone()).expect("24 inputs");
    let (mut random, mut room) = (Seed::new(2).stream(), Room::new());
    for _ in 0..100 {
        let position = Stones::random(&mut random);
        let Score(value) = evaluator.value(&position);
        let exact = plain(&folded, &position, &mut room) * SCORE_UNIT;
        assert!((value as f32 - exact).abs() < 1.0, "{value} {exact}");
    }
}
