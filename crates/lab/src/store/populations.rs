//! Who took part in a generation of a learner.

use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use super::{Store, StoreError};

/// One of a population.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Individual {
    /// Its points a game among the others, 0 to 1; not a number where the learner gives none.
    pub fitness: f64,
    /// Its weights, as the file of a player; empty if they were not kept, as of the many in the largest populations.
    pub file: Vec<u8>,
}

/// Everyone who took part in a generation, the best first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Population {
    /// The generation, from 1.
    pub generation: u32,
    /// The individuals.
    pub individuals: Vec<Individual>,
}

/// Writes populations of a trial down.
pub(super) fn insert(
    connection: &Connection,
    run: i64,
    trial: u32,
    populations: &[Population],
) -> rusqlite::Result<()> {
    let mut insert = connection.prepare_cached(
        "INSERT OR REPLACE INTO populations (run, trial, generation, individuals) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for population in populations {
        // Writing to a vector cannot fail.
        let bytes = postcard::to_stdvec(&population.individuals).unwrap_or_default();
        insert.execute(params![run, trial, population.generation, bytes])?;
    }
    Ok(())
}

impl Store {
    /// The generations of a run whose populations were kept, as trial and number.
    pub fn populations(&self, run: i64) -> Result<Vec<(u32, u32)>, StoreError> {
        if self.check_version()? < 3 {
            return Ok(Vec::new());
        }
        self.run(|connection| {
            connection
                .prepare("SELECT trial, generation FROM populations WHERE run = ?1 ORDER BY trial, generation")?
                .query_map([run], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        })
    }

    /// The population of a generation.
    pub fn population(&self, run: i64, trial: u32, generation: u32) -> Result<Population, StoreError> {
        let missing =
            || StoreError::NotFound(format!("run {run}: the population of generation {generation} was not kept"));
        if self.check_version()? < 3 {
            return Err(missing());
        }
        let bytes: Option<Vec<u8>> = self.run(|connection| {
            let query = "SELECT individuals FROM populations WHERE run = ?1 AND trial = ?2 AND generation = ?3";
            connection.query_row(query, params![run, trial, generation], |row| row.get(0)).optional()
        })?;
        let individuals = postcard::from_bytes(&bytes.ok_or_else(missing)?)
            .map_err(|error| self.damaged(format!("generation {generation} of run {run}: {error}")))?;
        Ok(Population { generation, individuals })
    }
}
