//! Shares of a whole.

use std::collections::HashSet;
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::QUANTILE;

/// An interval, both ends in it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the interval holds `value`.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// How far it reaches from `value` at most: `value` plus and minus that holds all of it.
    pub fn reach(&self, value: f64) -> f64 {
        (value - self.low).max(self.high - value)
    }
}

/// The 95 % interval of a share, given the points of so many games (E. B. Wilson, "Probable inference, the law of
/// succession, and statistical inference", 1927): (p + z²/2n ± z√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
///
/// A draw is half a point. That keeps the middle right; but a draw spreads less than the win or loss the formula takes
/// it for, so with draws the interval is wider than it needs to be. [`None`] without games; points outside of
/// `0..=games` count as the nearer end, and points that are no number give [`None`].
pub fn wilson(points: f64, games: u64) -> Option<Interval> {
    if games == 0 || points.is_nan() {
        return None;
    }
    let n = games as f64;
    let share = points.clamp(0.0, n) / n;
    let square = QUANTILE * QUANTILE / n;
    let middle = share + square / 2.0;
    let half = (square * (share * (1.0 - share) + square / 4.0)).sqrt();
    let end = |value: f64| (value / (1.0 + square)).clamp(0.0, 1.0);
    Some(Interval { low: end(middle - half), high: end(middle + half) })
}

/// How many of some things are different from each other: the games of a match, say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distinct {
    /// Different ones.
    pub different: u64,
    /// All.
    pub all: u64,
}

impl Distinct {
    /// Counts the items.
    pub fn of<T: Eq + Hash>(items: impl IntoIterator<Item = T>) -> Distinct {
        let mut all = 0;
        let seen: HashSet<T> = items.into_iter().inspect(|_| all += 1).collect();
        Distinct { different: seen.len() as u64, all }
    }

    /// The share of different ones; [`None`] if there is nothing.
    pub fn share(&self) -> Option<f64> {
        (self.all > 0).then(|| self.different as f64 / self.all as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.binomtest(k, n).proportion_ci(method='wilson')` of SciPy 1.17.1.
    #[test]
    fn wilson_like_scipy() {
        #[rustfmt::skip]
        let cases = [
            (0.0, 1, 0.0, 0.7934506856227626),
            (1.0, 1, 0.20654931437723745, 1.0),
            (0.0, 20, 0.0, 0.16112515805281935),
            (20.0, 20, 0.8388748419471808, 1.0),
            (7.0, 10, 0.39677814746114526, 0.892208732593699),
            (55.0, 100, 0.45244602997442135, 0.6438546202048803),
            (49873.0, 100000, 0.49563114314045686, 0.5018289544288491),
        ];
        for (points, games, low, high) in cases {
            let found = wilson(points, games).expect("games");
            assert!((found.low - low).abs() < 1e-14 && (found.high - high).abs() < 1e-14, "{points} {games} {found:?}");
        }
    }

    #[test]
    fn wilson_is_total() {
        assert_eq!(wilson(0.0, 0), None);
        assert_eq!(wilson(f64::NAN, 3), None);
        assert_eq!(wilson(9.0, 3), wilson(3.0, 3));
        assert_eq!(wilson(-1.0, 3), wilson(0.0, 3));
        let half = wilson(0.5, 1).expect("a game");
        assert!(half.contains(0.5) && (half.low + half.high - 1.0).abs() < 1e-15);
    }

    #[test]
    fn distinct_things() {
        assert_eq!(Distinct::of(["a", "b", "a", "c"]), Distinct { different: 3, all: 4 });
        assert_eq!(Distinct { different: 3, all: 4 }.share(), Some(0.75));
        assert_eq!(Distinct::of([0u8; 0]).share(), None);
    }
}
