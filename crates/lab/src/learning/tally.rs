//! What measurements come to.

use lanista_learn::Played;
use serde::{Deserialize, Serialize};

use crate::jobs::Grade;
use crate::match_scores::MatchScores;
use crate::run::Measurement;
use crate::statistics::GameCounts;

/// Decisions beside the truth.
#[derive(Clone, Debug, Default)]
pub struct GradedDecisions {
    /// On positions that are given.
    pub on_positions: Vec<Grade>,
    /// In games with the first opponent.
    pub in_games: Vec<Grade>,
}

/// The results of one measurement.
#[derive(Clone, Debug)]
pub struct Tally {
    /// All games, opponent by opponent.
    pub games: Vec<Played>,
    /// The games with each opponent, summed up.
    pub sums: Sums,
    grades: GradedDecisions,
}

/// A score with half its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Points a game.
    pub score: f64,
    /// Half the interval.
    pub error: f64,
    /// The games behind it.
    pub games: u64,
}

impl Tally {
    /// Results in the order in which they were asked for, opponent by opponent, the same number of meetings for each.
    pub fn new(names: &[String], games: &[Vec<Played>], grades: GradedDecisions) -> Tally {
        let meetings = (games.len() / names.len().max(1)).max(1);
        let sums = names.iter().cloned().zip(games.chunks(meetings).map(Sum::of));
        Tally { games: games.concat(), sums: Sums(sums.collect()), grades }
    }

    /// All games together.
    pub fn overall(&self) -> Option<Measured> {
        let mut all = GameCounts::default();
        self.sums.0.iter().for_each(|(_, sum)| all += sum.scores.results());
        measured(all)
    }

    /// The figures, for `whom`.
    pub fn measurements(&self, whom: &str, match_scores: bool) -> Vec<Measurement> {
        let mut figures = self.sums.measurements(whom, match_scores);
        figures.extend(graded(&self.grades.on_positions, format!("player={whom} against=truth")));
        if let Some((name, _)) = self.sums.0.first() {
            figures.extend(graded(&self.grades.in_games, format!("player={whom} against=truth with={name}")));
        }
        figures
    }
}

/// The games of one measurement or of several together, by opponent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sums(Vec<(String, Sum)>);

/// Games with an opponent, summed up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sum {
    scores: MatchScores,
    plies: u64,
}

impl Sums {
    /// Adds the games of a measurement.
    pub fn add(&mut self, others: &Sums) {
        for (name, other) in &others.0 {
            match self.0.iter_mut().find(|(known, _)| known == name) {
                Some((_, sum)) => sum.add(other),
                None => self.0.push((name.clone(), other.clone())),
            }
        }
    }

    /// The figures, for `whom`.
    pub fn measurements(&self, whom: &str, match_scores: bool) -> Vec<Measurement> {
        let figures = |(name, sum): &(String, Sum)| {
            let of = format!("player={whom} against={name}");
            let counts = sum.scores.results();
            let count = counts.games();
            let mut figures = Vec::new();
            if let Some(all) = measured(counts) {
                figures.push(Measurement::new("score", of.clone(), all.score, count).with_error(Some(all.error)));
            }
            figures.push(Measurement::new("plies", of.clone(), sum.plies as f64 / count.max(1) as f64, count));
            if match_scores {
                figures.extend(sum.scores.measurements(&of));
            }
            figures
        };
        self.0.iter().flat_map(figures).collect()
    }
}

impl Sum {
    /// Of meetings, each of which the player opened.
    fn of(meetings: &[Vec<Played>]) -> Sum {
        let mut all = Sum::default();
        for games in meetings {
            let plies = games.iter().map(|game| u64::from(game.plies)).sum();
            all.add(&Sum { scores: MatchScores::of(games), plies });
        }
        all
    }

    fn add(&mut self, other: &Sum) {
        self.scores.merge(&other.scores);
        self.plies += other.plies;
    }
}

