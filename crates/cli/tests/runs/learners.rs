//! Learners: run, shown, reported, killed, resumed, extended; and what they came to plays in other commands.

use serde_json::{Value, json};

use crate::program::{Folder, json};
use crate::{failure, killed_after, text};

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const EVOLUTION: &str = r#"
title = "A small evolution"
game = "connect-four"
seed = 4

[learner]
player = "greedy:eval=genome"
inputs = ["board", "wins"]
layers = [{ size = 4, activation = "tanh" }, { size = 1, activation = "tanh" }]
opponents = ["win-block"]

[evolution]
preset = "box"
population = 6
generations = 3
contest.games = 4

[measure]
every = 2
games = 4
final-games = 20
opponents = [{ name = "chance", player = "random" }]
"#;

/// An evolution of this many generations.
fn evolution(folder: &Folder, generations: u32) -> String {
    let text = EVOLUTION.replace("generations = 3", &format!("generations = {generations}"));
    folder.write(&format!("evolution-{generations}.toml"), &text)
}

/// The figures of a run that repeat.
fn figures(folder: &Folder, run: &str, store: &str) -> Vec<Value> {
    let shown = json(folder, &["show", run, "--store", store]);
    let figures = shown["measurements"].as_array().expect("figures");
    figures.iter().filter(|figure| figure["repeats"] == true).cloned().collect()
}

#[test]
fn from_the_file_to_the_champion_at_work() {
    let folder = Folder::new("champion");
    let file = evolution(&folder, 3);
    let checked = text(&folder, &["check", &file]);
    assert!(!checked.is_empty());
    let finished = text(&folder, &["run", &file]);
    assert!(finished.contains("lanista champion 1"), "{finished}");
    let shown = text(&folder, &["show", "1"]);
    for expected in ["evolution of connect-four, finished", "player=champion against=chance", "contest"] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    let score = figures(&folder, "1", "lanista.db")
        .into_iter()
        .find(|figure| figure["name"] == "score" && figure["of"] == "player=champion against=chance");
    assert_eq!(score.expect("the champion's score")["count"], 20);

    let champion = json(&folder, &["champion", "1"]);
    assert_eq!(champion["player"], "greedy:eval=mlp@run-1-champion.safetensors");
    assert_eq!(text(&folder, &["champion", "1"]).trim_end(), champion["player"]);
    let player = champion["player"].as_str().expect("a player");
    let best = json(&folder, &["best", "connect-four", "--player", player]);
    assert!(best["move"].as_str().is_some_and(|mv| ("1"..="7").contains(&mv)), "{best}");
    let arguments = ["match", "connect-four", "--a", player, "--b", "random", "--pairs", "3", "--threads"];
    let [mut one, mut two] = ["1", "2"].map(|threads| json(&folder, &[&arguments[..], &[threads]].concat()));
    let games =
        |result: &Value| ["wins", "draws", "losses"].iter().filter_map(|name| result[*name].as_u64()).sum::<u64>();
    assert_eq!(games(&one), 6, "{one}");
    one["seconds"].take();
    two["seconds"].take();
    assert_eq!(one, two);
    // It was made for one game and is refused in others.
    let refused = failure(&folder, &["best", "loa", "--player", player]);
    assert!(refused.contains("it was made for connect-four, not for loa"), "{refused}");

    json(&folder, &["report", "1", "-o", "page"]);
    let page = String::from_utf8(read(&folder, "page/report.html")).expect("text");
    assert!(page.contains("A small evolution") && page.contains("champion"), "the page tells of the champion");
    assert!(failure(&folder, &["champion", "1", "--trial", "2"]).contains("there is no trial 2"));
}

/// What can be forked is listed, and what cannot be verified is said.
#[test]
fn the_generations_to_fork_from_are_listed() {
    let folder = Folder::new("forks");
    let file = folder.write("kept.toml", &EVOLUTION.replace("[evolution]", "keep-every = 1\n[evolution]"));
    json(&folder, &["run", &file]);
    assert!(failure(&folder, &["fork", "1@0"]).contains("`lanista show 1` lists them"));
    assert_eq!(json(&folder, &["show", "1"])["fork_points"], json!([1, 2, 3]));
    let shown = text(&folder, &["show", "1"]);
    assert!(shown.contains("`lanista fork 1@N` goes on after N = 1, 2, 3\n"), "{shown}");
    assert_eq!(json(&folder, &["fork", "1@1"])["run"], 2);
    let refused = failure(&folder, &["verify", "1"]);
    assert!(refused.contains("run 1 has no games to verify: learners keep none"), "{refused}");
    let counted = "title = \"M\"\ngame = \"connect-four\"\nrecord = \"counts\"\n[match]\na = \"random\"\nb = \"random\"\npairs = 1\n";
    json(&folder, &["run", &folder.write("counted.toml", counted)]);
    assert!(failure(&folder, &["verify", "3"]).contains("record = \"counts\""));
}

