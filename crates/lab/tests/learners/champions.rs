//! What comes out of a course: a player in a file, measured on games that nobody has seen before.

use std::sync::Arc;

use lanista_lab::blobs::Blob;
use lanista_lab::experiment::Plan;
use lanista_nn::NetworkFile;

use crate::cases::cases;
use crate::{Story, plan, run};

/// A champion plays in other experiments: against chance, in an experiment that names its file by its content.
#[test]
fn champions_play() {
    for case in cases(2) {
        let learnt = plan(&case.text);
        let story = Story::whole(&learnt);
        let file = story.champion();
        let evaluator = match file.name.as_str() {
            "champion.safetensors" => "eval=mlp@",
            "champion.json" => "eval=neat@",
            "champion.txt" if case.text.contains("\"mia2\"") => "eval=mia2@",
            "champion.txt" if case.text.contains("\"threats\"") => "eval=threats@",
            "champion.txt" if case.text.contains("\"allsop\"") => "eval=allsop@",
            name => panic!("{}: a champion called {name}", case.name),
        };
        let blobs = Arc::clone(&learnt.blobs);
        let player = learnt.champion(0, &blobs.add(file.content.clone())).expect("a player");
        assert!(player.contains(evaluator) && !player.contains("genome"), "{}: {player}", case.name);
        let game = learnt.experiment.game.as_str();
        let text = format!(
            "title = \"Test\"\ngame = \"{game}\"\n[match]\na = \"{player}\"\nb = \"random\"\npairs = 2\nlimit-a = \"depth=2\"\n"
        );
        let contest = Plan::read(&text, "match.toml", blobs).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let finished = run(&contest, 1);
        let result = contest.contest(0, &finished.states[0], "match.toml").expect("a contest").standing().meetings[0]
            .result
            .clone();
        assert_eq!(result.games.games(), 4, "{}", case.name);
    }
}

/// Learning goes on from a champion's file: where hardly anything is learnt, hardly anything changes. A file of another network is
/// refused.
#[test]
fn learning_starts_from_a_file() {
    let text = |start: &str, units: u32, rate: f64| {
        format!(
            "title = \"Test\"\ngame = \"connect-four\"\n[learner]\n{start}player = \"greedy:eval=genome\"\ninputs = [\"board\", \"none\"]\n\
             layers = [{{ size = {units}, activation = \"tanh\" }}, {{ size = 1, activation = \"tanh\" }}]\n\
             [td]\ngames = 4\nbatch = 2\nopponent = \"itself\"\nrate = {rate}\n"
        )
    };
    let first = plan(&text("", 3, 0.1));
    let file = Story::whole(&first).champion().clone();
    let blobs = Arc::clone(&first.blobs);
    let reference = blobs.add(file.content.clone());
    blobs.put(Blob { reference, name: "first.safetensors".into(), content: file.content.clone().into() });
    let start = "start = \"first.safetensors\"\n";
    let second = Plan::read(&text(start, 3, 1e-12), "second.toml", Arc::clone(&blobs)).expect("a plan");
    let learnt = Story::whole(&second).champion().clone();
    let weights = |content: &[u8]| NetworkFile::read(content).expect("a network").network.weights();
    let (before, after) = (weights(&file.content), weights(&learnt.content));
    assert!(before.iter().zip(&after).all(|(before, after)| (before - after).abs() < 1e-6));
    let Err(error) = Plan::read(&text(start, 4, 0.1), "third.toml", blobs) else { panic!("four units") };
    assert!(error.to_string().contains("it is a network 42-3-1"), "{error}");
}

/// The same with the weights of an evaluator.
#[test]
fn an_evaluator_starts_from_a_file() {
    let text = |start: &str| {
        format!(
            "title = \"Test\"\ngame = \"loa5\"\n[learner]\nplayer = \"greedy:eval=genome\"\nweights-of = \"mia2\"\n{start}\
             [td]\ngames = 4\nbatch = 2\nopponent = \"itself\"\nrate = 1e-9\n"
        )
    };
    let first = plan(&text(""));
    let content: Arc<[u8]> = b"concentration = 2000\nmobility = 40\n".as_slice().into();
    let reference = first.blobs.add(Arc::clone(&content));
    first.blobs.put(Blob { reference, name: "first.txt".into(), content });
    let second = Plan::read(&text("start = \"first.txt\"\n"), "second.toml", Arc::clone(&first.blobs)).expect("a plan");
    let [from_own, from_file] =
        [&first, &second].map(|plan| String::from_utf8(Story::whole(plan).champion().content.clone()).expect("text"));
    assert!(from_own.contains("concentration = 1000\n") && from_own.contains("mobility = 4\n"), "{from_own}");
    let changed = from_own.replace("tion = 1000\n", "tion = 2000\n").replace("mobility = 4\n", "mobility = 40\n");
    assert_eq!(from_file, changed);
}

