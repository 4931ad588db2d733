//! The doctor: looks whether a store is sound, and repairs what can be.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags};

use super::{MIGRATIONS, Store, StoreError, explain};

/// What the doctor found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// What is wrong, one line each; empty for a sound store.
    pub faults: Vec<String>,
    /// What was done about it.
    pub repairs: Vec<String>,
    /// What is wrong all the same.
    pub left: Vec<String>,
    /// Where the damaged file was put, if a new one was made.
    pub kept_as: Option<PathBuf>,
}

impl Diagnosis {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.faults.is_empty()
    }
}

impl Store {
    /// Looks at a store; with `repair` also repairs what can be.
    pub fn examine(path: &Path, repair: bool) -> Result<Diagnosis, StoreError> {
        let name = path.display().to_string();
        if !path.exists() {
            return Err(StoreError::Missing(name));
        }
        let faults = match Store::open(path) {
            Ok(store) => store.look()?,
            Err(StoreError::Damaged { reason, .. }) => vec![format!("structure: {reason}")],
            Err(error) => return Err(error),
        };
        let mut found = Diagnosis { faults, ..Diagnosis::default() };
        if repair && !found.is_sound() {
            // Kept until the end: nobody may write to a file that is about to be replaced.
            let lock = Store::lock(path)?;
            if let Ok(mut store) = Store::open_locked(path, Arc::clone(&lock)) {
                store.repair(&mut found)?;
            }
            if found.faults.iter().any(|fault| fault.starts_with("structure")) {
                rescue(path, &mut found)?;
            }
            found.left.extend(Store::open(path)?.look()?);
        }
        Ok(found)
    }

    /// What is wrong, one line each.
    fn look(&self) -> Result<Vec<String>, StoreError> {
        let mut faults = Vec::new();
        let list = |sql: &str| -> Result<Vec<String>, StoreError> {
            self.run(|connection| connection.prepare(sql)?.query_map([], |row| row.get(0))?.collect())
        };
        match list("PRAGMA integrity_check(20)") {
            Ok(lines) => {
                faults.extend(lines.into_iter().filter(|line| line != "ok").map(|line| format!("structure: {line}")))
            }
            Err(error) => faults.push(format!("structure: {error}")),
        }
        // Stores of older programs lack some of these tables.
        let is_old = self.check_version()? < MIGRATIONS.len();
        for (what, sql) in CHECKS.into_iter().filter(|_| !is_old) {
            match list(sql) {
                Ok(rows) => faults.extend(rows.into_iter().map(|row| format!("{what}: {row}"))),
                Err(error) => faults.push(format!("structure: {error}")),
            }
        }
        Ok(faults)
    }

    fn repair(&mut self, found: &mut Diagnosis) -> Result<(), StoreError> {
        let outcome = self.transact(|connection| {
            let mut repairs = Vec::new();
            connection.execute_batch("REINDEX")?;
            repairs.push("made the indices anew".to_string());
            for (what, sql) in REPAIRS {
                let rows = connection.execute(sql, [])?;
                if rows > 0 {
                    repairs.push(format!("{what}: {rows}"));
                }
            }
            Ok(repairs)
        });
        match outcome {
            Ok(repairs) => found.repairs.extend(repairs),
            Err(error) => found.faults.push(format!("structure: {error}")),
        }
        Ok(())
    }
}

/// What must not be there, with the query that lists it.
const CHECKS: [(&str, &str); 4] = [
    (
        "rows without their run",
        "SELECT DISTINCT 'run ' || run FROM (SELECT run FROM trials UNION SELECT run FROM batches UNION \
         SELECT run FROM measurements UNION SELECT run FROM generations UNION SELECT run FROM decisions) \
         WHERE run NOT IN (SELECT id FROM runs)",
    ),
    (
        "games missing or too many",
        "SELECT 'batch ' || id || ' of run ' || run || ' should keep ' || kept || ' games and has ' || n FROM \
         (SELECT b.id, b.run, b.kept, (SELECT count(*) FROM games WHERE batch = b.id) AS n FROM batches b) WHERE n <> kept",
    ),
    (
        "games without their batch",
        "SELECT DISTINCT 'batch ' || batch FROM games WHERE batch NOT IN (SELECT id FROM batches)",
    ),
    (
        "files missing",
        "SELECT 'run ' || run || ', ' || name FROM run_files WHERE reference NOT IN (SELECT reference FROM files)",
    ),
];

