//! The table of a contest: points, ratings, and what each meeting says.

use crate::jobs::PairsResult;
use crate::run::Measurement;
use crate::statistics::{GameCounts, Rating, rate};

/// A meeting of two players and what it came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Meeting {
    /// Who met, by their places in the list.
    pub players: [usize; 2],
    /// Seen by the first.
    pub result: PairsResult,
}

impl Meeting {
    /// The points of both.
    pub fn points(&self) -> [f64; 2] {
        let games = self.result.games;
        let draws = games.draws as f64 / 2.0;
        [games.wins as f64 + draws, games.losses as f64 + draws]
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        2 * self.result.pairs.pairs()
    }
}

/// The table of a contest.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Who plays.
    pub names: Vec<String>,
    /// The meetings in order.
    pub meetings: Vec<Meeting>,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct StandingRow {
    /// The player's place in the list.
    pub player: usize,
    /// Its points.
    pub points: f64,
    /// Its games.
    pub games: u64,
    /// Its rating, the mean of all being 0.
    pub rating: Rating,
    /// Points against each player by their places in the list, with the number of games.
    pub against: Vec<Option<(f64, u64)>>,
}

impl Standing {
    /// A table.
    pub fn new(names: Vec<String>, meetings: Vec<Meeting>) -> Standing {
        Standing { names, meetings }
    }

    /// Points against each other, and games.
    fn matrix(&self) -> Vec<Vec<(f64, u64)>> {
        let mut cells = vec![vec![(0.0, 0); self.names.len()]; self.names.len()];
        for meeting in &self.meetings {
            let [a, b] = meeting.players;
            let points = meeting.points();
            if a == b {
                cells[a][a] = (points[0], meeting.games());
                continue;
            }
            for (row, column, points) in [(a, b, points[0]), (b, a, points[1])] {
                cells[row][column].0 += points;
                cells[row][column].1 += meeting.games();
            }
        }
        cells
    }

    /// Points of each player, those against itself left out.
    pub fn points(&self) -> Vec<f64> {
        let matrix = self.matrix();
        let sum = |player: usize| {
            matrix[player].iter().enumerate().filter(|&(other, _)| other != player).map(|(_, cell)| cell.0).sum()
        };
        (0..self.names.len()).map(sum).collect()
    }

    /// Who has most points, if anybody has any.
    pub fn leader(&self) -> Option<(&str, f64)> {
        let points = self.points();
        let best = (0..points.len()).max_by(|&a, &b| points[a].total_cmp(&points[b]).then(b.cmp(&a)))?;
        (points[best] > 0.0).then(|| (self.names[best].as_str(), points[best]))
    }

    /// The table, the highest rating first.
    pub fn rows(&self) -> Vec<StandingRow> {
        let matrix = self.matrix();
        let scores: Vec<Vec<f64>> = (0..matrix.len())
            .map(|row| {
                (0..matrix.len()).map(|column| if row == column { 0.0 } else { matrix[row][column].0 }).collect()
            })
            .collect();
        let ratings = rate(&scores);
        let points = self.points();
        let mut rows: Vec<StandingRow> = (0..self.names.len())
            .map(|player| StandingRow {
                player,
                points: points[player],
                games: matrix[player]
                    .iter()
                    .enumerate()
                    .filter(|&(other, _)| other != player)
                    .map(|(_, cell)| cell.1)
                    .sum(),
                rating: ratings[player],
                against: matrix[player].iter().map(|&(points, games)| (games > 0).then_some((points, games))).collect(),
            })
            .collect();
        rows.sort_by(|a, b| b.rating.elo.total_cmp(&a.rating.elo).then(a.player.cmp(&b.player)));
        rows
    }

    /// The figures of all meetings, and the ratings if more than two play.
    pub fn measurements(&self) -> Vec<Measurement> {
        let mut found = Vec::new();
        for meeting in self.meetings.iter().filter(|meeting| meeting.games() > 0) {
            let [a, b] = meeting.players;
            let games = meeting.games();
            for (row, column, points) in [(a, b, meeting.points()[0]), (b, a, meeting.points()[1])] {
                let of = format!("row={} column={}", self.names[row], self.names[column]);
                let share = points / games as f64;
                let error = meeting.result.pairs.score_error();
                found.push(Measurement::new("score", &of, share, games).with_error(Some(error)));
                found.push(Measurement::new("points", &of, points, games).with_error(Some(error * games as f64)));
                if row == column {
                    break;
                }
            }
            let of = format!("row={} column={}", self.names[a], self.names[b]);
            let elo = meeting.result.pairs.elo();
            found.push(Measurement::new("elo", &of, elo.value, games).with_error(Some(elo.error)));
            let plies = meeting.result.plies as f64 / games as f64;
            found.push(Measurement::new("plies", &of, plies, games));
            let (all, opened) = (meeting.result.games, meeting.result.opened);
            let share = |counts: GameCounts| counts.points() / counts.games().max(1) as f64;
            let answered = GameCounts {
                wins: all.wins - opened.wins,
                draws: all.draws - opened.draws,
                losses: all.losses - opened.losses,
            };
            found.push(Measurement::new("score-opening", &of, share(opened), games / 2));
            found.push(Measurement::new("score-answering", &of, share(answered), games / 2));
            let opener = (opened.points() + answered.games() as f64 - answered.points()) / games as f64;
            found.push(Measurement::new("opener", &of, opener, games));
            found.push(Measurement::new("draws", &of, meeting.result.games.draws as f64 / games as f64, games));
        }
        if self.names.len() > 2 {
            for row in self.rows() {
                let of = format!("player={}", self.names[row.player]);
                found.push(Measurement::new("rating", of, row.rating.elo, row.games).with_error(row.rating.error));
            }
        }
        found
    }
}
