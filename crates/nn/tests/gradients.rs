//! Gradients against central differences of a network in double precision that shares nothing with the crate's.

use lanista_core::{RandomStream, Seed};
use lanista_nn::{Activation, Gradient, Layer, Method, Network, Optimiser, Room, Shape, Start};

fn activate(activation: Activation, x: f64) -> f64 {
    match activation {
        Activation::Tanh => x.tanh(),
        Activation::Sigmoid => 1.0 / (1.0 + (-x).exp()),
        Activation::Relu => x.max(0.0),
        Activation::ClippedRelu => x.clamp(0.0, 1.0),
        Activation::Linear => x,
    }
}

/// Outputs straight from the definition of the chromosome.
fn outputs(shape: &Shape, weights: &[f64], inputs: &[f32]) -> Vec<f64> {
    let mut values: Vec<f64> = inputs.iter().map(|&input| input.into()).collect();
    let mut weights = weights.iter();
    for layer in &shape.layers {
        let mut next = Vec::new();
        for _ in 0..layer.size {
            let mut sum: f64 = values.iter().map(|value| value * weights.next().expect("a weight")).sum();
            if layer.bias {
                sum += weights.next().expect("a bias");
            }
            next.push(activate(layer.activation, sum));
        }
        values = next;
    }
    values
}

fn shapes() -> Vec<Shape> {
    let mut shapes = Vec::new();
    for activation in Activation::ALL {
        for bias in [true, false] {
            for sizes in [&[1][..], &[3], &[9], &[10, 1], &[4, 6], &[20, 9, 3], &[3, 2, 5], &[12, 8, 1]] {
                let layer = |&size| Layer { size, activation, bias };
                shapes.push(Shape { inputs: 13, layers: sizes.iter().map(layer).collect() });
            }
        }
    }
    // Mixed settings.
    let layer = |size, activation, bias| Layer { size, activation, bias };
    let mixed =
        vec![layer(11, Activation::Relu, true), layer(7, Activation::Tanh, false), layer(2, Activation::Sigmoid, true)];
    shapes.push(Shape { inputs: 13, layers: mixed });
    shapes
}

fn sample(random: &mut RandomStream, count: usize, zeros: bool) -> Vec<f32> {
    let mut number = || if zeros && random.below(2) == 0 { 0.0 } else { random.unit() as f32 * 2.0 - 1.0 };
    (0..count).map(|_| number()).collect()
}

fn network(shape: Shape, random: &mut RandomStream) -> Network {
    Network::random(shape, Start::Uniform { low: -0.6, high: 0.6 }, random).expect("a good shape")
}

#[test]
fn forward_is_right() {
    let mut random = Seed::new(1).stream();
    for shape in shapes() {
        let network = network(shape.clone(), &mut random);
        let weights: Vec<f64> = network.weights().into_iter().map(f64::from).collect();
        let mut room = Room::new();
        for _ in 0..20 {
            let inputs = sample(&mut random, 13, true);
            for (found, exact) in network.forward(&inputs, &mut room).iter().zip(outputs(&shape, &weights, &inputs)) {
                assert!((f64::from(*found) - exact).abs() < 3e-6, "{shape}: {found} {exact}");
            }
        }
    }
}

#[test]
fn batches_have_the_same_bits() {
    let mut random = Seed::new(2).stream();
    for shape in shapes() {
        let network = network(shape, &mut random);
        let rows = sample(&mut random, 13 * 17, true);
        let width = network.shape().outputs();
        let mut out = vec![0.0; 17 * width];
        network.forward_batch(&rows, &mut out, &mut Room::new());
        for (row, out) in rows.chunks(13).zip(out.chunks(width)) {
            assert_eq!(network.forward(row, &mut Room::new()), out);
        }
    }
}

/// One room serves networks of several shapes in turn.
#[test]
fn rooms_fit_any_network() {
    let mut random = Seed::new(7).stream();
    let networks: Vec<Network> = shapes().into_iter().map(|shape| network(shape, &mut random)).collect();
    let inputs = sample(&mut random, 13, true);
    let mut room = Room::new();
    for network in &networks {
        assert_eq!(network.forward(&inputs, &mut room), network.forward(&inputs, &mut Room::new()));
    }
}

#[test]
fn gradients_match_differences() {
    const STEP: f64 = 1e-6;
    let mut random = Seed::new(3).stream();
    for shape in shapes() {
        let network = network(shape.clone(), &mut random);
        let weights: Vec<f64> = network.weights().into_iter().map(f64::from).collect();
        let (mut room, mut gradient) = (Room::new(), Gradient::new(&network));
        // The error is a weighted sum of the outputs, over two samples.
        let factors = sample(&mut random, shape.outputs(), false);
        let samples = [sample(&mut random, 13, true), sample(&mut random, 13, false)];
        let error = |weights: &[f64]| -> f64 {
            let of = |inputs: &Vec<f32>| {
                outputs(&shape, weights, inputs).iter().zip(&factors).map(|(y, &f)| y * f64::from(f)).sum::<f64>()
            };
            samples.iter().map(of).sum()
        };
        for inputs in &samples {
            network.forward(inputs, &mut room);
            network.backward(&factors, &mut room, &mut gradient);
        }
        let found = gradient.weights(&network);
        assert_eq!(found.len(), weights.len());
        for place in 0..weights.len() {
            let at = |step: f64| {
                let mut moved = weights.clone();
                moved[place] += step;
                error(&moved)
            };
            let exact = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            assert!((f64::from(found[place]) - exact).abs() < 1e-5, "{shape}, {place}: {} {exact}", found[place]);
        }
    }
}

#[test]
fn training_in_one_go_is_descent_to_the_bit() {
    const RATE: f32 = 0.07;
    let mut random = Seed::new(4).stream();
    for shape in shapes() {
        let mut fused = network(shape.clone(), &mut random);
        let mut slow = fused.clone();
        let (mut room, mut gradient) = (Room::new(), Gradient::new(&slow));
        let mut optimiser = Optimiser::new(Method::Sgd { rate: RATE }, &slow);
        for _ in 0..30 {
            let inputs = sample(&mut random, 13, true);
            let targets = sample(&mut random, shape.outputs(), false);
            let error = fused.train(&inputs, &targets, RATE, &mut room);
            let outputs = slow.forward(&inputs, &mut room);
            let slopes: Vec<f32> = outputs.iter().zip(&targets).map(|(output, target)| output - target).collect();
            assert_eq!(error, 0.5 * slopes.iter().map(|slope| slope * slope).sum::<f32>());
            gradient.clear();
            slow.backward(&slopes, &mut room, &mut gradient);
            optimiser.step(&mut slow, &gradient);
            assert_eq!(fused, slow, "{shape}");
        }
    }
}

#[test]
fn gradients_add_and_scale() {
    let mut random = Seed::new(5).stream();
    let network = network(Shape::uniform(13, &[9, 2], Activation::Tanh), &mut random);
    let mut room = Room::new();
    let mut of = |inputs: &[f32], slope: f32| {
        let mut gradient = Gradient::new(&network);
        network.forward(inputs, &mut room);
        network.backward(&[slope, 0.0], &mut room, &mut gradient);
        gradient
    };
    let (one, two) = (sample(&mut random, 13, false), sample(&mut random, 13, false));
    let mut sum = of(&one, 2.0);
    sum.scale(0.5);
    sum.add(&of(&two, 1.0));
    let mut parts = of(&one, 1.0);
    parts.add(&of(&two, 1.0));
    assert_eq!(sum, parts, "halving and doubling are exact");
}
