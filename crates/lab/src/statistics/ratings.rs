//! Ratings of many players from a table of points.

use serde::{Deserialize, Serialize};

use super::QUANTILE;

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Elo. The mean of a group is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval of the distance to the mean of the group; [`None`] for a player who met
    /// nobody.
    pub error: Option<f64>,
    /// The group: players who met, or who are linked by others who met. Ratings of different groups cannot be compared.
    /// Groups are numbered by their first player.
    pub group: usize,
}

/// Elo for a factor of e in strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Points beyond this count as this, so that sums stay exact and finite.
const MOST_POINTS: f64 = 1e12;

/// Ratings in Elo, as [`rate`] gives them.
pub fn ratings(points: &[Vec<f64>]) -> Vec<f64> {
    rate(points).iter().map(|rating| rating.elo).collect()
}

/// Ratings in Elo by the Bradley–Terry model, with 95 % intervals. `points[i][j]` is what `i` scored against `j`; what
/// is missing, negative or no number counts 0. Every pair of players that met counts one draw more than it played, so
/// that clean scores have finite ratings.
///
/// The ratings by the MM iteration of D. R. Hunter, "MM algorithms for generalized Bradley–Terry models" (2004). The
/// intervals from the inverse of the observed Fisher information, which has n·p(1−p) for every pair of players, under
/// the condition that the ratings of a group add up to 0. That takes a draw for half a win and half a loss, and games
/// for independent: with many draws intervals are wider than they need to be.
pub fn rate(points: &[Vec<f64>]) -> Vec<Rating> {
    let table = Table::new(points);
    let count = points.len();
    let groups = table.groups();
    let strength = table.strengths();
    let mut found: Vec<Rating> = strength
        .iter()
        .zip(&groups)
        .map(|(strength, &group)| Rating { elo: ELO * strength.ln(), error: None, group })
        .collect();
    for group in 0..count {
        let members: Vec<usize> = (0..count).filter(|&player| groups[player] == group).collect();
        let Some(&first) = members.first() else { break };
        if members.len() == 1 {
            found[first].elo = 0.0;
            continue;
        }
        let mean = members.iter().map(|&player| found[player].elo).sum::<f64>() / members.len() as f64;
        let variances = variances(&table.information(&strength, &members));
        for (&player, variance) in members.iter().zip(variances) {
            found[player].elo -= mean;
            found[player].error = Some(QUANTILE * variance.max(0.0).sqrt() * ELO);
        }
    }
    found
}

/// Scores with the draw that pairs of players who met get on top.
struct Table {
    count: usize,
    scores: Vec<f64>,
}

impl Table {
    fn new(points: &[Vec<f64>]) -> Table {
        let count = points.len();
        let read = |i: usize, j: usize| {
            let value = points[i].get(j).copied().unwrap_or(0.0);
            if value > 0.0 { value.min(MOST_POINTS) } else { 0.0 }
        };
        let met = |i: usize, j: usize| i != j && read(i, j) + read(j, i) > 0.0;
        let score = |i: usize, j: usize| if met(i, j) { read(i, j) + 0.5 } else { 0.0 };
        Table { count, scores: (0..count * count).map(|cell| score(cell / count, cell % count)).collect() }
    }

    fn score(&self, i: usize, j: usize) -> f64 {
        self.scores[i * self.count + j]
    }

    fn games(&self, i: usize, j: usize) -> f64 {
        self.score(i, j) + self.score(j, i)
    }

    /// The group of every player.
    fn groups(&self) -> Vec<usize> {
        let mut groups = vec![usize::MAX; self.count];
        let mut next = 0;
        for start in 0..self.count {
            if groups[start] != usize::MAX {
                continue;
            }
            groups[start] = next;
            let mut open = vec![start];
            while let Some(player) = open.pop() {
                for (other, group) in groups.iter_mut().enumerate() {
                    if *group == usize::MAX && self.games(player, other) > 0.0 {
                        *group = next;
                        open.push(other);
                    }
                }
            }
            next += 1;
        }
        groups
    }

    /// The most likely strengths, up to a factor for every group.
    fn strengths(&self) -> Vec<f64> {
        let mut strength = vec![1.0f64; self.count];
        for _ in 0..10_000 {
            let next: Vec<f64> = (0..self.count)
                .map(|i| {
                    let won: f64 = (0..self.count).map(|j| self.score(i, j)).sum();
                    let weight: f64 = (0..self.count).map(|j| self.games(i, j) / (strength[i] + strength[j])).sum();
                    if weight > 0.0 { won / weight } else { strength[i] }
                })
                .collect();
            let change = next.iter().zip(&strength).map(|(new, old)| (new / old - 1.0).abs()).fold(0.0, f64::max);
            strength = next;
            if change < 1e-12 {
                break;
            }
        }
        strength
    }

