//! CMA-ES: samples whose covariance adapts (Hansen, *The CMA evolution strategy: a tutorial*, 2016, its default parameters with positive
//! weights). The root of the covariance is its Cholesky root, not the symmetric one: far cheaper, and as good (Krause, Arbonès and Igel
//! 2016). Above [`MOST_FULL`] weights only the variance of each weight adapts (Ros and Hansen 2008).

use lanista_core::Seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Strategy, cholesky};
use crate::elementary::{exp, ln};
use crate::gaussian::gaussian;
use crate::limits::check_individuals;
use crate::parts::SAMPLES;

/// Up to so many weights the whole covariance adapts; beyond, its root would take longer than games do.
pub const MOST_FULL: usize = 500;

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CmaSettings {
    /// Individuals a generation: λ. 4 + ⌊3 ln n⌋ for n weights if not given; contests in groups or with much noise want more.
    pub population: Option<u32>,
    /// The standard deviation that it begins with: about a third of the way to where the best weights may lie.
    pub sd: f64,
    /// Whether `sd` is a share of each first weight, for weights of very different size. None counts as less than a hundredth of the
    /// greatest.
    #[serde(default)]
    pub relative: bool,
}

/// What it has learnt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaState {
    /// Where it stands.
    pub mean: Vec<f64>,
    /// The overall standard deviation: σ.
    pub sd: f64,
    /// The path of the mean, for σ.
    path_sd: Vec<f64>,
    /// The path of the mean, for the covariance.
    path: Vec<f64>,
    /// The covariance: all of it row by row, or the diagonal.
    covariance: Vec<f64>,
    /// Its root: a lower triangle, or a diagonal.
    root: Vec<f64>,
    /// Generations done.
    generation: u64,
}

/// Numbers that follow from the number of weights and of individuals.
#[derive(Clone, Debug)]
struct Rates {
    /// Of the best half, adding up to 1.
    weights: Vec<f64>,
    effective: f64,
    path_sd: f64,
    damping: f64,
    path: f64,
    rank_one: f64,
    rank_many: f64,
    /// The length of a vector of Gaussian numbers that is to be expected.
    length: f64,
}

/// The strategy.
#[derive(Clone, Debug)]
pub struct CmaEs {
    population: usize,
    is_full: bool,
    rates: Rates,
    state: CmaState,
}

impl CmaEs {
    /// Begins at some weights. An error says which setting is wrong.
    pub fn new(settings: CmaSettings, start: &[f32]) -> Result<CmaEs, String> {
        CmaEs::with_shape(settings, start, start.len() <= MOST_FULL)
    }

    fn with_shape(settings: CmaSettings, start: &[f32], is_full: bool) -> Result<CmaEs, String> {
        let n = start.len();
        if n == 0 || !(settings.sd.is_finite() && settings.sd > 0.0) {
            return Err(format!("cma-es: sd = {}, {n} weights: expected more than 0 of both", settings.sd));
        }
        let population = settings.population.map_or_else(|| 4 + (3.0 * ln(n as f64)).floor() as usize, |p| p as usize);
        if population < 2 {
            return Err(format!("cma-es: population = {population}: expected 2 or more"));
        }
        check_individuals("cma-es: population", population as u64)?;
        let scales = if settings.relative { sizes(start) } else { vec![1.0; n] };
        let diagonal = |of: &dyn Fn(f64) -> f64| -> Vec<f64> {
            match is_full {
                true => (0..n * n).map(|at| if at / n == at % n { of(scales[at % n]) } else { 0.0 }).collect(),
                false => scales.iter().map(|&scale| of(scale)).collect(),
            }
        };
        let state = CmaState {
            mean: start.iter().map(|&weight| f64::from(weight)).collect(),
            sd: settings.sd,
            path_sd: vec![0.0; n],
            path: vec![0.0; n],
            covariance: diagonal(&|scale| scale * scale),
            root: diagonal(&|scale| scale),
            generation: 0,
        };
        Ok(CmaEs { population, is_full, rates: Rates::new(n, population, is_full), state })
    }

