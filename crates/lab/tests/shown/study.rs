//! Reports of studies: figures from the store, words from the file, and one page over all.

use std::fs;
use std::path::Path;

use lanista_lab::experiment::{Plan, is_same_study};
use lanista_lab::export::Folder;
use lanista_lab::report::{self, OverviewStudy, StudyReport, Summary, write_overview, write_study};
use lanista_lab::store::Store;
use lanista_lab::studies::{run_of, study_files};

use crate::played::{folder, play};

const STUDY: &str = r#"
title = "A study"
about = "First words."
cost-then = "175 core-hours"
game = "connect-four"
seed = 3
[match]
a = "win-block"
b = "random"
pairs = 20
match-scores = true
[[published]]
source = "A paper"
measurement = "score"
of = "row=win-block column=random"
value = 0.9
[[published]]
source = "A paper"
measurement = "plies"
of = "row=win-block column=random"
value = 1
[[headline]]
name = "blocking against chance"
measurement = "score"
of = "row=win-block column=random"
[[headline]]
name = "draws"
measurement = "draws"
of = "row=win-block column=random"
[scale.small]
"match.pairs" = 2
"#;

/// Everything that a small evolution leaves, of 20 networks in each of two replicates.
const EVOLUTION: &str = r#"
title = "Evolution"
game = "connect-four"
seed = 4
replicates = 2
[learner]
player = "greedy:eval=genome"
inputs = ["board"]
layers = [{ size = 3, activation = "tanh" }, { size = 1, activation = "tanh" }]
opponents = ["win-block"]
keep-every = 1
[evolution]
preset = "box"
generations = 12
population = 20
contest = { games = 4 }
[measure]
every = 1
games = 4
final-games = 4
match-scores = true
opponents = [{ player = "win-block" }]
"#;

const SQUARES: &str = r#"
title = "Squares"
game = "draughts"
rules = "allsop"
seed = 5
[learner]
player = "alphabeta-heuristic-order:depth=1,eval=genome"
weights-of = "allsop"
[evolution]
preset = "allsop"
population = 4
generations = 1
"#;

const FEATURES: &str = r#"
title = "Features"
game = "loa"
seed = 7
[sweep]
grid.eval = ["mia1", "mia2"]
[learner]
player = "greedy:eval=genome"
weights-of = "{eval}"
[td]
games = 4
batch = 2
[measure]
games = 2
final-games = 2
opponents = [{ name = "chance", player = "random" }]
[[published]]
source = "A paper"
measurement = "plies"
value = 20
of = "player=champion against=chance"
"#;

/// More settings than a chart of bars can show.
const SEARCH: &str = r#"
title = "Search"
game = "connect-four"
seed = 6
record = "counts"
[sweep]
trials = 120
random.chance = { from = 0.0, to = 1.0 }
random.size = { from = 2, to = 9 }
random.opponent = { of = ["random", "win-block"] }
random.leaf = { of = ["eval", "playout"] }
[match]
a = "mcts:simulations={size},exploration={chance},leaf={leaf}"
b = "{opponent}"
pairs = 1
[[published]]
source = "A paper"
measurement = "plies"
value = 20
of = "row=mcts:simulations={size},exploration={chance},leaf={leaf} column={opponent}"
[[headline]]
name = "length"
measurement = "plies"
of = "row=mcts:simulations={size},exploration={chance},leaf={leaf} column={opponent}"
"#;

fn write(store: &Store, run: i64, text: &str, target: &Path) -> String {
    let changes = [("match.pairs".to_string(), "2".to_string())];
    let link = "../../a/b.toml";
    let study = StudyReport { run, hash: "known", text, file: "a/b.toml", link, changes: &changes };
    let files = write_study(store, &study, target, false).expect("a report");
    assert_eq!(files[0], target.join("README.md"));
    let page = fs::read_to_string(&files[0]).expect("the page");
    let pictures: Vec<&str> =
        page.split("](").skip(1).filter_map(|rest| rest.split_once(".svg)")).map(|(name, _)| name).collect();
    assert_eq!(pictures.len(), files.len() - 2, "every chart once: {files:?}");
    assert!(pictures.iter().all(|name| target.join(format!("{name}.svg")).exists()));
    page
}

