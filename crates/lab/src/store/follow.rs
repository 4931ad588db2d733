//! What those ask who follow a run while it goes on.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError, StoredMeasurement};
use crate::blobs::{Blob, Blobs};
use crate::run::Measurement;

impl Store {
    /// The figures of a run's generations that were written after `after`, the oldest first, and where to go on from.
    pub fn measurements_after(
        &self,
        run: i64,
        after: i64,
        most: usize,
    ) -> Result<(i64, Vec<StoredMeasurement>), StoreError> {
        let rows: Vec<(i64, StoredMeasurement)> = self.run(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, trial, generation, name, of, value, error, count, repeats FROM measurements \
                     WHERE run = ?1 AND id > ?2 AND generation >= 0 ORDER BY id LIMIT ?3",
                )?
                .query_map(params![run, after, most as i64], |row| {
                    let measurement = Measurement {
                        name: row.get(3)?,
                        of: row.get(4)?,
                        value: row.get(5)?,
                        error: row.get(6)?,
                        count: row.get::<_, i64>(7)? as u64,
                        repeats: row.get(8)?,
                    };
                    Ok((row.get(0)?, StoredMeasurement { trial: row.get(1)?, generation: row.get(2)?, measurement }))
                })?
                .collect()
        })?;
        let last = rows.last().map_or(after, |(id, _)| *id);
        Ok((last, rows.into_iter().map(|(_, row)| row).collect()))
    }

    /// Where to go on from if only figures to come are wanted.
    pub fn last_measurement(&self) -> Result<i64, StoreError> {
        self.run(|connection| connection.query_row("SELECT ifnull(max(id), 0) FROM measurements", [], |row| row.get(0)))
    }

    /// Where the latest batch of kept games of a run begins: everything behind it is what [`Store::games`] gives next.
    pub fn latest_games(&self, run: i64) -> Result<Option<(i64, i64)>, StoreError> {
        self.run(|connection| {
            let query = "SELECT id FROM batches WHERE run = ?1 AND kept > 0 ORDER BY id DESC LIMIT 1";
            connection.query_row(query, [run], |row| Ok((row.get(0)?, -1))).optional()
        })
    }

    /// The file of that reference, whichever run it belongs to.
    pub fn file(&self, reference: &str) -> Result<Option<Blob>, StoreError> {
        let found: Option<Vec<u8>> = self.run(|connection| {
            let query = "SELECT content FROM files WHERE reference = ?1";
            connection.query_row(query, [reference], |row| row.get(0)).optional()
        })?;
        let Some(content) = found else { return Ok(None) };
        if Blobs::reference(&content) != reference {
            return Err(self.damaged(format!("the content of {reference} has changed")));
        }
        Ok(Some(Blob { reference: reference.to_string(), name: String::new(), content: content.into() }))
    }
}
