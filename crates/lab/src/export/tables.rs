//! The tables of a run, and how they are filled.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::ExportError;
use super::rows::{Column, Kind, Rows, Table, Value};
use crate::jobs::{decode, reason_from_code};
use crate::registry::{self, GameVisitor, RegisteredGame};
use crate::store::{RunRow, Store, TrialRow};

const fn column(name: &'static str, kind: Kind, width: u16) -> Column {
    Column { name, kind, width }
}

/// The run: one row.
pub const RUN: Table = Table {
    name: "run",
    columns: &[
        column("run", Kind::Whole, 6),
        column("title", Kind::Text, 40),
        column("kind", Kind::Text, 12),
        column("game", Kind::Text, 14),
        column("rules", Kind::Text, 20),
        column("file", Kind::Text, 30),
        column("hash", Kind::Text, 18),
        column("program", Kind::Text, 16),
        column("created", Kind::Text, 20),
        column("status", Kind::Text, 10),
        column("seconds", Kind::Number, 10),
        column("fingerprint", Kind::Text, 18),
        column("parent_run", Kind::Whole, 11),
        column("parent_generation", Kind::Whole, 18),
        column("trials", Kind::Whole, 8),
        column("trials_done", Kind::Whole, 12),
        column("steps", Kind::Whole, 10),
        column("steps_total", Kind::Whole, 12),
        column("games", Kind::Whole, 10),
        column("experiment", Kind::Text, 60),
    ],
};

/// Its trials.
pub const TRIALS: Table = Table {
    name: "trials",
    columns: &[
        column("trial", Kind::Whole, 7),
        column("setting", Kind::Text, 30),
        column("replicate", Kind::Whole, 10),
        column("seed", Kind::Text, 18),
        column("generation", Kind::Whole, 11),
        column("steps", Kind::Whole, 10),
        column("steps_total", Kind::Whole, 12),
        column("games", Kind::Whole, 10),
        column("done", Kind::Flag, 7),
        column("digest", Kind::Text, 18),
    ],
};

/// Its figures: of generations, and of trials as a whole (no generation).
pub const MEASUREMENTS: Table = Table {
    name: "measurements",
    columns: &[
        column("trial", Kind::Whole, 7),
        column("setting", Kind::Text, 24),
        column("replicate", Kind::Whole, 10),
        column("generation", Kind::Whole, 11),
        column("name", Kind::Text, 14),
        column("of", Kind::Text, 44),
        column("value", Kind::Number, 14),
        column("error", Kind::Number, 14),
        column("count", Kind::Whole, 10),
        column("repeats", Kind::Flag, 9),
    ],
};

/// Who met whom.
pub const MEETINGS: Table = Table {
    name: "meetings",
    columns: &[
        column("trial", Kind::Whole, 7),
        column("meeting", Kind::Whole, 9),
        column("player_a", Kind::Text, 30),
        column("player_b", Kind::Text, 30),
        column("games", Kind::Whole, 10),
        column("wins_a", Kind::Whole, 10),
        column("draws", Kind::Whole, 10),
        column("wins_b", Kind::Whole, 10),
    ],
};

/// The games that were kept. Trials, meetings and games are counted from 0, as in the store.
pub const GAMES: Table = Table {
    name: "games",
    columns: &[
        column("trial", Kind::Whole, 7),
        column("meeting", Kind::Whole, 9),
        column("number", Kind::Whole, 9),
        column("first_player", Kind::Text, 26),
        column("second_player", Kind::Text, 26),
        column("outcome", Kind::Text, 9),
        column("reason", Kind::Text, 12),
        column("plies", Kind::Whole, 7),
        column("opening_plies", Kind::Whole, 14),
        column("moves", Kind::Text, 80),
    ],
};

/// Decisions in the positions of a test. The score is in hundredths of the evaluator's unit.
pub const DECISIONS: Table = Table {
    name: "decisions",
    columns: &[
        column("trial", Kind::Whole, 7),
        column("of", Kind::Text, 34),
        column("position", Kind::Whole, 9),
        column("move", Kind::Text, 12),
        column("score", Kind::Whole, 10),
        column("depth", Kind::Whole, 7),
        column("nodes", Kind::Whole, 12),
        column("seconds", Kind::Number, 14),
    ],
};

/// All tables, in order.
pub const TABLES: [Table; 6] = [RUN, TRIALS, MEASUREMENTS, MEETINGS, GAMES, DECISIONS];

/// Where the rows come from.
pub(super) struct Source<'a> {
    pub store: &'a Store,
    pub run: &'a RunRow,
}

