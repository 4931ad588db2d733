//! What a job may ask for: checked before a machine works for others.

use std::collections::BTreeSet;

use lanista_learn::Genome;

use super::{Graded, Job, JobError, JobResult, Work};
use crate::blobs::Blobs;
use crate::learning::Body;

/// The most that a job may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Games, decisions or cycles of training.
    pub steps: u64,
    /// Genomes, opponents, openings or meetings.
    pub entries: usize,
    /// Numbers in all genomes together, and in a network.
    pub weights: usize,
    /// Bytes of a player's text.
    pub text: usize,
    /// Plies that a player may look ahead.
    pub depth: u64,
    /// Megabytes of a player's table or tree.
    pub megabytes: u64,
    /// Threads of a player.
    pub threads: u64,
}

impl Default for Bounds {
    /// Far more than experiments ask for, far less than a machine has.
    fn default() -> Bounds {
        Bounds {
            steps: 100_000_000,
            entries: 1_000_000,
            weights: 64 << 20,
            text: 4096,
            depth: 100,
            megabytes: 1024,
            threads: 1,
        }
    }
}

impl Job {
    /// The players that it names, as text.
    pub fn players(&self) -> Vec<&str> {
        match &self.work {
            Work::Pairs(job) => job.players.iter().map(String::as_str).collect(),
            Work::Decisions(job) => vec![&job.player],
            Work::Grades(job) => match &job.of {
                Graded::Positions(_) => vec![&job.player],
                Graded::Games { opponent, .. } => vec![&job.player, opponent],
            },
            Work::Episodes(job) => std::iter::once(job.player.as_str()).chain(job.opponent.as_deref()).collect(),
            Work::Duels(job) => std::iter::once(&job.player).chain(&job.opponents).map(String::as_str).collect(),
            Work::Judging(job) => vec![&job.judge.player],
            Work::Fitting(_) => Vec::new(),
        }
    }

    /// The references to content in the texts of its players.
    pub fn references(&self) -> BTreeSet<String> {
        let words = self.players().into_iter().flat_map(|text| text.split(['@', ',', '(', ')']));
        words.filter(|word| Blobs::is_reference(word)).map(str::to_string).collect()
    }

    /// Whether it gives the same result to the bit every time: no clock, one thread a player, no other program.
    pub fn repeats(&self) -> bool {
        let timed = match &self.work {
            Work::Pairs(job) => job.limits.iter().any(|limit| limit.is_timed()),
            Work::Decisions(job) => job.limit.is_timed(),
            _ => false,
        };
        !timed && self.players().into_iter().all(player_repeats)
    }

    /// Whether it stays within bounds. An error says what it asks for.
    pub fn check(&self, bounds: &Bounds) -> Result<(), JobError> {
        let within = |what: &str, asked: u64, most: u64| match asked <= most {
            true => Ok(()),
            false => Err(JobError::Bounds(format!("{asked} {what}, expected at most {most}"))),
        };
        let (steps, entries) = self.extent();
        within("games or steps", steps, bounds.steps)?;
        within("entries", entries as u64, bounds.entries as u64)?;
        within("weights", self.weights() as u64, bounds.weights as u64)?;
        for text in self.players().into_iter().chain([self.game.as_str(), self.rules.as_str()]) {
            within("bytes of text", text.len() as u64, bounds.text as u64)?;
            for (name, value) in settings(text) {
                let most = match name {
                    "depth" => bounds.depth,
                    "table" | "memory" => bounds.megabytes,
                    "threads" => bounds.threads,
                    _ => continue,
                };
                // What is no number is refused when the player is made.
                within(&format!("as {name} of a player"), value.parse().unwrap_or(0), most)?;
            }
        }
        Ok(())
    }

    /// Steps, and entries of the longest list.
    fn extent(&self) -> (u64, usize) {
        match &self.work {
            Work::Pairs(job) => (job.pairs.saturating_mul(2), job.openings.len()),
            Work::Decisions(job) => (job.positions.len() as u64, job.positions.len()),
            Work::Duels(job) => {
                let games = job.meetings.iter().map(|meeting| u64::from(meeting.games)).sum();
                (games, job.genomes.len().max(job.opponents.len()).max(job.meetings.len()))
            }
            Work::Episodes(job) => (job.exploration.len() as u64, job.exploration.len()),
            Work::Grades(job) => match &job.of {
                Graded::Positions(positions) => (positions.len() as u64, positions.len()),
                Graded::Games { count, .. } => (u64::from(*count), 1),
            },
            Work::Judging(job) => (job.places.1.saturating_sub(job.places.0), job.games.len()),
            Work::Fitting(job) => (u64::from(job.cycles.1.saturating_sub(job.cycles.0)), job.games.len()),
        }
    }

