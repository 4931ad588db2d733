//! The laboratory: what it adds to the games that it has played. Compare with `random-games/connect-four`.

use std::sync::Arc;

use lanista_lab::blobs::Blobs;
use lanista_lab::executor::Threads;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::{Recorder, RunError, Runner, Start};
use lanista_lab::store::{NewRun, Store};

use super::{Entry, Quantity};

/// Random games of Connect Four, only counted, and kept with all moves in a store.
pub fn entries() -> Vec<Entry> {
    let games = Quantity::Rate("games/s");
    vec![
        Entry::new("lab/connect-four-counted", games, || play("counts", 2_000_000)),
        Entry::new("lab/connect-four-kept", games, || play("games", 200_000)),
    ]
}

fn play(record: &str, pairs: u64) -> (u64, u64) {
    let text = format!(
        "title = \"Bench\"\ngame = \"connect-four\"\nrecord = \"{record}\"\n[openings]\nrandom-plies = 0\n\
         [match]\na = \"random\"\nb = \"random\"\npairs = {pairs}\n"
    );
    let finished = Plan::read(&text, "bench", Arc::new(Blobs::default()))
        .map_err(RunError::from)
        .and_then(|plan| run(&plan, record == "games"));
    match finished {
        Ok(fingerprint) => (2 * pairs, u64::from_str_radix(&fingerprint, 16).unwrap_or(0)),
        Err(error) => {
            eprintln!("lanista: bench: {error}");
            (0, 0)
        }
    }
}

/// On one thread, as all entries are; a store has its own beside it.
fn run(plan: &Plan, keep: bool) -> Result<String, RunError> {
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
    let finished = Threads::new(1, &plan.blobs, &cancel).map_err(|_| RunError::Stopped).and_then(|mut executor| {
        let mut listen = |_: &_| {};
        Runner::new(plan, "bench", &mut executor, recorder, vec![Start::default()], &mut listen).run()
    });
    let _ = std::fs::remove_dir_all(&folder);
    Ok(finished?.fingerprint)
}
