//! Runs on several processes over a real NATS server: whoever is killed, the results are the same to the bit.

#[path = "../program/mod.rs"]
mod program;
mod secrets;
#[path = "../../../cluster/tests/server/mod.rs"]
mod server;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use program::{Folder, command, json, lanista};
use serde_json::Value;
use server::Server;

/// No test waits longer than this for anything.
const DEADLINE: Duration = Duration::from_secs(240);

/// The study of the thesis, made small.
const PLOGANN: &str = r#"
title = "pLoGANN, very small"
game = "loa5"
rules = "mia,ply-cap=60"
seed = 2010
[learner]
player = "alphabeta-quick:depth=2,eval=genome"
inputs = ["board"]
layers = [{ size = 6, activation = "tanh" }, { size = 1, activation = "tanh" }]
[evolution]
preset = "plogann"
generations = GENERATIONS
[measure]
every = 5
top = 3
games = 2
opponents = [{ name = "ALoA", player = "alphabeta:depth=2,eval=aloa" }]
"#;

/// Asynchronous evolution: new individuals all the time, each from results that are known for certain.
const STEADY: &str = r#"
title = "steady state, very small"
game = "loa5"
rules = "mia,ply-cap=60"
seed = 7
[learner]
player = "greedy:eval=genome"
inputs = ["board"]
layers = [{ size = 4, activation = "tanh" }, { size = 1, activation = "tanh" }]
[steady-state]
population = 8
tasks = 80
lag = 6
tournament = 2
initial = { kind = "uniform", lo = -1.0, hi = 1.0 }
mutation = { kind = "gaussian", probability = 0.5, sd = 0.2 }
crossover = { kind = "uniform" }
trial = { kind = "members", rivals = 2, games = 2, first = "alternate" }
[measure]
every = 20
top = 2
games = 4
opponents = [{ name = "random", player = "random" }]
"#;

/// A process that ends with its owner.
struct Process(Child);

impl Process {
    fn worker(folder: &Folder, url: &str, name: &str, more: &[&str]) -> Process {
        let arguments = [&["worker", "--nats", url, "--threads", "1", "--name", name], more].concat();
        Process::spawn(&mut command(folder, &arguments))
    }

    fn spawn(command: &mut Command) -> Process {
        Process(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it starts"))
    }

    /// SIGKILL.
    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }

    /// SIGTERM.
    fn terminate(&self) {
        let ended = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        assert!(ended.expect("kill").success());
    }

