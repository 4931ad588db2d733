//! A learner's way from the first step to the last, measured as it goes on.
//!
//! What a contest among individuals says about the best of them is luck in part: of many equal ones, some look good. So
//! what a learner comes to is only a candidate. It plays fresh games before its strength is told.

use std::collections::{BTreeMap, VecDeque};
use std::ops::AddAssign;

use lanista_core::{Seed, mix64};
use lanista_learn::{Candidate, Champion, Genome};
use serde::{Deserialize, Serialize};

use super::measuring::{Measure, sparkline};
use super::ring::Ring;
use super::tally::Sums;
use crate::contest::Pace;
use crate::jobs::{Job, JobResult};
use crate::registry::{self, GameVisitor, RegisteredGame};
use crate::run::{Ask, Measurement, Probe, Progress, Recorded, RunFile, Study};
use crate::statistics::Summary;
use crate::store::{Individual, Population};

/// The weights of a population are kept, the best first, up to so many bytes; of everybody else only the points. The largest
/// populations have no other use.
const MOST_BYTES_OF_WEIGHTS: usize = 16 << 20;

/// A learner as the laboratory drives it: it asks for jobs, learns from their results, and completes a step now and then.
pub trait Learner: Send {
    /// What a step is called: `generations`, `batches`.
    fn unit(&self) -> &'static str;

    /// How many steps there are.
    fn steps(&self) -> u32;

    /// The next piece of work, cut into jobs of about so many games. `None` if it is finished, or if it must be told
    /// results first.
    fn ask(&mut self, games_a_job: u64, workers: usize) -> Option<Vec<Job>>;

    /// Absorbs the results of the oldest piece of work under way. Returns what came of a step when this completes one.
    fn tell(&mut self, results: Vec<JobResult>) -> Result<Option<Step>, String>;

    /// How many pieces of work it may have under way.
    fn most_under_way(&self) -> usize {
        1
    }

    /// Small jobs that stand for the whole.
    fn probes(&mut self) -> Vec<Probe>;

    /// The same for work that needs results of those.
    fn further_probes(&mut self, _results: &[JobResult]) -> Vec<Probe> {
        Vec::new()
    }

    /// Seconds of all that it does itself when it is told results, tried out on those of [`Learner::probes`].
    fn own_seconds(&mut self, _results: &[JobResult]) -> f64 {
        0.0
    }

    /// A genome that it begins with, to try out what measurements take.
    fn beginner(&mut self) -> Option<Genome>;

    /// The first step that comes to something that can be measured.
    fn first_measurable(&self) -> u32 {
        1
    }

    /// Everything that [`Learner::tell`] has changed. Work under way is asked for again after a restore.
    fn save(&self) -> Vec<u8>;

    /// Goes back to a saved state. An error says why the bytes are none.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;
}

/// What came of a step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number, from 1.
    pub number: u32,
    /// Its figures.
    pub figures: Vec<Measurement>,
    /// What it came to, the best first. None of them is a champion yet.
    pub best: Vec<Genome>,
    /// Their points a game among themselves, in the same order; empty where the learner gives none.
    pub fitness: Vec<f64>,
}

/// Everything that makes a course.
pub struct CoursePlan {
    /// The learner.
    pub learner: Box<dyn Learner>,
    /// How it is measured.
    pub measure: Measure,
    /// Every so many steps the whole state is kept, to fork from.
    pub keep_every: u32,
    /// What made it, for the file of the champion.
    pub made: String,
    /// The root of the randomness of measurements.
    pub seed: Seed,
}

/// A measurement that is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Errand {
    /// Of some genomes after a step.
    Step { number: u32, genomes: Vec<Genome> },
    /// The fresh games of the candidate.
    Final { genome: Genome },
}

/// What has to be remembered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    learner: Vec<u8>,
    /// Steps complete.
    step: u32,
    /// How many there were to be when this was saved.
    length: u32,
    counts: Counts,
    /// The same for measurements that only the end asked for, by step, and for the fresh games of the candidate: a course that
    /// is made longer forgets them.
    closing: BTreeMap<u32, Counts>,
    fresh: Counts,
    wanted: Vec<Errand>,
    /// The latest figures of the learner and of its measurement.
    own: Vec<Measurement>,
    measured: Vec<Measurement>,
    /// Scores measured so far by step.
    curve: Vec<(u32, f32)>,
    /// What the champion came to in its fresh games.
    last: Vec<Measurement>,
    champion: Option<Genome>,
    /// The games of all measurements but those that only the end asked for.
    throughout: Sums,
}

