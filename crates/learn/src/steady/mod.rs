//! Asynchronous evolution: a steady state that never lets a worker idle (plogann names it as an open wish) and that is still
//! deterministic.
//!
//! There are no generations to wait for. Work is handed out in numbered tasks, each one new individual with its games. Results
//! are absorbed in the order of the tasks, whoever was faster. Task `n` is made at the moment when result `n − lag` has been
//! absorbed, so it depends on the results of the tasks 0 to `n − lag` and on no others, and `lag` tasks are under way at any
//! time. Nothing in this depends on a clock or on the number of workers: `lag` is a setting of the experiment, as the
//! population is. With a lag of at least the number of workers, and more if games differ much in length, no worker waits.
//! Another lag is another evolution; more workers are the same one.

mod settings;

use std::collections::VecDeque;

use lanista_core::{RandomStream, Seed};
use serde::{Deserialize, Serialize};

pub use settings::{Replace, SteadyState, TrialGames};

use crate::breeder::{Breeder, Figures, Generation, Ranked};
use crate::evolve::check_order;
use crate::generations::fit;
use crate::parts::{CROSSOVER, DRAW, INITIAL, MEETINGS, MUTATION, PARENTS};
use crate::round::{Genome, Meeting, Played, Rival, Round};
use crate::shuffle::other_than;

impl SteadyState {
    /// An evolution of so many weights that has not begun. `order` is the order in which crossover sees them. An error says
    /// which setting is wrong.
    pub fn begin(&self, weights: usize, order: Option<Vec<u32>>, seed: Seed) -> Result<SteadyBreeder, String> {
        self.check(weights)?;
        order.iter().try_for_each(|order| check_order(order, weights))?;
        let settings = self.clone();
        let mut breeder = SteadyBreeder { settings, weights, order, seed, state: State::default(), asked: 0 };
        for number in 0..self.lag.min(self.tasks) {
            let task = breeder.task(number);
            breeder.state.tasks.push_back(task);
        }
        Ok(breeder)
    }
}

/// An asynchronous evolution under way.
pub struct SteadyBreeder {
    settings: SteadyState,
    weights: usize,
    order: Option<Vec<u32>>,
    seed: Seed,
    state: State,
    /// How many of the tasks in the state have been asked for.
    asked: usize,
}