    /// Waits for its end.
    fn end(mut self) -> Output {
        let deadline = Instant::now() + DEADLINE;
        while self.0.try_wait().expect("its state").is_none() {
            assert!(Instant::now() < deadline, "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut output = Output { status: self.0.wait().expect("its end"), stdout: Vec::new(), stderr: Vec::new() };
        if let Some(mut stdout) = self.0.stdout.take() {
            std::io::Read::read_to_end(&mut stdout, &mut output.stdout).expect("what it said");
        }
        output
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a run left that repeats: its figures, its fingerprint, its games.
fn content(folder: &Folder, store: &str) -> (Vec<Value>, Value, Value) {
    let mut shown = json(folder, &["show", "last", "--store", store]);
    let figures = shown["measurements"].as_array_mut().expect("figures");
    figures.retain(|figure| figure["repeats"] == true);
    let figures = figures.clone();
    let runs = json(folder, &["runs", "--store", store]);
    let run = runs.as_array().and_then(|runs| runs.first()).cloned().unwrap_or(runs);
    (figures, run["fingerprint"].clone(), run["games"].clone())
}

#[test]
fn one_fingerprint_for_threads_workers_kills_and_restarts() {
    let mut server = Server::start();
    let folder = Folder::new("cluster");
    let url = server.url();
    let file = folder.write("small.toml", &PLOGANN.replace("GENERATIONS", "60"));
    let whole = json(&folder, &["run", &file, "--store", "one.db", "--threads", "1"]);
    let expected = content(&folder, "one.db");
    assert_eq!(expected.1, whole["fingerprint"]);

    json(&folder, &["run", &file, "--store", "four.db", "--threads", "4"]);
    assert_eq!(content(&folder, "four.db"), expected, "4 threads");

    let worker = Process::worker(&folder, &url, "only", &["--once", "--json"]);
    json(&folder, &["run", &file, "--store", "nats.db", "--nats", &url]);
    assert_eq!(content(&folder, "nats.db"), expected, "1 worker");
    let output = worker.end();
    assert!(output.status.success(), "--once ends by itself");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(summary["jobs"].as_u64() > Some(0) && summary["failures"] == 0, "{summary}");

    // Three workers, of whom one is killed and replaced every two seconds; the coordinator is killed twice, the server once.
    let over = Arc::new(AtomicBool::new(false));
    let kills = Arc::new(Mutex::new(0));
    std::thread::scope(|scope| {
        let chaos = scope.spawn(|| {
            let start = |number: usize| Process::worker(&folder, &url, &format!("worker-{number}"), &[]);
            let mut workers: Vec<Process> = (0..3).map(start).collect();
            let mut killed = Instant::now();
            let mut turn = 0;
            while !over.load(Ordering::Relaxed) {
                if killed.elapsed() > Duration::from_secs(2) {
                    workers[turn % 3].kill();
                    workers[turn % 3] = start(turn + 3);
                    *kills.lock().expect("kills") += 1;
                    (killed, turn) = (Instant::now(), turn + 1);
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let share = |event: &Value| {
            let progress = &event["progress"];
            Some(progress["done"].as_f64()? / progress["total"].as_f64()?.max(1.0))
        };
        for (round, until) in [0.2, 0.5, 2.0].into_iter().enumerate() {
            let first = ["run", &file, "--store", "killed.db", "--nats", &url, "--patience", "2", "--events"];
            let again = ["resume", "last", "--store", "killed.db", "--nats", &url, "--patience", "2", "--events"];
            let mut command = command(&folder, if round == 0 { &first } else { &again });
            let mut run = Process(command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts"));
            let events = BufReader::new(run.0.stderr.take().expect("events")).lines().map_while(Result::ok);
            let mut last = String::new();
            for line in events {
                let event: Value = serde_json::from_str(&line).unwrap_or_default();
                last = line;
                if share(&event).is_some_and(|share| share >= until) {
                    break;
                }
            }
            if until < 1.0 {
                run.kill();
                if round == 0 {
                    server.kill();
                    server.start_again(false);
                }
            } else {
                let status = run.end().status;
                over.store(true, Ordering::Relaxed);
                assert!(status.success(), "{last}");
            }
        }
        over.store(true, Ordering::Relaxed);
        chaos.join().expect("the killer");
    });
    assert!(*kills.lock().expect("kills") >= 2, "too quick to be killed");
    assert_eq!(content(&folder, "killed.db"), expected, "3 workers, kills and restarts");
}

#[test]
fn asynchronous_evolution_gives_the_same_over_workers() {
    let server = Server::start();
    let folder = Folder::new("steady");
    let url = server.url();
    let file = folder.write("steady.toml", STEADY);
    json(&folder, &["run", &file, "--store", "one.db", "--threads", "1"]);
    let _workers = ["anna", "berta"].map(|name| Process::worker(&folder, &url, name, &[]));
    json(&folder, &["run", &file, "--store", "nats.db", "--nats", &url, "--verify-share", "50"]);
    assert_eq!(content(&folder, "nats.db"), content(&folder, "one.db"));
}

#[test]
fn a_worker_that_is_told_to_stop_finishes_or_gives_back() {
    let server = Server::start();
    let folder = Folder::new("stop");
    let url = server.url();
    let file = folder.write("small.toml", &PLOGANN.replace("GENERATIONS", "15"));
    json(&folder, &["run", &file, "--store", "one.db", "--threads", "2"]);
    let first = Process::worker(&folder, &url, "anna", &["--json"]);
    // A patience that would spoil the test: whoever leaves must not be waited for.
    let arguments = ["run", &file, "--store", "nats.db", "--nats", &url, "--patience", "600", "--json"];
    let run = Process::spawn(&mut command(&folder, &arguments));
    let listed = || json(&folder, &["cluster", "--nats", &url, "--listen", "1.2"]);
    let deadline = Instant::now() + DEADLINE;
    loop {
        assert!(Instant::now() < deadline, "nobody works");
        let seen = listed();
        if seen["workers"][0]["jobs"].as_u64() > Some(0) && seen["runs"][0]["title"] == "pLoGANN, very small" {
            assert_eq!(seen["workers"][0]["name"], "anna");
            break;
        }
    }
    first.terminate();
    let output = first.end();
    assert!(output.status.success());
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(summary["jobs"].as_u64() > Some(0), "{summary}");
    let _second = Process::worker(&folder, &url, "berta", &[]);
    assert!(run.end().status.success());
    assert_eq!(content(&folder, "nats.db"), content(&folder, "one.db"));
}

#[test]
fn clocks_may_be_wrong() {
    let server = Server::start();
    let folder = Folder::new("clocks");
    let file = folder.write("small.toml", &PLOGANN.replace("GENERATIONS", "5"));
    json(&folder, &["run", &file, "--store", "one.db", "--threads", "2"]);
    let url = server.url();
    let skewed = |by: &str, arguments: &[&str]| {
        let mut command = Command::new("faketime");
        command.args(["-f", by, env!("CARGO_BIN_EXE_lanista")]).args(arguments).current_dir(&*folder);
        command.env("FAKETIME_DONT_FAKE_MONOTONIC", "1").env("LANISTA_CPU", "v2").stdin(Stdio::null());
        command
    };
    let start = |by: &str| {
        // It leaves by itself: killing faketime would leave the worker behind.
        let mut command = skewed(by, &["worker", "--nats", &url, "--threads", "1", "--once", "--json"]);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
        Process(command.spawn().expect("faketime is missing: scripts/setup installs it"))
    };
    let workers = [start("+3d"), start("-300d")];
    json(&folder, &["run", &file, "--store", "nats.db", "--nats", &url]);
    assert_eq!(content(&folder, "nats.db"), content(&folder, "one.db"));
    for worker in workers {
        let output = worker.end();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert!(summary["jobs"].as_u64() > Some(0), "{summary}");
    }
}

#[test]
fn wrong_addresses_are_named() {
    let folder = Folder::new("wrong");
    let file = folder.write("small.toml", &PLOGANN.replace("GENERATIONS", "1"));
    for (url, reason) in
        [("nats://127.0.0.1:1", "no connection with NATS at nats://127.0.0.1:1"), (":::", "is no address")]
    {
        let output = lanista(&folder, &["run", &file, "--nats", url, "--store", "x.db"]);
        let message = String::from_utf8_lossy(&output.stderr).to_string();
        assert!(!output.status.success() && message.contains(reason), "{message}");
        assert_eq!(message.lines().filter(|line| line.starts_with("lanista: ")).count(), 1, "{message}");
    }
}

/// Runs that are started on a page go to the workers, too, and the page shows who they are.
#[test]
fn the_browser_application_uses_the_cluster() {
    let server = Server::start();
    let folder = Folder::new("pages");
    let url = server.url();
    let text = PLOGANN.replace("GENERATIONS", "5");
    let file = folder.write("small.toml", &text);
    let whole = json(&folder, &["run", &file, "--store", "one.db"]);
    let _worker = Process::worker(&folder, &url, "anna", &[]);
    let arguments = ["serve", "--port", "0", "--json", "--nats", &url, "--store", "pages.db"];
    let mut pages = Process::spawn(&mut command(&folder, &arguments));
    let mut line = String::new();
    BufReader::new(pages.0.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let told: Value = serde_json::from_str(&line).expect("JSON");
    let address = |path: &str| format!("http://127.0.0.1:{}{path}", told["port"]);
    let get = |path: &str| -> Value {
        ureq::get(address(path)).call().expect("an answer").into_body().read_json().expect("JSON")
    };
    let until = |path: &str, pleases: &dyn Fn(&Value) -> bool| -> Value {
        let deadline = Instant::now() + DEADLINE;
        loop {
            let value = get(path);
            if pleases(&value) {
                return value;
            }
            assert!(Instant::now() < deadline, "{path}: still {value}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let cluster = until("/api/cluster", &|cluster| cluster["workers"].as_array().is_some_and(|all| all.len() == 1));
    assert!(cluster["enabled"] == true && cluster["workers"][0]["name"] == "anna", "{cluster}");
    ureq::post(address("/api/runs")).send_json(serde_json::json!({"text": text})).expect("an answer");
    let view = until("/api/runs/1", &|view| view["run"]["status"] == "finished");
    assert_eq!(view["run"]["fingerprint"], whole["fingerprint"]);
    let cluster = until("/api/cluster", &|cluster| cluster["workers"][0]["jobs"].as_u64() > Some(0));
    assert_eq!(cluster["problem"], Value::Null);
}
