//! Exports read back equal what is in the store.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use calamine::{Data, Reader, Xlsx, open_workbook};
use lanista_lab::export::{ExportError, Format, Kind, PlaceError, TABLES, Table, export};
use lanista_lab::jobs::reason_from_code;
use lanista_lab::openings::moves_as_text;
use lanista_lab::store::{GameFilter, Store};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::played::{folder, play};

const TOURNAMENT: &str = r#"
title = "Three, \"quoted\"\nand broken"
game = "connect-four"
rules = ""
replicates = 2
[tournament]
pairs = 4
players = [
    { name = "deep, very", player = "alphabeta:depth=2" },
    { name = "flat", player = "alphabeta:depth=1" },
    { name = "dice", player = "random" },
]
"#;

const POSITIONS: &str = r#"
title = "Costs"
game = "connect-four"
[positions]
depths = [1, 2]
plies = [4]
per-length = 3
players = [{ name = "plain", player = "minimax" }, { name = "dice", player = "random" }]
"#;

/// What a table must hold, as text; numbers as Rust writes them, nothing as the empty text.
type Rows = Vec<Vec<String>>;

/// The tables as the store tells them.
fn expected(store: &Store, run: i64) -> BTreeMap<&'static str, Rows> {
    let text = |value: &dyn ToString| value.to_string();
    let maybe = |value: Option<String>| value.unwrap_or_default();
    let row = store.find_run(&run.to_string()).expect("the run");
    let mut tables = BTreeMap::new();
    tables.insert(
        "run",
        vec![vec![
            text(&row.run),
            row.title.clone(),
            row.kind.clone(),
            row.game.clone(),
            row.rules.clone(),
            row.file.clone(),
            row.hash.clone(),
            row.program.clone(),
            row.created.clone(),
            row.status.clone(),
            text(&row.seconds),
            maybe(row.fingerprint.clone()),
            String::new(),
            String::new(),
            text(&row.trials.0),
            text(&row.trials.1),
            text(&row.steps.0),
            text(&row.steps.1),
            text(&row.games),
            row.experiment.clone(),
        ]],
    );
    let trials = store.trials(run).expect("trials");
    let of_trial = trials.iter().map(|trial| {
        vec![
            text(&trial.trial),
            trial.setting.clone(),
            text(&trial.replicate),
            trial.seed.clone(),
            text(&trial.generation),
            text(&trial.steps.0),
            text(&trial.steps.1),
            text(&trial.games),
            text(&trial.done),
            maybe(trial.digest.clone()),
        ]
    });
    tables.insert("trials", of_trial.collect());
    let measured = store.measurements(run, false).expect("figures").into_iter().map(|found| {
        let trial = &trials[found.trial as usize];
        let figure = found.measurement;
        vec![
            text(&found.trial),
            trial.setting.clone(),
            text(&trial.replicate),
            String::new(),
            figure.name,
            figure.of,
            text(&figure.value),
            maybe(figure.error.map(|error| error.to_string())),
            text(&figure.count),
            text(&figure.repeats),
        ]
    });
    tables.insert("measurements", measured.collect());
    let meetings = store.meetings(run).expect("meetings").into_iter().map(|meeting| {
        let counts = meeting.counts;
        let [a, b] = meeting.names;
        let games = counts.wins + counts.draws + counts.losses;
        vec![
            text(&meeting.trial),
            text(&meeting.meeting),
            a,
            b,
            text(&games),
            text(&counts.wins),
            text(&counts.draws),
            text(&counts.losses),
        ]
    });
    tables.insert("meetings", meetings.collect());
    let games = store.games(run, &GameFilter::default(), None, 10_000).expect("games").into_iter().map(|game| {
        let moves = moves_as_text(&row.game, &row.rules, &game.codes).expect("a legal game");
        let [first, second] = game.names;
        vec![
            text(&game.trial),
            text(&game.meeting),
            text(&game.number),
            first,
            second,
            text(&game.outcome),
            text(&reason_from_code(game.reason).expect("a reason")),
            text(&moves.len()),
            text(&game.opening),
            moves.join(" "),
        ]
    });
    let mut games: Rows = games.collect();
    games.sort();
    tables.insert("games", games);
    let decisions = store.decisions(run).expect("decisions").into_iter().map(|(trial, decision)| {
        let row = decision.row;
        vec![
            text(&trial),
            decision.of,
            text(&decision.position),
            row.mv,
            maybe(row.score.map(|score| score.to_string())),
            text(&row.depth),
            text(&row.nodes),
            text(&row.seconds),
        ]
    });
    tables.insert("decisions", decisions.collect());
    tables
}

