//! Learners: games that they learn from, with all that learning costs, on one thread.

use std::sync::Arc;

use lanista_lab::blobs::Blobs;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::Ask;

use super::{Entry, Quantity};
use crate::output::remark;

/// A generation of each preset, and batches of temporal-difference learning.
pub fn entries() -> Vec<Entry> {
    let games = Quantity::Rate("games/s");
    vec![
        Entry::new("learn/plogann-generation", games, || learn(PLOGANN, 1)),
        Entry::new("learn/box-generation", games, || learn(BOX, 2)),
        Entry::new("learn/allsop-generation", games, || learn(ALLSOP, 1)),
        Entry::new("learn/td-batches", games, || learn(TD, 4)),
    ]
}

/// pLoGANN: 100-20-1, three plies, 16 of its 62 groups of four.
const PLOGANN: &str = r#"
title = "Bench"
game = "loa"
rules = "mia,ply-cap=100"
[learner]
player = "alphabeta-quick:depth=3,eval=genome"
inputs = ["board=0.75/0.5/0.5", "nonads"]
layers = [{ size = 20, activation = "tanh" }, { size = 1, activation = "tanh" }]
[evolution]
preset = "plogann"
population = 16
"#;

/// Box: 85-25-1, one ply, 50 games each against the agent that wins or blocks.
const BOX: &str = r#"
title = "Bench"
game = "connect-four"
[learner]
player = "greedy:eval=genome"
inputs = ["board", "four", "threes"]
layers = [{ size = 25, activation = "sigmoid" }, { size = 1, activation = "sigmoid", bias = false }]
opponents = ["win-block"]
[evolution]
preset = "box"
"#;

/// Allsop: 32 square values, duels at depth 4.
const ALLSOP: &str = r#"
title = "Bench"
game = "draughts"
rules = "allsop"
[learner]
player = "alphabeta-heuristic-order:depth=4,eval=genome"
weights-of = "allsop"
[evolution]
preset = "allsop"
"#;

/// TD(0) with itself: 64-50-1, batches of 500 games, gone through three times.
const TD: &str = r#"
title = "Bench"
game = "loa"
[learner]
player = "greedy:eval=genome"
inputs = ["board"]
layers = [{ size = 50, activation = "sigmoid" }, { size = 1, activation = "tanh" }]
view = "waiting"
[td]
games = 250_000
"#;

/// The first steps of a learner: games played, and a hash of what came of them.
fn learn(text: &str, steps: u32) -> (u64, u64) {
    let learnt = (|| {
        let plan = Plan::read(text, "bench", Arc::new(Blobs::default())).map_err(|error| error.to_string())?;
        let mut study = plan.study(0, "bench").map_err(|error| error.to_string())?;
        let cancel = Cancel::default();
        while study.generation().is_some_and(|step| step < steps) {
            let Ask::Jobs(jobs) = study.ask(1) else { return Err("the learner waits".to_string()) };
            let results: Result<Vec<_>, _> =
                jobs.iter().map(|job| Ok((job.run(&plan.blobs, &cancel)?, 0.01))).collect();
            study.tell(results.map_err(|error: lanista_lab::jobs::JobError| error.to_string())?);
        }
        Ok((study.progress().games, study.digest()))
    })();
    learnt.unwrap_or_else(|error: String| {
        remark(format!("lanista: bench: {error}"));
        (0, 0)
    })
}
