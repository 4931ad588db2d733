//! What goes wrong while something learns is told, and gives nobody points.

use lanista_lab::executor::Threads;
use lanista_lab::jobs::{Cancel, JobError};
use lanista_lab::run::{Recorder, RunError, Runner, Start};

use crate::{Story, plan};

fn text(opponent: &str, output: &str, td: &str) -> String {
    format!(
        "title = \"Test\"\ngame = \"connect-four\"\n[measure]\ngames = 2\nfinal-games = 2\n\
         opponents = [{{ player = \"{opponent}\" }}]\n[learner]\nplayer = \"greedy:eval=genome\"\ninputs = [\"board\"]\n\
         layers = [{{ size = 1, activation = \"{output}\" }}]\n[td]\ngames = 12\nbatch = 4\n{td}"
    )
}

fn failure(text: &str) -> RunError {
    let plan = plan(text);
    let mut executor = Threads::new(2, &plan.blobs, &Cancel::default()).expect("threads start");
    let mut listen = |_: &_| {};
    let runner = Runner::new(&plan, "test.toml", &mut executor, Recorder::none(), vec![Start::default()], &mut listen);
    runner.run().expect_err("it cannot go on")
}

/// A program that is not there loses no games: they cannot be played.
#[test]
fn nobody_wins_against_who_breaks_down() {
    let opponents = [("engine:no-such-program", ""), ("random", "opponent = \"engine:no-such-program\"\n")];
    for (measured, taught) in opponents {
        let error = failure(&text(measured, "tanh", taught));
        assert!(matches!(error, RunError::Job { error: JobError::Breakdown(_), .. }), "{error}");
        assert!(error.to_string().contains("no-such-program"), "{error}");
    }
}

/// Steps that are too large end a course, not the run: what was learnt before is its champion.
#[test]
fn courses_that_diverge_end() {
    let story = Story::whole(&plan(&text("random", "linear", "rate = 1000.0\npasses = 50\n")));
    let lost = story.summary.iter().find(|figure| figure.name == "diverged").expect("it diverges");
    assert!((1.0..=3.0).contains(&lost.value), "{lost:?}");
    assert!(story.summary.iter().any(|figure| figure.name == "score" && figure.of.starts_with("player=champion")));
    assert!(!story.champion().content.is_empty());
}
