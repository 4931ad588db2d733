//! The settings of an asynchronous evolution.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evolve::{Crossover, Initial, Mutation};
use crate::limits::{check_games, check_individuals};
use crate::round::FirstMover;

/// The settings of an asynchronous evolution. (Not in the documents.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SteadyState {
    /// Individuals that live at a time.
    pub population: u32,
    /// Tasks in all; the first ones are the first population. As many as the population count as a generation.
    pub tasks: u32,
    /// How many tasks are under way at a time. Part of the experiment: another lag gives another evolution.
    pub lag: u32,
    /// So many are drawn for each parent, and the fittest of them is the one.
    pub tournament: u32,
    /// Who makes room for a new individual.
    #[serde(default)]
    pub replace: Replace,
    /// Where first weights come from.
    pub initial: Initial,
    /// How weights change by chance. A rate that falls does so over the tasks.
    pub mutation: Mutation,
    /// How a child gets its weights from two parents.
    pub crossover: Crossover,
    /// How a new individual is measured.
    pub trial: TrialGames,
}

/// Who makes room for a new individual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Replace {
    /// The worst, if the new one is not worse still. A lucky one stays for ever.
    Worst,
    /// The oldest, always. Luck does not last.
    #[default]
    Oldest,
}

/// The games of a new individual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum TrialGames {
    /// Against a fixed player of the experiment.
    FixedAgent {
        /// How many.
        games: u32,
        /// Who opens.
        first: FirstMover,
        /// The number of the player in the experiment.
        #[serde(default)]
        opponent: usize,
    },
    /// Against members of the population as the task knows it. Fitness then means strength among those who lived at the time.
    Members {
        /// How many, drawn at random; the same one may be drawn twice.
        rivals: u32,
        /// Games with each.
        games: u32,
        /// Who opens.
        first: FirstMover,
    },
}

impl SteadyState {
    /// As many tasks as the population count as a generation.
    pub fn generations(&self) -> u32 {
        self.tasks / self.population.max(1)
    }

    /// Whether it works on so many weights. An error says what is wrong.
    pub fn check(&self, weights: usize) -> Result<(), String> {
        let counts = [
            ("population", self.population),
            ("tasks", self.tasks),
            ("lag", self.lag),
            ("tournament", self.tournament),
        ];
        if let Some((name, _)) = counts.iter().find(|(_, count)| *count == 0) {
            return Err(format!("{name} = 0: expected 1 or more"));
        }
        if self.population < 2 || weights == 0 {
            return Err("expected a population of 2 or more, and weights".into());
        }
        check_individuals("population", u64::from(self.population))?;
        check_individuals("lag", u64::from(self.lag))?;
        if self.tournament > self.population {
            let (tournament, population) = (self.tournament, self.population);
            return Err(format!("tournament = {tournament}: expected at most population = {population}"));
        }
        if !self.tasks.is_multiple_of(self.population) {
            let (tasks, population) = (self.tasks, self.population);
            return Err(format!("tasks = {tasks}: expected a multiple of population = {population}"));
        }
        let games = match self.trial {
            TrialGames::FixedAgent { games, .. } => [1, u64::from(games), 1],
            TrialGames::Members { rivals, games, .. } => [u64::from(rivals), u64::from(games), 1],
        };
        if games.contains(&0) {
            return Err("trial: expected 1 game or more".into());
        }
        check_games("trial", games)?;
        self.initial.check(weights)?;
        self.mutation.check()?;
        self.crossover.check(weights)
    }
}

impl TrialGames {
    /// The fixed player that it asks for, if it does.
    pub fn opponent(&self) -> Option<usize> {
        match self {
            TrialGames::FixedAgent { opponent, .. } => Some(*opponent),
            TrialGames::Members { .. } => None,
        }
    }
}
