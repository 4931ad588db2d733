//! What goes wrong while something learns is told, and gives nobody points.

use std::time::Duration;

use lanista_lab::executor::{Done, Executor, Threads};
use lanista_lab::jobs::{Cancel, Job, JobError, JobResult};
use lanista_lab::run::{Recorder, RunError, Runner, Start};
use lanista_lab::store::{NewRun, Store};

use crate::cases::cases;
use crate::{Story, plan, run};

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

/// Answers the job of that number by something else.
struct Confused {
    threads: Threads,
    ticket: u64,
}

impl Executor for Confused {
    fn workers(&self) -> usize {
        1
    }

    fn submit(&mut self, ticket: u64, job: Job) {
        self.threads.submit(ticket, job);
    }

    fn next(&mut self, wait: Duration) -> Option<Done> {
        let mut done = self.threads.next(wait)?;
        if done.ticket == self.ticket {
            done.result = Ok(JobResult::Grades(Vec::new()));
        }
        Some(done)
    }

    fn cancel(&self) -> &Cancel {
        self.threads.cancel()
    }
}

/// What a learner failed on is not written down: who resumes it counts the same games as who never failed.
#[test]
fn what_failed_is_not_counted() {
    let folder = std::env::temp_dir().join(format!("lanista-failed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for tests");
    let mut failed = 0;
    for (number, case) in cases(4).iter().enumerate() {
        let plan = plan(&case.text);
        let whole = run(&plan, 1);
        for ticket in 0..6 {
            let path = folder.join(format!("{number}-{ticket}.db"));
            let mut store = Store::open_to_write(&path).expect("a store");
            let kept = store.begin(NewRun { plan: &plan, file: "test.toml", program: "test" }).expect("a run");
            let threads = Threads::new(1, &plan.blobs, &Cancel::default()).expect("threads start");
            let mut executor = Confused { threads, ticket };
            let mut listen = |_: &_| {};
            let recorder = Recorder::new(store, kept);
            let starts = vec![Start::default()];
            let ended = Runner::new(&plan, "test.toml", &mut executor, recorder, starts, &mut listen).run();
            // Measurements pass over what they cannot read.
            failed += usize::from(matches!(ended, Err(RunError::Study { .. })));
            let starts = Store::open(&path).expect("the store").starts(kept).expect("states");
            let mut threads = Threads::new(1, &plan.blobs, &Cancel::default()).expect("threads start");
            let resumed = Runner::new(&plan, "test.toml", &mut threads, Recorder::none(), starts, &mut listen)
                .keep_states()
                .run()
                .expect("it goes on");
            if ended.is_err() {
                assert_eq!(resumed.fingerprint, whole.fingerprint, "{}, ticket {ticket}", case.name);
                assert_eq!(resumed.states, whole.states, "{}, ticket {ticket}", case.name);
                assert_eq!(resumed.games, whole.games, "{}, ticket {ticket}", case.name);
            }
        }
    }
    assert!(failed > 10, "{failed} runs failed");
    let _ = std::fs::remove_dir_all(folder);
}
