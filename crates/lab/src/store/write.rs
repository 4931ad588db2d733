//! What runs write: themselves, and one generation after the other.

use rusqlite::{Connection, params};

use super::{Store, StoreError};
use crate::blobs::{Blob, Blobs};
use crate::experiment::Plan;
use crate::jobs::reason_from_code;
use crate::run::{Measurement, Recorded, RunFile};

/// What the names of files begin with that a run made, not its experiment.
pub(super) const MADE: &str = "made/";

/// A run about to begin.
#[derive(Clone, Copy, Debug)]
pub struct NewRun<'a> {
    /// What it does.
    pub plan: &'a Plan,
    /// The file that its experiment came from.
    pub file: &'a str,
    /// The program that runs it.
    pub program: &'a str,
}

/// A generation of a trial, to be written as a whole.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The trial.
    pub trial: u32,
    /// The number of the generation, from 1.
    pub generation: u32,
    /// The state after it.
    pub state: Vec<u8>,
    /// Whether runs may be forked from it later.
    pub keep_state: bool,
    /// How far the trial has come.
    pub steps: u64,
    /// How far it has to go.
    pub total: u64,
    /// Its games so far.
    pub games: u64,
    /// Whether it is done.
    pub done: bool,
    /// The hash of its results so far.
    pub digest: u64,
    /// The seconds since the last commit of the run.
    pub seconds: f64,
    /// The seconds that jobs took meanwhile, on all cores together.
    pub core_seconds: f64,
    /// What it left.
    pub recorded: Recorded,
    /// What the trial came to so far.
    pub summary: Vec<Measurement>,
}

impl Store {
    /// Writes a run with all its trials down. Returns its number.
    pub fn begin(&mut self, run: NewRun<'_>) -> Result<i64, StoreError> {
        self.transact(|connection| {
            let id = insert_run(connection, run)?;
            insert_files(connection, id, &run.plan.blobs.all())?;
            insert_trials(connection, id, run.plan)?;
            Ok(id)
        })
    }