    fn weights(&self) -> usize {
        let (bodies, genomes): (Option<&Body>, &[Genome]) = match &self.work {
            Work::Duels(job) => (Some(&job.body), &job.genomes),
            Work::Episodes(job) => (Some(&job.body), std::slice::from_ref(&job.genome)),
            Work::Grades(job) => (Some(&job.body), std::slice::from_ref(&job.genome)),
            Work::Fitting(job) => (Some(&job.body), &[]),
            Work::Pairs(_) | Work::Decisions(_) | Work::Judging(_) => (None, &[]),
        };
        let numbers = genomes.iter().map(|genome| match genome {
            Genome::Weights(weights) => weights.len(),
            Genome::Graph(graph) => graph.nodes.len() + graph.connections.len(),
        });
        numbers.sum::<usize>().max(bodies.map_or(0, size_of))
    }
}

/// The weights of the largest network of a body.
fn size_of(body: &Body) -> usize {
    match body {
        // A shape that cannot be built may not even be counted.
        Body::Network { shape, .. } => shape.check().map_or(usize::MAX, |()| shape.weights()),
        Body::OneOf(bodies) => bodies.iter().map(size_of).max().unwrap_or(0),
        Body::Linear { .. } | Body::Graph { .. } => 0,
    }
}

impl JobResult {
    /// The same result without what a clock measured: what two machines must agree on.
    pub fn without_times(mut self) -> JobResult {
        if let JobResult::Decisions(rows) = &mut self {
            rows.iter_mut().for_each(|row| row.seconds = 0.0);
        }
        self
    }
}

/// All `name=value` in a player's text, those of players inside it included.
fn settings(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split([',', '(', ')', ':']).filter_map(|part| part.split_once('='))
}

/// Whether a player does the same every time: no clock, one thread, no other program.
pub fn player_repeats(text: &str) -> bool {
    let is_loose = |(name, value): (&str, &str)| name == "movetime" || name == "threads" && value != "1";
    !text.contains("engine:") && !settings(text).any(is_loose)
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;
    use crate::jobs::{Adjudication, Cancel, Pairs};
    use crate::limits::Limit;

    fn pairs(player: &str, pairs: u64) -> Job {
        let work = Pairs {
            players: [player.to_string(), "random".to_string()],
            limits: [Limit::default(); 2],
            openings: Vec::new(),
            first_pair: 0,
            pairs,
            seed: Seed::new(1),
            adjudication: Adjudication::default(),
            keep_games: false,
        };
        Job::new("connect-four", "", Work::Pairs(work))
    }

    #[test]
    fn what_asks_for_too_much_is_named() {
        let bounds = Bounds::default();
        assert!(pairs("pvs:depth=6,table=16", 10).check(&bounds).is_ok());
        for (player, count, what) in [
            ("random", u64::MAX, "games"),
            ("pvs:table=65536", 1, "as table"),
            ("mcts:memory=65536", 1, "as memory"),
            ("best-three:of=(pvs:threads=200)", 1, "as threads"),
            ("pvs:depth=101", 1, "as depth"),
        ] {
            let error = pairs(player, count).check(&bounds).expect_err(player).to_string();
            assert!(error.contains(what), "{player}: {error}");
        }
        assert!(pairs(&"x".repeat(5000), 1).check(&bounds).is_err());
    }

    #[test]
    fn a_sealed_machine_reads_no_file_and_starts_no_program() {
        for player in ["greedy:eval=mlp@Cargo.toml", "engine:touch trace", "best-three:of=(engine:touch trace)"] {
            let result = pairs(player, 1).run(&Blobs::sealed(), &Cancel::default());
            assert!(matches!(result, Err(JobError::Player(_))), "{player}: {result:?}");
        }
        assert!(!std::path::Path::new("trace").exists());
    }

    #[test]
    fn references_are_found_where_they_stand() {
        let reference = Blobs::reference(b"weights");
        let job = pairs(&format!("best-three:of=(greedy:eval=mlp@{reference})"), 1);
        assert_eq!(job.references().into_iter().collect::<Vec<_>>(), [reference]);
        assert!(pairs("pvs:depth=6", 1).references().is_empty());
    }

    #[test]
    fn clocks_and_threads_do_not_repeat() {
        assert!(pairs("pvs:depth=6,threads=1", 1).repeats());
        for player in ["pvs:movetime=5", "pvs:threads=2", "engine:x", "best-three:of=(pvs:movetime=5)"] {
            assert!(!pairs(player, 1).repeats(), "{player}");
        }
    }
}
