//! Nobody reads what a run tells on the way: the run goes on.

use std::process::Stdio;

use serde_json::Value;

use crate::program::{Folder, command};

const STUDY: &str = r#"
title = "Nobody listens"
game = "connect-four"
[match]
a = "random"
b = "random"
pairs = 50
"#;

/// Runs the study with this standard error, which is closed at once if it is a pipe. Returns the games played.
fn games_with(folder: &Folder, stderr: Stdio, way: &str) -> Value {
    let file = folder.write("study.toml", STUDY);
    let mut command = command(folder, &["run", &file, "--json", way]);
    let mut child = command.stdout(Stdio::piped()).stderr(stderr).spawn().expect("it starts");
    drop(child.stderr.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{way}: {:?}", output.status);
    serde_json::from_slice::<Value>(&output.stdout).expect("JSON")["games"].take()
}

#[test]
fn a_reader_of_standard_error_may_go_away() {
    let folder = Folder::new("events");
    for way in ["--events", "--threads=1"] {
        assert_eq!(games_with(&folder, Stdio::piped(), way), 100);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn standard_error_may_be_a_full_disk() {
    let folder = Folder::new("full");
    for way in ["--events", "--threads=1"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a full disk");
        assert_eq!(games_with(&folder, full.into(), way), 100);
    }
}