#[test]
fn words_come_from_the_file_and_figures_from_the_store() {
    let folder = folder("study");
    let (store, run) = play(&folder, STUDY);
    let now = STUDY
        .replace("First words.", "Other words.\"\nfindings = \"Where <we> agree.")
        .replace("value = 0.9", "value = 0.8");
    assert!(is_same_study(STUDY, &now));
    let page = write(&store, run, &now, &folder.join("page"));
    for text in
        ["Other words.", "## Findings\n\nWhere \\<we\\> agree.", "cost then: 175 core-hours", "cost now: ", "80.0 %"]
    {
        assert!(page.contains(text), "{text:?} is missing:\n{page}");
    }
    assert!(!page.contains("First words.") && !page.contains("pairs = 20"), "{page}");
    assert!(page.contains("[b.toml](../../a/b.toml)") && page.contains("lanista run a/b.toml\n"), "{page}");
    let fingerprint = store.find_run("last").expect("the run").fingerprint.expect("finished");
    assert!(page.contains(&fingerprint));
    // Findings stand right behind the published figures.
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(place("## Published and measured") < place("## Findings") && place("## Findings") < place("## Results"));
    for name in ["decided", "matches", "game-score", "match-score"] {
        assert!(page.contains(&format!("| {name} |")), "{name} is missing:\n{page}");
    }
    fs::remove_dir_all(folder).expect("removed");
}

/// An evaluator of the sweep has a column of its own, with the features that it has.
#[test]
fn learnt_weights_stand_beside_each_other() {
    let folder = folder("weights");
    let (store, run) = play(&folder, FEATURES);
    let page = write(&store, run, FEATURES, &folder.join("page"));
    assert!(page.contains("| weight | eval=mia1 | eval=mia2 |"), "{page}");
    let mobility = page.lines().find(|line| line.starts_with("| mobility |")).expect("a weight of the second");
    assert!(mobility.starts_with("| mobility | – | "), "{mobility}");
    fs::remove_dir_all(folder).expect("removed");
}

