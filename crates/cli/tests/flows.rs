//! The program from outside, as a user runs it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn lanista(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lanista"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    // A program that does not read its input closes the pipe early: fine.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn json(arguments: &[&str], input: &str) -> Value {
    let output = lanista(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// The one line that a failure prints, after checking that it is one line and nothing else.
fn failure(arguments: &[&str], input: &str) -> String {
    let output = lanista(arguments, input);
    let message = text(&output.stderr);
    assert!(!output.status.success(), "{arguments:?} should fail");
    assert!(output.status.code().is_some_and(|code| code == 1 || code == 2), "{arguments:?}: {:?}", output.status);
    assert_eq!(message.lines().count(), 1, "{arguments:?}: {message}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    message
}

/// A file in a folder of its own below the target folder.
fn file(name: &str, content: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the file can be written");
    path
}

#[test]
fn games_lists_every_game_with_its_rules() {
    let games = json(&["games", "--json"], "");
    let ids: Vec<&str> = games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["loa", "loa4", "loa5", "loa6", "loa7", "connect-four", "draughts"]);
    assert_eq!(games[0]["rules"][0]["name"], "mia");
    assert!(text(&lanista(&["games"], "").stdout).contains("English draughts"));
}

#[test]
fn moves_in_json_and_for_people() {
    let report = json(&["moves", "connect-four", "--position", "44444", "--json"], "");
    assert_eq!(report["side"], "second");
    assert_eq!(report["moves"], serde_json::json!(["1", "2", "3", "4", "5", "6", "7"]));
    assert_eq!(report["outcome"], Value::Null);
    assert_eq!(report["position"], "......./...x.../...o.../...x.../...o.../...x...");
    let won = json(&["moves", "connect-four", "--position", "4142434", "--json"], "");
    assert_eq!((won["outcome"].as_str(), won["moves"].as_array().map(Vec::len)), (Some("1-0"), Some(0)));
    let people = text(&lanista(&["moves", "loa"], "").stdout);
    assert!(people.contains("Black to move, 36 legal moves:") && people.contains("8 . b b b b b b ."));
}

#[test]
fn moves_answers_each_position_of_standard_input() {
    let output = lanista(&["moves", "draughts", "--each"], "B:W21-32:B1-12\nB:W6,7,14,15:BK2.\n");
    assert_eq!(text(&output.stdout), "9-13 12-16 11-15 10-14 11-16 10-15 9-14\n2x9x18x11x2 2x11x18x9x2\n");
    let message = failure(&["moves", "draughts", "--each"], "nonsense\n");
    assert!(message.contains("line 1"), "{message}");
}

#[test]
fn rules_change_what_a_position_is_worth() {
    // Black has just moved, and both sides are connected.
    let position = "bb2/4/4/2ww w";
    let draw = json(&["moves", "loa4", "--position", position, "--json"], "");
    assert_eq!((&draw["position"], &draw["outcome"]), (&position.into(), &"1/2-1/2".into()));
    let other = json(&["moves", "loa4", "--rules", "openspiel", "--position", position, "--json"], "");
    assert_eq!(other["position"], format!("{position} both-connected=mover-wins,no-move=loss"));
    assert_eq!(other["outcome"], "1-0");
}

#[test]
fn perft_counts_on_any_number_of_threads() {
    for threads in ["1", "3"] {
        let report = json(&["perft", "draughts", "7", "--threads", threads, "--json"], "");
        assert_eq!((&report["nodes"], &report["depth"]), (&Value::from(179_740), &Value::from(7)));
        assert_eq!(report["game"], "draughts");
        assert!(report["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    }
    let divided = json(&["perft", "loa", "2", "--divide", "--json"], "");
    let sum: u64 = divided["divide"].as_array().unwrap().iter().map(|entry| entry["nodes"].as_u64().unwrap()).sum();
    assert_eq!(sum, 1244);
    assert_eq!(json(&["perft", "connect-four", "0", "--json"], "")["nodes"], 1);
    assert_eq!(json(&["perft", "connect-four", "1", "--position", "4142434", "--json"], "")["nodes"], 0);
}

#[test]
fn wrong_input_gives_one_line_that_names_it() {
    const PLAY: [&str; 6] = ["match", "connect-four", "--a", "random", "--b", "random"];
    let [many, large] = [["--pairs", "9223372036854775808"], ["--seed", "18446744073709551615"]]
        .map(|flag| [&PLAY[..], &flag].concat());
    let none = [&["tournament", "connect-four", "random", "random"][..], &["--pairs", "0"]].concat();
    let cases: [(&[&str], &str); 21] = [
        (&many, "9223372036854775808 is not in 1..=1000000000"),
        (&large, "18446744073709551615 is not in 0..=9223372036854775807"),
        (&none, "0 is not in 1..=1000000000"),
        (&["best", "loa", "--player", "nobody"], "unknown player \"nobody\""),
        (&["best", "loa", "--player", "pvs:deep=3"], "column 5: pvs has no parameter \"deep\""),
        (&["best", "loa", "--player", "pvs:depth=0"], "depth=0: expected a whole number from 1 to 100"),
        (&["best", "loa", "--player", "pvs:eval=material"], "loa has no evaluator \"material\""),
        (&["best", "loa", "--player", "pvs:eval=mia4@no-such-file"], "no-such-file"),
        (&["match", "draughts", "--a", "random", "--b", "random", "--openings", "no-such-file"], "no-such-file"),
        (&["moves", "chess"], "unknown game \"chess\""),
        (&["moves", "loa", "--position", "abc"], "--position \"abc\": column 1"),
        (&["moves", "loa", "--rules", "chess"], "--rules \"chess\""),
        (&["moves", "loa", "--rules", "mia,ply-cap=no"], "ply-cap=no"),
        (&["moves", "connect-four", "--position", "44444444"], "column 7: 4: the column is full"),
        (&["perft", "loa", "-1"], "-1"),
        (&["perft", "loa", "100"], "0..=99"),
        (&["perft", "loa"], "<DEPTH>"),
        (&["import", "loa", "no-such-file.sgf"], "no-such-file.sgf"),
        (&["import", "loa", "."], "folder"),
        (&["convert", "connect-four", "-", "--to", "pdn"], "unknown format \"pdn\""),
        (&["play", "loa", "--against", "nobody"], "unknown player \"nobody\""),
    ];
    for (arguments, expected) in cases {
        let message = failure(arguments, "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
}

#[test]
fn a_game_between_two_people_with_mistakes_and_undo() {
    let output = lanista(&["play", "connect-four"], "4\n9\nundo\n4\n1\n4\n1\n4\nmoves\nposition\n1\n4\n");
    let shown = text(&output.stdout);
    assert!(output.status.success());
    assert!(shown.contains("expected a column from 1 to 7, found \"9\""), "{shown}");
    assert!(shown.contains("Red (x) wins (1-0, board)."), "{shown}");
    assert!(shown.contains("Moves: 4 1 4 1 4 1 4"), "{shown}");
}

#[test]
fn a_game_against_a_player_repeats_with_its_seed_and_is_saved_at_every_move() {
    let saved = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("game.pdn");
    let path = saved.to_str().unwrap();
    let play = |seed| {
        let arguments = ["play", "draughts", "--against", "random", "--seed", seed, "--side", "second", "--save", path];
        text(&lanista(&arguments, "24-20\nquit\n").stdout)
    };
    let first = play("1");
    assert_eq!(first, play("1"));
    assert!(["2", "3", "4", "5"].iter().any(|seed| play(seed) != first));
    let file = std::fs::read_to_string(&saved).expect("saved");
    assert!(file.contains("[GameType \"21,B,8,8,N1,0\"]") && file.contains("24-20"), "{file}");
    assert_eq!(json(&["import", "draughts", path, "--json"], "")["legal"], 1);
}

#[test]
fn a_game_goes_on_after_a_wrong_byte() {
    let output = lanista(&["play", "connect-four"], b"\xff\n4\nquit\n");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(shown.contains("expected a column from 1 to 7, found \"\u{fffd}\""), "{shown}");
    assert!(shown.ends_with("Stopped.\nMoves: 4\n"), "{shown}");
}

#[test]
fn a_game_that_cannot_be_saved_does_not_begin() {
    let nowhere = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder").join("game.txt");
    let nowhere = nowhere.to_str().expect("a name");
    let message = failure(&["play", "connect-four", "--save", nowhere], "4\nquit\n");
    assert!(message.contains(&format!("cannot write {nowhere}: ")), "{message}");
}

/// The folder is gone after the first move: the game goes on.
#[test]
fn a_game_goes_on_if_it_can_no_longer_be_saved() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("gone-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_lanista"))
        .args(["play", "connect-four", "--save"])
        .arg(folder.join("game.txt"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"4\n").expect("it reads");
    while !folder.join("game.txt").exists() {
        assert!(child.try_wait().expect("its state").is_none(), "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::fs::remove_dir_all(&folder).expect("removed");
    stdin.write_all(b"5\nquit\n").expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let warning = text(&output.stderr);
    assert!(warning.starts_with("lanista: warning: the game is not saved: cannot write "), "{warning}");
    assert!(output.status.success() && text(&output.stdout).ends_with("Stopped.\nMoves: 4 5\n"));
}

#[test]
fn who_resigns_loses_and_the_file_says_so() {
    let saved = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("resigned.sgf");
    let path = saved.to_str().unwrap();
    let output = lanista(&["play", "loa", "--save", path], "d1-d3\nresign\n");
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}");
    assert!(shown.contains("White resigns.\nBlack wins (1-0, resignation).\nMoves: d1-d3\n"), "{shown}");
    let file = std::fs::read_to_string(&saved).expect("saved");
    assert!(file.contains("RE[B+Resign]") && file.contains(";B[d1-d3]"), "{file}");
    // Against a player it is always the person who is asked.
    let arguments = ["play", "draughts", "--against", "random", "--seed", "1", "--side", "second"];
    let shown = text(&lanista(&arguments, "resign\n").stdout);
    assert!(shown.contains("White resigns.\nBlack wins (1-0, resignation)."), "{shown}");
}

#[test]
fn import_reports_what_is_illegal_and_goes_on() {
    let path = file("some.txt", "good\t11-15 23-19\nbad\t11-15 15-19\ngood again\t9-13\n");
    let output = lanista(&["import", "draughts", path.to_str().unwrap(), "--json"], "");
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["games"], &report["legal"]), (&Value::from(3), &Value::from(2)));
    let illegal = &report["illegal"][0];
    assert_eq!((&illegal["game"], &illegal["ply"], &illegal["move"]), (&2.into(), &2.into(), &"15-19".into()));
    assert!(illegal["reason"].as_str().unwrap().contains("line 2"), "{illegal}");
}

#[test]
fn faults_have_the_name_of_their_file() {
    let good = file("good.txt", "a\t11-15 23-19\n");
    let bad = file("two-faults.txt", "a\t9-13\nb\t11-15 15-19\nc\t[nonsense] 11-15\n");
    let [good, bad] = [&good, &bad].map(|path| path.to_str().expect("a name"));
    let said = text(&lanista(&["import", "draughts", good, bad, "-", "--format", "text"], "11-14\n").stdout);
    let places = [
        format!("{bad}: game 2, ply 2, 15-19: line 2, column 9: "),
        format!("{bad}: game 3: line 3, column 1: "),
        "standard input: game 1, ply 1, 11-14: line 1, column 1: ".into(),
        "5 games, 2 legal, 3 not".into(),
    ];
    assert_eq!(said.lines().count(), places.len(), "{said}");
    for (line, place) in said.lines().zip(&places) {
        assert!(line.starts_with(place), "{place}: {line}");
    }
    let report: Value =
        serde_json::from_slice(&lanista(&["import", "draughts", good, bad, "--json"], "").stdout).expect("JSON");
    let illegal = &report["illegal"][0];
    assert_eq!((&illegal["file"], &illegal["game"], &illegal["move"]), (&bad.into(), &2.into(), &"15-19".into()));
    let left_out = text(&lanista(&["convert", "draughts", good, bad, "--to", "text"], "").stderr);
    assert!(left_out.starts_with(&format!("lanista: {bad}: game 2 left out: line 2, column 9: ")), "{left_out}");
    assert_eq!(left_out.lines().count(), 2, "{left_out}");
}

#[test]
fn convert_there_and_back() {
    let games = "a\t11-15 23-19 8-11\nb\t9-13 22-18 1/2-1/2\n";
    let pdn = text(&lanista(&["convert", "draughts", "-", "--from", "text", "--to", "pdn"], games).stdout);
    assert!(pdn.contains("1. 11-15 23-19 2. 8-11"), "{pdn}");
    let back = lanista(&["convert", "draughts", "-", "--to", "text"], &pdn);
    let back = text(&back.stdout);
    assert!(back.contains("11-15 23-19 8-11") && back.contains("9-13 22-18 1/2-1/2"), "{back}");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("converted.pdn");
    let to = path.to_str().unwrap();
    let report = json(&["convert", "draughts", "-", "--from", "text", "--to", "pdn", "--output", to, "--json"], games);
    assert_eq!(report["legal"], 2);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), pdn);
}

#[test]
fn one_decision() {
    let report = json(&["best", "loa4", "--player", "pvs:depth=6", "--json"], "");
    assert_eq!((&report["outcome"], &report["plies_to_end"]), (&"win".into(), &3.into()));
    assert!(report["nodes"].as_u64().is_some_and(|nodes| nodes > 0));
    let line = report["line"].as_array().unwrap();
    assert_eq!(line[0], report["move"]);
    let opinion = json(&["best", "draughts", "--player", "alphabeta:depth=2", "--json"], "");
    assert!(opinion["score"].is_number() && opinion["outcome"].is_null());
    let over = failure(&["best", "connect-four", "--player", "random", "--position", "4142434"], "");
    assert!(over.contains("the game is over (1-0)"), "{over}");
}

#[test]
fn a_match_repeats_with_its_seed_on_any_number_of_threads() {
    let play = |a, threads, seed| {
        let arguments = ["match", "connect-four", "--b", "random", "--pairs", "10", "--json", "--a", a];
        let mut result = json(&[&arguments[..], &["--threads", threads, "--seed", seed]].concat(), "");
        assert!(result["seconds"].take().is_number(), "the only part that does not repeat");
        result
    };
    let even = play("random", "1", "7");
    assert_eq!(even, play("random", "3", "7"));
    assert!(["8", "9", "10"].iter().any(|seed| play("random", "1", seed) != even));
    let result = play("pvs:depth=3", "2", "7");
    let counts: u64 = result["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counts, 10);
    let games = ["wins", "draws", "losses"].map(|name| result[name].as_u64().unwrap());
    assert_eq!(games.iter().sum::<u64>(), 20);
    assert!(result["elo"].as_f64().unwrap() > 0.0 && result["los"].as_f64().unwrap() > 0.5, "{result}");
}

#[test]
fn a_match_from_openings_in_a_file_and_a_tournament() {
    let path = file("openings.txt", "first\t11-15 23-19 8-11\nsecond\t9-13 22-18 10-15\n");
    let from = ["match", "draughts", "--a", "random", "--b", "random", "--pairs", "4", "--json", "--openings"];
    let result = json(&[&from[..], &[path.to_str().unwrap()]].concat(), "");
    assert_eq!(result["distinct"], 1.0);
    let rows =
        json(&["tournament", "connect-four", "random", "pvs:depth=1", "pvs:depth=3", "--pairs", "6", "--json"], "");
    let rows = rows["table"].as_array().unwrap();
    assert_eq!((rows.len(), rows[2]["player"].as_str()), (3, Some("random")));
    let points: f64 = rows.iter().map(|row| row["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 36.0);
    let table = text(&lanista(&["tournament", "connect-four", "random", "pvs:depth=2", "--pairs", "2"], "").stdout);
    assert!(table.contains("4 games in"), "{table}");
}

/// 36 stones lie, and nobody can win any more; three stones before, the second side could not stop both threats.
const DRAWN: &str = "656173566152215676422337377473141445";
const LOST: &str = "656173566152215676422337377473141";

#[test]
fn solve_gives_the_score_of_a_position_and_of_its_moves() {
    let drawn = json(&["solve", "connect-four", "--position", DRAWN, "--json"], "");
    assert_eq!(drawn["position"], ".....ox/x.oxoox/xxxoxxo/ooxoxoo/oxooxxx/oooxoxx");
    assert_eq!((&drawn["score"], &drawn["outcome"], &drawn["distance"]), (&0.into(), &"draw".into(), &6.into()));
    let moves: Vec<Value> = (1..=5).map(|column| serde_json::json!({"column": column, "score": 0})).collect();
    assert_eq!(drawn["moves"], Value::from(moves));
    // The winner's 18th stone ends the game: 22 - 18.
    let lost = json(&["solve", "connect-four", "--position", LOST, "--json"], "");
    assert_eq!((&lost["score"], &lost["outcome"], &lost["distance"]), (&(-4).into(), &"loss".into(), &2.into()));
    let over = json(&["solve", "connect-four", "--position", "4142434", "--json"], "");
    assert_eq!((&over["distance"], &over["moves"]), (&0.into(), &serde_json::json!([])));
    let people = text(&lanista(&["solve", "connect-four", "--position", "112233"], "").stdout);
    assert!(people.contains("Red (x) to move wins in 1 plies (score 18); best: 4\n"), "{people}");
}

#[test]
fn solve_answers_each_position_of_standard_input() {
    let input = format!("{DRAWN}\n{LOST}\n");
    let output = lanista(&["solve", "connect-four", "--each"], &input);
    assert_eq!(text(&output.stdout), "0 1:0 2:0 3:0 4:0 5:0\n-4 1:-4 2:-4 3:-4 4:-4 5:-4\n");
    let output = lanista(&["solve", "connect-four", "--each", "--no-book", "--json"], &input);
    let scores: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["score"].clone())
        .collect();
    assert_eq!(scores, [0, -4]);
    let message = failure(&["solve", "connect-four", "--each"], "nonsense\n");
    assert!(message.contains("standard input, line 1"), "{message}");
}

#[test]
fn solve_refuses_what_it_cannot_do() {
    let nowhere = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("no-such-folder").join("book.bin");
    let nowhere = nowhere.to_str().unwrap();
    let other = file("not-a-book.bin", "hello\n");
    let other_path = other.to_str().unwrap();
    let cases: [(&[&str], &str); 9] = [
        (&["solve", "loa"], "loa: only connect-four can be solved"),
        (&["solve", "connect-four", "--position", "8"], "--position \"8\": column 1"),
        (&["solve", "connect-four", "--position", "4", "--each"], "--each"),
        (&["solve", "connect-four", "--output", nowhere], "--make-book"),
        (&["solve", "connect-four", "--make-book", "0", "--output", nowhere], "1 to 12 stones, not 0"),
        (&["solve", "connect-four", "--make-book", "99", "--output", nowhere], "1 to 12 stones, not 99"),
        // Now, not after hours of solving.
        (&["solve", "connect-four", "--make-book", "3", "--output", nowhere], nowhere),
        (&["solve", "connect-four", "--make-book", "3", "--output", other_path], "not a Connect Four opening book"),
        (&["solve", "connect-four", "--make-book", "3", "--position", "4"], "--position"),
    ];
    for (arguments, expected) in cases {
        let message = failure(arguments, "");
        assert!(message.contains(expected), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_to_string(&other).expect("it is still there"), "hello\n");
}

#[test]
fn players_are_listed_with_parameters_and_evaluators() {
    let list = json(&["players", "loa", "--json"], "");
    let names: Vec<&str> =
        list["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"pvs") && names.contains(&"minimax"), "{names:?}");
    assert_eq!(list["evaluators"]["loa"][0]["name"], "mia4");
    assert!(text(&lanista(&["players"], "").stdout).contains("null-move"));
}

#[test]
fn the_engine_speaks_its_protocol() {
    let output = lanista(&["engine", "loa", "--player", "pvs:depth=2"], "hello\ninit\npos moves=\"d1-d3\"\ngo\n");
    let lines = text(&output.stdout);
    assert!(output.status.success() && lines.starts_with("id name=Lanista "), "{lines}");
    assert!(lines.lines().last().is_some_and(|line| line.starts_with("done move=")), "{lines}");
}

#[test]
fn completions_manual_and_help_come_from_the_program() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(text(&lanista(&["completions", shell], "").stdout).contains("perft"), "{shell}");
    }
    assert!(text(&lanista(&["man"], "").stdout).contains(".TH lanista"));
    let overview = text(&lanista(&["--help"], "").stdout);
    let (_, commands) = overview.split_once("Commands:\n").expect("the commands are listed");
    let commands: Vec<&str> = commands
        .lines()
        .take_while(|line| !line.is_empty())
        // Long lines are continued further to the right.
        .filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|&command| command != "help")
        .collect();
    assert!(commands.contains(&"games") && commands.contains(&"cluster"), "{commands:?}");
    for command in commands {
        assert!(text(&lanista(&["man", command], "").stdout).contains(".TH"), "{command}");
        let help = lanista(&[command, "--help"], "");
        assert!(help.status.success() && text(&help.stdout).contains("Example"), "{command} --help has an example");
    }
    let check = text(&lanista(&["check", "--help"], "").stdout);
    assert!(check.contains("as beginners"), "the long help is shown: {check}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lanista"))
        .args(["moves", "loa", "--each", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let line = "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b\n";
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(line.repeat(1000).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn bench_names_its_entries_and_signs_its_results() {
    let entries = json(&["bench", "random-games/draughts", "--json"], "");
    assert_eq!(entries[0]["name"], "random-games/draughts");
    assert_eq!(entries[0]["unit"], "games/s");
    assert!(entries[0]["value"].as_f64().is_some_and(|value| value > 0.0));
    assert_eq!(entries[1], json(&["bench", "random-games/draughts", "--json"], "")[1], "the signature repeats");
    assert!(failure(&["bench", "nothing-like-this"], "").contains("nothing-like-this"));
}
