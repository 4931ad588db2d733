//! What people and reports ask a store.

use lanista_core::Outcome;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use super::write::MADE;
use super::{Store, StoreError, kinds};
use crate::blobs::{Blob, Blobs};
use crate::jobs::{outcome_from_code, reason_from_code};
use crate::run::{DecisionRecord, Measurement, Start};
use crate::statistics::GameCounts;

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunRow {
    /// Its number.
    pub run: i64,
    /// The title of its experiment.
    pub title: String,
    /// What kind of study it is.
    pub kind: String,
    /// The game.
    pub game: String,
    /// The rules, as text.
    pub rules: String,
    /// The file of its experiment.
    pub file: String,
    /// The text of its experiment.
    #[serde(skip)]
    pub experiment: String,
    /// The hash of that text.
    pub hash: String,
    /// The program that began it.
    pub program: String,
    /// When it began, in UTC.
    pub created: String,
    /// `running` or `finished`.
    pub status: String,
    /// How long it took so far.
    pub seconds: f64,
    /// What its jobs took on all cores together; not known of runs that older programs began.
    pub core_seconds: Option<f64>,
    /// The hash of its results, once it is finished.
    pub fingerprint: Option<String>,
    /// The run and the generation that it was forked from.
    pub parent: Option<(i64, i64)>,
    /// Its trials, and how many are done.
    pub trials: (i64, i64),
    /// Steps done and in all; trials that have not begun are taken to be like the others.
    pub steps: (i64, i64),
    /// Its games.
    pub games: i64,
}

/// A trial of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrialRow {
    /// Its number, from 0.
    pub trial: u32,
    /// The values of the sweep.
    pub setting: String,
    /// Which replicate, from 0.
    pub replicate: u32,
    /// Its seed.
    pub seed: String,
    /// Generations committed.
    pub generation: u32,
    /// Steps done and in all.
    pub steps: (i64, i64),
    /// Its games.
    pub games: i64,
    /// Whether it is done.
    pub done: bool,
    /// The hash of its results.
    pub digest: Option<String>,
}

/// A measurement with its place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoredMeasurement {
    /// The trial.
    pub trial: u32,
    /// The generation; `None` for the trial as a whole.
    pub generation: Option<u32>,
    /// The figure.
    #[serde(flatten)]
    pub measurement: Measurement,
}

/// Two players who met.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeetingRow {
    /// The trial.
    pub trial: u32,
    /// The number of the meeting in it.
    pub meeting: u32,
    /// The players, as tables call them.
    pub names: [String; 2],
    /// Results of the first.
    pub counts: GameCounts,
}

/// Which games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameFilter {
    /// Of this trial.
    pub trial: Option<u32>,
    /// Of this meeting.
    pub meeting: Option<u32>,
    /// Of a player whose name contains this.
    pub player: Option<String>,
    /// With this outcome by seats.
    pub outcome: Option<Outcome>,
    /// That ended for this reason, as `reason_code` numbers it.
    pub reason: Option<u8>,
    /// At least so many plies.
    pub shortest: Option<u32>,
    /// At most so many plies.
    pub longest: Option<u32>,
}

/// A game that was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// Where it is: batch and number. Pages go on behind it.
    pub place: (i64, i64),
    /// The trial.
    pub trial: u32,
    /// The meeting.
    pub meeting: u32,
    /// Its number in the meeting.
    pub number: u64,
    /// Who opened, and who answered, as tables call them.
    pub names: [String; 2],
    /// Who opened, and who answered, as text.
    pub players: [String; 2],
    /// What they may spend.
    pub limits: [String; 2],
    /// The seed of the meeting.
    pub seed: String,
    /// The outcome by seats.
    pub outcome: Outcome,
    /// The reason, as `reason_code` numbers it.
    pub reason: u8,
    /// How many of the moves are the opening.
    pub opening: u16,
    /// The moves as codes.
    pub codes: Vec<u8>,
}

