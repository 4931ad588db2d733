//! A server of its own for each test, with a store that is gone afterwards.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lanista_web::{Address, Server, Settings, Stopper};
use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

/// Nothing in these tests takes longer, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A server that answers.
pub struct House {
    pub address: String,
    /// The address that it prints.
    pub printed: String,
    pub folder: PathBuf,
    pub token: Option<String>,
    pub agent: Agent,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
    keeps_folder: bool,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl House {
    /// A server with the usual settings.
    pub fn open() -> House {
        House::with(|_| {})
    }

    /// A server with other settings.
    pub fn with(change: impl FnOnce(&mut Settings)) -> House {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("lanista-web-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for tests");
        House::at(folder, "127.0.0.1", change)
    }

    /// A server on an address with a store in a folder.
    pub fn at(folder: PathBuf, host: &str, change: impl FnOnce(&mut Settings)) -> House {
        let mut settings = Settings::new(folder.join("store.db"), "lanista test");
        settings.threads = 2;
        change(&mut settings);
        let server = Server::bind(&Address { host: host.into(), port: 0 }, settings).expect("a free port");
        let (url, stopper) = (server.url(), server.stopper());
        let token = url.split_once("?token=").map(|(_, token)| token.to_string());
        let address = format!("http://127.0.0.1:{}", server.port());
        let thread = std::thread::spawn(move || server.run().expect("a server that runs"));
        let config = Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE)).build();
        let printed = url;
        House {
            address,
            printed,
            folder,
            token,
            agent: config.into(),
            stopper,
            thread: Some(thread),
            keeps_folder: false,
        }
    }

    /// Stops the server and keeps its folder for another one.
    pub fn close(mut self) -> PathBuf {
        self.keeps_folder = true;
        self.stop();
        self.folder.clone()
    }

    fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server stops in good order");
        }
    }

    pub fn raw(&self, path: &str) -> Response<Body> {
        self.agent.get(format!("{}{path}", self.address)).call().expect("an answer")
    }

    /// A JSON answer with its status.
    pub fn get(&self, path: &str) -> (u16, Value) {
        read(self.raw(path))
    }

    /// The answer of a request that must succeed.
    pub fn got(&self, path: &str) -> Value {
        let (status, value) = self.get(path);
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        read(self.agent.post(format!("{}{path}", self.address)).send_json(body).expect("an answer"))
    }

    /// The answer of a change that must succeed.
    pub fn posted(&self, path: &str, body: &Value) -> Value {
        let (status, value) = self.post(path, body);
        assert!((200..300).contains(&status), "{path}: {status} {value}");
        value
    }

    pub fn delete(&self, path: &str) -> u16 {
        self.agent.delete(format!("{}{path}", self.address)).call().expect("an answer").status().as_u16()
    }

    /// The events of a stream, from its beginning.
    pub fn events(&self, path: &str) -> Events {
        let answer = self.raw(path);
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        Events(BufReader::new(Box::new(answer.into_body().into_reader())))
    }

    /// Asks again until the answer pleases.
    pub fn until(&self, path: &str, pleases: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let value = self.got(path);
            if pleases(&value) {
                return value;
            }
            assert!(began.elapsed() < PATIENCE, "{path}: still {value}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.stop();
        if !self.keeps_folder {
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

fn read(mut answer: Response<Body>) -> (u16, Value) {
    let status = answer.status().as_u16();
    (status, answer.body_mut().read_json().unwrap_or(Value::Null))
}

/// A stream of events.
pub struct Events(BufReader<Box<dyn std::io::Read>>);

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.0.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data:") {
                return Some(serde_json::from_str(data.trim()).expect("JSON in an event"));
            }
        }
    }
}