/// Compares all tables, as `read` finds them: the names of the columns, and the rows.
fn check(store: &Store, run: i64, read: impl Fn(&Table) -> (Vec<String>, Rows)) {
    let expected = expected(store, run);
    for table in &TABLES {
        let (names, mut rows) = read(table);
        let columns: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        assert_eq!(names, columns, "{}", table.name);
        if table.name == "games" {
            rows.sort();
        }
        assert_eq!(rows, expected[table.name], "{}", table.name);
    }
}

fn from_csv(folder: &Path, table: &Table) -> (Vec<String>, Rows) {
    let mut reader = csv::Reader::from_path(folder.join(format!("{}.csv", table.name))).expect("a file");
    let texts = |record: &csv::StringRecord| record.iter().map(str::to_string).collect::<Vec<_>>();
    let names = texts(reader.headers().expect("names"));
    (names, reader.records().map(|record| texts(&record.expect("a row"))).collect())
}

fn from_parquet(folder: &Path, table: &Table) -> (Vec<String>, Rows) {
    let file = File::open(folder.join(format!("{}.parquet", table.name))).expect("a file");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let schema = reader.metadata().file_metadata().schema_descr();
    let names = schema.columns().iter().map(|column| column.name().to_string()).collect();
    let text = |field: &Field| match field {
        Field::Str(text) => text.clone(),
        Field::Long(number) => number.to_string(),
        Field::Double(number) => number.to_string(),
        Field::Bool(flag) => flag.to_string(),
        Field::Null => String::new(),
        other => panic!("{other:?}"),
    };
    let rows = reader.get_row_iter(None).expect("rows");
    (names, rows.map(|row| row.expect("a row").get_column_iter().map(|(_, field)| text(field)).collect()).collect())
}

fn from_workbook(path: &Path, table: &Table) -> (Vec<String>, Rows) {
    let mut workbook: Xlsx<_> = open_workbook(path).expect("a workbook");
    let sheet = workbook.worksheet_range(table.name).expect("a sheet");
    let mut rows = sheet.rows();
    let names: Vec<String> = rows.next().expect("a header").iter().map(ToString::to_string).collect();
    let text = |(cell, kind): (&Data, Kind)| match (cell, kind) {
        (Data::String(text), Kind::Text) => text.clone(),
        (Data::Float(number), Kind::Whole | Kind::Number) => number.to_string(),
        (Data::Bool(flag), Kind::Flag) => flag.to_string(),
        (Data::Empty, _) => String::new(),
        other => panic!("{}: {other:?}", table.name),
    };
    let kinds = || table.columns.iter().map(|column| column.kind);
    let found = rows.map(|row| {
        let mut row: Vec<String> = row.iter().zip(kinds()).map(text).collect();
        row.resize(table.columns.len(), String::new());
        row
    });
    (names, found.collect())
}

#[test]
fn csv_equals_the_store() {
    for (name, text) in [("csv-games", TOURNAMENT), ("csv-positions", POSITIONS)] {
        let folder = folder(name);
        let (store, run) = play(&folder, text);
        let target = folder.join("csv");
        let exported = export(&store, run, Format::Csv, &target, false).expect("an export");
        assert_eq!((exported.files.len(), exported.notes.len()), (6, 0));
        check(&store, run, |table| from_csv(&target, table));
        fs::remove_dir_all(folder).expect("removed");
    }
}

