//! A run with a curve of many points, written as a learner would write it.

use std::path::Path;
use std::sync::Arc;

use lanista_lab::blobs::Blobs;
use lanista_lab::experiment::Plan;
use lanista_lab::run::{Measurement, Recorded};
use lanista_lab::store::{Commit, NewRun, Store};

const EXPERIMENT: &str = r#"
title = "A long curve"
game = "connect-four"

[match]
a = "win-block"
b = "random"
pairs = 1
"#;

/// The figure of a generation: a slow rise with noise on it, one peak and one dip.
pub fn figure(generation: u32, points: u32) -> f64 {
    let rise = f64::from(generation) / f64::from(points);
    let noise = f64::from(generation.wrapping_mul(2_654_435_761) >> 16) / 65_536.0;
    match generation {
        peak if peak == points / 3 => 2.0,
        dip if dip == points / 3 + 1 => -1.0,
        _ => 0.7 * rise + 0.2 * noise,
    }
}

/// Writes a run with a curve of so many points, and returns its number.
pub fn write_long_run(path: &Path, points: u32) -> i64 {
    let plan = Plan::read(EXPERIMENT, "long.toml", Arc::new(Blobs::default())).expect("a good experiment");
    let mut store = Store::open_to_write(path).expect("a store");
    let run = store.begin(NewRun { plan: &plan, file: "long.toml", program: "test" }).expect("a run");
    let measured = |generation| {
        (generation, vec![Measurement::new("score", "player=best against=random", figure(generation, points), 100)])
    };
    let commit = Commit {
        trial: 0,
        generation: points,
        state: plan.study(0, "long.toml").expect("a study").save(),
        keep_state: false,
        steps: u64::from(points),
        total: u64::from(points),
        games: 0,
        done: true,
        digest: 0,
        seconds: 1.0,
        core_seconds: 1.0,
        recorded: Recorded { measurements: (1..=points).map(measured).collect(), ..Recorded::default() },
        summary: Vec::new(),
    };
    store.commit(run, &commit).expect("written");
    store.finish(run, "0000000000000000").expect("finished");
    run
}
