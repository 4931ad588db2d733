//! A course that is broken off and restored goes on as if nothing had happened.

use lanista_core::Seed;
use lanista_lab::executor::Threads;
use lanista_lab::jobs::Cancel;
use lanista_lab::run::{Event, Recorder, RunError, Runner, Start};

use crate::cases::cases;
use crate::{Drive, Story, plan, run, run_from};

/// Broken off after random numbers of results, with all else that it had asked for lost.
#[test]
fn broken_off_at_random_and_restored() {
    for case in cases(4) {
        let plan = plan(&case.text);
        let whole = Story::whole(&plan);
        for round in 0..2 {
            let mut random = Seed::new(9).child(round).stream();
            let broken = Story::of(&plan, 2, || 1 + random.below(3));
            assert_eq!(broken.digest, whole.digest, "{}", case.name);
            assert_eq!(broken.champion(), whole.champion(), "{}", case.name);
            assert_eq!(broken.figures(), whole.figures(), "{}", case.name);
            assert_eq!(broken.summary, whole.summary, "{}", case.name);
            assert_eq!(broken.state, whole.state, "{}", case.name);
        }
    }
}

/// A run that is stopped from outside leaves a state from which it goes on.
#[test]
fn stopped_runs_go_on() {
    for case in cases(4) {
        let plan = plan(&case.text);
        let whole = run(&plan, 2);
        let mut drive = Drive::new(&plan, None, 1);
        let steps = 1 + Seed::new(31).stream().below(5);
        for _ in 0..steps {
            drive.step();
        }
        let start = Start { state: Some(drive.study.save()), generation: 0, done: false };
        let resumed = run_from(&plan, 2, vec![start]);
        assert_eq!(resumed.fingerprint, whole.fingerprint, "{}", case.name);
        assert_eq!(resumed.states, whole.states, "{}", case.name);
    }
}

#[test]
fn a_wish_to_stop_is_heeded() {
    let text = cases(1_000_000).remove(0).text;
    let plan = plan(&text);
    let cancel = Cancel::default();
    let mut executor = Threads::new(2, &plan.blobs, &cancel).expect("threads start");
    let mut listen = |event: &Event| {
        if matches!(event, Event::Progress { .. }) {
            cancel.cancel();
        }
    };
    let runner = Runner::new(&plan, "test.toml", &mut executor, Recorder::none(), vec![Start::default()], &mut listen);
    assert!(matches!(runner.run(), Err(RunError::Stopped)));
}

/// Bytes that are no state, or the state of another course, are refused and not believed.
#[test]
fn foreign_states_are_refused() {
    let plans: Vec<_> = cases(2).iter().map(|case| plan(&case.text)).collect();
    let states: Vec<Vec<u8>> = plans.iter().map(|plan| Story::whole(plan).state).collect();
    for (plan, own) in plans.iter().zip(&states) {
        let mut study = plan.study(0, "test.toml").expect("a study");
        for length in [0, 1, own.len() / 2, own.len() - 1] {
            assert!(study.restore(&own[..length]).is_err(), "a state cut short");
        }
        study.restore(own).expect("its own state");
    }
    // An evolution, a strategy and a network that grows have nothing in common.
    for (one, other) in [(0, 6), (6, 0), (7, 1), (1, 8), (9, 4), (11, 12), (13, 8)] {
        let mut study = plans[one].study(0, "test.toml").expect("a study");
        assert!(study.restore(&states[other]).is_err(), "case {one} believes a state of case {other}");
    }
}
