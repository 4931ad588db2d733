//! A fork goes on from a state that was kept.

use std::collections::HashSet;

use lanista_lab::executor::Threads;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::{Recorder, Runner};
use lanista_lab::store::{NewRun, Store};

use crate::cases::cases;
use crate::plan;

fn go_on(plan: &Plan, store: Store, run: i64) {
    let mut executor = Threads::new(2, &plan.blobs, &Cancel::default()).expect("threads start");
    let starts = store.starts(run).expect("states");
    Runner::new(plan, "test.toml", &mut executor, Recorder::new(store, run), starts, &mut |_: &_| {})
        .run()
        .expect("it runs");
}

/// The generation that a fork begins with is measured again; it has its figures once all the same.
#[test]
fn forks_have_each_figure_once() {
    let folder = std::env::temp_dir().join(format!("lanista-forks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    let path = folder.join("test.db");
    let plan = plan(&cases(4).remove(1).text);
    let new = || NewRun { plan: &plan, file: "test.toml", program: "test" };
    let mut store = Store::open_to_write(&path).expect("a store");
    let run = store.begin(new()).expect("a run");
    go_on(&plan, store, run);
    let mut store = Store::open_to_write(&path).expect("a store");
    let points = store.fork_points(run, 2).expect("points");
    let fork = store.fork(run, new(), &points).expect("a fork");
    go_on(&plan, store, fork);
    let store = Store::open(&path).expect("a store");
    let figures = |run| {
        let all = store.measurements(run, true).expect("figures");
        all.into_iter().map(|row| (row.generation, row.measurement.name, row.measurement.of)).collect::<Vec<_>>()
    };
    let (first, second) = (figures(run), figures(fork));
    assert_eq!(second.iter().collect::<HashSet<_>>().len(), second.len());
    assert_eq!(first.iter().collect::<HashSet<_>>(), second.iter().collect::<HashSet<_>>());
    drop(store);
    let _ = std::fs::remove_dir_all(folder);
}