#[test]
fn parquet_equals_the_store() {
    for (name, text) in [("parquet-games", TOURNAMENT), ("parquet-positions", POSITIONS)] {
        let folder = folder(name);
        let (store, run) = play(&folder, text);
        let target = folder.join("parquet");
        export(&store, run, Format::Parquet, &target, false).expect("an export");
        check(&store, run, |table| from_parquet(&target, table));
        fs::remove_dir_all(folder).expect("removed");
    }
}

#[test]
fn workbooks_equal_the_store() {
    for (name, text, charted) in [("xlsx-games", TOURNAMENT, "rating"), ("xlsx-positions", POSITIONS, "nodes")] {
        let folder = folder(name);
        let (store, run) = play(&folder, text);
        let target = folder.join("run.xlsx");
        let exported = export(&store, run, Format::Xlsx, &target, false).expect("an export");
        assert_eq!(exported.files, std::slice::from_ref(&target));
        let mut workbook: Xlsx<_> = open_workbook(&target).expect("a workbook");
        assert_eq!(
            workbook.sheet_names(),
            ["run", "trials", "measurements", "meetings", "games", "decisions", "chart"]
        );
        check(&store, run, |table| from_workbook(&target, table));
        let chart = workbook.worksheet_range("chart").expect("the sheet of the chart");
        assert_eq!(chart.get_value((0, 1)), Some(&Data::String(charted.into())));
        let figures = store.measurements(run, false).expect("figures");
        let first = figures.iter().find(|found| found.measurement.name == charted).expect("a figure");
        assert_eq!(chart.get_value((1, 1)), Some(&Data::Float(first.measurement.value)));
        fs::remove_dir_all(folder).expect("removed");
    }
}

#[test]
fn parquet_files_have_several_groups_of_rows() {
    let folder = folder("groups");
    let text = POSITIONS.replace("per-length = 3", "per-length = 20000").replace("minimax", "random");
    let (store, run) = play(&folder, &text);
    let target = folder.join("parquet");
    export(&store, run, Format::Parquet, &target, false).expect("an export");
    let reader =
        SerializedFileReader::new(File::open(target.join("decisions.parquet")).expect("a file")).expect("Parquet");
    let groups: Vec<i64> = reader.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(groups, [65_536, 80_000 - 65_536]);
    assert_eq!(from_parquet(&target, &TABLES[5]).1, expected(&store, run)["decisions"]);
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn files_of_others_are_left_alone() {
    let folder = folder("foreign-export");
    let (store, run) = play(&folder, POSITIONS);
    for (format, name) in [(Format::Csv, "c"), (Format::Parquet, "p")] {
        let target = folder.join(name);
        fs::create_dir(&target).expect("a folder");
        fs::write(target.join("thesis.txt"), "mine").expect("written");
        let refused = export(&store, run, format, &target, false);
        assert!(matches!(refused, Err(ExportError::Place(PlaceError::Foreign(_)))));
        assert_eq!(fs::read_dir(&target).expect("the folder").count(), 1);
        export(&store, run, format, &target, true).expect("forced");
        export(&store, run, format, &target, false).expect("ours by now");
        assert_eq!(fs::read_to_string(target.join("thesis.txt")).expect("still there"), "mine");
    }
    let target = folder.join("thesis.xlsx");
    fs::write(&target, "mine").expect("written");
    let refused = export(&store, run, Format::Xlsx, &target, false);
    assert!(matches!(refused, Err(ExportError::Place(PlaceError::Foreign(_)))));
    assert_eq!(fs::read_to_string(&target).expect("still there"), "mine");
    // A workbook of somebody else.
    rust_xlsxwriter::Workbook::new().save(&target).expect("written");
    let before = fs::read(&target).expect("a workbook");
    assert!(export(&store, run, Format::Xlsx, &target, false).is_err());
    assert_eq!(fs::read(&target).expect("a workbook"), before);
    export(&store, run, Format::Xlsx, &target, true).expect("forced");
    export(&store, run, Format::Xlsx, &target, false).expect("ours by now");
    assert!(export(&store, run, Format::Xlsx, &folder, true).is_err(), "a folder is no file");
    fs::remove_dir_all(folder).expect("removed");
}
