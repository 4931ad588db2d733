//! How learners are measured: games against named opponents, and decisions against the truth.

use lanista_core::Seed;
use lanista_learn::{FirstMover, Genome, Meeting, Rival};

use super::ring::Ring;
use super::tally::{GradedDecisions, Tally};
use crate::jobs::{Graded, Grades, Job, JobResult, Work};
use crate::run::Probe;

/// The games of a genome with an opponent are cut into meetings of so many, so that all cores get some.
const GAMES_A_MEETING: u32 = 20;

/// So many games with each opponent tell how long others take.
const PROBED_GAMES: u32 = 4;
/// The same for positions.
const PROBED_POSITIONS: usize = 10;

/// Games with an opponent.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    /// How many.
    pub count: u32,
    /// How many random plies begin each.
    pub random_plies: u32,
    /// How many more with the first opponent have all their decisions graded by the truth.
    pub graded: u32,
}

/// What is measured, and when.
#[derive(Clone, Debug)]
pub struct Measure {
    /// How the measured player plays, and its opponents.
    pub ring: Ring,
    /// What tables call the opponents.
    pub names: Vec<String>,
    /// Every so many generations, and after the last one; 0 for the last one only.
    pub every: u32,
    /// The best so many of a generation are measured.
    pub top: u32,
    /// Games of each with each opponent.
    pub games: Games,
    /// Fresh games of the champion with each opponent.
    pub final_games: Games,
    /// The last so many generations are measured, too, and the mean of their scores is told.
    pub closing: u32,
    /// Whether it is told how fast games are won and lost.
    pub match_scores: bool,
    /// Positions to be graded by the truth, each as the moves that lead to it, as codes.
    pub positions: Vec<Vec<u8>>,
}

impl Measure {
    /// Positions that one job grades.
    pub const POSITIONS_A_JOB: usize = 100;
    /// Games whose decisions one job grades.
    pub const GRADED_GAMES_A_JOB: u32 = 5;

    /// Whether a generation is to be measured.
    pub fn is_due(&self, generation: u32) -> bool {
        self.every > 0 && generation.is_multiple_of(self.every)
    }

    /// Whether the best of a generation are measured, of so many generations.
    pub fn is_measured(&self, generation: u32, generations: u32) -> bool {
        let is_closing = generation.saturating_add(self.closing.max(1)) > generations;
        self.is_due(generation) || is_closing
    }

    /// How many generations are measured, from `first` to `last`.
    fn measured(&self, first: u32, last: u32) -> u32 {
        if first > last {
            return 0;
        }
        let closing = self.closing.max(1).min(last - first + 1);
        let due = |generation: u32| generation.checked_div(self.every).unwrap_or(0);
        closing + due(last - closing) - due(first - 1)
    }

    /// Whether there is anything to measure with.
    pub fn has_games(&self) -> bool {
        !self.names.is_empty() || !self.positions.is_empty()
    }

    /// The opponents, for people.
    pub fn rivals(&self) -> String {
        if self.names.is_empty() { "nobody".to_string() } else { self.names.join(", ") }
    }

    /// The jobs of a measurement: games of each genome against each opponent, then decisions of the first genome against the truth,
    /// on positions and in games.
    pub fn jobs(&self, genomes: &[Genome], games: Games, seed: Seed, games_a_job: u64, workers: usize) -> Vec<Job> {
        let ring = Ring { random_plies: games.random_plies, ..self.ring.clone() };
        let mut meetings = Vec::new();
        for opponent in 0..self.names.len() {
            let b = Rival::Opponent(opponent);
            for a in 0..genomes.len() {
                let seed = seed.child(opponent as u64).child(a as u64);
                for piece in 0..games.count.div_ceil(GAMES_A_MEETING) {
                    let games = GAMES_A_MEETING.min(games.count - piece * GAMES_A_MEETING);
                    let seed = seed.child(u64::from(piece));
                    meetings.push(Meeting { a, b, games, first: FirstMover::Alternate, seed });
                }
            }
        }
        let mut jobs = ring.jobs(genomes, &meetings, games_a_job, workers);
        let Some(genome) = genomes.first() else { return jobs };
        for (index, positions) in self.positions.chunks(Measure::POSITIONS_A_JOB).enumerate() {
            jobs.push(self.grading(
                genome,
                Graded::Positions(positions.to_vec()),
                index * Measure::POSITIONS_A_JOB,
                seed,
            ));
        }
        for first in (0..games.graded).step_by(Measure::GRADED_GAMES_A_JOB as usize) {
            let Some(opponent) = self.ring.opponents.first() else { continue };
            let count = Measure::GRADED_GAMES_A_JOB.min(games.graded - first);
            let of = Graded::Games { opponent: opponent.clone(), count };
            jobs.push(self.grading(genome, of, first as usize, seed.child(u64::MAX)));
        }
        jobs
    }

