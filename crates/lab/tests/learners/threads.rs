//! Results do not depend on who plays the games.

use crate::cases::cases;
use crate::{Story, plan, run};

#[test]
fn threads_do_not_change_what_is_learnt() {
    for case in cases(3) {
        let plan = plan(&case.text);
        let one = run(&plan, 1);
        for threads in [2, 3, 8] {
            let more = run(&plan, threads);
            assert_eq!(more.fingerprint, one.fingerprint, "{}: {threads} threads", case.name);
            assert_eq!((more.games, more.steps), (one.games, one.steps), "{}: {threads} threads", case.name);
            assert_eq!(more.states, one.states, "{}: {threads} threads", case.name);
        }
    }
}

/// Lessons that take long are given side by side, if there are several trials: what is learnt is the same.
#[test]
fn long_lessons_do_not_change_what_is_learnt() {
    let plan = |replicates: u32| {
        plan(&format!(
            "title = \"t\"\ngame = \"connect-four\"\nreplicates = {replicates}\nseed = 17\n\
             [learner]\nplayer = \"greedy:eval=genome\"\ninputs = [\"board\"]\nlayers = [{{ size = 20, activation = \"tanh\" }}, {{ size = 1, activation = \"tanh\" }}]\n\
             [td]\ngames = 140\nbatch = 20\npasses = 300\n\
             [measure]\nevery = 2\ngames = 4\nfinal-games = 4\nopponents = [{{ name = \"chance\", player = \"random\" }}]\n"
        ))
    };
    let many = plan(5);
    let one = run(&many, 1);
    for threads in [2, 4] {
        let more = run(&many, threads);
        assert_eq!((more.fingerprint, more.games), (one.fingerprint.clone(), one.games), "{threads} threads");
        assert_eq!(more.states, one.states, "{threads} threads");
    }
    // A single trial learns where the jobs are handed out.
    assert_eq!(run(&plan(1), 2).states[0], one.states[0]);
}

/// Another seed is another course: fingerprints say something.
#[test]
fn seeds_change_what_is_learnt() {
    for case in cases(2) {
        let other = case.text.replace("seed = 17", "seed = 18");
        let digests = [&case.text, &other].map(|text| Story::whole(&plan(text)).digest);
        assert_ne!(digests[0], digests[1], "{}", case.name);
    }
}

/// How jobs are cut is left to whoever asks for them.
#[test]
fn jobs_may_be_cut_in_any_way() {
    for case in cases(2) {
        let plan = plan(&case.text);
        let [few, many] = [1, 7].map(|workers| Story::of(&plan, workers, || u32::MAX));
        assert_eq!(few.digest, many.digest, "{}", case.name);
        assert_eq!(few.champion(), many.champion(), "{}", case.name);
        assert_eq!(few.figures(), many.figures(), "{}", case.name);
    }
}
