//! The one face of all learners: ask, tell, save, restore.

use crate::round::{Genome, Played, Round};

/// A learner that asks for games and learns from their results.
///
/// Rounds may be under way while more are asked for; [`Breeder::tell`] always answers the oldest. Everything random comes
/// from seeds by generation, part and individual, so a saved state holds no generator and whoever restores it goes on
/// as if nothing had happened.
///
/// ```
/// use lanista_core::Seed;
/// use lanista_learn::{Breeder, Genome, Played, Points, Rival, evolve::presets};
///
/// let mut evolution = presets::preset("allsop")?;
/// evolution.generations = 3;
/// let mut breeder = evolution.begin(32, None, Seed::new(1))?;
/// let mut best = None;
/// while let Some(round) = breeder.ask() {
///     // A toy game: the larger first weight wins.
///     let strength = |who: usize| match &round.genomes[who] {
///         Genome::Weights(weights) => weights[0],
///         Genome::Graph(_) => 0.0,
///     };
///     let results: Vec<Vec<Played>> = round.meetings.iter().map(|meeting| {
///         let Rival::Individual(b) = meeting.b else { unreachable!("allsop has duels only") };
///         let result = if strength(meeting.a) > strength(b) { Points::Win } else { Points::Loss };
///         vec![Played { result, plies: 1 }; meeting.games as usize]
///     }).collect();
///     best = breeder.tell(&results).map(|generation| generation.population[0].clone()).or(best);
/// }
/// assert!(breeder.is_finished() && best.is_some());
/// # Ok::<(), String>(())
/// ```
pub trait Breeder: Send {
    /// The next round. `None` if it is finished, or if it must be told results first.
    fn ask(&mut self) -> Option<Round>;

    /// Absorbs the results of the oldest round under way: `results[i]` are the games of its meeting `i`, in order. Returns
    /// what came of a generation when this completes one.
    ///
    /// # Panics
    ///
    /// If no round is under way, or if the results do not fit it.
    fn tell(&mut self, results: &[Vec<Played>]) -> Option<Generation>;

    /// Whether all generations are done.
    fn is_finished(&self) -> bool;

    /// Everything that [`Breeder::tell`] has changed. Rounds under way are asked for again after a restore.
    fn save(&self) -> Vec<u8>;

    /// Goes back to a saved state of a learner with the same settings. An error says why the bytes are none, and changes
    /// nothing but that rounds under way are forgotten.
    fn restore(&mut self, state: &[u8]) -> Result<(), String>;
}

/// What came of a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Generation {
    /// Its number, from 0.
    pub number: u32,
    /// Games played in it.
    pub games: u64,
    /// Plies played in it.
    pub plies: u64,
    /// Its figures.
    pub figures: Figures,
    /// Everyone who took part, best first. The first is a [`crate::Candidate`], no champion.
    pub population: Vec<Ranked>,
    /// [`Standing::as_knock_out`](crate::contest::Standing::as_knock_out) of its contest.
    pub as_knock_out: Option<f64>,
    /// The middle of the search, for learners that have one: what a strategy would hand over now.
    pub centre: Option<Genome>,
}

/// An individual after its contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// What it is.
    pub genome: Genome,
    /// Its points a game, 0 to 1.
    pub fitness: f64,
    /// Whether it is part of the next generation as it is.
    pub lives_on: bool,
}

/// The fitness of a generation in numbers.
///
/// Unless everyone played a fixed opponent these are points among themselves: their mean says nothing about strength.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The highest.
    pub best: f64,
    /// The mean.
    pub mean: f64,
    /// The lowest.
    pub worst: f64,
    /// The standard deviation, over all of the generation.
    pub spread: f64,
}

impl Figures {
    /// The figures of a list; zeros if it is empty.
    pub fn of(fitness: &[f64]) -> Figures {
        if fitness.is_empty() {
            return Figures::default();
        }
        let count = fitness.len() as f64;
        let mean = fitness.iter().sum::<f64>() / count;
        let variance = fitness.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
        Figures {
            best: fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean,
            worst: fitness.iter().copied().fold(f64::INFINITY, f64::min),
            spread: variance.sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_by_hand() {
        let figures = Figures::of(&[0.0, 0.5, 1.0, 0.5]);
        assert_eq!((figures.best, figures.mean, figures.worst), (1.0, 0.5, 0.0));
        assert!((figures.spread - 0.125f64.sqrt()).abs() < 1e-15);
        assert_eq!(Figures::of(&[]), Figures::default());
    }
}
