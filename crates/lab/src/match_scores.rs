//! How fast games are won and lost, as pLoGANN counts it: a game is worth 200 less its plies to who wins it, its plies to who
//! loses it, 100 if nobody does; a match of two games is worth their sum. And what share of games and matches is won, ties left out: who
//! wins more games wins the match, and with one win each the faster of them decides.
//!
//! The text of the thesis says 100 less the moves, the moves, and 50 after 50 moves. That is the same in moves of both sides, and its tables
//! are in plies: the means of two opponents sum to 200, a tie is 100, and the best match, won and lost in 35 turns each, is 165 + 35.

use std::collections::BTreeMap;

use lanista_learn::contest::outcome;
use lanista_learn::{Played, Points};
use serde::{Deserialize, Serialize};

use crate::run::Measurement;
use crate::statistics::{GameCounts, mean_error};

/// Whole numbers with how often each occurs.
type Counted = BTreeMap<i32, u64>;

/// The matches of a player, two games each; it opened the first of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchScores {
    /// What games were worth: those that it opened, and those that it answered.
    games: [Counted; 2],
    /// What matches were worth.
    matches: Counted,
    /// Results of the games that it opened, and of those that it answered.
    results: [GameCounts; 2],
    /// Matches won and lost.
    won_and_lost: [u64; 2],
}

/// What a game is worth.
fn worth(game: Played) -> i32 {
    let plies = i32::try_from(game.plies).unwrap_or(i32::MAX / 4);
    match game.result {
        Points::Win => 200 - plies,
        Points::Loss => plies,
        Points::Draw => 100,
    }
}

impl MatchScores {
    /// The matches among some games: every other one was opened by the player whose results they are. A last game without a second
    /// one counts as a game, not as a match.
    pub fn of(games: &[Played]) -> MatchScores {
        let mut scores = MatchScores::default();
        let (pairs, rest) = games.as_chunks::<2>();
        pairs.iter().for_each(|pair| scores.add(*pair));
        rest.iter().for_each(|game| scores.add_game(0, *game));
        scores
    }

    /// Adds a match.
    pub fn add(&mut self, games: [Played; 2]) {
        for (seat, game) in games.into_iter().enumerate() {
            self.add_game(seat, game);
        }
        *self.matches.entry(worth(games[0]) + worth(games[1])).or_default() += 1;
        let outcome = outcome(&games);
        self.won_and_lost[0] += u64::from(outcome.is_gt());
        self.won_and_lost[1] += u64::from(outcome.is_lt());
    }

    fn add_game(&mut self, seat: usize, game: Played) {
        *self.games[seat].entry(worth(game)).or_default() += 1;
        let results = &mut self.results[seat];
        match game.result {
            Points::Win => results.wins += 1,
            Points::Draw => results.draws += 1,
            Points::Loss => results.losses += 1,
        }
    }

    /// Adds other matches of the same player.
    pub fn merge(&mut self, other: &MatchScores) {
        let all = self.games.iter_mut().zip(&other.games).chain([(&mut self.matches, &other.matches)]);
        for (own, others) in all {
            others.iter().for_each(|(value, count)| *own.entry(*value).or_default() += count);
        }
        self.results.iter_mut().zip(other.results).for_each(|(own, other)| *own += other);
        self.won_and_lost.iter_mut().zip(other.won_and_lost).for_each(|(own, other)| *own += other);
    }

    /// The results of all games.
    pub fn results(&self) -> GameCounts {
        let [mut all, second] = self.results;
        all += second;
        all
    }

    /// The figures: mean, median, maximum and standard deviation of games, by seat, and of matches; and the shares won.
    pub fn measurements(&self, of: &str) -> Vec<Measurement> {
        let mut both = self.games[0].clone();
        self.games[1].iter().for_each(|(value, count)| *both.entry(*value).or_default() += count);
        let mut figures = Vec::new();
        figures.extend(spread("game-score", &format!("{of} seat=both"), &both));
        figures.extend(spread("game-score", &format!("{of} seat=first"), &self.games[0]));
        figures.extend(spread("game-score", &format!("{of} seat=second"), &self.games[1]));
        figures.extend(spread("match-score", of, &self.matches));
        let [first, second] = self.results;
        let all = self.results();
        let share =
            |name: &str, of: String, [won, lost]: [u64; 2]| Measurement::share(name, of, won as f64, won + lost);
        figures.extend(share("decided", of.to_string(), [all.wins, all.losses]));
        figures.extend(share("decided", format!("{of} seat=first"), [first.wins, first.losses]));
        figures.extend(share("decided", format!("{of} seat=second"), [second.wins, second.losses]));
        figures.extend(share("matches", of.to_string(), self.won_and_lost));
        figures
    }
}

