//! Contests: the program is killed, resumed, extended, forked; the results are always the same.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use lanista_core::Seed;
use serde_json::{Value, json};

use crate::program::{Folder, command, json, lanista};
use crate::{failure, killed_after, text};

/// Figures and games of a run, without what tells when and how long.
fn content(folder: &Folder, store: &str, run: &str) -> (Vec<Value>, Vec<Value>) {
    let mut shown = json(folder, &["show", run, "--store", store]);
    let figures = shown["measurements"].as_array_mut().expect("figures");
    figures.retain(|figure| figure["repeats"] == true);
    let figures = figures.clone();
    let listed = lanista(folder, &["records", run, "--store", store, "--limit", "100000000", "--json"]);
    let games = String::from_utf8(listed.stdout).expect("text");
    let game = |line: &str| {
        let mut game: Value = serde_json::from_str(line).expect("JSON");
        game["place"].take();
        game
    };
    let mut games: Vec<Value> = games.lines().map(game).collect();
    // Trials are under way side by side; which one is written first is left to chance.
    games.sort_by_key(|game| ["trial", "meeting", "number"].map(|name| game[name].as_u64()));
    (figures, games)
}

const STUDY: &str = r#"
title = "Killed again and again"
game = "connect-four"
seed = 11
replicates = 2
[sweep]
grid.depth = [2, 3]
[match]
a = "alphabeta:depth={depth}"
b = "stochastic:depth=2"
pairs = 1000
"#;