/// Games with the hash of all their results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Counts {
    games: u64,
    digest: u64,
}

/// Measurements and work may come back in any order: the sum is the same.
impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.games += other.games;
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

/// A course under way.
pub struct Course {
    plan: CoursePlan,
    state: State,
    /// What is out, the oldest first: work of the learner (`None`), and measurements.
    under_way: VecDeque<Option<Errand>>,
    pace: Pace,
}

impl Course {
    /// A course that has not begun.
    pub fn new(plan: CoursePlan) -> Course {
        Course { plan, state: State::default(), under_way: VecDeque::new(), pace: Pace::default() }
    }

    fn measuring_jobs(&self, errand: &Errand, workers: usize) -> Vec<Job> {
        let (measure, seed, games) = (&self.plan.measure, self.plan.seed, self.pace.steps_a_job());
        match errand {
            Errand::Step { number, genomes } => {
                measure.jobs(genomes, measure.games, seed.child(0).child(u64::from(*number)), games, workers)
            }
            Errand::Final { genome } => {
                measure.jobs(std::slice::from_ref(genome), measure.final_games, seed.child(1), games, workers)
            }
        }
    }

    fn absorb_step(&mut self, step: Step, recorded: &mut Recorded) {
        self.state.step = step.number;
        recorded.measurements.push((step.number, step.figures.clone()));
        self.state.own.clone_from(&step.figures);
        let is_last = step.number == self.plan.learner.steps();
        recorded.keep = is_last || step.number.is_multiple_of(self.plan.keep_every);
        if recorded.keep && !step.best.is_empty() {
            match self.population(&step) {
                Ok(population) => recorded.populations.push(population),
                Err(reason) => recorded.warnings.push(reason),
            }
        }
        let measure = &self.plan.measure;
        if measure.has_games() && measure.is_measured(step.number, self.plan.learner.steps()) {
            let genomes: Vec<Genome> = step.best.iter().take(measure.top as usize).cloned().collect();
            if !genomes.is_empty() {
                self.state.wanted.push(Errand::Step { number: step.number, genomes });
            }
        }
        if let Some(genome) = step.best.into_iter().next().filter(|_| is_last) {
            match measure.has_games() {
                true => self.state.wanted.push(Errand::Final { genome }),
                false => self.absorb_final(genome, &[], recorded),
            }
        }
    }

    /// Who took part in a step, the weights as files.
    fn population(&self, step: &Step) -> Result<Population, String> {
        let ring = &self.plan.measure.ring;
        let (mut individuals, mut bytes) = (Vec::new(), 0);
        for (index, genome) in step.best.iter().enumerate() {
            let mut file = Vec::new();
            if bytes < MOST_BYTES_OF_WEIGHTS {
                let write = WriteFile { ring, genome, made: &self.plan.made };
                file = registry::visit(&ring.game, write).map_err(|error| error.to_string())??.1;
                bytes += file.len();
            }
            individuals.push(Individual { fitness: step.fitness.get(index).copied().unwrap_or(f64::NAN), file });
        }
        Ok(Population { generation: step.number, individuals })
    }

    fn absorb_measurement(&mut self, errand: Errand, results: &[JobResult], recorded: &mut Recorded) {
        self.state.wanted.retain(|wanted| *wanted != errand);
        match errand {
            Errand::Step { number, .. } => {
                let tally = self.plan.measure.tally(results);
                if let Some(all) = tally.overall() {
                    self.state.curve.push((number, all.score as f32));
                }
                if self.plan.measure.is_due(number) {
                    self.state.throughout.add(&tally.sums);
                }
                self.state.measured = tally.measurements("top", self.plan.measure.match_scores);
                if number == self.plan.learner.steps() {
                    self.state.measured.extend(self.closing_score());
                }
                recorded.measurements.push((number, self.state.measured.clone()));
            }
            Errand::Final { genome } => self.absorb_final(genome, results, recorded),
        }
    }

    /// The mean of the last scores, if it is wanted.
    fn closing_score(&self) -> Option<Measurement> {
        let (closing, curve) = (self.plan.measure.closing as usize, &self.state.curve);
        let last: Vec<f64> =
            curve[curve.len().saturating_sub(closing)..].iter().map(|(_, score)| f64::from(*score)).collect();
        let summary = Summary::of(&last).filter(|_| closing > 0)?;
        let figure = Measurement::new("closing-score", "player=top", summary.mean, last.len() as u64);
        Some(figure.with_error(summary.mean_error))
    }

