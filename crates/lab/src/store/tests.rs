//! What stores survive: full disks, damage, strangers, other processes.

use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::blobs::Blobs;
use crate::executor::Threads;
use crate::experiment::Plan;
use crate::jobs::Cancel;
use crate::run::{Recorder, RunError, Runner, Start};

const EXPERIMENT: &str =
    "title = \"Test\"\ngame = \"connect-four\"\n[match]\na = \"random\"\nb = \"win-block\"\npairs = 400\n";

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("lanista-store-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for tests");
        Folder(path)
    }

    fn store(&self) -> PathBuf {
        self.0.join("test.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run_into(mut store: Store) -> Result<i64, RunError> {
    let plan = Plan::read(EXPERIMENT, "test.toml", Arc::new(Blobs::default())).expect("a good experiment");
    let run = store.begin(NewRun { plan: &plan, file: "test.toml", program: "test" })?;
    let mut executor = Threads::new(2, &plan.blobs, &Cancel::default()).expect("threads start");
    let mut listen = |_: &_| {};
    let recorder = Recorder::new(store, run);
    Runner::new(&plan, "test.toml", &mut executor, recorder, vec![Start::default()], &mut listen).run()?;
    Ok(run)
}

fn games_of(path: &Path, run: i64) -> usize {
    Store::open(path).and_then(|store| store.games(run, &GameFilter::default(), None, usize::MAX)).expect("games").len()
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let folder = Folder::new("full");
    let first = run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let store = Store::open_to_write(&folder.store()).expect("a store");
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).expect("pages");
    store.connection.pragma_update(None, "max_page_count", pages + 2).expect("a limit");
    let error = run_into(store).expect_err("the disk is full");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(games_of(&folder.store(), first), 800);
    assert!(Store::examine(&folder.store(), false).expect("a diagnosis").is_sound());
}

#[test]
fn a_read_only_store_is_told() {
    let folder = Folder::new("read-only");
    let store = Store::open_to_write(&folder.store()).expect("a store");
    store.connection.pragma_update(None, "query_only", true).expect("a switch");
    let error = run_into(store).expect_err("it cannot be written to");
    assert!(error.to_string().contains("read-only"), "{error}");
}

#[test]
fn one_writer_many_readers() {
    let folder = Folder::new("writers");
    let store = Store::open_to_write(&folder.store()).expect("a store");
    let second = Store::open_to_write(&folder.store()).err().expect("refused");
    assert!(matches!(second, StoreError::Locked(_)), "{second}");
    assert_eq!(Store::open(&folder.store()).and_then(|reader| reader.runs()).expect("a reader"), []);
    drop(store);
    assert!(Store::open_to_write(&folder.store()).is_ok(), "the lock goes with its owner");
}

#[test]
fn strangers_and_the_future_are_refused() {
    let folder = Folder::new("strangers");
    let path = folder.store();
    assert!(matches!(Store::open(&path), Err(StoreError::Missing(_))));
    fs::write(&path, "no database at all, but long enough to have a header of sixteen bytes and more")
        .expect("written");
    assert!(matches!(Store::open(&path), Err(StoreError::Foreign(_))));
    assert!(matches!(Store::open_to_write(&path), Err(StoreError::Foreign(_))));
    fs::remove_file(&path).expect("removed");
    Connection::open(&path).and_then(|other| other.execute_batch("CREATE TABLE t (x)")).expect("somebody else's");
    assert!(matches!(Store::open_to_write(&path), Err(StoreError::Foreign(_))));
    fs::remove_file(&path).expect("removed");
    let store = Store::open_to_write(&path).expect("a store");
    store.connection.pragma_update(None, "user_version", 99).expect("a version");
    drop(store);
    let error = Store::open(&path).err().expect("refused").to_string();
    assert!(error.contains("version 99") && error.contains("newer lanista"), "{error}");
}

#[test]
fn the_doctor_removes_what_belongs_to_nobody() {
    let folder = Folder::new("doctor");
    let run = run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    assert!(Store::examine(&folder.store(), false).expect("a diagnosis").is_sound());
    let store = Store::open_to_write(&folder.store()).expect("a store");
    let spoil = "PRAGMA foreign_keys = OFF; DELETE FROM games WHERE number = 7; \
        INSERT INTO games VALUES (9999, 1, 1, 0, 0, x'00'); INSERT INTO trials (run, number, setting, replicate, seed) VALUES (77, 0, '', 0, '')";
    store.connection.execute_batch(spoil).expect("spoilt");
    drop(store);
    let found = Store::examine(&folder.store(), false).expect("a diagnosis");
    assert_eq!(found.faults.len(), 3, "{found:?}");
    let repaired = Store::examine(&folder.store(), true).expect("a repair");
    assert!(repaired.repairs.len() >= 3, "{repaired:?}");
    assert!(Store::examine(&folder.store(), false).expect("a diagnosis").is_sound());
    assert_eq!(games_of(&folder.store(), run), 799);
}