/// Where values lie and how far they spread.
fn spread(name: &str, of: &str, values: &Counted) -> Vec<Measurement> {
    let count: u64 = values.values().sum();
    let Some((&greatest, _)) = values.last_key_value() else { return Vec::new() };
    let sum =
        |term: &dyn Fn(f64) -> f64| values.iter().map(|(value, n)| term(f64::from(*value)) * *n as f64).sum::<f64>();
    let mean = sum(&|value| value) / count as f64;
    let median = f64::midpoint(nth(values, (count - 1) / 2), nth(values, count / 2));
    let squares = sum(&|value| (value - mean) * (value - mean));
    let sd = (count > 1).then(|| (squares / (count - 1) as f64).sqrt());
    let error = sd.and_then(|sd| mean_error(sd, count));
    let figure =
        |statistic: &str, value: f64| Measurement::new(name, format!("{of} statistic={statistic}"), value, count);
    let mut figures =
        vec![figure("mean", mean).with_error(error), figure("median", median), figure("maximum", f64::from(greatest))];
    figures.extend(sd.map(|sd| figure("sd", sd)));
    figures
}

/// The value at a place in order, from 0.
fn nth(values: &Counted, place: u64) -> f64 {
    let mut before = 0;
    let found = values.iter().find(|(_, count)| {
        before += **count;
        before > place
    });
    found.map_or(f64::NAN, |(value, _)| f64::from(*value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(result: Points, plies: u32) -> Played {
        Played { result, plies }
    }

    #[test]
    fn games_and_matches_by_hand() {
        let games = [
            game(Points::Win, 30),
            game(Points::Loss, 20),
            game(Points::Draw, 50),
            game(Points::Loss, 44),
            game(Points::Win, 20),
            game(Points::Win, 12),
        ];
        let figures = MatchScores::of(&games).measurements("player=top");
        let value = |name: &str, of: &str| {
            let of = format!("player=top {of}");
            let found = figures.iter().find(|figure| figure.name == name && figure.of == of.trim_end());
            found.map(|figure| (figure.value, figure.count))
        };
        // 170, 20 | 100, 44 | 180, 188.
        assert_eq!(value("game-score", "seat=first statistic=mean"), Some((150.0, 3)));
        assert_eq!(value("game-score", "seat=second statistic=median"), Some((44.0, 3)));
        assert_eq!(value("game-score", "seat=both statistic=maximum"), Some((188.0, 6)));
        assert_eq!(value("game-score", "seat=both statistic=median"), Some((135.0, 6)));
        assert_eq!(value("match-score", "statistic=median"), Some((190.0, 3)));
        assert_eq!(value("match-score", "statistic=maximum"), Some((368.0, 3)));
        assert_eq!(value("game-score", "seat=first statistic=sd"), Some((1900_f64.sqrt(), 3)));
        // Three wins, two losses; the first match is lost by the slower win, the second lost, the third won.
        assert_eq!(value("decided", ""), Some((0.6, 5)));
        assert_eq!(value("decided", "seat=first"), Some((1.0, 2)));
        assert_eq!(value("decided", "seat=second"), Some((1.0 / 3.0, 3)));
        assert_eq!(value("matches", ""), Some((1.0 / 3.0, 3)));
        // 170, 100 and 180: the t of two degrees of freedom, 4.3027, times √(1900 / 3).
        let mean = figures.iter().find(|figure| figure.of == "player=top seat=first statistic=mean");
        assert!(mean.and_then(|mean| mean.error).is_some_and(|error| (error - 108.2810).abs() < 1e-3), "{mean:?}");
        let wilson = figures.iter().find(|figure| figure.name == "matches").and_then(|figure| figure.error);
        assert!(wilson.is_some_and(|error| error > 0.3 && error < 0.5), "{wilson:?}");
        assert!(MatchScores::of(&[]).measurements("player=top").is_empty());
    }

    #[test]
    fn parts_make_the_whole() {
        let games = [game(Points::Win, 30), game(Points::Draw, 99), game(Points::Loss, 44)];
        let mut parts = MatchScores::default();
        parts.add([games[0], games[1]]);
        parts.add_game(0, games[2]);
        assert_eq!(parts, MatchScores::of(&games));
        let mut merged = MatchScores::of(&games[..2]);
        merged.merge(&MatchScores::of(&games[2..]));
        assert_eq!(merged, parts);
        assert_eq!(merged.results(), GameCounts { wins: 1, draws: 1, losses: 1 });
    }
}