/// A page of games.
pub type GameList = Vec<KeptGame>;
/// Decisions with their trials.
pub type DecisionList = Vec<(u32, DecisionRecord)>;

const RUN_COLUMNS: &str = "SELECT id, title, kind, game, rules, file, experiment, hash, program, created, status, seconds, \
    fingerprint, parent, parent_generation, \
    (SELECT count(*) FROM trials WHERE run = id), (SELECT count(*) FROM trials WHERE run = id AND done), \
    (SELECT total(steps) FROM trials WHERE run = id), \
    (SELECT coalesce(round(avg(nullif(total, 0)) * count(*)), 0.0) FROM trials WHERE run = id), \
    (SELECT total(games) FROM trials WHERE run = id)";

fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let parent: Option<i64> = row.get(13)?;
    let generation: Option<i64> = row.get(14)?;
    let whole = |index: usize| row.get::<_, f64>(index).map(|number| number as i64);
    Ok(RunRow {
        run: row.get(0)?,
        title: row.get(1)?,
        kind: row.get(2)?,
        game: row.get(3)?,
        rules: row.get(4)?,
        file: row.get(5)?,
        experiment: row.get(6)?,
        hash: row.get(7)?,
        program: row.get(8)?,
        created: row.get(9)?,
        status: row.get(10)?,
        seconds: row.get(11)?,
        fingerprint: row.get(12)?,
        parent: parent.zip(generation),
        trials: (row.get(15)?, row.get(16)?),
        steps: (whole(17)?, whole(18)?),
        games: whole(19)?,
        core_seconds: row.get(20)?,
    })
}

impl Store {
    /// All runs, the oldest first.
    pub fn runs(&self) -> Result<Vec<RunRow>, StoreError> {
        let columns = self.run_columns()?;
        self.run(|connection| connection.prepare(&format!("{columns} ORDER BY id"))?.query_map([], run_row)?.collect())
    }

    /// What is asked of runs. A store of an older version that is only read does not know what they cost.
    fn run_columns(&self) -> Result<String, StoreError> {
        let cost = if self.check_version()? > 3 { "core_seconds" } else { "NULL" };
        Ok(format!("{RUN_COLUMNS}, {cost} FROM runs"))
    }

    /// The run of that number; `last` is the latest.
    pub fn find_run(&self, text: &str) -> Result<RunRow, StoreError> {
        let number = match text {
            "last" => self.run(|connection| connection.query_row("SELECT max(id) FROM runs", [], |row| row.get(0)))?,
            text => text.parse::<i64>().ok(),
        };
        let found = match number {
            None => None,
            Some(number) => {
                let columns = self.run_columns()?;
                self.run(|connection| {
                    connection.query_row(&format!("{columns} WHERE id = ?1"), [number], run_row).optional()
                })?
            }
        };
        found.ok_or_else(|| {
            StoreError::NotFound(format!(
                "{}: no run {text:?}, expected a number that `lanista runs` lists, or last",
                self.name()
            ))
        })
    }

    /// The trials of a run.
    pub fn trials(&self, run: i64) -> Result<Vec<TrialRow>, StoreError> {
        self.run(|connection| {
            connection
                .prepare(
                    "SELECT number, setting, replicate, seed, generation, steps, total, games, done, digest \
                     FROM trials WHERE run = ?1 ORDER BY number",
                )?
                .query_map([run], |row| {
                    Ok(TrialRow {
                        trial: row.get(0)?,
                        setting: row.get(1)?,
                        replicate: row.get(2)?,
                        seed: row.get(3)?,
                        generation: row.get(4)?,
                        steps: (row.get(5)?, row.get(6)?),
                        games: row.get(7)?,
                        done: row.get(8)?,
                        digest: row.get(9)?,
                    })
                })?
                .collect()
        })
    }

