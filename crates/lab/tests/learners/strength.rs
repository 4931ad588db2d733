//! Learners become strong on a small board, inside a fixed budget.

use lanista_lab::run::Measurement;

use crate::{plan, run};

/// The score of the champion in its fresh games against chance.
fn score(learner: &str) -> Measurement {
    let text = format!(
        "title = \"Test\"\ngame = \"loa5\"\nseed = 1\n[measure]\nfinal-games = 200\n\
         opponents = [{{ player = \"random\" }}]\n[learner]\nplayer = \"greedy:eval=genome\"\n{learner}"
    );
    let plan = plan(&text);
    let state = run(&plan, 2).states.remove(0);
    let mut study = plan.study(0, "test.toml").expect("a study");
    study.restore(&state).expect("a good state");
    let is_score = |figure: &Measurement| figure.name == "score" && figure.of == "player=champion against=random";
    study.summary().into_iter().find(is_score).expect("a score")
}

/// 5×5 Lines of Action, games with itself only.
#[test]
fn temporal_differences_beat_chance() {
    let learnt = score(
        "inputs = [\"board\", \"cluster\", \"concentration\"]\nview = \"waiting\"\n\
         layers = [{ size = 20, activation = \"tanh\" }, { size = 1, activation = \"tanh\" }]\n\
         [td]\ngames = 1000\nbatch = 50\nlambda = 0.7\nrate = 0.01\n",
    );
    assert!(learnt.value >= 0.9 && learnt.count == 200, "{learnt:?}");
}

/// The same by evolution against chance.
#[test]
fn evolution_beats_chance() {
    let bred = score(
        "inputs = [\"cluster\", \"concentration\", \"freedom\"]\nopponents = [\"random\"]\n\
         layers = [{ size = 4, activation = \"tanh\" }, { size = 1, activation = \"tanh\" }]\n\
         [evolution]\npreset = \"box\"\npopulation = 12\ngenerations = 8\ncontest.games = 20\n\
         initial = { kind = \"gaussian\", sd = 1.0 }\n",
    );
    assert!(bred.value >= 0.9 && bred.count == 200, "{bred:?}");
}

/// What has not learnt anything is not that strong: the bound says something.
#[test]
fn who_has_not_learnt_does_not_beat_chance_so_clearly() {
    let text = "inputs = [\"cluster\", \"concentration\", \"freedom\"]\n\
         layers = [{ size = 4, activation = \"tanh\" }, { size = 1, activation = \"tanh\" }]\n\
         [evolution]\npreset = \"plogann\"\npopulation = 1\ngenerations = 1\nmutation.probability = 0.0\n";
    let blank = score(text);
    assert!(blank.value < 0.85, "{blank:?}");
}