impl Source<'_> {
    /// Hands over all tables.
    pub fn write(&self, rows: &mut dyn Rows) -> Result<(), ExportError> {
        let trials = self.store.trials(self.run.run)?;
        self.write_run(rows)?;
        self.write_trials(&trials, rows)?;
        self.write_measurements(&trials, rows)?;
        self.write_meetings(rows)?;
        rows.begin(&GAMES)?;
        registry::visit(&self.run.game, WriteGames { source: self, rows })??;
        rows.end()?;
        self.write_decisions(rows)
    }

    fn write_run(&self, rows: &mut dyn Rows) -> Result<(), ExportError> {
        let run = self.run;
        rows.begin(&RUN)?;
        rows.row(&[
            Value::Whole(run.run),
            Value::Text(&run.title),
            Value::Text(&run.kind),
            Value::Text(&run.game),
            Value::Text(&run.rules),
            Value::Text(&run.file),
            Value::Text(&run.hash),
            Value::Text(&run.program),
            Value::Text(&run.created),
            Value::Text(&run.status),
            Value::Number(run.seconds),
            Value::text(run.fingerprint.as_deref()),
            Value::whole(run.parent.map(|(parent, _)| parent)),
            Value::whole(run.parent.map(|(_, generation)| generation)),
            Value::Whole(run.trials.0),
            Value::Whole(run.trials.1),
            Value::Whole(run.steps.0),
            Value::Whole(run.steps.1),
            Value::Whole(run.games),
            Value::Text(&run.experiment),
        ])?;
        rows.end()
    }

    fn write_trials(&self, trials: &[TrialRow], rows: &mut dyn Rows) -> Result<(), ExportError> {
        rows.begin(&TRIALS)?;
        for trial in trials {
            rows.row(&[
                Value::Whole(trial.trial.into()),
                Value::Text(&trial.setting),
                Value::Whole(trial.replicate.into()),
                Value::Text(&trial.seed),
                Value::Whole(trial.generation.into()),
                Value::Whole(trial.steps.0),
                Value::Whole(trial.steps.1),
                Value::Whole(trial.games),
                Value::Flag(trial.done),
                Value::text(trial.digest.as_deref()),
            ])?;
        }
        rows.end()
    }

    fn write_measurements(&self, trials: &[TrialRow], rows: &mut dyn Rows) -> Result<(), ExportError> {
        let trials: HashMap<u32, &TrialRow> = trials.iter().map(|trial| (trial.trial, trial)).collect();
        rows.begin(&MEASUREMENTS)?;
        for generations in [false, true] {
            for found in self.store.measurements(self.run.run, generations)? {
                let trial = trials.get(&found.trial);
                let measured = &found.measurement;
                rows.row(&[
                    Value::Whole(found.trial.into()),
                    Value::text(trial.map(|trial| trial.setting.as_str())),
                    Value::whole(trial.map(|trial| trial.replicate.into())),
                    Value::whole(found.generation.map(i64::from)),
                    Value::Text(&measured.name),
                    Value::Text(&measured.of),
                    Value::Number(measured.value),
                    Value::number(measured.error),
                    Value::Whole(measured.count as i64),
                    Value::Flag(measured.repeats),
                ])?;
            }
        }
        rows.end()
    }

    fn write_meetings(&self, rows: &mut dyn Rows) -> Result<(), ExportError> {
        rows.begin(&MEETINGS)?;
        for meeting in self.store.meetings(self.run.run)? {
            let counts = meeting.counts;
            rows.row(&[
                Value::Whole(meeting.trial.into()),
                Value::Whole(meeting.meeting.into()),
                Value::Text(&meeting.names[0]),
                Value::Text(&meeting.names[1]),
                Value::Whole((counts.wins + counts.draws + counts.losses) as i64),
                Value::Whole(counts.wins as i64),
                Value::Whole(counts.draws as i64),
                Value::Whole(counts.losses as i64),
            ])?;
        }
        rows.end()
    }

    fn write_decisions(&self, rows: &mut dyn Rows) -> Result<(), ExportError> {
        rows.begin(&DECISIONS)?;
        for (trial, decision) in self.store.decisions(self.run.run)? {
            let row = &decision.row;
            rows.row(&[
                Value::Whole(trial.into()),
                Value::Text(&decision.of),
                Value::Whole(decision.position.into()),
                Value::Text(&row.mv),
                Value::whole(row.score.map(i64::from)),
                Value::Whole(row.depth.into()),
                Value::Whole(row.nodes as i64),
                Value::Number(row.seconds),
            ])?;
        }
        rows.end()
    }
}

struct WriteGames<'a, 'b> {
    source: &'a Source<'b>,
    rows: &'a mut dyn Rows,
}

impl GameVisitor for WriteGames<'_, '_> {
    type Output = Result<(), ExportError>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        let run = self.source.run;
        let rules = G::rules(&run.rules)
            .map_err(|error| ExportError::Rules { rules: run.rules.clone(), reason: error.to_string() })?;
        let mut moves = String::new();
        self.source.store.each_game(run.run, |game| {
            let played = decode(&rules, &game.codes).map_err(|error| ExportError::Moves {
                trial: game.trial,
                meeting: game.meeting,
                number: game.number,
                reason: error.to_string(),
            })?;
            moves.clear();
            for (index, mv) in played.moves().iter().enumerate() {
                let space = if index == 0 { "" } else { " " };
                // Writing to a string cannot fail.
                let _ = write!(moves, "{space}{mv}");
            }
            let reason = reason_from_code(game.reason).map(|reason| reason.to_string()).unwrap_or_default();
            self.rows.row(&[
                Value::Whole(game.trial.into()),
                Value::Whole(game.meeting.into()),
                Value::Whole(game.number as i64),
                Value::Text(&game.names[0]),
                Value::Text(&game.names[1]),
                Value::Text(&game.outcome.to_string()),
                Value::Text(&reason),
                Value::Whole(game.codes.len() as i64),
                Value::Whole(game.opening.into()),
                Value::Text(&moves),
            ])
        })
    }
}
