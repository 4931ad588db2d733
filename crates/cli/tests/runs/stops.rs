//! Ctrl-C: the run stops, and the program says how it goes on.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::program::{Folder, command};

/// Starts the program, presses Ctrl-C once the run has begun, and returns the last line on standard error.
fn last_words(folder: &Folder, arguments: &[&str]) -> String {
    let arguments = [arguments, &["--events", "--threads", "1"]].concat();
    let mut child =
        command(folder, &arguments).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("events")).lines().map_while(Result::ok);
    assert!(lines.next().is_some_and(|line| line.contains("started")));
    let pressed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill starts");
    assert!(pressed.success());
    let last = lines.last().expect("last words");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{last}");
    last
}

#[test]
fn who_stops_a_run_is_told_how_it_goes_on() {
    let folder = Folder::new("stopped");
    let text = "title = \"Long\"\ngame = \"loa\"\n[match]\na = \"pvs:depth=3\"\nb = \"pvs:depth=3\"\npairs = 100000\n";
    let file = folder.write("long.toml", text);
    let a_match = ["match", "loa", "--a", "pvs:depth=3", "--b", "pvs:depth=3", "--pairs", "100000"];
    let words = last_words(&folder, &a_match);
    assert_eq!(words, "lanista: stopped; nothing was kept: with --store FILE it could go on");
    let words = last_words(&folder, &[&a_match[..], &["--store", "mm.db"]].concat());
    assert_eq!(words, "lanista: run 1: stopped; `lanista resume 1 --store mm.db` goes on");
    let words = last_words(&folder, &["run", &file]);
    assert_eq!(words, "lanista: run 1: stopped; `lanista resume 1` goes on");
    let words = last_words(&folder, &["resume", "1", "--store", "mm.db"]);
    assert_eq!(words, "lanista: run 1: stopped; `lanista resume 1 --store mm.db` goes on");
}