/// What it remembers. Tasks are kept since they know the population only as it was when they were made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    absorbed: u32,
    members: Vec<Member>,
    tasks: VecDeque<Task>,
    /// Since the last report.
    games: u64,
    plies: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Member {
    weights: Vec<f32>,
    fitness: f64,
    task: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Task {
    number: u32,
    weights: Vec<f32>,
    rivals: Vec<Vec<f32>>,
}

impl SteadyBreeder {
    /// The task of this number, as the population is now.
    fn task(&self, number: u32) -> Task {
        let seed = self.seed.child(u64::from(number));
        let weights = if number < self.settings.population || self.state.members.len() < 2 {
            self.first(number)
        } else {
            self.offspring(number, seed)
        };
        let rivals = match self.settings.trial {
            TrialGames::FixedAgent { .. } => Vec::new(),
            TrialGames::Members { rivals, .. } => {
                let mut stream = seed.child(DRAW).stream();
                (0..rivals).map(|_| self.rival(number, &mut stream)).collect()
            }
        };
        Task { number, weights, rivals }
    }

    fn first(&self, number: u32) -> Vec<f32> {
        let mut stream = self.seed.child(u64::from(number)).child(INITIAL).stream();
        self.settings.initial.draw(self.weights, &mut stream)
    }

    fn offspring(&self, number: u32, seed: Seed) -> Vec<f32> {
        let mut stream = seed.child(PARENTS).stream();
        let a = self.parent(&mut stream);
        let mut b = self.parent(&mut stream);
        if a == b {
            b = other_than(a, self.state.members.len(), &mut stream);
        }
        let (a, b) = (&self.state.members[a].weights, &self.state.members[b].weights);
        let mut weights =
            self.settings.crossover.child(a, b, self.order.as_deref(), &mut seed.child(CROSSOVER).stream());
        let progress = f64::from(number) / f64::from(self.settings.tasks);
        self.settings.mutation.apply(&mut weights, progress, &mut seed.child(MUTATION).stream());
        weights
    }

    /// The fittest of a few, the one drawn first if they are equal.
    fn parent(&self, stream: &mut RandomStream) -> usize {
        let members = &self.state.members;
        let mut best = stream.below(members.len() as u32) as usize;
        for _ in 1..self.settings.tournament {
            let other = stream.below(members.len() as u32) as usize;
            if members[other].fitness > members[best].fitness {
                best = other;
            }
        }
        best
    }

    /// A member, or one of the first population while there are none.
    fn rival(&self, number: u32, stream: &mut RandomStream) -> Vec<f32> {
        if number >= self.settings.population && !self.state.members.is_empty() {
            return self.state.members[stream.below(self.state.members.len() as u32) as usize].weights.clone();
        }
        let population = self.settings.population as usize;
        self.first(other_than(number as usize % population, population, stream) as u32)
    }

    fn round(&self, task: &Task) -> Round {
        let seeds = self.seed.child(u64::from(task.number)).child(MEETINGS);
        let meetings = match self.settings.trial {
            TrialGames::FixedAgent { games, first, opponent } => {
                vec![Meeting { a: 0, b: Rival::Opponent(opponent), games, first, seed: seeds.child(0) }]
            }
            TrialGames::Members { rivals, games, first } => (0..rivals as usize)
                .map(|rival| Meeting {
                    a: 0,
                    b: Rival::Individual(rival + 1),
                    games,
                    first,
                    seed: seeds.child(rival as u64),
                })
                .collect(),
        };
        let genomes = std::iter::once(&task.weights).chain(&task.rivals).cloned().map(Genome::Weights).collect();
        Round { genomes, meetings }
    }

    fn settle(&mut self, member: Member) {
        let members = &mut self.state.members;
        if members.len() < self.settings.population as usize {
            members.push(member);
            return;
        }
        let leaves = match self.settings.replace {
            Replace::Oldest => members.iter().enumerate().min_by_key(|(_, one)| one.task),
            Replace::Worst => members
                .iter()
                .enumerate()
                .min_by(|(_, x), (_, y)| x.fitness.total_cmp(&y.fitness).then(x.task.cmp(&y.task)))
                .filter(|(_, worst)| member.fitness >= worst.fitness),
        };
        if let Some((place, _)) = leaves {
            members[place] = member;
        }
    }

    fn report(&mut self) -> Generation {
        let mut ranks: Vec<&Member> = self.state.members.iter().collect();
        ranks.sort_by(|x, y| y.fitness.total_cmp(&x.fitness).then(x.task.cmp(&y.task)));
        let ranked = |member: &&Member| Ranked {
            genome: Genome::Weights(member.weights.clone()),
            fitness: member.fitness,
            lives_on: true,
        };
        let fitness: Vec<f64> = ranks.iter().map(|member| member.fitness).collect();
        Generation {
            number: (self.state.absorbed - 1) / self.settings.population,
            games: std::mem::take(&mut self.state.games),
            plies: std::mem::take(&mut self.state.plies),
            figures: Figures::of(&fitness),
            population: ranks.iter().map(ranked).collect(),
            as_knock_out: None,
            centre: None,
        }
    }
}

impl Breeder for SteadyBreeder {
    fn ask(&mut self) -> Option<Round> {
        let round = self.round(self.state.tasks.get(self.asked)?);
        self.asked += 1;
        Some(round)
    }

    fn tell(&mut self, results: &[Vec<Played>]) -> Option<Generation> {
        assert!(self.asked > 0, "a round is under way");
        let task = self.state.tasks.pop_front().expect("what was asked for is kept");
        self.asked -= 1;
        assert!(fit(&self.round(&task), results), "every meeting has its games");
        let games = || results.iter().flatten();
        let points: f64 = games().map(|game| game.result.value()).sum();
        self.state.games += games().count() as u64;
        self.state.plies += games().map(|game| u64::from(game.plies)).sum::<u64>();
        self.state.absorbed += 1;
        self.settle(Member { weights: task.weights, fitness: points / games().count() as f64, task: task.number });
        // Made now, whoever asks for it when: this is what the population must look like for it.
        let next = task.number.saturating_add(self.settings.lag);
        if next < self.settings.tasks {
            let task = self.task(next);
            self.state.tasks.push_back(task);
        }
        let is_complete = self.state.absorbed.is_multiple_of(self.settings.population) || self.is_finished();
        is_complete.then(|| self.report())
    }

    fn is_finished(&self) -> bool {
        self.state.absorbed >= self.settings.tasks
    }

    fn save(&self) -> Vec<u8> {
        postcard::to_stdvec(&self.state).expect("plain data can be written to memory")
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        let state: State = postcard::from_bytes(state).map_err(|error| format!("saved state: {error}"))?;
        let rivals = match self.settings.trial {
            TrialGames::FixedAgent { .. } => 0,
            TrialGames::Members { rivals, .. } => rivals as usize,
        };
        let all = state.members.iter().map(|member| &member.weights);
        let of_tasks = state.tasks.iter().flat_map(|task| std::iter::once(&task.weights).chain(&task.rivals));
        let numbers = state.absorbed..state.absorbed.saturating_add(self.settings.lag).min(self.settings.tasks);
        let sound = all.chain(of_tasks).all(|weights| weights.len() == self.weights)
            && state.absorbed <= self.settings.tasks
            && state.members.len() <= self.settings.population as usize
            && state.tasks.iter().all(|task| task.rivals.len() == rivals)
            && state.tasks.iter().map(|task| task.number).eq(numbers);
        if !sound {
            return Err("saved state: of another evolution".into());
        }
        (self.state, self.asked) = (state, 0);
        Ok(())
    }
}