/// Replicates have a champion each. Courses without one say what to do.
#[test]
fn every_trial_has_a_champion() {
    let folder = Folder::new("trials");
    let file = folder.write("twice.toml", &EVOLUTION.replace("seed = 4", "seed = 4\nreplicates = 2"));
    json(&folder, &["run", &file]);
    let players = ["1", "2"].map(|trial| json(&folder, &["champion", "1", "--trial", trial])["file"].clone());
    let [first, second] = players.map(|file| read(&folder, file.as_str().expect("a name")));
    assert_ne!(first, second, "each is its own");
    let matched = "title = \"M\"\ngame = \"connect-four\"\n[match]\na = \"random\"\nb = \"random\"\npairs = 1\n";
    let file = folder.write("match.toml", matched);
    json(&folder, &["run", &file]);
    assert!(failure(&folder, &["champion", "2"]).contains("nothing learns in it"));
}

/// A longer run is the continuation of a shorter one: the same figures, the same champion.
#[test]
fn extended_runs_come_to_the_same() {
    let folder = Folder::new("extended");
    json(&folder, &["run", &evolution(&folder, 3), "--store", "extended.db"]);
    let extended = json(&folder, &["extend", "1", "--set", "evolution.generations=6", "--store", "extended.db"]);
    let whole = json(&folder, &["run", &evolution(&folder, 6), "--store", "whole.db"]);
    assert_eq!(extended["fingerprint"], whole["fingerprint"]);
    assert_eq!(extended["games"], whole["games"]);
    assert_eq!(figures(&folder, "1", "extended.db"), figures(&folder, "1", "whole.db"));
    for store in ["extended", "whole"] {
        json(&folder, &["champion", "1", "--store", &format!("{store}.db"), "-o", &format!("{store}.safetensors")]);
    }
    assert_eq!(read(&folder, "extended.safetensors"), read(&folder, "whole.safetensors"), "the same champion");
    // What falls over all generations has no continuation.
    let falling = EVOLUTION
        .replace("contest.games", "mutation = { kind = \"multiply\", probability = 0.5, rate = 0.5 }\ncontest.games");
    let falling = folder.write("falling.toml", &falling);
    json(&folder, &["run", &falling, "--store", "falling.db"]);
    let refused = failure(&folder, &["extend", "1", "--set", "evolution.generations=6", "--store", "falling.db"]);
    assert!(refused.contains("falls over all generations"), "{refused}");
}

/// The program is killed after so many signs of life, wherever it is then, and resumed until it gets through.
#[test]
fn killed_and_resumed() {
    let folder = Folder::new("killed");
    let file = evolution(&folder, 300);
    let whole = json(&folder, &["run", &file, "--store", "whole.db", "--threads", "1"]);
    for signs in [1, 2, 3] {
        let arguments = match signs {
            1 => vec!["run", &file, "--store", "killed.db", "--threads", "1", "--events"],
            _ => vec!["resume", "last", "--store", "killed.db", "--threads", "2", "--events"],
        };
        killed_after(signs, &folder, &arguments);
    }
    let resumed = json(&folder, &["resume", "last", "--store", "killed.db"]);
    assert_eq!((&resumed["fingerprint"], &resumed["games"]), (&whole["fingerprint"], &whole["games"]));
    assert_eq!(figures(&folder, "1", "killed.db"), figures(&folder, "1", "whole.db"));
    for store in ["killed", "whole"] {
        json(&folder, &["champion", "1", "--store", &format!("{store}.db"), "-o", &format!("{store}.safetensors")]);
    }
    assert_eq!(read(&folder, "killed.safetensors"), read(&folder, "whole.safetensors"), "the same champion");
    assert_eq!(json(&folder, &["doctor", "--store", "killed.db"])["sound"], true);
}

const OFFLINE: &str = r#"
title = "Small networks, offline"
game = "loa5"
seed = 3

[learner]
player = "greedy:eval=genome"
inputs = ["board"]

[offline]
games = 20
batch = 10
player = "random"
structures = [
    { layers = [{ size = 1, activation = "sigmoid" }] },
    { layers = [{ size = 4, activation = "tanh" }, { size = 1, activation = "tanh" }] },
]
cycles-a-step = 2
stages = [{ rate = 0.2, cycles = 4 }, { rate = 0.05, cycles = 2 }]

[measure]
final-games = 4
opponents = [{ name = "chance", player = "random" }]
"#;