/// Files tell where they come from, and equal courses leave equal files.
#[test]
fn files_repeat_to_the_byte() {
    for case in cases(2) {
        let plan = plan(&case.text);
        let [one, other] = [1, 3].map(|workers| Story::of(&plan, workers, || u32::MAX).champion().clone());
        assert_eq!(one, other, "{}", case.name);
        if !one.name.ends_with(".txt") {
            let text = String::from_utf8_lossy(&one.content);
            let score = "in 6 fresh games against random";
            assert!(text.contains("Test (seed ") && text.contains(score), "{}: how it was made", case.name);
        }
    }
}

/// The figures of the champion rest on its own games, as many as were asked for, and stand at the last step. Those of the
/// best of a step are others.
#[test]
fn champions_are_measured_on_fresh_games() {
    for case in cases(3) {
        let story = Story::whole(&plan(&case.text));
        let scores = |whom: &str| -> Vec<(u32, u64)> {
            let of = format!("player={whom} against=random");
            let figures = story.recorded.measurements.iter().flat_map(|(step, figures)| {
                figures
                    .iter()
                    .filter(|figure| figure.name == "score" && figure.of == of)
                    .map(|figure| (*step, figure.count))
            });
            figures.collect()
        };
        assert_eq!(scores("champion"), [(3, 6)], "{}", case.name);
        // Every second step, and the last, or the last five. Two of a population, but a course has only one network, as an evaluator is one.
        let is_alone = ["td", "an evaluator"].iter().any(|name| case.name.starts_with(name));
        let measured = if is_alone { 2 } else { 4 };
        let first = if case.text.contains("closing = 5") { 1 } else { 2 };
        assert_eq!(scores("top"), (first..=3).map(|step| (step, measured)).collect::<Vec<_>>(), "{}", case.name);
        let last = story.summary.iter().filter(|figure| figure.of.contains("player=champion")).count();
        assert_eq!(last, 2, "{}: score and plies of the champion are what it came to", case.name);
    }
}

/// Without anybody to measure against there is still a champion, and its file does not claim a strength.
#[test]
fn unmeasured_champions_say_so() {
    let case = cases(2).into_iter().find(|case| case.name == "evolution of plogann").expect("a case");
    let (head, rest) = case.text.split_once("[measure]").expect("a measurement");
    let (_, learner) = rest.split_once("[learner]").expect("a learner");
    let story = Story::whole(&plan(&format!("{head}[learner]{learner}")));
    assert!(String::from_utf8_lossy(&story.champion().content).contains("not measured"));
    assert!(!story.summary.iter().any(|figure| figure.name == "score"));
}

/// Connect Four is solved: what a champion throws away is known.
#[test]
fn truth_judges_champions() {
    let case = cases(2).into_iter().find(|case| case.name == "evolution of box").expect("a case");
    let text = case.text.replace(
        "final-games = 6\n",
        "final-games = 6\ntruth-positions = 5\ntruth-plies = [24, 28]\ntruth-games = 1\n",
    );
    let story = Story::whole(&plan(&text));
    for (name, whom) in [("optimal", "top"), ("result-kept", "champion"), ("points-lost", "champion")] {
        let of = format!("player={whom} against=truth");
        let figure = story.summary.iter().find(|figure| figure.name == name && figure.of == of).expect(name);
        assert!((0.0..=1.0).contains(&figure.value) && figure.count == 10, "{figure:?}");
    }
    // Of its own game every second decision is its own.
    let of = "player=champion against=truth with=random";
    let figure = story.summary.iter().find(|figure| figure.name == "optimal" && figure.of == of).expect("its own game");
    assert!((0.0..=1.0).contains(&figure.value) && (4..=21).contains(&figure.count), "{figure:?}");
    assert_eq!(story.digest, Story::of(&plan(&text), 4, || 1).digest);
}