/// The program is killed at random moments and resumed, until it gets through. What it leaves is the same to the bit as
/// without a kill. `LANISTA_KILLS` says how many kills there are; the gate takes a few.
#[test]
fn killed_at_random_moments_and_resumed() {
    let kills: u64 = std::env::var("LANISTA_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let folder = Folder::new("killed");
    // Long enough that most kills come before the end, on a fast machine too.
    let file = folder.write("study.toml", &STUDY.replace("pairs = 1000", &format!("pairs = {}", 600 * kills)));
    let whole = json(&folder, &["run", &file, "--store", "whole.db", "--threads", "1"]);
    let mut random = Seed::new(5).stream();
    let mut unfinished = 0;
    for round in 0..kills {
        let arguments = match round {
            0 => vec!["run", &file, "--store", "killed.db", "--threads", "1", "--events"],
            _ => vec!["resume", "last", "--store", "killed.db", "--threads", "2", "--events"],
        };
        killed_after(1 + random.below(3) as usize, &folder, &arguments);
        unfinished += u64::from(json(&folder, &["runs", "--store", "killed.db"])[0]["status"] == "running");
    }
    assert!(2 * unfinished >= kills, "most kills came before the end: {unfinished} of {kills}");
    let resumed = json(&folder, &["resume", "last", "--store", "killed.db"]);
    assert_eq!(resumed["fingerprint"], whole["fingerprint"]);
    assert_eq!(resumed["games"], whole["games"]);
    assert_eq!(content(&folder, "killed.db", "last"), content(&folder, "whole.db", "last"));
    assert_eq!(json(&folder, &["doctor", "--store", "killed.db"])["sound"], true);
    let verified = json(&folder, &["verify", "last", "--store", "killed.db", "--all"]);
    assert_eq!((&verified["same"], &verified["different"]), (&resumed["games"], &0.into()));
}

#[test]
fn extended_forked_compared_and_deleted() {
    let folder = Folder::new("changed");
    let text = STUDY.replace("pairs = 1000", "pairs = 20");
    let short = folder.write("short.toml", &text);
    let long = folder.write("long.toml", &text.replace("pairs = 20", "pairs = 30"));
    json(&folder, &["run", &short]);
    let extended = json(&folder, &["extend", "1", "--set", "match.pairs=30"]);
    let whole = json(&folder, &["run", &long]);
    assert_eq!(extended["fingerprint"], whole["fingerprint"]);
    let refused = failure(&folder, &["extend", "1", "--set", "match.a=random"]);
    assert!(refused.contains("fork changes everything"), "{refused}");
    let shorter = failure(&folder, &["extend", "1", "--set", "match.pairs=10"]);
    assert!(shorter.contains("match.pairs=10: expected 30 or more"), "{shorter}");
    // Games that were played stay those of the players who played them.
    for other in ["match.b=random", "game=loa", "seed=9", "match.pairs=10"] {
        let refused = failure(&folder, &["fork", "1", "--set", other]);
        assert!(refused.contains("what it has") || refused.contains("expected 30 or more"), "{other}: {refused}");
    }
    assert_eq!(json(&folder, &["show", "1"])["run"]["fingerprint"], whole["fingerprint"], "nothing has changed");
    let forked = json(&folder, &["fork", "1", "--set", "match.pairs=40"]);
    assert_eq!((&forked["run"], &forked["games"], &forked["played"]), (&3.into(), &320.into(), &80.into()));
    let compared = json(&folder, &["compare", "1", "3"]);
    let figures = compared["figures"].as_array().expect("figures");
    assert!(figures.iter().any(|figure| figure["name"] == "score" && figure["p"].is_number()), "{compared}");
    assert!(failure(&folder, &["delete", "1"]).contains("--yes"));
    json(&folder, &["delete", "1", "--yes"]);
    let runs = json(&folder, &["runs"]);
    let numbers: Vec<_> = runs.as_array().expect("runs").iter().map(|run| run["run"].as_i64()).collect();
    assert_eq!(numbers, [Some(2), Some(3)]);
    assert!(failure(&folder, &["show", "1"]).contains("no run \"1\""));
}

#[test]
fn a_second_writer_waits_its_turn_and_readers_do_not() {
    let folder = Folder::new("writers");
    let text = "title = \"Long\"\ngame = \"loa\"\n[match]\na = \"pvs:depth=3\"\nb = \"pvs:depth=3\"\npairs = 100000\n";
    let file = folder.write("long.toml", text);
    let mut first = command(&folder, &["run", &file, "--events", "--threads", "1"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut events = BufReader::new(first.stderr.take().expect("events")).lines();
    assert!(events.next().is_some_and(|line| line.is_ok_and(|line| line.contains("started"))));
    let refused = failure(&folder, &["run", &file]);
    assert!(refused.contains("another lanista process is writing"), "{refused}");
    assert_eq!(json(&folder, &["runs"])[0]["status"], "running");
    first.kill().expect("killed");
    first.wait().expect("gone");
}

#[test]
fn engines_that_break_down_lose_and_are_named() {
    let folder = Folder::new("engines");
    let engine = format!("engine:{} engine connect-four --player random", env!("CARGO_BIN_EXE_lanista"));
    let fair = json(&folder, &["match", "connect-four", "--a", &engine, "--b", "pvs:depth=3", "--pairs", "2"]);
    assert_eq!(
        fair["losses"].as_u64().zip(fair["wins"].as_u64()).map(|(losses, wins)| losses + wins),
        Some(4),
        "{fair}"
    );
    for (command, reason) in [("engine:false", "ended by itself"), ("engine:no-such-program", "cannot be started")] {
        let output =
            lanista(&folder, &["match", "connect-four", "--a", command, "--b", "random", "--pairs", "1", "--json"]);
        let warnings = String::from_utf8_lossy(&output.stderr).to_string();
        let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(result["losses"], 2, "{command}: {warnings}");
        assert!(warnings.contains("forfeit") && warnings.contains(reason), "{command}: {warnings}");
        assert_eq!((&result["forfeits"], output.status.code()), (&json!([2, 0]), Some(1)), "{command}");
    }
}

/// A result of nothing but breakdowns is told, and is a failure. Equal warnings are told a few times.
#[test]
fn a_program_that_cannot_be_started_is_a_failure_everywhere() {
    let folder = Folder::new("no-program");
    let broken = "engine:no-such-program";
    let play = ["match", "connect-four", "--a", "random", "--b", broken, "--pairs", "50", "--store", "m.db"];
    let output = lanista(&folder, &[&play[..], &["--json", "--quiet"]].concat());
    let message = String::from_utf8_lossy(&output.stderr).to_string();
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&result["wins"], &result["forfeits"]), (&100.into(), &json!([0, 100])));
    assert_eq!((output.status.code(), message.lines().count()), (Some(1), 1), "{message}");
    for part in ["all 100 games were forfeited", broken, "cannot be started"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let output = lanista(&folder, &play);
    let warnings = String::from_utf8_lossy(&output.stderr).matches("warning: ").count();
    assert_eq!(warnings, 3, "of the first, the tenth and the hundredth game");
    let told = "engine:no-such-program forfeited 100 of 100 games against random: ";
    assert!(String::from_utf8_lossy(&output.stdout).contains(told));
    assert!(text(&folder, &["show", "last", "--store", "m.db"]).contains(told));
    let tournament = ["tournament", "connect-four", "random", "win-block", broken, "--pairs", "1", "--json", "-q"];
    let output = lanista(&folder, &tournament);
    let result: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = result["table"].as_array().expect("rows");
    assert!(rows.iter().any(|row| row["player"] == broken && row["forfeits"] == 4), "{result}");
    assert_eq!(output.status.code(), Some(1));
    let experiment =
        format!("title = \"Test\"\ngame = \"connect-four\"\n[match]\na = \"random\"\nb = \"{broken}\"\npairs = 2\n");
    let file = folder.write("broken.toml", &experiment);
    let message = failure(&folder, &["run", &file, "--store", "r.db", "--quiet"]);
    for part in ["run 1, trial 1", "all 4 games were forfeited", "cannot be started"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    for command in [&["best", "connect-four"][..], &["openings", "connect-four", "--count", "1"]] {
        let message = failure(&folder, &[command, &["--player", broken]].concat());
        assert!(message.contains("breaks down: engine \"no-such-program\": cannot be started"), "{message}");
    }
}

#[test]
fn sequential_tests_stop_at_the_same_pair_on_any_number_of_threads() {
    let folder = Folder::new("sprt");
    let play = |threads| {
        let arguments = ["match", "connect-four", "--a", "pvs:depth=4", "--b", "greedy", "--sprt", "0,50"];
        let mut result = json(&folder, &[&arguments[..], &["--pairs", "500", "--threads", threads]].concat());
        result["seconds"].take();
        result
    };
    let one = play("1");
    assert_eq!(one["sprt"]["verdict"], "the higher difference");
    let pairs: u64 = one["pairs"].as_array().expect("five counts").iter().filter_map(Value::as_u64).sum();
    assert!(pairs < 200, "it stops early: {one}");
    assert_eq!(one, play("3"));
}
