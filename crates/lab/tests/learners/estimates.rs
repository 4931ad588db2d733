//! What a learner would cost: its games, its lessons and what measures it are all part of the estimate.

use std::time::Duration;

use lanista_lab::cost::{Cost, estimate, steps};
use lanista_lab::jobs::Cancel;

use crate::plan;

fn cost(passes: u32, measured: u32, trials: u32) -> Cost {
    let text = format!(
        "title = \"t\"\ngame = \"connect-four\"\nreplicates = {trials}\n\
         [learner]\nplayer = \"greedy:eval=genome\"\ninputs = [\"board\"]\nlayers = [{{ size = 10, activation = \"tanh\" }}, {{ size = 1, activation = \"tanh\" }}]\n\
         [td]\ngames = 1000\nbatch = 100\npasses = {passes}\n\
         [measure]\nevery = 1\ngames = {measured}\nfinal-games = 2\nopponents = [{{ name = \"chance\", player = \"random\" }}]\n"
    );
    estimate(&plan(&text), "test.toml", Duration::from_secs(2), &Cancel::default()).expect("an estimate")
}

#[test]
fn lessons_and_measurements_count() {
    let plain = cost(1, 2, 1);
    assert!(plain.learning_seconds > 0.0 && plain.core_seconds > plain.learning_seconds, "{plain:?}");
    let studious = cost(1000, 2, 1);
    assert!(studious.learning_seconds > 50.0 * plain.learning_seconds, "{plain:?} {studious:?}");
    let measured = cost(1, 10_000, 1);
    let playing = |cost: &Cost| cost.core_seconds - cost.learning_seconds;
    assert!(playing(&measured) > 10.0 * playing(&plain), "{plain:?} {measured:?}");
}

/// A trial learns on one core, however many there are; several learn side by side.
#[test]
fn more_cores_make_only_more_trials_learn_faster() {
    let lonely = cost(1000, 2, 1);
    assert!(lonely.seconds(1000) >= lonely.learning_seconds);
    assert!((lonely.seconds(1) - lonely.core_seconds).abs() < 1e-6 * lonely.core_seconds);
    let several = cost(1000, 2, 8);
    assert!(several.seconds(4) < 0.3 * several.core_seconds && several.seconds(1000) >= lonely.seconds(1000) / 8.0);
    let many = cost(1, 2, 8);
    assert!(many.seconds(2) >= many.core_seconds / 2.0 && many.seconds(2) <= many.core_seconds, "{many:?}");
}

/// A few settings are all tried out: one that is longer than the others counts, whatever its place.
#[test]
fn no_setting_of_a_few_is_left_out() {
    for long in 0..9 {
        let batches = |place: u32| if place == long { 500 } else { place + 1 };
        let games: Vec<String> = (0..9).map(|place| (100 * batches(place)).to_string()).collect();
        let text = format!(
            "title = \"t\"\ngame = \"connect-four\"\nreplicates = 4\n[sweep]\ngrid.games = [{}]\n\
             [learner]\nplayer = \"greedy:eval=genome\"\ninputs = [\"board\"]\nlayers = [{{ size = 1, activation = \"tanh\" }}]\n\
             [td]\ngames = \"{{games}}\"\nbatch = 100\n",
            games.join(", ")
        );
        let (steps, unit) = steps(&plan(&text), "test.toml").expect("steps");
        let all: u32 = (0..9).map(batches).sum();
        assert_eq!((steps, unit.as_str()), (f64::from(4 * all), "batches"), "{long}");
    }
}