    /// Where the trials of a run stand.
    pub fn starts(&self, run: i64) -> Result<Vec<Start>, StoreError> {
        let starts: Vec<Start> = self.run(|connection| {
            connection
                .prepare(
                    "SELECT coalesce(trials.state, generations.state), generation, done FROM trials LEFT JOIN generations \
                     ON generations.run = trials.run AND trial = trials.number AND generations.number = generation \
                     WHERE trials.run = ?1 ORDER BY trials.number",
                )?
                .query_map([run], |row| Ok(Start { state: row.get(0)?, generation: row.get(1)?, done: row.get(2)? }))?
                .collect()
        })?;
        match starts.iter().position(|start| start.generation > 0 && start.state.is_none()) {
            Some(trial) => Err(self.damaged(format!("the state of trial {} of run {run} is missing", trial + 1))),
            None => Ok(starts),
        }
    }

    /// The files that the experiment of a run needs.
    pub fn blobs(&self, run: i64) -> Result<Blobs, StoreError> {
        let blobs = Blobs::default();
        self.files(run)?.into_iter().filter(|blob| !blob.name.starts_with(MADE)).for_each(|blob| blobs.put(blob));
        Ok(blobs)
    }

    /// The files that a run made, by the names that it gave them.
    pub fn made_files(&self, run: i64) -> Result<Vec<Blob>, StoreError> {
        let own = |blob: Blob| Some(Blob { name: blob.name.strip_prefix(MADE)?.to_string(), ..blob });
        Ok(self.files(run)?.into_iter().filter_map(own).collect())
    }

    fn files(&self, run: i64) -> Result<Vec<Blob>, StoreError> {
        let found: Vec<Blob> = self.run(|connection| {
            connection
                .prepare("SELECT reference, name, content FROM run_files JOIN files USING (reference) WHERE run = ?1")?
                .query_map([run], |row| {
                    Ok(Blob { reference: row.get(0)?, name: row.get(1)?, content: row.get::<_, Vec<u8>>(2)?.into() })
                })?
                .collect()
        })?;
        match found.iter().find(|blob| Blobs::reference(&blob.content) != blob.reference) {
            Some(blob) => Err(self.damaged(format!("the content of {} has changed", blob.reference))),
            None => Ok(found),
        }
    }

    /// The figures of a run: of its trials as a whole, or of their generations.
    pub fn measurements(&self, run: i64, generations: bool) -> Result<Vec<StoredMeasurement>, StoreError> {
        let which = if generations { "generation >= 0" } else { "generation = -1" };
        self.run(|connection| {
            connection
                .prepare(&format!(
                    "SELECT trial, generation, name, of, value, error, count, repeats FROM measurements \
                     WHERE run = ?1 AND {which} ORDER BY generation, trial, id"
                ))?
                .query_map([run], |row| {
                    let generation: i64 = row.get(1)?;
                    Ok(StoredMeasurement {
                        trial: row.get(0)?,
                        generation: u32::try_from(generation).ok(),
                        measurement: Measurement {
                            name: row.get(2)?,
                            of: row.get(3)?,
                            value: row.get(4)?,
                            error: row.get(5)?,
                            count: row.get::<_, i64>(6)? as u64,
                            repeats: row.get(7)?,
                        },
                    })
                })?
                .collect()
        })
    }

    /// Who met whom in a run.
    pub fn meetings(&self, run: i64) -> Result<Vec<MeetingRow>, StoreError> {
        self.run(|connection| {
            connection
                .prepare(
                    "SELECT trial, meeting, name_a, name_b, sum(wins), sum(draws), sum(losses) FROM batches \
                     WHERE run = ?1 GROUP BY trial, meeting ORDER BY trial, meeting",
                )?
                .query_map([run], |row| {
                    let count = |index: usize| row.get::<_, i64>(index).map(|count| count as u64);
                    Ok(MeetingRow {
                        trial: row.get(0)?,
                        meeting: row.get(1)?,
                        names: [row.get(2)?, row.get(3)?],
                        counts: GameCounts { wins: count(4)?, draws: count(5)?, losses: count(6)? },
                    })
                })?
                .collect()
        })
    }

