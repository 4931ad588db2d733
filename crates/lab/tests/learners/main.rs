//! Learners from the file to the champion: the same on any number of threads and after any interruption, longer runs are
//! the continuation of shorter ones, champions play, and toys are solved.

mod cases;
mod champions;
mod estimates;
mod extending;
mod failures;
mod forks;
mod interruptions;
mod puzzle;
mod strength;
mod threads;
mod tictactoe;

use std::collections::VecDeque;
use std::sync::Arc;

use lanista_lab::blobs::Blobs;
use lanista_lab::executor::Threads;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::{Cancel, Job};
use lanista_lab::run::{Ask, Finished, Measurement, Recorded, Recorder, RunFile, Runner, Start, Study};

fn plan(text: &str) -> Plan {
    Plan::read(text, "test.toml", Arc::new(Blobs::default())).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn run_from(plan: &Plan, threads: usize, starts: Vec<Start>) -> Finished {
    let mut executor = Threads::new(threads, &plan.blobs, &Cancel::default()).expect("threads start");
    let mut listen = |_: &_| {};
    let runner = Runner::new(plan, "test.toml", &mut executor, Recorder::none(), starts, &mut listen);
    runner.keep_states().run().expect("it runs")
}

fn run(plan: &Plan, threads: usize) -> Finished {
    run_from(plan, threads, vec![Start::default(); plan.trials.len()])
}

/// A study under way, driven by hand: everything that it may have out at a time is asked for, the oldest is done.
struct Drive<'a> {
    plan: &'a Plan,
    study: Box<dyn Study>,
    out: VecDeque<Vec<Job>>,
    workers: usize,
}

impl<'a> Drive<'a> {
    fn new(plan: &'a Plan, state: Option<&[u8]>, workers: usize) -> Drive<'a> {
        let mut study = plan.study(0, "test.toml").expect("a study");
        if let Some(state) = state {
            study.restore(state).expect("a good state");
        }
        Drive { plan, study, out: VecDeque::new(), workers }
    }

    /// What came of the oldest work under way; nothing at the end.
    fn step(&mut self) -> Option<Recorded> {
        while self.out.len() < self.study.most_under_way() {
            match self.study.ask(self.workers) {
                Ask::Jobs(jobs) => self.out.push_back(jobs),
                Ask::Wait | Ask::Done => break,
            }
        }
        let jobs = self.out.pop_front()?;
        let done = |job: &Job| (job.run(&self.plan.blobs, &Cancel::default()).expect("it plays"), 0.01);
        Some(self.study.tell(jobs.iter().map(done).collect()))
    }
}

/// What a course left.
#[derive(Default)]
struct Story {
    digest: u64,
    recorded: Recorded,
    summary: Vec<Measurement>,
    state: Vec<u8>,
}

impl Story {
    /// The course of a plan with one trial; after how many steps it is broken off and restored is up to `patience`.
    fn of(plan: &Plan, workers: usize, mut patience: impl FnMut() -> u32) -> Story {
        let mut story = Story::default();
        let mut state: Option<Vec<u8>> = None;
        loop {
            let mut drive = Drive::new(plan, state.as_deref(), workers);
            for _ in 0..patience().max(1) {
                let Some(recorded) = drive.step() else {
                    assert!(drive.study.progress().done == drive.study.progress().total, "it came to its end");
                    story.digest = drive.study.digest();
                    story.summary = drive.study.summary();
                    story.state = drive.study.save();
                    return story;
                };
                story.recorded.append(recorded);
            }
            state = Some(drive.study.save());
        }
    }

    fn whole(plan: &Plan) -> Story {
        Story::of(plan, 1, || u32::MAX)
    }

    /// The one file that it made.
    fn champion(&self) -> &RunFile {
        match &self.recorded.files[..] {
            [file] => file,
            files => panic!("expected one file, found {}", files.len()),
        }
    }

    /// All figures, in an order that does not depend on what was done side by side.
    fn figures(&self) -> Vec<String> {
        let of = |(step, figures): &(u32, Vec<Measurement>)| {
            figures.iter().map(|figure| format!("{step} {figure:?}")).collect::<Vec<_>>()
        };
        let mut figures: Vec<String> = self.recorded.measurements.iter().flat_map(of).collect();
        figures.sort();
        figures
    }
}
