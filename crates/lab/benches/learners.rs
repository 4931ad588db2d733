//! Learners under criterion: a step of each preset with all that it costs, as the shipped experiments have it.

// The macros below make undocumented public functions.
#![allow(missing_docs)]

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use lanista_lab::blobs::Blobs;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::Ask;

const EXPERIMENTS: [(&str, &str); 4] = [
    ("a generation of plogann", include_str!("../../../experiments/plogann/evolution.toml")),
    ("a generation of box", include_str!("../../../experiments/box/evolution.toml")),
    ("a generation of allsop", include_str!("../../../experiments/allsop/evolution.toml")),
    ("a batch of tdloa", include_str!("../../../experiments/tdloa/training.toml")),
];

fn learners(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("learners");
    group.sample_size(10);
    for (name, text) in EXPERIMENTS {
        let plan = Plan::read(text, name, Arc::new(Blobs::default())).expect("a good experiment");
        group.bench_function(name, |bench| bench.iter(|| first_step(&plan)));
    }
    group.finish();
}

/// Plays the first step on this thread.
fn first_step(plan: &Plan) -> u64 {
    let mut study = plan.study(0, "bench").expect("a study");
    while study.generation() == Some(0) {
        let Ask::Jobs(jobs) = study.ask(1) else { panic!("the learner waits") };
        let run = |job: &lanista_lab::jobs::Job| job.run(&plan.blobs, &Cancel::default()).expect("a result");
        study.tell(jobs.iter().map(|job| (run(job), 0.01)).collect());
    }
    study.digest()
}

criterion_group!(benches, learners);
criterion_main!(benches);
