//! Runs from outside.

mod contests;
mod learners;
#[path = "../program/mod.rs"]
mod program;
mod stops;
mod streams;

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use program::{Folder, command, lanista};

/// What the program says to people.
fn text(folder: &Folder, arguments: &[&str]) -> String {
    let output = lanista(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// What the program says when it fails, after checking that only one line says why.
fn failure(folder: &Folder, arguments: &[&str]) -> String {
    let output = lanista(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    assert!(!output.status.success(), "{arguments:?} should fail");
    assert_eq!(message.lines().filter(|line| line.starts_with("lanista: ")).count(), 1, "one line: {message}");
    message
}

/// Starts the program and kills it after so many signs of life, wherever it is then. The arguments ask for events.
fn killed_after(signs: usize, folder: &Folder, arguments: &[&str]) {
    let mut command = command(folder, arguments);
    let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
    let events = BufReader::new(child.stderr.take().expect("events")).lines();
    events.map_while(Result::ok).take(signs).for_each(drop);
    child.kill().expect("killed");
    child.wait().expect("gone");
}
