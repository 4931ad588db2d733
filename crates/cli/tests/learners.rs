//! Learners from outside: run, shown, reported, killed, resumed, extended; and what they came to plays in other commands.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lanista-learners-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for tests");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).expect("written");
        name.to_string()
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanista"));
    command.args(arguments).current_dir(folder).env_remove("LANISTA_STORE").stdin(Stdio::null());
    command
}

fn lanista(folder: &Folder, arguments: &[&str]) -> Output {
    command(&folder.0, arguments).output().expect("the program starts")
}

fn text(folder: &Folder, arguments: &[&str]) -> String {
    let output = lanista(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&text(folder, &[arguments, &["--json"]].concat())).expect("JSON")
}

fn failure(folder: &Folder, arguments: &[&str]) -> String {
    let output = lanista(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    assert!(!output.status.success(), "{arguments:?} should fail");
    assert_eq!(message.lines().filter(|line| line.starts_with("lanista: ")).count(), 1, "one line: {message}");
    message
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
    let page = String::from_utf8(folder.read("page/report.html")).expect("text");
    assert!(page.contains("A small evolution") && page.contains("champion"), "the page tells of the champion");
    assert!(failure(&folder, &["champion", "1", "--trial", "2"]).contains("there is no trial 2"));
}

/// Replicates have a champion each. Courses without one say what to do.
#[test]
fn every_trial_has_a_champion() {
    let folder = Folder::new("trials");
    let file = folder.write("twice.toml", &EVOLUTION.replace("seed = 4", "seed = 4\nreplicates = 2"));
    json(&folder, &["run", &file]);
    let players = ["1", "2"].map(|trial| json(&folder, &["champion", "1", "--trial", trial])["file"].clone());
    let [first, second] = players.map(|file| folder.read(file.as_str().expect("a name")));
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
    assert_eq!(folder.read("extended.safetensors"), folder.read("whole.safetensors"), "the same champion");
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
        let mut child =
            command(&folder.0, &arguments).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
        let events = BufReader::new(child.stderr.take().expect("events")).lines();
        events.map_while(Result::ok).take(signs).for_each(drop);
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    let resumed = json(&folder, &["resume", "last", "--store", "killed.db"]);
    assert_eq!((&resumed["fingerprint"], &resumed["games"]), (&whole["fingerprint"], &whole["games"]));
    assert_eq!(figures(&folder, "1", "killed.db"), figures(&folder, "1", "whole.db"));
    for store in ["killed", "whole"] {
        json(&folder, &["champion", "1", "--store", &format!("{store}.db"), "-o", &format!("{store}.safetensors")]);
    }
    assert_eq!(folder.read("killed.safetensors"), folder.read("whole.safetensors"), "the same champion");
    assert_eq!(json(&folder, &["doctor", "--store", "killed.db"])["sound"], true);
}