    /// The overall standard deviation.
    pub fn sd(&self) -> f64 {
        self.state.sd
    }

    /// The Gaussian numbers behind a sample.
    fn numbers(&self, individual: usize, seed: Seed) -> Vec<f64> {
        let mut stream = seed.child(SAMPLES).child(individual as u64).stream();
        (0..self.state.mean.len()).map(|_| gaussian(&mut stream)).collect()
    }

    /// The step of a sample, in units of σ.
    fn step(&self, numbers: &[f64]) -> Vec<f64> {
        let times = |row: &[f64]| row.iter().zip(numbers).map(|(x, y)| x * y).sum();
        match self.is_full {
            true => self.state.root.chunks_exact(numbers.len()).enumerate().map(|(i, row)| times(&row[..=i])).collect(),
            false => self.state.root.iter().zip(numbers).map(|(x, y)| x * y).collect(),
        }
    }

    fn adapt_covariance(&mut self, steps: &[Vec<f64>], holds: bool) {
        let Rates { rank_one, rank_many, path: rate, .. } = self.rates;
        // What is lost of the path when it waits is given back.
        let waiting = if holds { 0.0 } else { rank_one * rate * (2.0 - rate) };
        let keep = 1.0 - rank_one - rank_many + waiting;
        let n = self.state.mean.len();
        // Every vector with its share.
        let many = self.rates.weights.iter().map(|weight| rank_many * weight).zip(steps);
        let vectors: Vec<(f64, &Vec<f64>)> = many.chain([(rank_one, &self.state.path)]).collect();
        if self.is_full {
            for (i, row) in self.state.covariance.chunks_exact_mut(n).enumerate() {
                // Only the lower triangle is looked at.
                let row = &mut row[..=i];
                row.iter_mut().for_each(|value| *value *= keep);
                for (share, vector) in &vectors {
                    let share = share * vector[i];
                    row.iter_mut().zip(*vector).for_each(|(value, x)| *value += share * x);
                }
            }
            self.state.root = cholesky::root(&self.state.covariance, n);
        } else {
            for (i, value) in self.state.covariance.iter_mut().enumerate() {
                *value =
                    keep * *value + vectors.iter().map(|(share, vector)| share * vector[i] * vector[i]).sum::<f64>();
            }
            self.state.root = self.state.covariance.iter().map(|value| value.max(1e-300).sqrt()).collect();
        }
    }
}

impl Strategy for CmaEs {
    type State = CmaState;

    fn size(&self) -> usize {
        self.population
    }

    fn samples(&self, seed: Seed) -> Vec<Vec<f64>> {
        let sample = |individual: usize| {
            let step = self.step(&self.numbers(individual, seed));
            self.state.mean.iter().zip(step).map(|(x, step)| x + self.state.sd * step).collect()
        };
        (0..self.population).map(sample).collect()
    }

    fn learn(&mut self, fitness: &[f64], seed: Seed) {
        let mut order: Vec<usize> = (0..self.population).collect();
        order.sort_by(|&x, &y| fitness[y].total_cmp(&fitness[x]));
        let n = self.state.mean.len();
        let rates = self.rates.clone();
        let numbers: Vec<Vec<f64>> =
            order[..rates.weights.len()].iter().map(|&individual| self.numbers(individual, seed)).collect();
        let steps: Vec<Vec<f64>> = numbers.iter().map(|numbers| self.step(numbers)).collect();
        let mean_of = |vectors: &[Vec<f64>]| -> Vec<f64> {
            (0..n).map(|i| rates.weights.iter().zip(vectors).map(|(weight, vector)| weight * vector[i]).sum()).collect()
        };
        let step = mean_of(&steps);
        // The inverse of the root times the step.
        let round_step = mean_of(&numbers);

        let push = (rates.path_sd * (2.0 - rates.path_sd) * rates.effective).sqrt();
        for (path, step) in self.state.path_sd.iter_mut().zip(round_step) {
            *path = (1.0 - rates.path_sd) * *path + push * step;
        }
        let length = self.state.path_sd.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.state.generation += 1;
        let age = 2.0 * self.state.generation as f64;
        let usual = (1.0 - exp(age * ln(1.0 - rates.path_sd))).sqrt();
        // The path waits while σ grows fast, or variances would grow without reason.
        let holds = length / usual < (1.4 + 2.0 / (n as f64 + 1.0)) * rates.length;
        let push = if holds { (rates.path * (2.0 - rates.path) * rates.effective).sqrt() } else { 0.0 };
        for (path, step) in self.state.path.iter_mut().zip(&step) {
            *path = (1.0 - rates.path) * *path + push * step;
        }
        for (x, step) in self.state.mean.iter_mut().zip(&step) {
            *x += self.state.sd * step;
        }
        self.adapt_covariance(&steps, holds);
        // Not more than a factor e a generation.
        self.state.sd *= exp((rates.path_sd / rates.damping * (length / rates.length - 1.0)).min(1.0));
    }