/// What removes it.
const REPAIRS: [(&str, &str); 7] = [
    ("removed games without their batch", "DELETE FROM games WHERE batch NOT IN (SELECT id FROM batches)"),
    ("removed trials without their run", "DELETE FROM trials WHERE run NOT IN (SELECT id FROM runs)"),
    ("removed batches without their run", "DELETE FROM batches WHERE run NOT IN (SELECT id FROM runs)"),
    ("removed figures without their run", "DELETE FROM measurements WHERE run NOT IN (SELECT id FROM runs)"),
    ("removed states without their run", "DELETE FROM generations WHERE run NOT IN (SELECT id FROM runs)"),
    ("removed decisions without their run", "DELETE FROM decisions WHERE run NOT IN (SELECT id FROM runs)"),
    (
        "corrected the number of kept games",
        "UPDATE batches SET kept = (SELECT count(*) FROM games WHERE batch = batches.id) \
         WHERE kept <> (SELECT count(*) FROM games WHERE batch = batches.id)",
    ),
];

/// Copies every row that can still be read into a new file and puts that in the damaged one's place.
fn rescue(path: &Path, found: &mut Diagnosis) -> Result<(), StoreError> {
    let name = path.display().to_string();
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_os_string();
        name.push(end);
        PathBuf::from(name)
    };
    let fresh = beside(".rescued");
    // What was kept before stays.
    let mut names =
        std::iter::once(beside(".damaged")).chain((2..).map(|number| beside(&format!(".damaged-{number}"))));
    let Some(damaged) = names.find(|name| !name.exists()) else { return Ok(()) };
    let io = |error: std::io::Error| StoreError::Database { path: name.clone(), reason: error.to_string() };
    let _ = std::fs::remove_file(&fresh);
    let is_short = pad_cut_off(path, &damaged).map_err(io)?;
    let old =
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(|error| explain(&name, &error))?;
    let new = Store::open_to_write(&fresh)?;
    new.run(|connection| connection.pragma_update(None, "foreign_keys", false))?;
    for table in tables() {
        let rows = copy_rows(&old, &new.connection, table);
        found.repairs.push(format!("{table}: {rows} rows saved"));
        if table == "runs" && rows == 0 {
            found.left.push("no run could be saved".into());
        }
    }
    drop(old);
    let mut new = new;
    new.repair(found)?;
    new.run(|connection| connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"))?;
    drop(new);
    if !is_short {
        std::fs::rename(path, &damaged).map_err(io)?;
    }
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(beside(end));
    }
    std::fs::rename(&fresh, path).map_err(io)?;
    let _ = std::fs::remove_file(beside(".rescued.lock"));
    found.kept_as = Some(damaged);
    Ok(())
}

/// A file that was cut off is not read at all. It is copied to `damaged` and gets its length back, with nothing in the part that
/// is lost. Returns whether it was one.
fn pad_cut_off(path: &Path, damaged: &Path) -> std::io::Result<bool> {
    let mut header = [0; 32];
    let mut file = File::open(path)?;
    if file.read_exact(&mut header).is_err() {
        return Ok(false);
    }
    // Both are at fixed places of the format; 1 stands for the largest page.
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 1 << 16,
        size => u64::from(size),
    };
    let length = page * u64::from(u32::from_be_bytes([header[28], header[29], header[30], header[31]]));
    if file.metadata()?.len() >= length {
        return Ok(false);
    }
    std::fs::copy(path, damaged)?;
    File::options().write(true).open(path)?.set_len(length)?;
    Ok(true)
}

/// The tables, in the order of the schema.
fn tables() -> impl Iterator<Item = &'static str> {
    MIGRATIONS
        .iter()
        .flat_map(|sql| sql.lines())
        .filter_map(|line| line.strip_prefix("CREATE TABLE ")?.split_whitespace().next())
}

/// Copies row after row, up to the first that cannot be read from either end.
fn copy_rows(old: &Connection, new: &Connection, table: &str) -> u64 {
    let mut saved = 0;
    let columns: usize = new.prepare(&format!("SELECT * FROM {table}")).map_or(0, |statement| statement.column_count());
    let marks = vec!["?"; columns].join(", ");
    let Ok(mut insert) = new.prepare(&format!("INSERT OR IGNORE INTO {table} VALUES ({marks})")) else { return 0 };
    let _ = new.execute_batch("BEGIN");
    // Behind a damaged page a walk from the other end may find more; tables without row numbers refuse it, which is fine.
    for order in ["", " ORDER BY rowid DESC"] {
        let Ok(mut query) = old.prepare(&format!("SELECT * FROM {table}{order}")) else { continue };
        let Ok(mut rows) = query.query([]) else { continue };
        while let Ok(Some(row)) = rows.next() {
            let values: rusqlite::Result<Vec<rusqlite::types::Value>> =
                (0..columns).map(|column| row.get(column)).collect();
            let Ok(values) = values else { continue };
            if insert.execute(rusqlite::params_from_iter(values)).is_ok_and(|inserted| inserted > 0) {
                saved += 1;
            }
        }
    }
    let _ = new.execute_batch("COMMIT");
    saved
}
