//! `lanista serve` from outside: it says where it is, survives being killed in the middle of a run, and stops in good order.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Nothing here takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

const MATCH: &str = "title = \"A match\"\ngame = \"connect-four\"\nseed = 5\n\n[match]\na = \"pvs:depth=3,table=1\"\nb = \"pvs:depth=2,table=1\"\npairs = 300\n\n\
                     [openings]\nrandom-plies = 4\n";

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lanista-serve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for tests");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server that is killed when the test ends.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Server {
        Server::start_with(folder, arguments, |_| {})
    }

    fn start_with(folder: &Path, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lanista"));
        command.args(["serve", "--port", "0", "--json", "--threads", "1"]).args(arguments).current_dir(folder);
        change(&mut command);
        let mut child = command.env_remove("LANISTA_STORE").stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
        let told: Value = serde_json::from_str(&line).expect("JSON");
        Server { child, address: format!("http://127.0.0.1:{}", told["port"]) }
    }

    fn get(&self, path: &str) -> Value {
        let answer = ureq::get(format!("{}{path}", self.address)).call().expect("an answer");
        answer.into_body().read_json().expect("JSON")
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = ureq::post(format!("{}{path}", self.address)).send_json(body).expect("an answer");
        answer.into_body().read_json().expect("JSON")
    }

    fn until(&self, path: &str, pleases: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let value = self.get(path);
            if pleases(&value) {
                return value;
            }
            assert!(began.elapsed() < PATIENCE, "{path}: still {value}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_run_survives_the_death_of_the_server() {
    let folder = Folder::new("killed");
    let server = Server::start(&folder.0, &[]);
    server.post("/api/runs", &json!({"text": MATCH}));
    server.until("/api/runs/1", |view| view["run"]["games"].as_u64() > Some(0));
    // Killed, not asked to stop.
    drop(server);
    let server = Server::start(&folder.0, &[]);
    let view = server.get("/api/runs/1");
    assert!(view["run"]["status"] == "resumable" || view["run"]["status"] == "finished", "{view}");
    if view["run"]["status"] == "resumable" {
        server.post("/api/runs/1/resume", &json!({}));
    }
    let resumed = server.until("/api/runs/1", |view| view["run"]["status"] == "finished");
    std::fs::write(folder.0.join("match.toml"), MATCH).expect("written");
    let run = Command::new(env!("CARGO_BIN_EXE_lanista"))
        .args(["run", "match.toml", "--store", "other.db", "--json", "--quiet"])
        .current_dir(&folder.0)
        .output()
        .expect("the program starts");
    let whole: Value = serde_json::from_slice(&run.stdout).expect("JSON");
    assert_eq!(resumed["run"]["fingerprint"], whole["fingerprint"]);
}

/// On other systems a browser is found without looking for it.
#[cfg(target_os = "linux")]
#[test]
fn without_a_browser_to_open_it_serves_all_the_same() {
    let folder = Folder::new("open");
    let without_programs = |command: &mut Command| {
        command.env("PATH", &folder.0).stderr(Stdio::piped());
    };
    let mut server = Server::start_with(&folder.0, &["--open"], without_programs);
    assert_eq!(server.get("/api/runs"), json!([]));
    let mut said = String::new();
    BufReader::new(server.child.stderr.take().expect("its messages")).read_line(&mut said).expect("a line");
    assert!(said.contains("no browser") && said.contains(&server.address), "{said}");
}

#[test]
fn a_port_that_is_taken_is_named() {
    let folder = Folder::new("taken");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = taken.local_addr().expect("its address").port().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_lanista"))
        .args(["serve", "--port", &port])
        .current_dir(&folder.0)
        .output()
        .expect("the program starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(
        message.trim_end().lines().count() == 1 && message.contains(&port) && message.contains("--port"),
        "{message}"
    );
}
