//! How fast games are won and lost, as pLoGANN counts it: a game is worth 100 less its plies to who wins it, its plies to who
//! loses it, 50 if nobody does; a match of two games is worth their sum. (The thesis says moves and prints sums up to 165; plies fit
//! its tables, and no sum of theirs can be above 200.)

use lanista_learn::{Played, Points};

use crate::run::Measurement;
use crate::statistics::Summary;

/// What a game is worth.
fn worth(game: &Played) -> f64 {
    match game.result {
        Points::Win => 100.0 - f64::from(game.plies),
        Points::Loss => f64::from(game.plies),
        Points::Draw => 50.0,
    }
}

/// Mean, median, standard deviation and maximum of games and matches. The first of every two games was opened by the player whose
/// results they are.
pub fn match_scores(games: &[Played], of: &str) -> Vec<Measurement> {
    let worths: Vec<f64> = games.iter().map(worth).collect();
    let seat = |seat: usize| worths.iter().skip(seat).step_by(2).copied().collect::<Vec<f64>>();
    let matches: Vec<f64> = worths.as_chunks::<2>().0.iter().map(|[first, second]| first + second).collect();
    let mut figures = Vec::new();
    let mut add = |name: &str, of: String, values: &[f64]| {
        let Some(summary) = Summary::of(values) else { return };
        let count = values.len() as u64;
        let mut figure = |statistic: &str, value: f64| {
            figures.push(Measurement::new(name, format!("{of} statistic={statistic}"), value, count));
        };
        figure("mean", summary.mean);
        figure("median", summary.median);
        figure("maximum", summary.max);
        if let Some(sd) = summary.sd {
            figure("sd", sd);
        }
    };
    add("game-score", format!("{of} seat=both"), &worths);
    add("game-score", format!("{of} seat=first"), &seat(0));
    add("game-score", format!("{of} seat=second"), &seat(1));
    add("match-score", of.to_string(), &matches);
    figures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_matches_by_hand() {
        let game = |result, plies| Played { result, plies };
        let games = [
            game(Points::Win, 30),
            game(Points::Loss, 20),
            game(Points::Draw, 50),
            game(Points::Loss, 44),
            game(Points::Win, 10),
            game(Points::Win, 12),
        ];
        let figures = match_scores(&games, "player=top");
        let value = |name: &str, of: &str| {
            let found = figures.iter().find(|figure| figure.name == name && figure.of == format!("player=top {of}"));
            found.map(|figure| (figure.value, figure.count))
        };
        // 70, 20 | 50, 44 | 90, 88.
        assert_eq!(value("game-score", "seat=first statistic=mean"), Some((70.0, 3)));
        assert_eq!(value("game-score", "seat=second statistic=median"), Some((44.0, 3)));
        assert_eq!(value("game-score", "seat=both statistic=maximum"), Some((90.0, 6)));
        assert_eq!(value("match-score", "statistic=median"), Some((94.0, 3)));
        assert_eq!(value("match-score", "statistic=maximum"), Some((178.0, 3)));
        assert!(match_scores(&[], "player=top").is_empty());
    }
}