    /// The Fisher information of the logarithms of the members' strengths.
    fn information(&self, strength: &[f64], members: &[usize]) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; members.len()]; members.len()];
        for (row, &i) in members.iter().enumerate() {
            for (column, &j) in members.iter().enumerate().filter(|&(_, &j)| j != i) {
                let sum = strength[i] + strength[j];
                let weight = self.games(i, j) * (strength[i] / sum) * (strength[j] / sum);
                matrix[row][column] = -weight;
                matrix[row][row] += weight;
            }
        }
        matrix
    }
}

/// The diagonal of the pseudo-inverse of the information of a group. Its rows add up to 0, so with c in every cell
/// added it has an inverse, which has 1/(c·k²) in every cell more than the pseudo-inverse.
fn variances(information: &[Vec<f64>]) -> Vec<f64> {
    let count = information.len();
    let fill = information.iter().enumerate().map(|(row, cells)| cells[row]).sum::<f64>() / (count * count) as f64;
    // Cholesky's decomposition L·Lᵀ.
    let mut lower = vec![vec![0.0f64; count]; count];
    for row in 0..count {
        for column in 0..=row {
            let inner: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
            let rest = information[row][column] + fill - inner;
            lower[row][column] =
                if row == column { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / lower[column][column] };
        }
    }
    // A diagonal cell of the inverse is the square of a column of the inverse of L.
    (0..count)
        .map(|unit| {
            let mut column = vec![0.0f64; count];
            for row in unit..count {
                let inner: f64 = (unit..row).map(|k| lower[row][k] * column[k]).sum();
                column[row] = (if row == unit { 1.0 } else { 0.0 } - inner) / lower[row][row];
            }
            column.iter().map(|cell| cell * cell).sum::<f64>() - 1.0 / (fill * (count * count) as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::elo;
    use super::*;

    #[test]
    fn ratings_of_two_are_the_elo_of_their_score() {
        let found = rate(&[vec![0.0, 75.0], vec![25.0, 0.0]]);
        let share = 75.5 / 101.0;
        assert!((found[0].elo - found[1].elo - elo(share)).abs() < 1e-6, "{found:?}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-9);
        // The distance to the mean is half of that to the other, whose variance is 1/(n·p(1−p)).
        let error = QUANTILE * ELO / 2.0 / (101.0f64 * share * (1.0 - share)).sqrt();
        for rating in found {
            assert!((rating.error.expect("games") - error).abs() < 1e-6, "{rating:?} {error}");
        }
    }

    /// `numpy.linalg.pinv` of the information at the solution of `scipy.optimize.root` for the likelihood equations.
    #[test]
    fn ratings_of_four_like_scipy() {
        let points = [
            vec![0.0, 12.0, 15.5, 20.0],
            vec![8.0, 0.0, 11.0, 14.5],
            vec![4.5, 9.0, 0.0, 0.0],
            vec![0.0, 5.5, 0.0, 0.0],
        ];
        let expected = [
            (175.43907633858996, 80.90397185396307),
            (34.73124783774183, 71.24991799057572),
            (-10.552739750304594, 92.04270160751614),
            (-199.61758442602715, 114.08552339986412),
        ];
        for (found, (elo, error)) in rate(&points).iter().zip(expected) {
            assert!((found.elo - elo).abs() < 1e-6, "{found:?} {elo}");
            assert!((found.error.expect("games") - error).abs() < 1e-6, "{found:?} {error}");
        }
    }

    #[test]
    fn strangers_have_their_own_groups() {
        let mut points = vec![vec![0.0; 5]; 5];
        (points[0][3], points[3][0], points[1][4]) = (3.0, 1.0, 2.0);
        let found = rate(&points);
        assert_eq!(found.iter().map(|rating| rating.group).collect::<Vec<_>>(), [0, 1, 2, 0, 1]);
        assert_eq!(found[2], Rating { elo: 0.0, error: None, group: 2 });
        assert!((found[0].elo + found[3].elo).abs() < 1e-9 && (found[1].elo + found[4].elo).abs() < 1e-9);
        assert!((found[1].elo - found[4].elo - elo(2.5 / 3.0)).abs() < 1e-6);
    }

    #[test]
    fn odd_tables() {
        assert_eq!(rate(&[]), []);
        assert_eq!(ratings(&[vec![]]), [0.0]);
        assert_eq!(ratings(&[vec![7.0]]), [0.0]);
        let found = rate(&[vec![], vec![f64::NAN, -3.0, f64::INFINITY], vec![]]);
        assert!(
            found.iter().all(|rating| rating.elo.is_finite() && rating.error.is_none_or(f64::is_finite)),
            "{found:?}"
        );
    }

    #[test]
    fn long_chains_end() {
        let count = 12;
        let mut points = vec![vec![0.0; count]; count];
        for player in 1..count {
            (points[player][player - 1], points[player - 1][player]) = (6.0, 3.0);
        }
        let found = rate(&points);
        for pair in found.windows(2) {
            assert!((pair[1].elo - pair[0].elo - elo(0.65)).abs() < 1e-5, "{found:?}");
        }
        let error = |player: usize| found[player].error.expect("games");
        assert!(error(0) > error(5) && (error(0) - error(11)).abs() < 1e-6);
    }
}
