//! Laws of network inputs and of linear evaluators, along random games of every game.

use lanista_core::{Evaluators, Inputs, MoveList, Position, Seed, Side};
use lanista_games::connect_four::{ConnectFour, evaluation};
use lanista_games::draughts::Draughts;
use lanista_games::inputs::GroupedInputs;
use lanista_games::loa::Loa;

/// Positions of random games, ends included.
fn positions<G: Evaluators>(games: usize, plies: usize) -> Vec<G> {
    let mut random = Seed::new(23).stream();
    let mut moves = MoveList::new();
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = G::presets().swap_remove(0).start;
        positions.push(position);
        for _ in 0..plies {
            if position.outcome().is_some() {
                break;
            }
            position.play(position.random_move(&mut random, &mut moves));
            positions.push(position);
        }
    }
    positions
}

fn made<G: Evaluators>(groups: &str) -> Result<Box<dyn Inputs<G>>, String> {
    let groups: Vec<String> = groups.split_whitespace().map(String::from).collect();
    G::inputs(&groups)
}

/// The inputs of a list of groups, after the checks that concern every list.
fn keeps_the_laws<G: Evaluators>(groups: &str, size: usize, positions: &[G], exchanged: impl Fn(&G) -> Option<G>) {
    let inputs = made::<G>(groups).expect("known groups");
    assert_eq!(inputs.size(), size, "{} {groups}", G::ID);
    let written = |position: &G, side: Side| {
        let mut out = vec![f32::NAN; size];
        inputs.write(position, side, &mut out);
        out
    };
    let mut base = vec![f32::NAN; size];
    inputs.base(&mut base);
    let effects: Vec<_> = (0..inputs.switches()).map(|switch| inputs.effects(switch)).collect();
    assert!(inputs.switches() <= 256);
    assert!(
        inputs.free().windows(2).all(|pair| pair[0] < pair[1]) && inputs.free().iter().all(|&free| base[free] == 0.0)
    );
    let touched = effects.iter().flatten().map(|&(input, _)| input);
    assert!(touched.into_iter().all(|input| input < size && !inputs.free().contains(&input)));
    for position in positions {
        for side in Side::BOTH {
            let expected = written(position, side);
            let mut free = vec![f32::NAN; inputs.free().len()];
            inputs.write_free(position, side, &mut free);
            let mut sums = base.clone();
            for (&input, &value) in inputs.free().iter().zip(&free) {
                assert_eq!(value, expected[input], "free input {input} of {groups}, {position}");
                sums[input] = value;
            }
            let on = inputs.on(position, side);
            for switch in (0..256).filter(|switch| on[switch / 64] >> (switch % 64) & 1 == 1) {
                assert!(!effects[switch].is_empty(), "switch {switch} of {groups} is on for nothing");
                effects[switch].iter().for_each(|&(input, amount)| sums[input] += amount);
            }
            for (input, (sum, value)) in sums.iter().zip(&expected).enumerate() {
                assert!((sum - value).abs() < 1e-5, "{groups}: input {input} is {value} and not {sum}, {position}");
            }
            if let Some(exchanged) = exchanged(position) {
                assert_eq!(written(&exchanged, !side), expected, "{groups}: {position} and {exchanged}");
                assert_eq!(inputs.on(&exchanged, !side), on, "{groups}: {position} and {exchanged}");
            }
        }
    }
}

/// Lists that are no inputs.
fn refuses<G: Evaluators>() {
    let names: Vec<&str> = G::input_groups().iter().map(|info| info.name).collect();
    let fails = |groups: &str| made::<G>(groups).err().expect("an error");
    let error = fails(&format!("{} sqares", names[0]));
    let known = names.join(", ");
    assert_eq!(error, format!("{} has no inputs \"sqares\", expected one of: {known}", G::ID));
    assert_eq!(fails(""), format!("no inputs: expected some of: {known}"));
    for name in names {
        assert_eq!(fails(&format!("{name} {name}")), format!("{name:?}: the inputs {name:?} are asked for twice"));
        assert!(fails(&format!("{name}=x")).contains(&format!("\"{name}=x\"")));
    }
}

fn loa<const N: usize>() {
    let positions = positions::<Loa<N>>(12, 60);
    let exchanged = |position: &Loa<N>| Some(position.symmetric(8));
    let check = |groups: &str, size: usize| keeps_the_laws(groups, size, &positions, exchanged);
    check("board", N * N);
    check("board=0.75/0.5/0.5", N * N);
    check("board=0.75/0.25/0.5", N * N);
    check("lines", 2 * N);
    check("diagonals", 4 * N - 2);
    check("quads", 6);
    check("nonads", (N - 2) * (N - 2));
    check("boards", 2 * N * N);
    for pair in ["immobility", "freedom", "concentration", "cluster"] {
        check(pair, 2);
    }
    check("board nonads", if N == 8 { 100 } else { N * N + (N - 2) * (N - 2) });
    let all = "cluster board=2/-3/0.25 quads lines freedom nonads diagonals concentration boards immobility";
    check(all, 3 * N * N + (N - 2) * (N - 2) + 6 * N - 2 + 6 + 8);
    refuses::<Loa<N>>();
    assert_eq!(
        made::<Loa<N>>("board board=1/2/3").err().as_deref(),
        Some("\"board=1/2/3\": the inputs \"board\" are asked for twice")
    );
}