    /// The job that grades some decisions; `first` is the number of the first position or game.
    fn grading(&self, genome: &Genome, of: Graded, first: usize, seed: Seed) -> Job {
        self.ring.job(Work::Grades(Grades {
            body: self.ring.body.clone(),
            player: self.ring.player.clone(),
            genome: genome.clone(),
            of,
            first: first as u64,
            seed: seed.child(u64::MAX),
        }))
    }

    /// Small jobs that stand for all measurements of the generations from `first` to `last` and of the champion: some games with
    /// each opponent, and some positions and decisions.
    pub fn probes(&self, genome: &Genome, first: u32, last: u32, seed: Seed) -> Vec<Probe> {
        let times = f64::from(self.measured(first, last));
        let games = times * f64::from(self.top) * f64::from(self.games.count) + f64::from(self.final_games.count);
        let ring = Ring { random_plies: self.games.random_plies, ..self.ring.clone() };
        let mut probes = Vec::new();
        for opponent in 0..self.names.len() {
            let (b, seed) = (Rival::Opponent(opponent), seed.child(opponent as u64));
            let meeting = Meeting { a: 0, b, games: PROBED_GAMES, first: FirstMover::Alternate, seed };
            let job = ring.duels(std::slice::from_ref(genome), &[meeting]);
            probes.push(Probe { job, times: games / f64::from(PROBED_GAMES) });
        }
        let positions = &self.positions[..self.positions.len().min(PROBED_POSITIONS)];
        if !positions.is_empty() {
            let share = self.positions.len() as f64 / positions.len() as f64;
            let job = self.grading(genome, Graded::Positions(positions.to_vec()), 0, seed);
            probes.push(Probe { job, times: (times + 1.0) * share });
        }
        if let (Some(opponent), 1..) = (self.ring.opponents.first(), self.final_games.graded) {
            let of = Graded::Games { opponent: opponent.clone(), count: 1 };
            let job = self.grading(genome, of, 0, seed);
            probes.push(Probe { job, times: f64::from(self.final_games.graded) });
        }
        probes
    }

    /// What the jobs of a measurement gave.
    pub fn tally(&self, results: &[JobResult]) -> Tally {
        let (mut games, mut grades) = (Vec::new(), GradedDecisions::default());
        let mut position_jobs = self.positions.len().div_ceil(Measure::POSITIONS_A_JOB);
        for result in results {
            match result {
                JobResult::Duels(duels) => games.extend(duels.iter().cloned()),
                JobResult::Grades(found) if position_jobs > 0 => {
                    position_jobs -= 1;
                    grades.on_positions.extend(found.iter().copied());
                }
                JobResult::Grades(found) => grades.in_games.extend(found.iter().copied()),
                _ => {}
            }
        }
        Tally::new(&self.names, &games, grades)
    }
}

/// A curve of shares from 0 to 1 in one line of text; the last values, if there are many.
pub fn sparkline(values: &[f32]) -> String {
    const WIDTH: usize = 24;
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let step = values.len().div_ceil(WIDTH).max(1);
    let bar = |values: &[f32]| {
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        BARS[((mean * 8.0) as usize).min(7)]
    };
    values.chunks(step).map(bar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::body::Body;

    #[test]
    fn curves() {
        assert_eq!(sparkline(&[0.0, 0.5, 1.0]), "▁▅█");
        assert_eq!(sparkline(&[]), "");
        assert!(sparkline(&[0.3; 1000]).chars().count() <= 24);
    }

    /// What an estimate counts is what is measured.
    #[test]
    fn measured_generations_are_counted() {
        let body = Body::Linear { evaluator: "threats".into() };
        let ring = Ring {
            game: "connect-four".into(),
            rules: String::new(),
            body,
            player: "greedy:eval=genome".into(),
            opponents: vec!["random".into()],
            random_plies: 0,
        };
        let games = Games { count: 10, random_plies: 0, graded: 0 };
        for (every, closing) in [(0, 0), (0, 3), (1, 0), (4, 0), (4, 5), (5, 2), (50, 50)] {
            let (ring, names) = (ring.clone(), vec!["chance".into()]);
            let measure = Measure {
                ring,
                names,
                every,
                top: 1,
                games,
                final_games: games,
                closing,
                match_scores: false,
                positions: Vec::new(),
            };
            for (first, last) in [(1, 1), (1, 20), (1, 21), (7, 20), (20, 20), (21, 20)] {
                let found = (first..=last).filter(|&generation| measure.is_measured(generation, last)).count();
                let counted = measure.measured(first, last) as usize;
                assert_eq!(counted, found, "every {every}, closing {closing}, {first} to {last}");
            }
        }
    }
}
