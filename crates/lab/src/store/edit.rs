//! Changes to runs that are there: longer, forked, gone.

use rusqlite::params;

use super::write::{insert_files, insert_run, insert_trials};
use super::{NewRun, Store, StoreError};
use crate::experiment::Plan;

impl Store {
    /// Replaces the experiment of a run by a longer one. Its trials stay where they are, and new ones are added.
    pub fn extend(&mut self, run: i64, plan: &Plan) -> Result<(), StoreError> {
        self.transact(|connection| {
            connection.execute(
                "UPDATE runs SET experiment = ?2, hash = ?3, title = ?4, status = 'running', fingerprint = NULL WHERE id = ?1",
                params![run, plan.text, plan.hash(), plan.experiment.title],
            )?;
            insert_files(connection, run, &plan.blobs.all())?;
            insert_trials(connection, run, plan)
        })
    }

    /// The latest generation of every trial that a run can be forked from, and is not later than `generation`.
    pub fn fork_points(&self, run: i64, generation: u32) -> Result<Vec<(u32, u32)>, StoreError> {
        self.run(|connection| {
            connection
                .prepare("SELECT trial, max(number) FROM generations WHERE run = ?1 AND number <= ?2 GROUP BY trial")?
                .query_map(params![run, generation], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }

    /// The state of a trial after a generation that is kept.
    pub fn state_at(&self, run: i64, trial: u32, generation: u32) -> Result<Vec<u8>, StoreError> {
        self.run(|connection| {
            connection.query_row(
                "SELECT state FROM generations WHERE run = ?1 AND trial = ?2 AND number = ?3",
                params![run, trial, generation],
                |row| row.get(0),
            )
        })
    }

    /// A new run that begins where another stood after these generations of its trials, with all that it had
    /// left by then. Trials without a generation begin from nothing.
    pub fn fork(&mut self, from: i64, new: NewRun<'_>, points: &[(u32, u32)]) -> Result<i64, StoreError> {
        self.transact(|connection| {
            let run = insert_run(connection, new)?;
            insert_files(connection, run, &new.plan.blobs.all())?;
            insert_trials(connection, run, new.plan)?;
            let latest = points.iter().map(|&(_, generation)| generation).max().unwrap_or(0);
            connection.execute(
                "UPDATE runs SET parent = ?2, parent_generation = ?3 WHERE id = ?1",
                params![run, from, latest],
            )?;
            for &(trial, generation) in points {
                let place = params![from, run, trial, generation];
                connection.execute(
                    "UPDATE trials SET (generation, steps, games, digest) = \
                     (SELECT number, steps, games, digest FROM generations WHERE run = ?1 AND trial = ?3 AND number = ?4) \
                     WHERE run = ?2 AND number = ?3",
                    place,
                )?;
                connection.execute(
                    "INSERT INTO generations (run, trial, number, steps, games, state, digest) \
                     SELECT ?2, trial, number, steps, games, state, digest FROM generations \
                     WHERE run = ?1 AND trial = ?3 AND number <= ?4",
                    place,
                )?;
                connection.execute(
                    "INSERT INTO populations (run, trial, generation, individuals) \
                     SELECT ?2, trial, generation, individuals FROM populations \
                     WHERE run = ?1 AND trial = ?3 AND generation <= ?4",
                    place,
                )?;
                connection.execute(
                    "INSERT INTO measurements (run, trial, generation, name, of, value, error, count, repeats) \
                     SELECT ?2, trial, generation, name, of, value, error, count, repeats FROM measurements \
                     WHERE run = ?1 AND trial = ?3 AND generation BETWEEN 0 AND ?4 ORDER BY id",
                    place,
                )?;
                connection.execute(
                    "INSERT INTO decisions (run, trial, of, position, generation, move, score, depth, nodes, seconds) \
                     SELECT ?2, trial, of, position, generation, move, score, depth, nodes, seconds FROM decisions \
                     WHERE run = ?1 AND trial = ?3 AND generation <= ?4",
                    place,
                )?;
                let batches: Vec<i64> = connection
                    .prepare("SELECT id FROM batches WHERE run = ?1 AND trial = ?2 AND generation <= ?3 ORDER BY id")?
                    .query_map(params![from, trial, generation], |row| row.get(0))?
                    .collect::<rusqlite::Result<_>>()?;
                for batch in batches {
                    let copy = connection
                        .prepare_cached(
                            "INSERT INTO batches (run, trial, generation, meeting, name_a, name_b, player_a, player_b, limit_a, \
                             limit_b, seed, first_game, wins, draws, losses, kept, reasons, shortest, longest, kinds) \
                             SELECT ?2, trial, generation, meeting, name_a, name_b, player_a, player_b, limit_a, limit_b, seed, \
                             first_game, wins, draws, losses, kept, reasons, shortest, longest, kinds FROM batches WHERE id = ?1",
                        )?
                        .insert(params![batch, run])?;
                    connection
                        .prepare_cached(
                            "INSERT INTO games (batch, number, outcome, reason, opening, moves) \
                             SELECT ?2, number, outcome, reason, opening, moves FROM games WHERE batch = ?1",
                        )?
                        .execute(params![batch, copy])?;
                }
            }
            Ok(run)
        })
    }

    /// Removes a run with everything it left, and files that no other run needs.
    pub fn delete(&mut self, run: i64) -> Result<(), StoreError> {
        self.transact(|connection| {
            connection.execute("DELETE FROM runs WHERE id = ?1", [run])?;
            connection.execute("DELETE FROM files WHERE reference NOT IN (SELECT reference FROM run_files)", [])
        })?;
        self.run(|connection| connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); VACUUM"))
    }
}
