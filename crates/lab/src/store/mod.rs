//! The store: one SQLite file with everything that runs leave. Nothing outside this folder knows SQL.
//!
//! One process writes at a time; a lock beside the file sees to that, and goes with the process however it ends. Readers
//! are welcome any time (write-ahead log). A generation is committed whole or not at all.

mod doctor;
mod edit;
mod follow;
mod kinds;
mod populations;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

pub use doctor::Diagnosis;
pub use populations::{Individual, Population};
pub use read::{DecisionList, GameFilter, GameList, KeptGame, MeetingRow, RunRow, StoredMeasurement, TrialRow};
pub use write::{Commit, NewRun};

/// The migrations, from an empty file on. Never changed, only added to.
const MIGRATIONS: [&str; 5] = [
    include_str!("schema.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
    include_str!("schema-5.sql"),
];
/// Marks the file as ours: `LANI`.
const APPLICATION: i32 = 0x4c41_4e49;

/// What went wrong with a store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database says no.
    #[error("{path}: {reason}")]
    Database {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// Somebody else writes to it.
    #[error("{0}: another lanista process is writing to it; wait for it, or use --store with another file")]
    Locked(String),
    /// There is no such file.
    #[error("{0}: there is no such store; `lanista run` makes one")]
    Missing(String),
    /// Not one of our files.
    #[error("{0}: this is no store of Lanista")]
    Foreign(String),
    /// Made by a newer program.
    #[error("{path}: the store has version {found}, this program knows up to {known}: use a newer lanista")]
    Newer {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
        /// The newest version that this program knows.
        known: usize,
    },
    /// Not in the store.
    #[error("{0}")]
    NotFound(String),
    /// Damaged content.
    #[error("{path}: {reason}; `lanista doctor` may repair it")]
    Damaged {
        /// The file.
        path: String,
        /// What.
        reason: String,
    },
}

/// A store.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// Held while this process may write.
    lock: Option<Arc<File>>,
}

