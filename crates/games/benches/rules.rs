//! The rules under criterion: move generation, playing and the test for the end, as perft and as random games.

// The macros below make undocumented public functions.
#![allow(missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanista_core::{Game, RandomGame, Seed, perft};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;

fn game<G: Game>(criterion: &mut Criterion, depth: u32) {
    let rules = &G::presets()[0];
    let mut group = criterion.benchmark_group(G::ID);
    group.throughput(Throughput::Elements(perft(&rules.start, depth).nodes));
    group.bench_function(format!("perft/{depth}"), |bench| bench.iter(|| perft(&rules.start, depth)));
    group.throughput(Throughput::Elements(1));
    group.bench_function("random-game", |bench| {
        let mut game = RandomGame::new(rules);
        let mut stream = Seed::new(0).stream();
        bench.iter(|| game.play(rules.start, &mut stream));
    });
    group.finish();
}

fn all(criterion: &mut Criterion) {
    game::<Loa<8>>(criterion, 4);
    game::<ConnectFour>(criterion, 8);
    game::<Draughts>(criterion, 8);
}

criterion_group!(benches, all);
criterion_main!(benches);
