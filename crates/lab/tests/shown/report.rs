//! Reports of runs: what they say, and that they are whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lanista_lab::blobs::Blobs;
use lanista_lab::experiment::Plan;
use lanista_lab::export::PlaceError;
use lanista_lab::report::{self, ReportError};
use lanista_lab::run::{Measurement, Recorded};
use lanista_lab::statistics::welch;
use lanista_lab::store::{Commit, NewRun, Store, StoredMeasurement};
use roxmltree::{Document, Node};

use crate::played::{folder, play};

const TOURNAMENT: &str = r#"
title = "Three <players> & a \"paper\""
about = "What depth is worth."
game = "connect-four"
seed = 7
[tournament]
pairs = 6
players = [
    { name = "deep", player = "alphabeta:depth=3" },
    { name = "flat", player = "alphabeta:depth=1" },
    { name = "dice", player = "random" },
]
[[published]]
source = "A paper, table 3"
measurement = "score"
of = "row=deep column=dice"
value = 0.4321
note = "of 1,000 games"
[[published]]
source = "A paper, table 4"
measurement = "score"
of = "row=deep column=nobody"
value = 0.77
"#;

const POSITIONS: &str = r#"
title = "Costs"
game = "connect-four"
[positions]
depths = [1, 2, 3]
plies = [4, 8]
per-length = 5
agree-with = "plain"
players = [{ name = "plain", player = "minimax" }, { name = "pruned", player = "alphabeta" }]
"#;

const DEPTHS: &str = r#"
title = "Depths"
game = "connect-four"
[depths]
player = "alphabeta"
depths = [1, 2, 3]
pairs = 3
"#;

const SWEEP: &str = r#"
title = "Sweep"
game = "connect-four"
replicates = 3
[sweep]
grid.depth = [1, 2]
[match]
a = "alphabeta:depth={depth}"
b = "random"
pairs = 4
"#;

/// The page of a run and its text.
fn report(name: &str, text: &str) -> (String, String, PathBuf) {
    let folder = folder(name);
    let (store, run) = play(&folder, text);
    let target = folder.join("report");
    let files = report::write(&store, run, &target, false).expect("a report");
    assert_eq!(files[0], target.join("report.html"));
    let read = |name: &str| fs::read_to_string(target.join(name)).expect("a file");
    (read("report.html"), read("report.md"), target)
}

fn parsed(page: &str) -> Document<'_> {
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    Document::parse_with_options(page, options).expect("well-formed XML")
}

fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect::<String>().trim().to_string()
}

fn children<'a>(node: Node<'a, 'a>, name: &'static str) -> Vec<Node<'a, 'a>> {
    node.descendants().filter(|node| node.has_tag_name(name) || node.tag_name().name() == name).collect()
}

/// The rows of the table whose caption begins so, as text; the headings first.
fn table(page: &Document<'_>, caption: &str) -> Vec<Vec<String>> {
    let found =
        page.descendants().find(|node| node.tag_name().name() == "caption" && text_of(*node).starts_with(caption));
    let table = found.and_then(|caption| caption.parent()).unwrap_or_else(|| panic!("no table {caption:?}"));
    let cells = |row: Node<'_, '_>| row.children().filter(Node::is_element).map(text_of).collect();
    table.descendants().filter(|node| node.tag_name().name() == "tr").map(cells).collect()
}

/// What must hold of every page.
fn check_page(page: &str) {
    let document = parsed(page);
    let root = document.root();
    assert_eq!(children(root, "h1").len(), 1);
    assert!(
        children(root, "script").is_empty() && children(root, "link").is_empty() && children(root, "img").is_empty()
    );
    for table in children(root, "table") {
        assert_eq!(children(table, "caption").len(), 1);
        let rows = children(table, "tr");
        let columns = rows[0].children().filter(Node::is_element).count();
        assert!(columns > 0 && rows.len() > 1, "{}", text_of(table));
        for row in rows {
            assert_eq!(row.children().filter(Node::is_element).count(), columns, "{}", text_of(row));
        }
        let scopes = children(table, "th").iter().all(|cell| matches!(cell.attribute("scope"), Some("col" | "row")));
        assert!(scopes);
    }
    for chart in children(root, "svg") {
        assert_eq!(chart.attribute("role"), Some("img"));
        assert!(chart.attribute("aria-label").is_some_and(|text| !text.is_empty()));
    }
}

/// Pictures that the text names are there, and are XML.
fn check_pictures(text: &str, folder: &Path) -> usize {
    let names: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("![")?.split_once("](")?.1.strip_suffix(')')).collect();
    for name in &names {
        let picture = fs::read_to_string(folder.join(name)).expect("a picture");
        assert!(children(parsed(&picture).root(), "svg").len() == 1);
    }
    names.len()
}