    fn absorb_final(&mut self, genome: Genome, results: &[JobResult], recorded: &mut Recorded) {
        let tally = self.plan.measure.tally(results);
        let measured = Candidate::new(genome).measured(&tally.games);
        self.state.last = tally.measurements("champion", self.plan.measure.match_scores);
        recorded.measurements.push((self.plan.learner.steps(), self.state.last.clone()));
        match self.champion_file(&measured) {
            Ok(file) => recorded.files.push(file),
            Err(reason) => recorded.warnings.push(reason),
        }
        self.state.champion = Some(match measured {
            Ok(champion) => champion.genome,
            Err(candidate) => candidate.genome().clone(),
        });
    }

    fn champion_file(&self, measured: &Result<Champion, Candidate>) -> Result<RunFile, String> {
        let measure = &self.plan.measure;
        let (genome, strength) = match measured {
            Err(candidate) => (candidate.genome(), "not measured".to_string()),
            Ok(Champion { genome, score, games, .. }) => {
                (genome, format!("scores {score:.3} in {games} fresh games against {}", measure.rivals()))
            }
        };
        let made = format!("{}; {strength}", self.plan.made);
        let write = WriteFile { ring: &measure.ring, genome, made: &made };
        let (ending, content) = registry::visit(&measure.ring.game, write).map_err(|error| error.to_string())??;
        Ok(RunFile { name: format!("champion.{ending}"), content })
    }

    /// Everything that was played.
    fn all_counts(&self) -> Counts {
        let mut all = self.state.counts;
        self.state.closing.values().for_each(|counts| all += *counts);
        all += self.state.fresh;
        all
    }
}

impl Counts {
    /// Of a piece of work.
    fn of(results: &[JobResult]) -> Counts {
        let (mut hash, mut games) = (0, 0);
        let mut add = |number: u64| hash = mix64(hash ^ number);
        for result in results {
            match result {
                JobResult::Duels(duels) => duels.iter().flatten().for_each(|game| {
                    games += 1;
                    add(u64::from(game.plies) << 2 | game.result as u64);
                }),
                JobResult::Episodes(episodes) => episodes.iter().for_each(|episode| {
                    games += 1;
                    episode.codes.iter().for_each(|&code| add(u64::from(code)));
                    add(256 + u64::from(episode.outcome));
                }),
                JobResult::Grades(grades) => grades.iter().for_each(|grade| {
                    add(grade.best as u64);
                    add(grade.played as u64);
                }),
                JobResult::Pairs(pairs) => pairs.rows.iter().for_each(|game| {
                    games += 1;
                    game.codes.iter().for_each(|&code| add(u64::from(code)));
                    add(256 + u64::from(game.outcome_code()));
                }),
                JobResult::Fit(fit) => fit.weights.iter().for_each(|weight| add(u64::from(weight.to_bits()))),
                JobResult::Opinions(opinions) => {
                    opinions
                        .iter()
                        .for_each(|opinion| add(opinion.map_or(u64::MAX, |chance| u64::from(chance.to_bits()))));
                }
                JobResult::Decisions(_) => {}
            }
        }
        Counts { games, digest: mix64(hash) }
    }
}

struct WriteFile<'a> {
    ring: &'a Ring,
    genome: &'a Genome,
    made: &'a str,
}

impl GameVisitor for WriteFile<'_> {
    type Output = Result<(&'static str, Vec<u8>), String>;

    fn visit<G: RegisteredGame>(self) -> Self::Output {
        self.ring.body.file::<G>(self.genome, self.made)
    }
}

impl Study for Course {
    fn probes(&mut self) -> Vec<Probe> {
        self.plan.learner.probes()
    }

    fn further_probes(&mut self, results: &[JobResult]) -> Vec<Probe> {
        self.plan.learner.further_probes(results)
    }

    fn measuring_probes(&mut self) -> Vec<Probe> {
        let Course { plan: CoursePlan { learner, measure, seed, .. }, .. } = self;
        let Some(genome) = learner.beginner() else { return Vec::new() };
        measure.probes(&genome, learner.first_measurable(), learner.steps(), *seed)
    }

    fn own_seconds(&mut self, results: &[JobResult]) -> f64 {
        self.plan.learner.own_seconds(results)
    }