    fn centre(&self) -> &[f64] {
        &self.state.mean
    }

    fn state(&self) -> &CmaState {
        &self.state
    }

    fn adopt(&mut self, state: CmaState) -> Result<(), String> {
        let own = &self.state;
        let lists =
            |state: &CmaState| [&state.mean, &state.path_sd, &state.path, &state.covariance, &state.root].map(Vec::len);
        if lists(&state) != lists(own) || state.generation > 1 << 53 {
            return Err("saved state: other weights".into());
        }
        self.state = state;
        Ok(())
    }
}

/// How large each weight is, none less than a hundredth of the greatest; 1 where all are zero.
fn sizes(weights: &[f32]) -> Vec<f64> {
    let size = |weight: &f32| f64::from(weight.abs());
    let greatest = weights.iter().map(size).fold(0.0, f64::max);
    if greatest == 0.0 {
        vec![1.0; weights.len()]
    } else {
        weights.iter().map(|w| size(w).max(greatest / 100.0)).collect()
    }
}

impl Rates {
    fn new(weights: usize, population: usize, is_full: bool) -> Rates {
        let n = weights as f64;
        let half = (population as f64 + 1.0) / 2.0;
        let raw: Vec<f64> = (1..=population / 2).map(|rank| ln(half) - ln(rank as f64)).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let effective = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let path_sd = (effective + 2.0) / (n + effective + 5.0);
        let damping = 1.0 + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + path_sd;
        let path = (4.0 + effective / n) / (n + 4.0 + 2.0 * effective / n);
        // A diagonal has fewer numbers to learn and may learn them faster.
        let faster = if is_full { 1.0 } else { (n + 2.0) / 3.0 };
        let rank_one = (faster * 2.0 / ((n + 1.3) * (n + 1.3) + effective)).min(1.0);
        let rank_many = 2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0) * (n + 2.0) + effective);
        let rank_many = (faster * rank_many).min(1.0 - rank_one);
        let length = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        Rates { weights, effective, path_sd, damping, path, rank_one, rank_many, length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Minimises a function; returns the value at the centre, and the evaluations it took to get below a goal.
    fn minimise(mut strategy: CmaEs, function: impl Fn(&[f64]) -> f64, goal: f64, budget: usize) -> (f64, usize) {
        let mut spent = 0;
        while spent < budget && function(strategy.centre()) > goal {
            let seed = Seed::new(9).child(strategy.state.generation);
            let samples = strategy.samples(seed);
            spent += samples.len();
            let fitness: Vec<f64> = samples.iter().map(|x| -function(x)).collect();
            strategy.learn(&fitness, seed);
        }
        (function(strategy.centre()), spent)
    }

    fn settings(sd: f64) -> CmaSettings {
        CmaSettings { population: None, sd, relative: false }
    }

    fn bowl(x: &[f64]) -> f64 {
        x.iter().map(|x| x * x).sum()
    }

    /// A long narrow valley that no axis follows.
    fn rosenbrock(x: &[f64]) -> f64 {
        x.windows(2).map(|pair| 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2)).sum()
    }

    /// Axes whose scales differ a thousandfold.
    fn ellipse(x: &[f64]) -> f64 {
        let last = (x.len() - 1) as f64;
        x.iter().enumerate().map(|(i, x)| 1e6f64.powf(i as f64 / last) * x * x).sum()
    }

    #[test]
    fn parameters_of_the_tutorial() {
        let strategy = CmaEs::new(settings(1.0), &[0.0; 10]).unwrap();
        assert_eq!((strategy.population, strategy.rates.weights.len()), (10, 5));
        assert!((strategy.rates.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // Computed by hand for n = 10, λ = 10: 1 / Σ w² and the learning rates.
        assert!((strategy.rates.effective - 3.167).abs() < 1e-3, "{}", strategy.rates.effective);
        assert!((strategy.rates.rank_one - 2.0 / (11.3 * 11.3 + strategy.rates.effective)).abs() < 1e-12);
        assert!((strategy.rates.length - 3.0847).abs() < 1e-3);
    }

    #[test]
    fn bowls_and_valleys() {
        let (left, spent) = minimise(CmaEs::new(settings(0.5), &[1.0; 10]).unwrap(), bowl, 1e-10, 3_000);
        assert!(left <= 1e-10, "bowl: {left} after {spent}");
        let (left, spent) = minimise(CmaEs::new(settings(0.5), &[0.0; 6]).unwrap(), rosenbrock, 1e-8, 8_000);
        assert!(left <= 1e-8, "valley: {left} after {spent}");
        let (left, spent) = minimise(CmaEs::new(settings(0.5), &[1.0; 8]).unwrap(), ellipse, 1e-8, 8_000);
        assert!(left <= 1e-8, "ellipse: {left} after {spent}");
    }

    #[test]
    fn a_diagonal_learns_scales() {
        let strategy = CmaEs::with_shape(settings(0.5), &[1.0; 20], false).unwrap();
        let (left, spent) = minimise(strategy, ellipse, 1e-8, 20_000);
        assert!(left <= 1e-8, "{left} after {spent}");
        let large = CmaEs::new(settings(0.1), &vec![0.0; 2_041]).unwrap();
        assert!(!large.is_full && large.state.covariance.len() == 2_041 && large.population == 26);
    }

    #[test]
    fn steps_may_fit_the_sizes_of_weights() {
        let start = [1000.0, -20.0, 0.0];
        let step = |is_full| {
            let relative = CmaSettings { relative: true, ..settings(0.5) };
            let strategy = CmaEs::with_shape(relative, &start, is_full).unwrap();
            strategy.step(&[1.0; 3])
        };
        assert_eq!([step(true), step(false)], [[1000.0, 20.0, 10.0]; 2]);
        assert_eq!(sizes(&[0.0; 2]), [1.0; 2]);
        // An ellipse whose scales are known is a bowl.
        let start: Vec<f32> = (0..8).map(|i| 1e6f32.powf(f32::from(i as u8) / -14.0)).collect();
        let relative = CmaSettings { relative: true, ..settings(0.5) };
        let goal = 1e-6;
        let (left, spent) = minimise(CmaEs::new(relative, &start).unwrap(), ellipse, goal, 8_000);
        let (_, alike) = minimise(CmaEs::new(settings(0.5), &start).unwrap(), ellipse, goal, 8_000);
        assert!(left <= goal && 2 * spent < alike, "{left} after {spent}, without after {alike}");
    }

    #[test]
    fn a_state_of_other_weights_is_refused() {
        let mut strategy = CmaEs::new(settings(0.5), &[1.0; 3]).unwrap();
        let other = CmaEs::new(settings(0.5), &[1.0; 4]).unwrap();
        assert!(strategy.adopt(other.state).is_err());
        assert!(CmaEs::new(settings(0.0), &[1.0]).is_err());
        assert!(CmaEs::new(CmaSettings { population: Some(1), ..settings(1.0) }, &[1.0]).is_err());
    }
}