#[test]
fn tournament() {
    let (page, text, folder) = report("tournament", TOURNAMENT);
    check_page(&page);
    assert_eq!(check_pictures(&text, &folder), 1);
    let document = parsed(&page);
    assert_eq!(text_of(children(document.root(), "h1")[0]), "Three <players> & a \"paper\"");
    let store = Store::open(&folder.join("../store.db")).expect("the store");
    let figures = store.measurements(1, false).expect("figures");
    let score = figures
        .iter()
        .find(|found| found.measurement.name == "score" && found.measurement.of == "row=deep column=dice");
    let measured = format!("{:.1} %", score.expect("a score").measurement.value * 100.0);
    let published = table(&document, "Published figures");
    assert_eq!(published.len(), 3);
    assert_eq!(
        published[0],
        ["figure", "paper", "measured", "95 % interval", "difference", "verdict", "source", "note"]
    );
    assert_eq!(published[1][..3], ["score: deep against dice".to_string(), "43.21 %".into(), measured.clone()]);
    assert!(published[1][4].starts_with('+') && published[1][4].ends_with(" pp"), "{:?}", published[1]);
    assert_eq!(published[1][5], "outside the interval");
    assert_eq!(published[1][6..], ["A paper, table 3", "of 1,000 games"]);
    assert_eq!(published[2][1..4], ["77.0 %", "not measured", ""]);
    let cross = table(&document, "Cross-table");
    assert_eq!(cross[0], ["player", "rating (Elo)", "points", "games", "1", "2", "3"]);
    let row = |name: &str| cross.iter().find(|row| row[0].ends_with(name)).expect("a row");
    let place =
        |name: &str| row(name)[0].split('.').next().and_then(|place| place.parse::<usize>().ok()).expect("a place");
    assert_eq!(row("deep")[3 + place("dice")], measured);
    assert_eq!((row("dice")[3].as_str(), row("dice")[3 + place("dice")].as_str()), ("24", "–"));
    let points: f64 = ["deep", "flat", "dice"].iter().map(|name| row(name)[2].parse::<f64>().expect("points")).sum();
    assert_eq!(points, 36.0);
    // The text says the same.
    for said in [measured.as_str(), "43.21 %", "not measured", "outside the interval", "A paper, table 4"] {
        assert!(text.contains(said) && page.contains(said), "{said}");
    }
    fs::remove_dir_all(folder.join("..")).expect("removed");
}

#[test]
fn the_experiment_beside_a_report_repeats_the_run() {
    let (page, text, folder) = report("repeat", TOURNAMENT);
    assert!(page.contains("lanista run experiment.toml") && text.contains("lanista run experiment.toml"));
    let again = fs::read_to_string(folder.join("experiment.toml")).expect("the experiment");
    assert_eq!(again, TOURNAMENT);
    let second = crate::played::folder("repeated");
    let (store, run) = play(&second, &again);
    let fingerprint = store.find_run(&run.to_string()).expect("the run").fingerprint.expect("a fingerprint");
    assert!(page.contains(&format!("The fingerprint of the results must be {fingerprint};")));
    fs::remove_dir_all(folder.join("..")).expect("removed");
    fs::remove_dir_all(second).expect("removed");
}

#[test]
fn positions() {
    let (page, text, folder) = report("positions", POSITIONS);
    check_page(&page);
    let document = parsed(&page);
    let nodes = table(&document, "Nodes a decision");
    assert_eq!(nodes[0], ["player", "depth 1", "depth 2", "depth 3"]);
    assert_eq!((nodes[1][0].as_str(), nodes[2][0].as_str(), nodes.len()), ("plain", "pruned", 3));
    let number = |text: &str| {
        text.split(" ±").next().map(|text| text.replace(',', "")).and_then(|text| text.parse::<f64>().ok())
    };
    let (plain, pruned) = (number(&nodes[1][3]).expect("nodes"), number(&nodes[2][3]).expect("nodes"));
    assert!(pruned < plain, "{pruned} {plain}");
    let agreement = table(&document, "Share of positions with the same value as plain");
    assert_eq!(agreement[2], ["pruned", "100.0 %", "100.0 %", "100.0 %"]);
    assert_eq!(table(&document, "Time a decision").len(), 3);
    let ratio = number(&table(&document, "Nodes, in those of plain")[2][3]).expect("a ratio");
    assert!((ratio - pruned / plain).abs() < 0.01 && ratio < 1.0, "{ratio}");
    // Nodes and seconds by depth, and one player's values against the other's.
    assert_eq!(check_pictures(&text, &folder), 3);
    assert!(page.contains("Values of pruned against those of plain at depth 3: 10 of 10 equal"));
    fs::remove_dir_all(folder.join("..")).expect("removed");
}

#[test]
fn depths() {
    let (page, text, folder) = report("depths", DEPTHS);
    check_page(&page);
    let document = parsed(&page);
    let scores = table(&document, "Score of the depth in the row");
    let names: Vec<&str> = scores.iter().skip(1).map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["1", "2", "3"]);
    // 3 × 3 coloured squares.
    let chart = children(document.root(), "svg")[0];
    let shares = children(chart, "text").iter().filter(|text| text_of(**text).ends_with(" %")).count();
    assert_eq!(shares, 9);
    assert_eq!(check_pictures(&text, &folder), 1);
    fs::remove_dir_all(folder.join("..")).expect("removed");
}