impl Store {
    /// Opens a store to read from it.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.display().to_string()));
        }
        Store::connect(path, None)
    }

    /// Opens a store to write to it; makes it if it is not there.
    pub fn open_to_write(path: &Path) -> Result<Store, StoreError> {
        if path.metadata().is_ok_and(|file| file.len() > 0) {
            return Store::open_existing_to_write(path);
        }
        Store::open_locked(path, Store::lock(path)?)
    }

    /// Opens a store that is there to write to it. Beside a file that is none, nothing is left.
    pub fn open_existing_to_write(path: &Path) -> Result<Store, StoreError> {
        drop(Store::open(path)?);
        Store::open_locked(path, Store::lock(path)?)
    }

    /// Makes sure that nobody else writes to the store at `path`, as long as the lock is kept.
    fn lock(path: &Path) -> Result<Arc<File>, StoreError> {
        let name = path.display().to_string();
        let database = |reason: String| StoreError::Database { path: name.clone(), reason };
        let mut lock_name = path.as_os_str().to_os_string();
        lock_name.push(".lock");
        let lock = File::options().create(true).append(true).open(PathBuf::from(lock_name));
        let lock = lock.map_err(|error| database(format!("cannot be written to: {error}")))?;
        match lock.try_lock() {
            Ok(()) => Ok(Arc::new(lock)),
            Err(std::fs::TryLockError::WouldBlock) => Err(StoreError::Locked(name)),
            Err(std::fs::TryLockError::Error(error)) => Err(database(format!("cannot be locked: {error}"))),
        }
    }

    fn open_locked(path: &Path, lock: Arc<File>) -> Result<Store, StoreError> {
        let mut store = Store::connect(path, Some(lock))?;
        store.migrate()?;
        Ok(store)
    }

    /// The same store once more, for another thread of this process. Where this one may write, that one may too: the lock
    /// goes with the last of them.
    pub fn another(&self) -> Result<Store, StoreError> {
        let store = Store::connect(&self.path, self.lock.clone())?;
        store.run(|connection| {
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)
        })?;
        Ok(store)
    }

    fn connect(path: &Path, lock: Option<Arc<File>>) -> Result<Store, StoreError> {
        let name = path.display().to_string();
        // Readers need the shared memory of the log, which they may have to make. On a medium that nobody can write to there
        // is none, and nothing changes.
        let flags: &[OpenFlags] = match lock {
            Some(_) => &[OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_CREATE)],
            None => &[
                OpenFlags::SQLITE_OPEN_READ_WRITE,
                OpenFlags::SQLITE_OPEN_READ_ONLY,
                OpenFlags::SQLITE_OPEN_READ_ONLY.union(OpenFlags::SQLITE_OPEN_URI),
            ],
        };
        let mut opened = Err(rusqlite::Error::InvalidQuery);
        for &flags in flags {
            opened = look_inside(path, flags);
            let code = opened.as_ref().err().and_then(rusqlite::Error::sqlite_error_code);
            if !matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) {
                break;
            }
        }
        let (connection, tables, application) = opened.map_err(|error| explain(&name, &error))?;
        if tables > 0 && application != APPLICATION || tables == 0 && lock.is_none() {
            return Err(StoreError::Foreign(name));
        }
        let store = Store { connection, path: path.to_path_buf(), lock };
        store.check_version()?;
        Ok(store)
    }

    fn check_version(&self) -> Result<usize, StoreError> {
        let found: i64 = self.run(|connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0)))?;
        if found > MIGRATIONS.len() as i64 {
            return Err(StoreError::Newer { path: self.name(), found, known: MIGRATIONS.len() });
        }
        Ok(found as usize)
    }

    fn migrate(&mut self) -> Result<(), StoreError> {
        let from = self.check_version()?;
        let name = self.name();
        let connection = &mut self.connection;
        let migrated = (|| {
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            for (version, migration) in MIGRATIONS.iter().enumerate().skip(from) {
                let transaction = connection.transaction()?;
                transaction.execute_batch(migration)?;
                transaction.pragma_update(None, "user_version", version as i64 + 1)?;
                transaction.commit()?;
            }
            Ok::<_, rusqlite::Error>(())
        })();
        migrated.map_err(|error| explain(&name, &error))
    }

    /// The file, for messages.
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn run<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| explain(&self.name(), &error))
    }

    /// All of it in one transaction, or nothing.
    fn transact<T>(&mut self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        let name = self.name();
        let done = (|| {
            let transaction = self.connection.transaction()?;
            let result = work(&transaction)?;
            transaction.commit()?;
            Ok(result)
        })();
        done.map_err(|error| explain(&name, &error))
    }

    fn damaged(&self, reason: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: self.name(), reason: reason.into() }
    }
}

/// Opens a file, and sees how many tables it has and whose it is.
fn look_inside(path: &Path, flags: OpenFlags) -> rusqlite::Result<(Connection, i64, i32)> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match flags.contains(OpenFlags::SQLITE_OPEN_URI) {
        false => Connection::open_with_flags(path, flags)?,
        true => {
            let escaped = path.display().to_string().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
            Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?
        }
    };
    connection.busy_timeout(Duration::from_secs(10))?;
    let tables = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let application = connection.query_row("PRAGMA application_id", [], |row| row.get(0))?;
    Ok((connection, tables, application))
}

/// What the database said, in the words of people.
fn explain(path: &str, error: &rusqlite::Error) -> StoreError {
    let path = path.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => StoreError::Damaged { path, reason: "the file is damaged".into() },
        Some(ErrorCode::NotADatabase) => StoreError::Foreign(path),
        Some(ErrorCode::DiskFull) => {
            StoreError::Database { path, reason: "the disk is full; what was committed before is safe".into() }
        }
        Some(ErrorCode::ReadOnly) => StoreError::Database { path, reason: "the store is read-only".into() },
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(path),
        _ => StoreError::Database { path, reason: error.to_string() },
    }
}
