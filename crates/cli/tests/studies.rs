//! Studies from outside: run once, reported as often as wanted, broken off and taken up again.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lanista-studies-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for tests");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
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

/// What was told of each study.
fn told(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn studies(folder: &Folder, arguments: &[&str]) -> Vec<Value> {
    let output = lanista(folder, &[&["studies", "--quiet", "--json"], arguments].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    told(&output)
}

fn failure(folder: &Folder, arguments: &[&str]) -> String {
    let output = lanista(folder, arguments);
    assert!(!output.status.success(), "{arguments:?} should fail");
    String::from_utf8_lossy(&output.stderr).trim_end().to_string()
}

const STUDY: &str = r#"
title = "What blocking is worth"
about = "Before."
findings = "It helps."
game = "connect-four"
seed = 1
[match]
a = "win-block"
b = "random"
pairs = 1000
[[published]]
source = "Somebody"
measurement = "score"
of = "row=win-block column=random"
value = 0.9
[[headline]]
name = "blocking against chance"
measurement = "score"
of = "row=win-block column=random"
[scale.small]
"match.pairs" = 5
[scale.hour]
"match.pairs" = 50
"#;

#[test]
fn studies_are_run_once_and_reported_again() {
    let folder = Folder::new("once");
    folder.write("experiments/doc/match.toml", STUDY);
    folder.write("experiments/other/plain.toml", &STUDY[..STUDY.find("[scale").expect("scales")].replace("1000", "7"));
    let first = studies(&folder, &[]);
    let names: Vec<&str> = first.iter().map(|study| study["study"].as_str().expect("a name")).collect();
    assert_eq!(names, ["doc/match", "other/plain"]);
    // A file without the scale is taken in full.
    assert_eq!((&first[0]["games"], &first[1]["games"]), (&10.into(), &14.into()));
    let page = folder.read("studies/doc/match/README.md");
    assert!(page.contains("mean nothing") && page.contains("](../../../experiments/doc/match.toml)"), "{page}");
    assert!(page.contains("lanista run experiments/doc/match.toml --scale small"), "{page}");
    let overview = folder.read("studies/README.md");
    assert!(
        overview.contains("[What blocking is worth](doc/match/README.md)") && overview.contains("| small |"),
        "{overview}"
    );

    // Words change the page, not the run.
    folder.write("experiments/doc/match.toml", &STUDY.replace("Before.", "After."));
    assert_eq!(studies(&folder, &[]), first);
    assert!(folder.read("studies/doc/match/README.md").contains("After."));

    // Another scale is another run, in the same store; what is done changes the run.
    let hour = studies(&folder, &["--scale", "hour", "-o", "pages", "--only", "doc"]);
    assert_eq!((hour.len(), &hour[0]["games"], &hour[0]["run"]), (1, &100.into(), &3.into()));
    let overview = folder.read("pages/README.md");
    assert!(overview.contains("| hour |") && !overview.contains("[What blocking is worth](other"), "{overview}");
    assert!(!folder.0.join("pages/other").exists());
    folder.write("experiments/doc/match.toml", &STUDY.replace("seed = 1", "seed = 2"));
    assert_eq!(studies(&folder, &["--only", "doc/match"])[0]["run"], 4);

    // What the store has not is no failure where only reports are wanted.
    let reported = studies(&folder, &["--scale", "hour", "-o", "pages", "--report-only", "--only", "other"]);
    assert_eq!((&reported[0]["run"], &reported[0]["status"]), (&2.into(), &"finished".into()));
    let reported = studies(&folder, &["--scale", "full", "-o", "full", "--report-only"]);
    assert_eq!((&reported[0]["run"], &reported[0]["trouble"]), (&Value::Null, &Value::Null));
    assert!(folder.read("full/README.md").contains("not run yet"));

    // Another store may be without what was reported from this one: the overview keeps it as long as it is the same study.
    let elsewhere = ["--store", "y.db", "--only", "doc"];
    assert_eq!(studies(&folder, &elsewhere)[0]["run"], 1);
    assert!(folder.read("studies/README.md").contains("[What blocking is worth](other/plain/README.md)"));
    folder.write("experiments/other/plain.toml", &folder.read("experiments/other/plain.toml").replace("7", "8"));
    studies(&folder, &elsewhere);
    assert!(folder.read("studies/README.md").contains("not run yet"));
    folder.write("experiments/other/plain.toml", &folder.read("experiments/other/plain.toml").replace("8", "7"));

    // Findings come later than figures: they go into a report whose run is in another store, and nothing else changes.
    let page = folder.read("studies/other/plain/README.md");
    let found = "It helps.\n\n- much\n- always";
    folder.write(
        "experiments/other/plain.toml",
        &folder.read("experiments/other/plain.toml").replace("It helps.", "It helps.\\n\\n- much\\n- always"),
    );
    studies(&folder, &["--store", "y.db", "--only", "other", "--report-only"]);
    assert_eq!(folder.read("studies/other/plain/README.md"), page.replace("It helps.", found));
    studies(&folder, &["--only", "other", "--report-only"]);
    assert_eq!(
        folder.read("studies/other/plain/README.md"),
        page.replace("It helps.", found),
        "as the whole report has them"
    );

    // So do the title and what it is about; a report at another scale than the one that is wanted stays in the overview, and gets them.
    let other = folder.read("experiments/other/plain.toml");
    folder.write(
        "experiments/other/plain.toml",
        &other.replace("Before.", "Later.\\n\\n- status: good").replace("What b", "B"),
    );
    let page = folder.read("studies/other/plain/README.md");
    studies(&folder, &["--store", "y.db", "--only", "other", "--scale", "full", "--report-only"]);
    let new = page.replace("# What blocking", "# Blocking").replace("Before.", "Later.\n\n- status: good");
    assert_eq!(folder.read("studies/other/plain/README.md"), new);
    folder.write("experiments/other/plain.toml", &other);
    studies(&folder, &["--only", "other", "--report-only"]);
    let small = folder.read("studies/doc/match/README.md");
    let study = folder.read("experiments/doc/match.toml");
    folder.write("experiments/doc/match.toml", &study.replace("After.", "In the end."));
    let kept = ["--store", "y.db", "--only", "doc", "--scale", "hour", "--report-only"];
    assert_eq!(studies(&folder, &kept)[0]["run"], Value::Null);
    assert_eq!(folder.read("studies/doc/match/README.md"), small.replace("After.", "In the end."));
    let overview = folder.read("studies/README.md");
    assert!(overview.contains("](doc/match/README.md)") && overview.contains("| small |"), "{overview}");
    folder.write("experiments/doc/match.toml", &study);
    studies(&folder, &["--only", "doc", "--report-only"]);

    // The command in the page gives the same fingerprint.
    let again = lanista(&folder, &["run", "experiments/other/plain.toml", "--store", "x.db", "--json"]);
    assert_eq!(told(&again)[0]["fingerprint"], first[1]["fingerprint"]);
}

#[test]
fn what_is_wrong_is_told_and_the_rest_is_done() {
    let folder = Folder::new("wrong");
    folder.write("experiments/a/broken.toml", &STUDY.replace("win-block\"\nb", "win-blok\"\nb"));
    folder.write("experiments/b/good.toml", STUDY);
    let output = lanista(&folder, &["studies", "--quiet", "--json"]);
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    assert!(
        message.starts_with("lanista: a/broken: experiments/a/broken.toml:8: ") && message.lines().count() == 1,
        "{message}"
    );
    assert_eq!(told(&output)[1]["status"], "finished");
    assert!(folder.read("studies/README.md").contains("win-blok"));
    let unknown = failure(&folder, &["studies", "--scale", "smal"]);
    assert!(unknown.contains("expected one of: full, hour, small") && unknown.lines().count() == 1, "{unknown}");
    assert!(failure(&folder, &["studies", "--only", "c"]).contains("a/broken, b/good"));
    assert!(failure(&folder, &["studies", "nowhere"]).contains("cannot read nowhere"));
    assert!(failure(&folder, &["studies", "--store", "none.db", "--report-only"]).contains("no such store"));
    let check = failure(&folder, &["check", "experiments/b/good.toml", "--scale", "our"]);
    assert!(check.contains("did you mean \"hour\"?"), "{check}");
}

/// Killed in the middle, the same command goes on to the same result.
#[test]
fn interrupted_studies_go_on() {
    let folder = Folder::new("killed");
    let long = STUDY
        .replace("\"match.pairs\" = 5\n", "\"match.pairs\" = 30000\n")
        .replace("seed = 1", "seed = 1\nrecord = \"counts\"");
    folder.write("experiments/a/first.toml", STUDY);
    folder.write("experiments/b/long.toml", &long);
    let whole = studies(&folder, &["--store", "whole.db"]);
    let mut child = command(&folder.0, &["studies", "--events", "--threads", "1"])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("it starts");
    let events = BufReader::new(child.stderr.take().expect("events")).lines().map_while(Result::ok);
    let is_under_way = |line: &String| {
        let event: Value = serde_json::from_str(line).unwrap_or_default();
        event["event"] == "progress"
            && event["progress"]["total"] == 60_000
            && event["progress"]["done"].as_u64() > Some(0)
    };
    assert!(events.into_iter().any(|line| is_under_way(&line)), "the long study begins");
    child.kill().expect("killed");
    child.wait().expect("gone");
    let listed = lanista(&folder, &["runs", "--store", "studies.db", "--json"]);
    let runs: Value = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert_eq!(runs.as_array().map(Vec::len), Some(2));
    // What is there of it can be looked at.
    let reported = studies(&folder, &["--report-only"]);
    assert_eq!((&reported[0]["status"], &reported[1]["status"]), (&"finished".into(), &"running".into()));
    assert!(folder.read("studies/README.md").contains("not finished"));
    let resumed = studies(&folder, &[]);
    for (study, whole) in resumed.iter().zip(&whole) {
        assert_eq!(study["fingerprint"], whole["fingerprint"]);
    }
    assert_eq!(resumed[1]["run"], 2, "no new run was begun");
}

/// Every shipped study runs at its small scale, in one process.
#[test]
fn the_shipped_studies_run_at_their_small_scale() {
    let folder = Folder::new("shipped");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project");
    let experiments = root.join("experiments").display().to_string();
    let began = Instant::now();
    let all = studies(&folder, &[&experiments]);
    println!("{} studies took {:?}", all.len(), began.elapsed());
    assert!(all.iter().all(|study| study["status"] == "finished"), "{all:?}");
    for study in &all {
        let name = study["study"].as_str().expect("a name");
        let report = folder.read(&format!("studies/{name}/README.md"));
        assert!(report.contains("mean nothing"), "{name}");
        // A published figure that nothing measures is a mistake in its name, unless the small scale leaves the setting out.
        let text = fs::read_to_string(root.join("experiments").join(format!("{name}.toml"))).expect("the file");
        let (_, small) = text.split_once("[scale.small]").expect("a small scale");
        let leaves_out = ["\"sweep", "\"positions", "\"depths", "players\""].iter().any(|part| small.contains(part));
        assert!(leaves_out || !report.contains("not measured"), "{name}: {report}");
        // Every study has a line in the overview, with figures.
        let summary = folder.read(&format!("studies/{name}/summary.json"));
        assert!(!summary.contains("\"figures\": []"), "{name}: {summary}");
        assert!(leaves_out || !summary.contains("not measured"), "{name}: {summary}");
    }
    assert!(began.elapsed() < Duration::from_secs(300), "{:?}", began.elapsed());
    let quickstart = root.join("experiments/quickstart.toml").display().to_string();
    let output = lanista(&folder, &["run", &quickstart, "--scale", "small", "--store", "q.db", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// What the shipped reports say can be had again: those that cost little are run as they were, to the same fingerprint.
#[test]
fn shipped_reports_repeat_to_the_bit() {
    const MOST_CORE_SECONDS: f64 = 10.0;
    let folder = Folder::new("repeat");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project");
    let experiments = root.join("experiments").display().to_string();
    let mut repeated = 0;
    for document in fs::read_dir(root.join("docs/studies")).expect("reports") {
        let document = document.expect("an entry").path();
        for study in fs::read_dir(&document).into_iter().flatten() {
            let study = study.expect("an entry").path();
            let summary = fs::read_to_string(study.join("summary.json")).expect("a summary");
            let summary: Value = serde_json::from_str(&summary).expect("JSON");
            let is_cheap = summary["core_seconds"].as_f64().is_some_and(|seconds| seconds < MOST_CORE_SECONDS);
            if summary["status"] != "finished" || !is_cheap {
                continue;
            }
            let name = [&document, &study].map(|path| path.file_name().expect("a name").to_string_lossy()).join("/");
            let again = studies(&folder, &[&experiments, "--scale", "hour", "--only", &name]);
            assert_eq!(again[0]["fingerprint"], summary["fingerprint"], "{name}");
            repeated += 1;
        }
    }
    assert!(repeated > 0);
}
