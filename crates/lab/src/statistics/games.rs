//! Counts of games.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use super::{Interval, wilson};

/// Wins, draws and losses of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameCounts {
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
}

impl GameCounts {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points of the first player: a draw is half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of the points; [`None`] without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The 95 % interval of [`score`](GameCounts::score) by [`wilson`], which takes games for independent. Those of a
    /// pair are not: [`PairCounts`](super::PairCounts) is the better judge of a match.
    pub fn interval(&self) -> Option<Interval> {
        wilson(self.points(), self.games())
    }
}

/// The counts of two matches together.
impl AddAssign for GameCounts {
    fn add_assign(&mut self, other: GameCounts) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted() {
        let mut counts = GameCounts::default();
        assert_eq!((counts.score(), counts.interval()), (None, None));
        counts += GameCounts { wins: 2, draws: 1, losses: 1 };
        counts += GameCounts { wins: 1, draws: 0, losses: 3 };
        assert_eq!(counts, GameCounts { wins: 3, draws: 1, losses: 4 });
        assert_eq!((counts.games(), counts.points(), counts.score()), (8, 3.5, Some(3.5 / 8.0)));
        assert_eq!(counts.interval(), wilson(3.5, 8));
    }
}
