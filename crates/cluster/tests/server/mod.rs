//! A real NATS server for tests: on a free port of this machine, with a folder of its own, gone at the end.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// A folder that goes with its owner.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("lanista-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for tests");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The server.
pub struct Server {
    child: Child,
    pub port: u16,
    pub folder: Folder,
    arguments: Vec<String>,
}

/// Where the program is: `NATS_SERVER` says it, or `PATH`, or `make setup` put it there.
fn program() -> PathBuf {
    if let Some(path) = std::env::var_os("NATS_SERVER") {
        return path.into();
    }
    let private = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools/nats/bin/nats-server");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).map(|folder| folder.join("nats-server")).collect();
    places.extend([PathBuf::from("/usr/sbin/nats-server"), private]);
    let found = places.into_iter().find(|place| place.is_file());
    found.expect("nats-server is missing: scripts/setup installs it, or set NATS_SERVER to its place")
}

impl Server {
    /// A server with JetStream.
    pub fn start() -> Server {
        Server::with(&[])
    }

    /// A server with more arguments; `{folder}` in them stands for its folder.
    pub fn with(arguments: &[&str]) -> Server {
        Server::prepared(arguments, |_| {})
    }

    /// A server whose folder is prepared first.
    pub fn prepared(arguments: &[&str], prepare: impl Fn(&Path)) -> Server {
        let folder = Folder::new("nats");
        prepare(&folder.0);
        let place = folder.0.display().to_string();
        let arguments: Vec<String> = arguments.iter().map(|text| text.replace("{folder}", &place)).collect();
        // Somebody else may take the port between the two steps.
        for _ in 0..5 {
            let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
            let port = port.expect("a free port").port();
            if let Some(child) = launch(port, &folder.0, &arguments) {
                return Server { child, port, folder, arguments };
            }
        }
        panic!("nats-server does not start: {}", log(&folder.0));
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Starts it again after a kill, at the same place; with nothing in its store if it is to forget.
    pub fn start_again(&mut self, forget: bool) {
        if forget {
            let _ = std::fs::remove_dir_all(self.folder.0.join("store"));
        }
        let child = launch(self.port, &self.folder.0, &self.arguments);
        self.child = child.unwrap_or_else(|| panic!("nats-server does not start again: {}", log(&self.folder.0)));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn log(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("log")).unwrap_or_default()
}

fn launch(port: u16, folder: &Path, arguments: &[String]) -> Option<Child> {
    let mut child = Command::new(program())
        .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"])
        .arg(folder.join("store"))
        .arg("-l")
        .arg(folder.join("log"))
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server starts");
    let deadline = Instant::now() + Duration::from_secs(20);
    while Instant::now() < deadline {
        if child.try_wait().expect("its state").is_some() {
            return None;
        }
        // It listens before it is ready; its log tells when.
        if log(folder).contains("Server is ready") && TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(child);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}