    /// The warnings of a run.
    pub fn warnings(&self, run: i64) -> Result<Vec<String>, StoreError> {
        self.run(|connection| {
            let mut query = connection.prepare("SELECT text FROM warnings WHERE run = ?1 ORDER BY id")?;
            query.query_map([run], |row| row.get(0))?.collect()
        })
    }

    /// The decisions of a run.
    pub fn decisions(&self, run: i64) -> Result<DecisionList, StoreError> {
        self.run(|connection| {
            connection
                .prepare(
                    "SELECT trial, of, position, move, score, depth, nodes, seconds FROM decisions WHERE run = ?1 \
                     ORDER BY trial, of, position",
                )?
                .query_map([run], |row| {
                    let decision = crate::jobs::DecisionRow {
                        mv: row.get(3)?,
                        score: row.get(4)?,
                        depth: row.get(5)?,
                        nodes: row.get::<_, i64>(6)? as u64,
                        seconds: row.get(7)?,
                    };
                    Ok((row.get(0)?, DecisionRecord { of: row.get(1)?, position: row.get(2)?, row: decision }))
                })?
                .collect()
        })
    }

    /// How many games of a run were kept with their moves.
    pub fn kept_games(&self, run: i64) -> Result<u64, StoreError> {
        self.run(|connection| {
            let sum = "SELECT total(kept) FROM batches WHERE run = ?1";
            connection.query_row(sum, [run], |row| row.get::<_, f64>(0)).map(|games| games as u64)
        })
    }

    /// A page of the games of a run: up to `limit` of those that the filter lets through, behind `after`.
    ///
    /// Batches tell what is in them, so that those without a fitting game are not opened.
    pub fn games(
        &self,
        run: i64,
        filter: &GameFilter,
        after: Option<(i64, i64)>,
        limit: usize,
    ) -> Result<GameList, StoreError> {
        let (from_batch, from_number) = after.unwrap_or((0, -1));
        let mut found = Vec::new();
        // A store of version 1 that is only read does not know the kinds of its games.
        let kinds = if self.check_version()? > 1 { "kinds" } else { "NULL" };
        let batches: Vec<BatchRow> = self.run(|connection| batches(connection, run, filter, from_batch, kinds))?;
        for batch in batches {
            if found.len() >= limit {
                break;
            }
            let number = if batch.id == from_batch { from_number } else { -1 };
            let wanted = limit - found.len();
            let games = self.run(|connection| batch.games(connection, filter, number, wanted))?;
            found.extend(games);
        }
        Ok(found)
    }
}

struct BatchRow {
    id: i64,
    trial: u32,
    meeting: u32,
    names: [String; 2],
    players: [String; 2],
    limits: [String; 2],
    seed: String,
    kinds: Option<Vec<u8>>,
}

