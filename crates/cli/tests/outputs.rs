//! Files that commands write: never over the store, over what they read, or over what is not of their kind.

mod program;

use program::{Folder, json, lanista};

/// The message of a failure, which is one line.
fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let output = lanista(folder, arguments);
    let message = String::from_utf8_lossy(&output.stderr).trim_end().to_string();
    assert_eq!(output.status.code(), Some(1), "{arguments:?} should fail: {message}");
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    message
}

fn works(folder: &Folder, arguments: &[&str]) {
    let output = lanista(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn read(folder: &Folder, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

const EVOLUTION: &str = r#"
title = "A small evolution"
game = "connect-four"
[learner]
player = "greedy:eval=genome"
inputs = ["board"]
layers = [{ size = 1, activation = "tanh" }]
opponents = ["win-block"]
[evolution]
preset = "box"
population = 4
generations = 1
contest.games = 2
"#;

/// Good, bad, good.
const GAMES: &str = "a\t11-15 23-19 8-11\nb\t11-15 15-19\nc\t9-13 22-18\n";

#[test]
fn the_store_is_never_written_over() {
    let folder = Folder::new("store");
    json(&folder, &["match", "connect-four", "--a", "random", "--b", "random", "--pairs", "2", "--store", "c.db"]);
    json(&folder, &["run", &folder.write("evolution.toml", EVOLUTION), "--store", "c.db"]);
    let before = read(&folder, "c.db");
    let records = ["records", "1", "--to", "text", "--store", "c.db", "-o"];
    let champion = ["champion", "2", "--store", "c.db", "-o"];
    let export = ["export", "1", "--to", "xlsx", "--store", "c.db", "-o"];
    for command in [&records[..], &champion, &export] {
        for to in [&["./c.db"][..], &["./c.db", "--force"]] {
            let message = refused(&folder, &[command, to].concat());
            assert!(message.contains("c.db is what the command reads"), "{message}");
        }
    }
    assert!(read(&folder, "c.db") == before, "the store is as it was");
    // What is of the same kind is replaced, and anything else by force.
    let mine = folder.write("mine.txt", "milk, bread\n");
    for command in [&records[..], &champion] {
        let message = refused(&folder, &[command, &[&mine]].concat());
        assert!(message.contains("mine.txt is there already and holds no "), "{message}");
        assert_eq!(read(&folder, &mine), b"milk, bread\n");
        works(&folder, &[command, &[&mine, "--force"]].concat());
        works(&folder, &[command, &[&mine]].concat());
        folder.write(&mine, "milk, bread\n");
    }
    let message = refused(&folder, &["records", "2", "--to", "text", "--store", "c.db", "-o", "none.txt"]);
    assert!(message.contains("run 2 has no such games: none.txt is not written"), "{message}");
    assert!(!folder.join("none.txt").exists() && !folder.join("none.txt.part").exists());
}

#[test]
fn what_is_converted_stays() {
    let folder = Folder::new("convert");
    let games = folder.write("games.txt", GAMES);
    for to in ["games.txt", "./games.txt"] {
        for force in [&[][..], &["--force"]] {
            let message =
                refused(&folder, &[&["convert", "draughts", "games.txt", "--to", "text", "-o", to], force].concat());
            assert!(message.contains("games.txt is what the command reads"), "{message}");
        }
    }
    assert_eq!(read(&folder, &games), GAMES.as_bytes());
    #[cfg(target_os = "linux")]
    {
        let mut command = program::command(&folder, &["convert", "draughts", "-", "--to", "text", "-o", "games.txt"]);
        let input = std::fs::File::open(folder.join("games.txt")).expect("games");
        assert!(!command.stdin(input).status().expect("it starts").success(), "standard input is read, too");
        assert_eq!(read(&folder, &games), GAMES.as_bytes());
    }
}

#[test]
fn nothing_converted_is_nothing_written() {
    let folder = Folder::new("nothing");
    let bad = folder.write("bad.txt", "a\t11-15 15-19\n");
    let output = lanista(&folder, &["convert", "draughts", &bad, "--to", "pdn", "-o", "ok.pdn"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stdout).to_string();
    assert_eq!(said, "0 of 1 games converted; ok.pdn is not written\n");
    assert!(!folder.join("ok.pdn").exists() && !folder.join("ok.pdn.part").exists());
    // Not even over an older one.
    let good = folder.write("good.txt", "a\t11-15 23-19\n");
    works(&folder, &["convert", "draughts", &good, "--to", "pdn", "-o", "ok.pdn"]);
    let older = read(&folder, "ok.pdn");
    assert_eq!(lanista(&folder, &["convert", "draughts", &bad, "--to", "pdn", "-o", "ok.pdn"]).status.code(), Some(1));
    assert!(!older.is_empty() && read(&folder, "ok.pdn") == older);
    works(&folder, &["convert", "draughts", &good, "--to", "pdn", "-o", "ok.pdn"]);
}

#[test]
fn files_of_others_are_replaced_by_force_only() {
    let folder = Folder::new("others");
    let file = folder.write("study.toml", EVOLUTION);
    let openings = "openings connect-four --plies 2 --count 2 --player pvs:depth=1 --within 9000 -o";
    let openings: Vec<&str> = openings.split(' ').collect();
    for command in [&openings[..], &["play", "connect-four", "--save"]] {
        let message = refused(&folder, &[command, &[&file]].concat());
        assert!(message.contains("study.toml is there already and holds no "), "{message}");
        assert_eq!(read(&folder, &file), EVOLUTION.as_bytes());
        works(&folder, &[command, &["new.txt"]].concat());
        works(&folder, &[command, &["new.txt"]].concat());
        let _ = std::fs::remove_file(folder.join("new.txt"));
    }
    // A game takes the place of a game, not of a collection.
    let collection = folder.write("games.txt", "44\n4455\n");
    refused(&folder, &["play", "connect-four", "--save", &collection]);
    works(&folder, &["play", "connect-four", "--save", &folder.write("game.txt", "44\n")]);
    works(&folder, &[&openings[..], &[&file, "--force"]].concat());
    assert!(read(&folder, &file).starts_with(b"# 2 openings of Connect Four"));
    // Pipes and devices take everything.
    #[cfg(unix)]
    works(&folder, &[&openings[..], &["/dev/null"]].concat());
}