/// What can be compared with the paper stands in the table of settings before what cannot.
#[test]
fn published_figures_are_shown_first() {
    let folder = folder("order");
    let (store, run) = play(&folder, FEATURES);
    let page = write(&store, run, FEATURES, &folder.join("page"));
    let columns = page.lines().find(|line| line.starts_with("| eval | replicates |")).expect("the settings");
    assert!(columns.starts_with("| eval | replicates | plies: champion against=chance |"), "{columns}");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn nobody_takes_a_small_scale_for_the_study() {
    let folder = folder("small");
    let small = Plan::read_scale(STUDY, "small", "study.toml", Default::default()).expect("a scale");
    let (store, run) = play(&folder, &small.text);
    let page = write(&store, run, &small.text, &folder.join("page"));
    let top: String = page.lines().take(4).collect();
    assert!(top.contains("> **This is the small scale of “A study”") && top.contains("mean nothing"), "{top}");
    assert!(page.contains("| match.pairs | 2 |") && page.contains("lanista run a/b.toml --scale small"), "{page}");
    report::write(&store, run, &folder.join("report"), false).expect("a report");
    let report = fs::read_to_string(folder.join("report/report.md")).expect("the page");
    assert!(report.contains("mean nothing") && report.contains("scaled = \"small\""));
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn one_page_over_all_studies() {
    let folder = folder("overview");
    let (store, run) = play(&folder, STUDY);
    let pages = folder.join("pages");
    fs::create_dir_all(pages.join("a")).expect("a folder");
    write(&store, run, STUDY, &pages.join("a/b"));
    let summary = |hash: &str| Summary::read(&pages.join("a/b"), hash).expect("a summary");
    assert!(summary("known").is_some() && summary("another").is_none());
    let study = |name: &str, text: &str, summary: Option<Summary>| OverviewStudy {
        name: name.into(),
        text: text.into(),
        summary,
        trouble: None,
    };
    let broken = OverviewStudy { trouble: Some("it is wrong".into()), ..study("a/broken", "", None) };
    let another = study("a/c", &STUDY.replace("A study", "Another"), None);
    let studies = [study("a/b", STUDY, summary("known")), another, broken];
    let target = Folder::open(&pages, true).expect("a folder");
    let files = write_overview(&studies, target).expect("an overview");
    let page = fs::read_to_string(&files[0]).expect("the page");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).collect();
    assert_eq!(rows.len(), 2 + 4, "{page}");
    let start = "| [A study](a/b/README.md) | blocking against chance | 90.0 % |";
    assert!(rows[2].starts_with(start), "{}", rows[2]);
    assert!(rows[2].contains("interval | 175 core-hours |") && rows[2].ends_with("| full |"), "{}", rows[2]);
    // For the second figure nothing was published.
    assert!(rows[3].starts_with("|  | draws |  | ") && rows[3].ends_with(" % |  |  |  |  |"), "{}", rows[3]);
    assert!(rows[4].starts_with("| Another |") && rows[4].contains("not run yet"), "{}", rows[4]);
    assert!(rows[5].starts_with("| a/broken |") && rows[5].contains("it is wrong"), "{}", rows[5]);
    assert!(!page.contains("mean nothing"));
    fs::write(pages.join("a/b/summary.json"), "{").expect("written");
    let wrong = Summary::read(&pages.join("a/b"), "known").expect_err("no summary").to_string();
    assert!(wrong.contains("a/b/summary.json: EOF") && wrong.contains("remove it"), "{wrong}");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn runs_are_found_again_by_what_they_do() {
    let folder = folder("found");
    let (store, run) = play(&folder, STUDY);
    let found = |text: &str| {
        let plan = Plan::read(text, "study.toml", Default::default()).expect("a plan");
        run_of(&store, &plan).expect("the store").map(|row| row.run)
    };
    assert_eq!(found(STUDY), Some(run));
    assert_eq!(found(&STUDY.replace("A study", "A better title")), Some(run));
    assert_eq!(found(&STUDY.replace("pairs = 20", "pairs = 21")), None);
    assert_eq!(found(&STUDY.replace("seed = 3", "seed = 3\nscaled = \"hour\"")), None);
    fs::create_dir_all(folder.join("files/b")).expect("a folder");
    fs::create_dir_all(folder.join("files/a")).expect("a folder");
    for name in ["b/2.toml", "b/1.toml", "a/x.toml", "a/readme.md", "top.toml"] {
        fs::write(folder.join("files").join(name), STUDY).expect("written");
    }
    let files = study_files(&folder.join("files")).expect("files");
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["a/x", "b/1", "b/2"]);
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn learners_show_populations_weights_and_trends() {
    let folder = folder("learner");
    let (store, run) = play(&folder, EVOLUTION);
    let page = write(&store, run, EVOLUTION, &folder.join("page"));
    assert!(
        page.contains("How points a game are spread: generation 1, 40 individuals; generation 12, 40 individuals"),
        "{page}"
    );
    assert!(page.contains("## Weights of the champion") && page.contains("weights-1.svg"), "{page}");
    let chart = fs::read_to_string(folder.join("page/weights-1.svg")).expect("a chart");
    assert!(chart.contains("unit 3") && page.contains("inputs of own men, other's men"), "{page}");
    let heading = "| line | generations | first | last | greatest | mean | median | last, mean of 5 | trend in 100 generations | p of the trend | replicates |";
    assert!(page.contains(heading), "{page}");
    let mean = page.lines().find(|line| line.starts_with("| contest | 12 |")).expect("the curve of the contest");
    assert_eq!(mean.split('|').count(), 13, "{mean}");
    assert!(page.contains("| decided: top against"), "{page}");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn values_of_squares_are_a_board() {
    let folder = folder("squares");
    let (store, run) = play(&folder, SQUARES);
    let page = write(&store, run, SQUARES, &folder.join("page"));
    assert!(page.contains("Weights by square (32 weights)"), "{page}");
    let chart = fs::read_to_string(folder.join("page/weights-1.svg")).expect("a chart");
    // A number on each of the 32 squares that are used.
    let numbers = chart.split("<text").skip(1).filter(|text| {
        let inside =
            text.split_once(">\n").and_then(|(_, rest)| rest.split_once('<')).map_or("", |(inside, _)| inside.trim());
        inside.parse::<f64>().is_ok()
    });
    assert_eq!(numbers.count(), 32, "{chart}");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn large_sweeps_have_a_chart_for_each_value() {
    let folder = folder("search");
    let (store, run) = play(&folder, SEARCH);
    let page = write(&store, run, SEARCH, &folder.join("page"));
    for (number, name) in [(1, "chance"), (2, "size"), (3, "opponent"), (4, "leaf"), (5, "opponent and leaf")] {
        assert!(page.contains(&format!("by-{number}.svg")), "{page}");
        assert!(page.contains(&format!("plies of 120 settings by {name}")), "{page}");
    }
    let table = |caption: &str| {
        let start = page.find(caption).unwrap_or_else(|| panic!("no {caption}:\n{page}"));
        page[start..].split("\n\n").nth(1).unwrap_or_default().lines().skip(2).map(str::to_string).collect::<Vec<_>>()
    };
    let best = table("The 10 best settings: greatest plies");
    assert_eq!(best.len(), 10);
    let plies = |row: &String| row.split('|').nth(5).and_then(|cell| cell.trim().parse::<f64>().ok()).expect("plies");
    assert!(best.windows(2).all(|rows| plies(&rows[0]) >= plies(&rows[1])), "{best:?}");
    assert_eq!(table("All settings").len(), 100);
    assert!(page.contains("And 20 settings more") && !page.contains("## Trials"), "{page}");
    // A published figure of all settings is compared once.
    assert!(page.contains("(the greatest of 120 settings)"), "{page}");
    fs::remove_dir_all(folder).expect("removed");
}

/// Moves are judged by another player: nobody's are better than its own, and those of another order of the same search are as good.
#[test]
fn moves_are_judged() {
    const JUDGED: &str = r#"
title = "Judged"
game = "connect-four"
[positions]
depths = [2, 4]
plies = [10, 36]
per-length = 20
agree-with = "plain"
judge-moves = true
players = [
    { name = "dice", player = "random" },
    { name = "plain", player = "minimax:eval=threats" },
    { name = "shuffled", player = "alphabeta-random-order:eval=threats" },
]
"#;
    let folder = folder("judged");
    let (store, run) = play(&folder, JUDGED);
    let decisions = store.decisions(run).expect("decisions");
    let of = |player: &str, depth: u32| -> Vec<i32> {
        let of = format!("player={player} depth={depth}");
        let own = decisions.iter().filter(|(_, decision)| decision.of == of);
        own.map(|(_, decision)| decision.row.score.expect("a value")).collect()
    };
    for depth in [2, 4] {
        let (best, dice) = (of("plain", depth), of("dice", depth));
        assert_eq!((best.len(), &best), (40, &of("shuffled", depth)));
        assert!(dice.iter().zip(&best).all(|(dice, best)| dice <= best), "{dice:?} {best:?}");
        assert!(dice.iter().zip(&best).filter(|(dice, best)| dice < best).count() > 10, "{dice:?} {best:?}");
    }
    let page = write(&store, run, JUDGED, &folder.join("page"));
    assert!(page.contains("Share of moves that plain finds as good as its own"), "{page}");
    assert!(page.contains("Worth of the moves of dice against those of plain at depth 4"), "{page}");
    fs::remove_dir_all(folder).expect("removed");
}