/// A page in the middle of the file is overwritten: the rest is saved, the damaged file is kept.
#[test]
fn damaged_files_are_rescued() {
    let folder = Folder::new("damaged");
    run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let store = Store::open_to_write(&folder.store()).expect("a store");
    let page: u64 = store
        .connection
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'games'", [], |row| row.get::<_, i64>(0))
        .expect("a page") as u64;
    store.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("one file");
    drop(store);
    let mut file = fs::File::options().read(true).write(true).open(folder.store()).expect("the file");
    file.seek(SeekFrom::Start((page - 1) * 4096)).expect("a place");
    file.write_all(&[0xff; 4096]).expect("overwritten");
    let mut rest = Vec::new();
    file.read_to_end(&mut rest).expect("there is more");
    drop(file);
    let found = Store::examine(&folder.store(), false).expect("a diagnosis");
    assert!(found.faults.iter().any(|fault| fault.starts_with("structure")), "{found:?}");
    let repaired = Store::examine(&folder.store(), true).expect("a repair");
    assert!(repaired.kept_as.is_some_and(|path| path.exists()));
    let store = Store::open(&folder.store()).expect("a store again");
    let row = store.find_run("last").expect("the run is there");
    assert_eq!((row.title.as_str(), row.games), ("Test", 800));
    drop(store);
    assert!(Store::examine(&folder.store(), false).expect("a diagnosis").is_sound());
}

/// Of a file that was cut off, what stands in front of the cut is saved; what an earlier repair kept stays.
#[test]
fn cut_off_files_are_rescued() {
    let folder = Folder::new("cut");
    run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let length = fs::metadata(folder.store()).expect("the file").len();
    let earlier = folder.0.join("test.db.damaged");
    fs::write(&earlier, "of an earlier repair").expect("written");
    fs::File::options().write(true).open(folder.store()).expect("the file").set_len(length / 4 * 3).expect("cut off");
    assert!(!Store::examine(&folder.store(), false).expect("a diagnosis").is_sound());
    let repaired = Store::examine(&folder.store(), true).expect("a repair");
    assert_eq!((repaired.left, repaired.kept_as), (vec![], Some(folder.0.join("test.db.damaged-2"))));
    assert_eq!(fs::metadata(folder.0.join("test.db.damaged-2")).expect("kept").len(), length / 4 * 3);
    assert_eq!(fs::read(earlier).expect("kept"), b"of an earlier repair");
    let store = Store::open(&folder.store()).expect("a store again");
    assert_eq!(store.find_run("last").expect("the run is there").title, "Test");
}

/// What cannot be repaired is told after the repair, too.
#[test]
fn what_is_left_is_told() {
    let folder = Folder::new("left");
    run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let store = Store::open_to_write(&folder.store()).expect("a store");
    let lost = "PRAGMA foreign_keys = 0; INSERT INTO run_files (run, name, reference) VALUES (1, 'weights', 'lost')";
    store.connection.execute_batch(lost).expect("a file that is not there");
    drop(store);
    let repaired = Store::examine(&folder.store(), true).expect("a repair");
    assert_eq!(repaired.left, repaired.faults);
    assert_eq!(repaired.left.len(), 1, "{repaired:?}");
}

/// Whoever mistypes a name makes no store and leaves nothing beside files of others.
#[test]
fn nothing_is_made_of_what_is_no_store() {
    let folder = Folder::new("foreign");
    assert!(matches!(Store::open_existing_to_write(&folder.store()), Err(StoreError::Missing(_))));
    for (name, content) in [
        ("empty", ""),
        ("text", "Some text that is longer than the header of a database, and none. ".repeat(4).as_str()),
    ] {
        let path = folder.0.join(name);
        fs::write(&path, content).expect("written");
        assert!(matches!(Store::open_existing_to_write(&path), Err(StoreError::Foreign(_))), "{name}");
        assert!(matches!(Store::examine(&path, true), Err(StoreError::Foreign(_))), "{name}");
        assert_eq!(fs::read_to_string(&path).expect("as it was"), content);
    }
    assert!(matches!(Store::open_to_write(&folder.0.join("text")), Err(StoreError::Foreign(_))));
    let mut left: Vec<_> =
        fs::read_dir(&folder.0).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    left.sort();
    assert_eq!(left, ["empty", "text"]);
}