    fn ask(&mut self, workers: usize) -> Ask {
        let out = self.under_way.iter().flatten().count();
        if let Some(errand) = self.state.wanted.get(out).cloned() {
            let jobs = self.measuring_jobs(&errand, workers);
            self.under_way.push_back(Some(errand));
            return Ask::Jobs(jobs);
        }
        match self.plan.learner.ask(self.pace.steps_a_job(), workers) {
            Some(jobs) => {
                self.under_way.push_back(None);
                Ask::Jobs(jobs)
            }
            None if self.under_way.is_empty() => Ask::Done,
            None => Ask::Wait,
        }
    }

    fn tell(&mut self, results: Vec<(JobResult, f64)>) -> Recorded {
        let mut recorded = Recorded::default();
        let Some(errand) = self.under_way.pop_front() else { return recorded };
        for (result, seconds) in &results {
            match games_of(result) {
                0 => {}
                games => self.pace.took(games, *seconds),
            }
        }
        let results: Vec<JobResult> = results.into_iter().map(|(result, _)| result).collect();
        let counts = match &errand {
            Some(Errand::Final { .. }) => &mut self.state.fresh,
            Some(Errand::Step { number, .. }) if !self.plan.measure.is_due(*number) => {
                self.state.closing.entry(*number).or_default()
            }
            _ => &mut self.state.counts,
        };
        *counts += Counts::of(&results);
        match errand {
            Some(errand) => self.absorb_measurement(errand, &results, &mut recorded),
            None => match self.plan.learner.tell(results) {
                Ok(Some(step)) => self.absorb_step(step, &mut recorded),
                Ok(None) => {}
                Err(reason) => recorded.failure = Some(reason),
            },
        }
        recorded
    }

    fn generation(&self) -> Option<u32> {
        Some(self.state.step)
    }

    fn most_under_way(&self) -> usize {
        // Measurements go along.
        self.plan.learner.most_under_way() + 2
    }

    fn save(&self) -> Vec<u8> {
        let length = self.plan.learner.steps();
        let state = State { learner: self.plan.learner.save(), length, ..self.state.clone() };
        // Writing to a vector cannot fail.
        postcard::to_stdvec(&state).unwrap_or_default()
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.state = postcard::from_bytes(state).map_err(|error| error.to_string())?;
        self.plan.learner.restore(&std::mem::take(&mut self.state.learner))?;
        if self.state.length != self.plan.learner.steps() {
            // A course that was made longer has other last steps.
            let (measure, steps) = (&self.plan.measure, self.plan.learner.steps());
            let stays = |number: u32| measure.is_measured(number, steps);
            self.state.wanted.retain(|errand| matches!(errand, Errand::Step { number, .. } if stays(*number)));
            self.state.closing.retain(|number, _| stays(*number));
            self.state.curve.retain(|(number, _)| stays(*number));
            self.state.champion = None;
            self.state.last.clear();
            self.state.fresh = Counts::default();
        }
        self.under_way.clear();
        Ok(())
    }

    fn progress(&self) -> Progress {
        Progress {
            done: u64::from(self.state.step),
            total: u64::from(self.plan.learner.steps()),
            unit: self.plan.learner.unit().into(),
            games: self.all_counts().games,
            figures: self.figures(),
        }
    }

    fn summary(&self) -> Vec<Measurement> {
        let throughout = self.state.throughout.measurements("top-throughout", self.plan.measure.match_scores);
        let figures = [&self.state.own, &self.state.measured, &self.state.last, &throughout];
        figures.into_iter().flatten().cloned().collect()
    }

    fn digest(&self) -> u64 {
        let champion = self.state.champion.as_ref().map_or(0, Genome::hash);
        let Counts { games, digest } = self.all_counts();
        mix64(digest ^ mix64(games) ^ champion)
    }
}

impl Course {
    /// A line for people while it runs: the curve of the measured score, or what the learner says.
    fn figures(&self) -> String {
        match self.state.curve.last() {
            Some((_, score)) => {
                let scores: Vec<f32> = self.state.curve.iter().map(|(_, score)| *score).collect();
                format!("{} {score:.3}", sparkline(&scores))
            }
            None => {
                let figure = |figure: &Measurement| format!("{} {:.3}", figure.name, figure.value);
                self.state.own.iter().take(2).map(figure).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

fn games_of(result: &JobResult) -> u64 {
    match result {
        JobResult::Duels(duels) => duels.iter().map(|games| games.len() as u64).sum(),
        JobResult::Episodes(episodes) => episodes.len() as u64,
        JobResult::Pairs(pairs) => pairs.rows.len() as u64,
        _ => 0,
    }
}