fn measured(counts: GameCounts) -> Option<Measured> {
    let score = counts.score()?;
    Some(Measured { score, error: counts.interval()?.reach(score), games: counts.games() })
}

/// What decisions are worth.
fn graded(grades: &[Grade], of: String) -> Vec<Measurement> {
    let count = grades.len() as u64;
    let share = |name: &str, good: &dyn Fn(&Grade) -> bool| {
        Measurement::share(name, of.clone(), grades.iter().filter(|grade| good(grade)).count() as f64, count)
    };
    let lost = grades.iter().map(Grade::points_lost).sum::<f64>() / count as f64;
    let lost = (count > 0).then(|| Measurement::new("points-lost", of.clone(), lost, count));
    [share("optimal", &Grade::is_optimal), share("result-kept", &Grade::keeps_result), lost]
        .into_iter()
        .flatten()
        .collect()
}

#[cfg(test)]
mod tests {
    use lanista_learn::Points;

    use super::*;

    #[test]
    fn tallies() {
        let game = |result| Played { result, plies: 10 };
        let games = [vec![game(Points::Win), game(Points::Draw)], vec![game(Points::Loss); 2]];
        let grades = GradedDecisions {
            on_positions: vec![Grade { best: 5, played: 5 }, Grade { best: 5, played: -5 }],
            in_games: vec![Grade { best: 1, played: 1 }],
        };
        let tally = Tally::new(&["x".into()], &games, grades);
        let figures = tally.measurements("top", false);
        let value =
            |name: &str| figures.iter().find(|figure| figure.name == name).map(|figure| (figure.value, figure.count));
        assert_eq!(value("score"), Some((0.375, 4)));
        assert_eq!(value("optimal"), Some((0.5, 2)));
        assert_eq!(value("points-lost"), Some((0.5, 2)));
        let in_games = figures.iter().find(|figure| figure.of == "player=top against=truth with=x");
        assert_eq!(in_games.map(|figure| (figure.value, figure.count)), Some((1.0, 1)));
        assert_eq!(tally.overall().map(|all| all.games), Some(4));
    }

    /// With an odd number of games the last of a meeting has no partner; it does not take one of the next.
    #[test]
    fn meetings_stay_apart() {
        let game = |result, plies| Played { result, plies };
        let meeting = vec![game(Points::Win, 10), game(Points::Loss, 20), game(Points::Win, 30)];
        let tally = Tally::new(&["x".into()], &[meeting.clone(), meeting], GradedDecisions::default());
        let figures = tally.measurements("top", true);
        let find = |name: &str, of: &str| figures.iter().find(|figure| figure.name == name && figure.of.ends_with(of));
        assert_eq!(find("decided", "seat=first").map(|figure| (figure.value, figure.count)), Some((1.0, 4)));
        assert_eq!(find("decided", "seat=second").map(|figure| (figure.value, figure.count)), Some((0.0, 2)));
        assert_eq!(find("matches", "against=x").map(|figure| figure.count), Some(2));
    }

    #[test]
    fn sums_are_of_all_games() {
        let game = |result, plies| Played { result, plies };
        let of =
            |games: [Vec<Played>; 2]| Tally::new(&["x".into(), "y".into()], &games, GradedDecisions::default()).sums;
        let (win, loss) = (game(Points::Win, 10), game(Points::Loss, 20));
        let mut sums = Sums::default();
        sums.add(&of([vec![win, win], vec![loss, win]]));
        sums.add(&of([vec![loss, loss], vec![win, loss]]));
        let figures = sums.measurements("top-throughout", true);
        let value = |name: &str, of: &str| {
            let of = format!("player=top-throughout against={of}");
            figures.iter().find(|figure| figure.name == name && figure.of == of).map(|figure| figure.value)
        };
        assert_eq!(value("score", "x"), Some(0.5));
        assert_eq!(value("plies", "x"), Some(15.0));
        assert_eq!(value("matches", "y"), Some(1.0));
        assert_eq!(value("match-score", "x statistic=maximum"), Some(380.0));
    }
}