#[test]
fn forks_copy_and_deletions_leave_nothing() {
    let folder = Folder::new("fork");
    let run = run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let mut store = Store::open_to_write(&folder.store()).expect("a store");
    let plan = Plan::read(EXPERIMENT, "test.toml", Arc::new(Blobs::default())).expect("a good experiment");
    let points = store.fork_points(run, u32::MAX).expect("points");
    let fork = store.fork(run, NewRun { plan: &plan, file: "test.toml", program: "test" }, &points).expect("a fork");
    let moves = |store: &Store, run| -> Vec<(u64, Vec<u8>)> {
        let games = store.games(run, &GameFilter::default(), None, usize::MAX).expect("games");
        games.into_iter().map(|game| (game.number, game.codes)).collect()
    };
    assert_eq!(moves(&store, run), moves(&store, fork));
    assert_eq!(store.starts(run).expect("states")[0].state, store.starts(fork).expect("states")[0].state);
    store.delete(run).expect("deleted");
    assert_eq!(store.runs().expect("runs").len(), 1);
    assert_eq!(moves(&store, fork).len(), 800);
    store.delete(fork).expect("deleted");
    drop(store);
    let store = Store::open(&folder.store()).expect("a store");
    for table in ["trials", "games", "batches", "measurements", "generations"] {
        let count = format!("SELECT count(*) FROM {table}");
        assert_eq!(store.connection.query_row(&count, [], |row| row.get::<_, i64>(0)), Ok(0), "{table}");
    }
}

/// Runs know what their jobs took; of those that older programs left nobody does.
#[test]
fn costs_are_known_or_not() {
    let folder = Folder::new("cost");
    run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let cost = |store: &Store| store.find_run("last").expect("the run").core_seconds;
    let store = Store::open_to_write(&folder.store()).expect("a store");
    assert!(cost(&store).is_some_and(|seconds| seconds > 0.0), "{:?}", cost(&store));
    let older = "ALTER TABLE runs DROP COLUMN core_seconds; PRAGMA user_version = 3";
    store.connection.execute_batch(older).expect("an older store");
    drop(store);
    assert_eq!(cost(&Store::open(&folder.store()).expect("a store to read")), None);
    let migrated = Store::open_to_write(&folder.store()).expect("a store of this version");
    assert_eq!((cost(&migrated), migrated.runs().expect("runs").len()), (None, 1));
}

/// A state that is kept is there once, also in a store of an older program; without it nothing goes on.
#[test]
fn kept_states_are_there_once() {
    let folder = Folder::new("states");
    let run = run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let store = Store::open_to_write(&folder.store()).expect("a store");
    let copies = |store: &Store| -> i64 {
        let count = "SELECT count(state) FROM trials";
        store.connection.query_row(count, [], |row| row.get(0)).expect("a count")
    };
    let states = |store: &Store| -> Vec<Option<Vec<u8>>> {
        store.starts(run).expect("states").into_iter().map(|start| start.state).collect()
    };
    let kept = states(&store);
    assert!(copies(&store) == 0 && kept.iter().all(Option::is_some));
    let older = "UPDATE trials SET state = (SELECT state FROM generations WHERE trial = trials.number AND \
                 generations.number = trials.generation); PRAGMA user_version = 4";
    store.connection.execute_batch(older).expect("an older store");
    assert_eq!((copies(&store), states(&store)), (kept.len() as i64, kept.clone()));
    drop(store);
    let store = Store::open_to_write(&folder.store()).expect("a store of this version");
    assert_eq!((copies(&store), states(&store)), (0, kept));
    store.connection.execute("DELETE FROM generations", []).expect("a loss");
    let error = store.starts(run).expect_err("no state").to_string();
    assert!(error.contains("the state of trial 1 of run 1 is missing"), "{error}");
}

/// Pages of any size give the same games in the same order, and filters what they say.
#[test]
fn games_are_listed_in_pages_and_filtered() {
    let folder = Folder::new("pages");
    let run = run_into(Store::open_to_write(&folder.store()).expect("a store")).expect("it runs");
    let store = Store::open(&folder.store()).expect("a store");
    let all = store.games(run, &GameFilter::default(), None, usize::MAX).expect("games");
    let mut paged = Vec::new();
    while let page =
        store.games(run, &GameFilter::default(), paged.last().map(|game: &KeptGame| game.place), 77).expect("a page")
        && !page.is_empty()
    {
        paged.extend(page);
    }
    assert_eq!(paged, all);
    let outcome = Some(lanista_core::Outcome::Win(lanista_core::Side::First));
    let drawn = Some(lanista_core::Outcome::Draw);
    let filters = [
        GameFilter { outcome: drawn, ..GameFilter::default() },
        GameFilter { outcome, ..GameFilter::default() },
        GameFilter { shortest: Some(20), longest: Some(25), ..GameFilter::default() },
        GameFilter { reason: Some(5), ..GameFilter::default() },
        GameFilter { outcome, shortest: Some(30), ..GameFilter::default() },
        GameFilter { outcome: drawn, longest: Some(41), ..GameFilter::default() },
    ];
    for filter in filters {
        let found = store.games(run, &filter, None, usize::MAX).expect("games");
        let fits = |game: &&KeptGame| {
            let plies = game.codes.len() as u32;
            filter.outcome.is_none_or(|outcome| game.outcome == outcome)
                && filter.reason.is_none_or(|reason| game.reason == reason)
                && filter.shortest.is_none_or(|least| plies >= least)
                && filter.longest.is_none_or(|most| plies <= most)
        };
        assert!(found.iter().eq(all.iter().filter(fits)), "{filter:?}");
    }
}