/// Offline learning with other stages.
fn offline(folder: &Folder, name: &str, stages: &str) -> String {
    let old = "[{ rate = 0.2, cycles = 4 }, { rate = 0.05, cycles = 2 }]";
    folder.write(name, &OFFLINE.replace(old, stages))
}

#[test]
fn offline_training_is_part_of_the_estimate() {
    let folder = Folder::new("estimate");
    let seconds = |name: &str, cycles: u32| {
        let file = offline(&folder, name, &format!("[{{ rate = 0.1, cycles = {cycles} }}]"));
        json(&folder, &["check", &file])["core_seconds"].as_f64().expect("seconds")
    };
    let (short, long) = (seconds("short.toml", 10), seconds("long.toml", 100_000));
    assert!(long > 20.0 * short, "{short} s and {long} s");
}

#[test]
fn errors_stand_beside_those_of_a_guess() {
    let folder = Folder::new("guess");
    json(&folder, &["run", &folder.write("offline.toml", OFFLINE)]);
    let figures = figures(&folder, "1", "lanista.db");
    for part in ["training", "validation"] {
        for structure in ["constant", "25-1", "25-4-1"] {
            let of = format!("structure={structure} part={part}");
            let found = figures.iter().find(|figure| figure["name"] == "mse" && figure["of"] == of.as_str());
            let error = found.and_then(|figure| figure["value"].as_f64());
            assert!(error.is_some_and(|error| error > 0.0 && error < 0.3), "{of}: {error:?}");
        }
    }
    json(&folder, &["report", "1", "-o", "page"]);
    assert!(String::from_utf8(read(&folder, "page/report.html")).expect("text").contains("constant"));
    let named = folder.write(
        "named.toml",
        &OFFLINE.replace("{ layers = [{ size = 1,", "{ name = \"constant\", layers = [{ size = 1,"),
    );
    assert!(failure(&folder, &["check", &named]).contains("the guess that structures are compared with"));
}

/// Stages that go on where the others ended are a continuation; others are refused, and the run stays as it was.
#[test]
fn stages_are_extended_or_refused() {
    let folder = Folder::new("stages");
    json(&folder, &["run", &folder.write("offline.toml", OFFLINE), "--store", "extended.db"]);
    let extend = |stages: &str| {
        let change = format!("offline.stages={stages}");
        failure(&folder, &["extend", "1", "--set", &change, "--store", "extended.db"])
    };
    for others in ["[{ rate = 0.2, cycles = 8 }]", "[{ rate = 0.2, cycles = 4 }, { rate = 0.1, cycles = 4 }]"] {
        assert!(extend(others).contains("run 1: its stages would be others"), "{others}");
    }
    assert!(extend("7").contains("offline.toml"), "a mistake in the value is named as in a file");
    let refused = failure(&folder, &["extend", "1", "--set", "offline.games=40", "--store", "extended.db"]);
    assert!(refused.contains("offline.stages") && refused.contains("fork changes everything"), "{refused}");
    let longer = "[{ rate = 0.2, cycles = 4 }, { rate = 0.05, cycles = 6 }, { rate = 0.01, cycles = 2 }]";
    let change = format!("offline.stages={longer}");
    let extended = json(&folder, &["extend", "1", "--set", &change, "--store", "extended.db"]);
    let whole = json(&folder, &["run", &offline(&folder, "longer.toml", longer), "--store", "whole.db"]);
    assert_eq!(extended["fingerprint"], whole["fingerprint"]);
    assert_eq!(figures(&folder, "1", "extended.db"), figures(&folder, "1", "whole.db"));
    // Steps of two cycles, the last of one: a longer run has other steps.
    let odd = offline(&folder, "odd.toml", "[{ rate = 0.2, cycles = 5 }]");
    json(&folder, &["run", &odd, "--store", "odd.db"]);
    let change = "offline.stages=[{ rate = 0.2, cycles = 10 }]";
    let refused = failure(&folder, &["extend", "1", "--set", change, "--store", "odd.db"]);
    assert!(refused.contains("no multiple of cycles-a-step"), "{refused}");
    // In a longer stage the rate would have fallen more slowly from the beginning.
    let falling = offline(&folder, "falling.toml", "[{ rate = 0.2, rate-to = 0.1, cycles = 4 }]");
    json(&folder, &["run", &falling, "--store", "falling.db"]);
    let change = "offline.stages=[{ rate = 0.2, rate-to = 0.1, cycles = 8 }]";
    let refused = failure(&folder, &["extend", "1", "--set", change, "--store", "falling.db"]);
    assert!(refused.contains("if it has no rate-to"), "{refused}");
}