#[test]
fn inputs_of_lines_of_action() {
    loa::<4>();
    loa::<5>();
    loa::<6>();
    loa::<7>();
    loa::<8>();
}

#[test]
fn inputs_of_connect_four() {
    // The game has no symmetry that exchanges the sides, but boards with as many stones of each can be painted anew.
    let exchanged = |position: &ConnectFour| {
        let paint = |letter| match letter {
            'x' => 'o',
            'o' => 'x',
            other => other,
        };
        position.to_string().chars().map(paint).collect::<String>().parse().ok()
    };
    let positions = positions::<ConnectFour>(400, 42);
    assert!(positions.iter().filter(|position| exchanged(position).is_some()).count() > 1000);
    let check = |groups: &str, size: usize| keeps_the_laws(groups, size, &positions, exchanged);
    for (group, size) in [("board", 42), ("four", 1), ("threes", 42), ("twos", 42), ("wins", 2)] {
        check(group, size);
    }
    check("board four threes", 85);
    check("board four threes twos wins", 129);
    check("wins twos threes four", 87);
    refuses::<ConnectFour>();
    for size in [42, 85, 129] {
        let groups = evaluation::InputGroup::of_size(size).expect("a size of the thesis");
        assert_eq!(GroupedInputs::<ConnectFour, _>::new(groups).size(), size);
    }
}

#[test]
fn inputs_of_draughts() {
    let positions = positions::<Draughts>(60, 150);
    assert!(positions.iter().any(|position| position.kings().count_ones() > 2), "kings are seen");
    let check = |groups: &str, size: usize| {
        keeps_the_laws(groups, size, &positions, |position: &Draughts| Some(position.symmetric(1)));
    };
    check("men", 64);
    check("kings", 64);
    check("pieces", 32);
    check("pieces=1.3", 32);
    check("men kings", 128);
    check("kings pieces=3 men", 160);
    refuses::<Draughts>();
}

/// Features times weights are the value, for the usual weights and for others, as far as the evaluator's rounding goes.
fn is_linear<G: Evaluators>(names: &[&str], positions: &[G], rounding: f32) {
    let mut random = Seed::new(5).stream();
    for name in names {
        let linear = G::linear(name).expect("a linear evaluator");
        let usual = linear.weights();
        assert_eq!(linear.names().len(), usual.len());
        // Weights that the file can hold, some of them far from the usual: two steps are always whole numbers of its unit.
        let moved = usual.iter().map(|weight| weight + 2.0 * random.below(21) as f32 - 20.0).collect();
        for weights in [usual.clone(), moved] {
            let file = linear.file(&weights);
            let read = linear.read(&file).expect("a file it wrote");
            assert!(read.iter().zip(&weights).all(|(read, weight)| (read - weight).abs() < 1e-3), "{name}: {read:?}");
            let mut evaluator = G::evaluator(name, Some(&file)).expect("a file it reads").expect("an evaluator");
            let mut plain = G::evaluator(name, None).expect("no file").expect("an evaluator");
            for position in positions.iter().filter(|position| position.outcome().is_none()) {
                let mut features = vec![f32::NAN; weights.len()];
                linear.features(position, &mut features);
                let sum: f32 = features.iter().zip(&weights).map(|(feature, weight)| feature * weight).sum();
                evaluator.reset(position);
                let value = evaluator.value(position);
                assert!((sum - value.0 as f32).abs() < rounding, "{name}: {sum}, {value:?}, {position}");
                if weights == usual {
                    plain.reset(position);
                    assert_eq!(value, plain.value(position), "the usual weights, written and read");
                }
            }
        }
        // Whatever learners make of the weights, the evaluator takes the file.
        for wild in [f32::NAN, f32::INFINITY, -1e30, 0.3] {
            assert!(G::evaluator(name, Some(&linear.file(&vec![wild; usual.len()]))).is_ok_and(|made| made.is_some()));
        }
    }
    let known = G::linear(names[0]).expect("a linear evaluator");
    assert!(known.read(b"no weights").is_err());
    assert!(G::linear("none-of-that-name").is_none());
}

#[test]
fn linear_evaluators() {
    let mia = ["mia1", "mia2", "mia3", "mia4"];
    // 1.002 of cutting, and what 32-bit sums lose.
    is_linear(&mia, &positions::<Loa<4>>(10, 60), 1.01);
    is_linear(&mia, &positions::<Loa<5>>(10, 60), 1.01);
    is_linear(&mia, &positions::<Loa<6>>(10, 60), 1.01);
    is_linear(&mia, &positions::<Loa<7>>(10, 60), 1.01);
    is_linear(&mia, &positions::<Loa<8>>(10, 60), 1.01);
    is_linear(&["threats"], &positions::<ConnectFour>(100, 42), 0.01);
    is_linear(&["allsop"], &positions::<Draughts>(30, 120), 1.01);
    assert!(Loa::<8>::linear("aloa").is_none() && Draughts::linear("positional").is_none());
}