fn batches(
    connection: &Connection,
    run: i64,
    filter: &GameFilter,
    from: i64,
    kinds: &str,
) -> rusqlite::Result<Vec<BatchRow>> {
    // With changing seats, a win of A may be a win of either side.
    let decisive = matches!(filter.outcome, Some(Outcome::Win(_)));
    let drawn = filter.outcome == Some(Outcome::Draw);
    connection
        .prepare_cached(&format!(
            "SELECT id, trial, meeting, name_a, name_b, player_a, player_b, limit_a, limit_b, seed, {kinds} FROM batches \
             WHERE run = ?1 AND id >= ?2 AND kept > 0 AND (?3 IS NULL OR trial = ?3) AND (?4 IS NULL OR meeting = ?4) \
             AND (?5 IS NULL OR instr(name_a, ?5) OR instr(name_b, ?5)) AND (NOT ?6 OR wins + losses > 0) \
             AND (NOT ?7 OR draws > 0) AND (?8 IS NULL OR reasons >> ?8 & 1) AND (?9 IS NULL OR longest >= ?9) \
             AND (?10 IS NULL OR shortest <= ?10) ORDER BY id",
        ))?
        .query_map(
            params![
                run,
                from,
                filter.trial,
                filter.meeting,
                filter.player,
                decisive,
                drawn,
                filter.reason,
                filter.shortest,
                filter.longest
            ],
            |row| {
                Ok(BatchRow {
                    id: row.get(0)?,
                    trial: row.get(1)?,
                    meeting: row.get(2)?,
                    names: [row.get(3)?, row.get(4)?],
                    players: [row.get(5)?, row.get(6)?],
                    limits: [row.get(7)?, row.get(8)?],
                    seed: row.get(9)?,
                    kinds: row.get(10)?,
                })
            },
        )?
        .filter(|batch| match batch {
            Ok(BatchRow { kinds: Some(kinds), .. }) => kinds::fit(kinds, filter),
            _ => true,
        })
        .collect()
}

impl BatchRow {
    fn games(
        &self,
        connection: &Connection,
        filter: &GameFilter,
        after: i64,
        limit: usize,
    ) -> rusqlite::Result<Vec<KeptGame>> {
        // The outcome stands in the text, not in a parameter: an index of draws only serves who asks for draws.
        let index = if filter.outcome == Some(Outcome::Draw) { "INDEXED BY games_drawn" } else { "" };
        let outcome = filter.outcome.map(crate::jobs::outcome_code);
        let outcome = outcome.map_or(String::new(), |code| format!("AND outcome = {code}"));
        let mut query = connection.prepare_cached(&format!(
            "SELECT number, outcome, reason, opening, moves FROM games {index} WHERE batch = ?1 AND number > ?2 {outcome} \
             AND (?3 IS NULL OR reason = ?3) AND (?4 IS NULL OR length(moves) >= ?4) \
             AND (?5 IS NULL OR length(moves) <= ?5) ORDER BY number LIMIT ?6",
        ))?;
        let values = params![self.id, after, filter.reason, filter.shortest, filter.longest, limit as i64];
        let mut rows = query.query(values)?;
        let mut games = Vec::new();
        while let Some(row) = rows.next()? {
            let number: i64 = row.get(0)?;
            let (outcome, reason): (u8, u8) = (row.get(1)?, row.get(2)?);
            let (Some(outcome), Some(_)) = (outcome_from_code(outcome), reason_from_code(reason)) else { continue };
            // A opens the games with even numbers.
            let seats = |pair: &[String; 2]| match number % 2 {
                0 => pair.clone(),
                _ => [pair[1].clone(), pair[0].clone()],
            };
            games.push(KeptGame {
                place: (self.id, number),
                trial: self.trial,
                meeting: self.meeting,
                number: number as u64,
                names: seats(&self.names),
                players: seats(&self.players),
                limits: seats(&self.limits),
                seed: self.seed.clone(),
                outcome,
                reason,
                opening: row.get(3)?,
                codes: row.get(4)?,
            });
        }
        Ok(games)
    }
}

impl Store {
    /// Hands over all kept games of a run, one after the other, in the order of trials, meetings and numbers of their
    /// batches; stops at the first error. Only one batch is in memory at a time.
    pub fn each_game<E: From<StoreError>>(
        &self,
        run: i64,
        mut take: impl FnMut(&KeptGame) -> Result<(), E>,
    ) -> Result<(), E> {
        let filter = GameFilter::default();
        let mut batches: Vec<BatchRow> = self.run(|connection| batches(connection, run, &filter, 0, "NULL"))?;
        batches.sort_by_key(|batch| (batch.trial, batch.meeting, batch.id));
        for batch in batches {
            let games = self.run(|connection| batch.games(connection, &filter, -1, i64::MAX as usize))?;
            games.iter().try_for_each(&mut take)?;
        }
        Ok(())
    }
}
