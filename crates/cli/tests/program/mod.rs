//! The program in a folder of its own, as a user runs it.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

/// A folder of its own for each test, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("lanista-test-{name}-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder for tests");
        Folder(path)
    }

    /// Writes a file there. Returns its name.
    pub fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.join(name), text).expect("written");
        name.to_string()
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program with these arguments, not started.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lanista"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("LANISTA_STORE")
        .env_remove("LANISTA_NATS")
        .stdin(Stdio::null());
    command
}

/// What the program says to these arguments, and how it ends.
pub fn lanista(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

/// What the program says to these arguments and `--json`.
pub fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = lanista(folder, &[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}
