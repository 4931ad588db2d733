//! Breeders of crate `learn`: evolution, strategies, NEAT.

use lanista_learn::{Breeder, Genome, Played, Round};

use super::course::{Learner, Step};
use super::ring::Ring;
use crate::jobs::{Job, JobResult};
use crate::run::{Measurement, Probe};

/// A breeder whose individuals meet in a ring.
pub struct Breeding {
    /// Where they meet.
    pub ring: Ring,
    /// Who breeds.
    pub breeder: Box<dyn Breeder>,
    /// For how many generations.
    pub generations: u32,
    /// How many rounds it may have under way.
    pub lag: usize,
}

impl Breeding {
    /// The round that it begins with.
    fn first_round(&mut self) -> Option<Round> {
        let state = self.breeder.save();
        let round = self.breeder.ask();
        // A round that was asked for and not told is asked for again; the state is its own.
        let _ = self.breeder.restore(&state);
        round
    }
}

impl Learner for Breeding {
    fn unit(&self) -> &'static str {
        "generations"
    }

    fn steps(&self) -> u32 {
        self.generations
    }

    fn ask(&mut self, games_a_job: u64, workers: usize) -> Option<Vec<Job>> {
        let round = self.breeder.ask()?;
        Some(self.ring.jobs(&round.genomes, &round.meetings, games_a_job, workers))
    }

    fn tell(&mut self, results: Vec<JobResult>) -> Result<Option<Step>, String> {
        let mut games: Vec<Vec<Played>> = Vec::new();
        for result in results {
            match result {
                JobResult::Duels(duels) => games.extend(duels),
                _ => return Err("a round was answered by something else".into()),
            }
        }
        let Some(generation) = self.breeder.tell(&games) else { return Ok(None) };
        let (figures, count) = (generation.figures, generation.population.len() as u64);
        let contest = |name: &str, value: f64| Measurement::new(name, "contest", value, count);
        let plies = generation.plies as f64 / generation.games.max(1) as f64;
        // The middle of a search took no part in the contest.
        let own = generation.population.iter().map(|one| one.fitness);
        let fitness = generation.centre.iter().map(|_| f64::NAN).chain(own).collect();
        let mut figures = vec![
            contest("best", figures.best),
            contest("mean", figures.mean),
            contest("spread", figures.spread),
            Measurement::new("plies", "contest", plies, generation.games),
        ];
        let groups = count / 4;
        let as_knock_out = generation.as_knock_out.map(|share| share * groups as f64);
        figures.extend(as_knock_out.and_then(|same| Measurement::share("as-knock-out", "contest", same, groups)));
        Ok(Some(Step {
            number: generation.number + 1,
            fitness,
            figures,
            best: generation
                .centre
                .into_iter()
                .chain(generation.population.into_iter().map(|one| one.genome))
                .collect(),
        }))
    }

    fn most_under_way(&self) -> usize {
        self.lag
    }

    fn probes(&mut self) -> Vec<Probe> {
        let Some(round) = self.first_round() else { return Vec::new() };
        let games: u64 = round.meetings.iter().map(|meeting| u64::from(meeting.games)).sum();
        let Some(first) = round.meetings.get(..1) else { return Vec::new() };
        let times = games as f64 / f64::from(first[0].games.max(1)) * f64::from(self.generations);
        vec![Probe { job: self.ring.duels(&round.genomes, first), times }]
    }

    fn beginner(&mut self) -> Option<Genome> {
        self.first_round()?.genomes.into_iter().next()
    }

    fn save(&self) -> Vec<u8> {
        self.breeder.save()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.breeder.restore(state)
    }
}
