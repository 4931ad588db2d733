//! Runs to look at.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lanista_lab::blobs::Blobs;
use lanista_lab::executor::Threads;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::{Recorder, Runner, Start};
use lanista_lab::store::{NewRun, Store};

/// A fresh folder.
pub fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("lanista-shown-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// A store in a folder with a run of that experiment.
pub fn play(folder: &Path, text: &str) -> (Store, i64) {
    let plan = Plan::read(text, "experiment.toml", Arc::new(Blobs::default())).expect("a plan");
    let path = folder.join("store.db");
    let mut store = Store::open_to_write(&path).expect("a store");
    let run = store.begin(NewRun { plan: &plan, file: "experiment.toml", program: "test 1" }).expect("a run");
    let cancel = Cancel::default();
    let mut executor = Threads::new(2, &plan.blobs, &cancel).expect("threads");
    let starts = vec![Start::default(); plan.trials.len()];
    let mut listen = |_: &_| {};
    let recorder = Recorder::new(store, run);
    Runner::new(&plan, "experiment.toml", &mut executor, recorder, starts, &mut listen).run().expect("a finished run");
    (Store::open(&path).expect("the store"), run)
}
