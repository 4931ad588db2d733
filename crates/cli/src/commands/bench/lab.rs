//! The laboratory: what it adds to the games that it has played. Compare with `random-games/connect-four` on one thread, and
//! on all cores with as many such loops side by side.

use std::sync::Arc;

use lanista_games::connect_four::ConnectFour;
use lanista_lab::blobs::Blobs;
use lanista_lab::executor::Threads;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::{Recorder, RunError, Runner, Start};
use lanista_lab::store::{NewRun, Store};

use super::rules::play_random;
use super::{Entry, Quantity};
use crate::output::remark;

/// Random games of Connect Four, only counted, and kept with all moves in a store.
pub fn entries() -> Vec<Entry> {
    let games = Quantity::Rate("games/s");
    vec![
        Entry::new("lab/connect-four-counted", games, || play("counts", 1, 2_000_000)),
        Entry::new("lab/connect-four-kept", games, || play("games", 1, 200_000)),
        Entry::new("lab/all-cores/connect-four-raw", games, || play_raw(5_000_000)),
        Entry::new("lab/all-cores/connect-four-counted", games, || play("counts", 0, 5_000_000)),
    ]
}

/// The engine alone: a loop of so many random games on every core.
fn play_raw(games: u64) -> (u64, u64) {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let hash = std::thread::scope(|scope| {
        let loops: Vec<_> = (0..cores).map(|_| scope.spawn(move || play_random::<ConnectFour>(games).1)).collect();
        // All play the same games, so the signature does not tell how many cores there are.
        loops.into_iter().filter_map(|thread| thread.join().ok()).fold(0, |_, hash| hash)
    });
    (cores * games, hash)
}

fn play(record: &str, threads: usize, pairs: u64) -> (u64, u64) {
    let text = format!(
        "title = \"Bench\"\ngame = \"connect-four\"\nrecord = \"{record}\"\n[openings]\nrandom-plies = 0\n\
         [match]\na = \"random\"\nb = \"random\"\npairs = {pairs}\n"
    );
    let finished = Plan::read(&text, "bench", Arc::new(Blobs::default()))
        .map_err(RunError::from)
        .and_then(|plan| run(&plan, threads, record == "games"));
    match finished {
        Ok(fingerprint) => (2 * pairs, u64::from_str_radix(&fingerprint, 16).unwrap_or(0)),
        Err(error) => {
            remark(format!("lanista: bench: {error}"));
            (0, 0)
        }
    }
}

/// A store has a thread of its own beside those that play.
fn run(plan: &Plan, threads: usize, keep: bool) -> Result<String, RunError> {
    let folder = std::env::temp_dir().join(format!("lanista-bench-{}", std::process::id()));
    let recorder = if keep {
        // A folder that cannot be made shows when the store is opened.
        let _ = std::fs::create_dir_all(&folder);
        let mut store = Store::open_to_write(&folder.join("bench.db"))?;
        let run = store.begin(NewRun { plan, file: "bench", program: "bench" })?;
        Recorder::new(store, run)
    } else {
        Recorder::none()
    };
    let cancel = Cancel::default();
    let finished =
        Threads::new(threads, &plan.blobs, &cancel).map_err(|_| RunError::Stopped).and_then(|mut executor| {
            let mut listen = |_: &_| {};
            Runner::new(plan, "bench", &mut executor, recorder, vec![Start::default()], &mut listen).run()
        });
    let _ = std::fs::remove_dir_all(&folder);
    Ok(finished?.fingerprint)
}
