//! A longer course is the continuation of a shorter one.

use lanista_lab::experiment::Plan;
use lanista_lab::run::Start;

use crate::cases::cases;
use crate::{Drive, Story, plan, run, run_from};

/// What depends on its own length from the beginning cannot be made longer.
fn has_no_length_of_its_own(name: &str) -> bool {
    !(name.contains("td") || name.contains("allsop") || name.contains("steady"))
}

fn long_and_short() -> Vec<(&'static str, Plan, Plan)> {
    let pairs = cases(6).into_iter().zip(cases(3)).filter(|(long, _)| has_no_length_of_its_own(long.name));
    pairs.map(|(long, short)| (long.name, plan(&long.text), plan(&short.text))).collect()
}

#[test]
fn extended_courses_come_to_the_same() {
    for (name, long, short) in long_and_short() {
        assert!(long.has_no_horizon(), "{name}");
        let begun = run(&short, 2);
        let start = Start { state: Some(begun.states[0].clone()), generation: 3, done: true };
        let extended = run_from(&long, 2, vec![start]);
        let whole = run(&long, 2);
        assert_eq!(extended.fingerprint, whole.fingerprint, "{name}");
        assert_eq!(extended.games, whole.games, "{name}");
    }
}

/// Whatever a short course had measured of its last step, and whatever it still wanted to: the longer one is the same.
#[test]
fn extended_at_any_moment() {
    for (name, long, short) in long_and_short() {
        let whole = Story::whole(&long);
        let mut drive = Drive::new(&short, None, 1);
        while drive.step().is_some() {
            let state = drive.study.save();
            let mut longer = Drive::new(&long, Some(&state), 1);
            let mut files = Vec::new();
            while let Some(recorded) = longer.step() {
                files.extend(recorded.files);
            }
            let after = drive.study.progress().done;
            assert_eq!(longer.study.digest(), whole.digest, "{name}, extended after {after} steps");
            assert_eq!(files, [whole.champion().clone()], "{name}, extended after {after} steps");
        }
    }
}

/// A rate that falls over all generations makes the horizon part of the experiment.
#[test]
fn horizons_are_known() {
    for case in cases(3) {
        let plan = plan(&case.text);
        assert_eq!(plan.has_no_horizon(), !case.name.contains("allsop"), "{}", case.name);
    }
}