    /// Writes a generation.
    pub fn commit(&mut self, run: i64, commit: &Commit) -> Result<(), StoreError> {
        self.transact(|connection| {
            let Commit { trial, generation, .. } = *commit;
            connection
                .prepare_cached(
                    "UPDATE trials SET generation = ?3, steps = ?4, total = ?5, games = ?6, done = ?7, state = ?8, digest = ?9 \
                     WHERE run = ?1 AND number = ?2",
                )?
                .execute(params![
                    run,
                    trial,
                    generation,
                    commit.steps as i64,
                    commit.total as i64,
                    commit.games as i64,
                    commit.done,
                    // A state that is kept lies with its generation.
                    (!commit.keep_state).then_some(&commit.state),
                    format!("{:016x}", commit.digest),
                ])?;
            connection
                .prepare_cached(
                    "UPDATE runs SET seconds = seconds + ?2, core_seconds = core_seconds + ?3 WHERE id = ?1",
                )?
                .execute(params![run, commit.seconds, commit.core_seconds])?;
            if commit.keep_state {
                connection
                    .prepare_cached(
                        "INSERT OR REPLACE INTO generations (run, trial, number, steps, games, state, digest) \
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    )?
                    .execute(params![
                        run,
                        trial,
                        generation,
                        commit.steps as i64,
                        commit.games as i64,
                        commit.state,
                        format!("{:016x}", commit.digest)
                    ])?;
            }
            for file in &commit.recorded.files {
                insert_made_file(connection, run, file)?;
            }
            super::populations::insert(connection, run, trial, &commit.recorded.populations)?;
            insert_batches(connection, run, commit)?;
            insert_decisions(connection, run, commit)?;
            for text in &commit.recorded.warnings {
                connection
                    .prepare_cached("INSERT INTO warnings (run, trial, generation, text) VALUES (?1, ?2, ?3, ?4)")?
                    .execute(params![run, trial, generation, text])?;
            }
            for (generation, measurements) in &commit.recorded.measurements {
                insert_measurements(connection, run, trial, i64::from(*generation), measurements)?;
            }
            connection
                .prepare_cached("DELETE FROM measurements WHERE run = ?1 AND generation = -1 AND trial = ?2")?
                .execute(params![run, trial])?;
            insert_measurements(connection, run, trial, -1, &commit.summary)
        })
    }

    /// Writes down that a run is done, and what it came to.
    pub fn finish(&mut self, run: i64, fingerprint: &str) -> Result<(), StoreError> {
        self.transact(|connection| {
            connection.execute(
                "UPDATE runs SET status = 'finished', fingerprint = ?2 WHERE id = ?1",
                params![run, fingerprint],
            )
        })?;
        Ok(())
    }
}

pub(super) fn insert_run(connection: &Connection, run: NewRun<'_>) -> rusqlite::Result<i64> {
    let NewRun { plan, file, program } = run;
    connection.execute(
        "INSERT INTO runs (title, kind, game, rules, file, experiment, hash, program, created, status, core_seconds) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, datetime('now'), 'running', 0)",
        params![
            plan.experiment.title,
            plan.kind(),
            *plan.experiment.game,
            *plan.experiment.rules,
            file,
            plan.text,
            plan.hash(),
            program,
        ],
    )?;
    Ok(connection.last_insert_rowid())
}

pub(super) fn insert_files(connection: &Connection, run: i64, blobs: &[Blob]) -> rusqlite::Result<()> {
    for blob in blobs {
        connection.execute(
            "INSERT OR IGNORE INTO files (reference, content) VALUES (?1, ?2)",
            params![blob.reference, &blob.content[..]],
        )?;
        connection.execute(
            "INSERT OR IGNORE INTO run_files (run, reference, name) VALUES (?1, ?2, ?3)",
            params![run, blob.reference, blob.name],
        )?;
    }
    Ok(())
}

/// Writes a file down that the run made, in the place of an older one of that name.
fn insert_made_file(connection: &Connection, run: i64, file: &RunFile) -> rusqlite::Result<()> {
    let name = format!("{MADE}{}", file.name);
    connection.execute("DELETE FROM run_files WHERE run = ?1 AND name = ?2", params![run, name])?;
    let blob = Blob { reference: Blobs::reference(&file.content), name, content: file.content.clone().into() };
    insert_files(connection, run, &[blob])
}

/// Writes the trials of a plan down, those that are not there yet.
pub(super) fn insert_trials(connection: &Connection, run: i64, plan: &Plan) -> rusqlite::Result<()> {
    for (number, trial) in plan.trials.iter().enumerate() {
        connection
            .prepare_cached(
                "INSERT OR IGNORE INTO trials (run, number, setting, replicate, seed) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![run, number as i64, trial.setting, trial.replicate, trial.seed.to_string()])?;
    }
    Ok(())
}

fn insert_measurements(
    connection: &Connection,
    run: i64,
    trial: u32,
    generation: i64,
    measurements: &[Measurement],
) -> rusqlite::Result<()> {
    // Whoever forks from a generation measures it again.
    let mut delete = connection.prepare_cached(
        "DELETE FROM measurements WHERE run = ?1 AND trial = ?2 AND generation = ?3 AND name = ?4 AND of = ?5",
    )?;
    let mut insert = connection.prepare_cached(
        "INSERT INTO measurements (run, trial, generation, name, of, value, error, count, repeats) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?;
    for Measurement { name, of, value, error, count, repeats } in measurements {
        delete.execute(params![run, trial, generation, name, of])?;
        insert.execute(params![run, trial, generation, name, of, value, error, *count as i64, repeats])?;
    }
    Ok(())
}

fn insert_batches(connection: &Connection, run: i64, commit: &Commit) -> rusqlite::Result<()> {
    for batch in &commit.recorded.batches {
        let reasons = batch.rows.iter().fold(0i64, |reasons, row| reasons | 1 << row.reason);
        let lengths = || batch.rows.iter().map(|row| row.codes.len() as i64);
        let id = connection
            .prepare_cached(
                "INSERT INTO batches (run, trial, generation, meeting, name_a, name_b, player_a, player_b, limit_a, limit_b, \
                 seed, first_game, wins, draws, losses, kept, reasons, shortest, longest, kinds) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
            )?
            .insert(params![
                run,
                commit.trial,
                commit.generation,
                batch.meeting,
                batch.names[0],
                batch.names[1],
                batch.players[0],
                batch.players[1],
                batch.limits[0],
                batch.limits[1],
                batch.seed.to_string(),
                batch.first_game as i64,
                batch.counts.wins as i64,
                batch.counts.draws as i64,
                batch.counts.losses as i64,
                batch.rows.len() as i64,
                reasons,
                lengths().min().unwrap_or(0),
                lengths().max().unwrap_or(0),
                super::kinds::of(&batch.rows),
            ])?;
        let mut insert = connection.prepare_cached(
            "INSERT INTO games (batch, number, outcome, reason, opening, moves) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for (number, row) in (batch.first_game..).zip(batch.rows.iter()) {
            debug_assert!(reason_from_code(row.reason).is_some());
            insert.execute(params![id, number as i64, row.outcome_code(), row.reason, row.opening, row.codes])?;
        }
    }
    Ok(())
}

fn insert_decisions(connection: &Connection, run: i64, commit: &Commit) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT INTO decisions (run, trial, of, position, generation, move, score, depth, nodes, seconds) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for record in &commit.recorded.decisions {
        let row = &record.row;
        insert.execute(params![
            run,
            commit.trial,
            record.of,
            record.position,
            commit.generation,
            row.mv,
            row.score,
            row.depth,
            row.nodes as i64,
            row.seconds,
        ])?;
    }
    Ok(())
}