#[test]
fn sweeps_are_means_over_replicates() {
    let (page, _, folder) = report("sweep", SWEEP);
    check_page(&page);
    let document = parsed(&page);
    let settings = table(&document, "All settings: means over 3 replicates");
    assert_eq!(settings[0][..3], ["depth", "replicates", "score"]);
    let store = Store::open(&folder.join("../store.db")).expect("the store");
    let figures = store.measurements(1, false).expect("figures");
    for (row, depth) in settings[1..].iter().zip(["1", "2"]) {
        let of = format!("row=alphabeta:depth={depth} column=random");
        let found: Vec<f64> = figures
            .iter()
            .filter(|found| found.measurement.name == "score" && found.measurement.of == of)
            .map(|found| found.measurement.value)
            .collect();
        assert_eq!(found.len(), 3);
        let mean = found.iter().sum::<f64>() / 3.0;
        assert_eq!(row[..2], [depth, "3"]);
        let (shown, interval) = row[2].split_once(' ').expect("a mean and its interval");
        assert!(shown == format!("{:.1}", mean * 100.0) && interval.starts_with(['±', '(']), "{} {mean}", row[2]);
    }
    assert_eq!(table(&document, "Trials with their seeds").len(), 7);
    let differences = table(&document, "Differences between settings");
    let scores = |depth: &str| -> Vec<f64> {
        let of = format!("row=alphabeta:depth={depth} column=random");
        let is_it = |found: &&StoredMeasurement| found.measurement.name == "score" && found.measurement.of == of;
        figures.iter().filter(is_it).map(|found| found.measurement.value).collect()
    };
    assert_eq!(differences[1][0], "depth=1 less depth=2");
    let shown = match welch(&scores("1"), &scores("2")) {
        Some(test) => format!("t({:.0}) = {:.2}", test.df, test.t),
        None => "–".to_string(),
    };
    assert!(differences[1][1].contains(&shown), "{} {shown}", differences[1][1]);
    fs::remove_dir_all(folder.join("..")).expect("removed");
}

#[test]
fn curves_are_drawn_by_generation() {
    let folder = folder("curves");
    let plan = Plan::read(SWEEP, "experiment.toml", Arc::new(Blobs::default())).expect("a plan");
    let mut store = Store::open_to_write(&folder.join("store.db")).expect("a store");
    let run = store.begin(NewRun { plan: &plan, file: "experiment.toml", program: "test 1" }).expect("a run");
    for trial in 0..6 {
        let of_generation = |generation: u32| {
            let value = f64::from(generation * 10 + trial);
            (generation, vec![Measurement::new("fitness", "", value, 1)])
        };
        let recorded = Recorded {
            measurements: (1..=5).map(of_generation).collect(),
            warnings: vec![format!("trial {trial} <stumbled>")],
            ..Recorded::default()
        };
        let commit = Commit {
            trial,
            generation: 5,
            state: Vec::new(),
            keep_state: false,
            steps: 5,
            total: 9,
            games: 0,
            done: false,
            digest: 0,
            seconds: 1.0,
            core_seconds: 2.0,
            recorded,
            summary: Vec::new(),
        };
        store.commit(run, &commit).expect("committed");
        let steps = store.runs().expect("runs")[0].steps;
        assert_eq!(steps, (5 * (i64::from(trial) + 1), 54), "trials that have not begun are like the others");
    }
    let target = folder.join("report");
    report::write(&store, run, &target, false).expect("a report");
    let page = fs::read_to_string(target.join("report.html")).expect("the page");
    check_page(&page);
    let document = parsed(&page);
    let curves = table(&document, "fitness: where each line begins and ends");
    // Trials 0, 1 and 2 are the first setting: the mean of the last generation is 51.
    assert_eq!(curves[1][..2], ["depth=1", "5"]);
    assert!(curves[1][2].starts_with("11.0 ±") && curves[1][3].starts_with("51.0 ±"), "{:?}", curves[1]);
    assert!(page.contains("This run is not finished: 30 of 54 steps are done."));
    assert!(page.contains("<li>trial 5 &lt;stumbled&gt;</li>"));
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn folders_of_others_are_left_alone() {
    let folder = folder("foreign");
    let (store, run) = play(&folder, DEPTHS);
    let target = folder.join("notes");
    fs::create_dir(&target).expect("a folder");
    fs::write(target.join("report.md"), "mine").expect("written");
    let refused = report::write(&store, run, &target, false);
    assert!(matches!(refused, Err(ReportError::Place(PlaceError::Foreign(_)))));
    assert_eq!(fs::read_to_string(target.join("report.md")).expect("still there"), "mine");
    report::write(&store, run, &target, true).expect("forced");
    report::write(&store, run, &target, false).expect("ours by now");
    assert_ne!(fs::read_to_string(target.join("report.md")).expect("there"), "mine");
    let unknown = report::write(&store, 99, &folder.join("other"), false).expect_err("no such run");
    assert!(unknown.to_string().contains("no run \"99\"") && !unknown.to_string().contains('\n'), "{unknown}");
    assert!(!folder.join("other").exists());
    fs::remove_dir_all(folder).expect("removed");
}
