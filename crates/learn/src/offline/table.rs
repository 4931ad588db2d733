//! The table of the hash client: positions and what they are worth.

use std::collections::HashMap;

use lanista_core::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// How the result of a game is handed back through its positions.
///
/// The last position is worth 1, ½ or 0. Each one before is worth `towards` + `discount` · (worth of the next − `towards`).
/// The thesis prints V(t) − γ·V(t+1) for the difference between a position and the next, which is `towards` = 0; then long
/// games look lost for both sides. With `towards` = ½ what is far from the end is worth what a draw is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Backup {
    /// The discount γ, 0 to 1.
    pub discount: f64,
    /// The worth of what is far from the end, 0 to 1.
    pub towards: f64,
    /// How positions that were seen before change. `None`: their value is the mean of all that came back to them. A rate: it
    /// begins at ½ and goes that share of the way to what the table says of the next position.
    pub rate: Option<f64>,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Entry {
    /// What it is worth for the side that looks: 1 won, 0 lost.
    pub value: f64,
    /// How often it was visited.
    pub count: u64,
}

/// Positions by their keys, in the order in which they were first seen.
#[derive(Clone, Debug)]
pub struct ValueTable {
    backup: Backup,
    places: HashMap<u64, usize>,
    entries: Vec<Entry>,
}

impl ValueTable {
    /// An empty one.
    pub fn new(backup: Backup) -> ValueTable {
        ValueTable { backup, places: HashMap::new(), entries: Vec::new() }
    }

    /// The place of a position. A new one gets the next place.
    pub fn enter(&mut self, key: u64) -> usize {
        let next = self.entries.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.entries.push(Entry { value: 0.5, count: 0 });
        }
        place
    }

    /// Hands the result of a game back through it. `visits` are the places of its positions, the last one at the end, each
    /// with the side for which it has a value.
    ///
    /// # Panics
    ///
    /// If a place is none.
    pub fn back_up(&mut self, visits: &[(usize, Side)], outcome: Outcome) {
        let Backup { discount, towards, rate } = self.backup;
        // What came back from the position behind, for its side.
        let mut behind: Option<(f64, Side)> = None;
        for &(place, side) in visits.iter().rev() {
            let entry = &mut self.entries[place];
            let goal = match behind {
                None => worth(outcome, side),
                Some((value, other)) => {
                    let value = if other == side { value } else { 1.0 - value };
                    towards + discount * (value - towards)
                }
            };
            entry.count += 1;
            let share = match rate {
                None => 1.0 / entry.count as f64,
                // The rules fix what the end is worth.
                Some(_) if behind.is_none() => 1.0,
                Some(rate) => rate,
            };
            entry.value += share * (goal - entry.value);
            behind = Some((if rate.is_some() { entry.value } else { goal }, side));
        }
    }

    /// All entries, by place.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

/// A result for a side: 1, ½ or 0.
fn worth(outcome: Outcome, side: Side) -> f64 {
    match outcome {
        Outcome::Draw => 0.5,
        Outcome::Win(winner) => f64::from(u8::from(winner == side)),
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Side::{First, Second};

    use super::*;

    const HALF: Backup = Backup { discount: 0.5, towards: 0.5, rate: None };

    fn values(backup: Backup, games: &[(&[(u64, Side)], Outcome)]) -> Vec<(f64, u64)> {
        let mut table = ValueTable::new(backup);
        for (game, outcome) in games {
            let visits: Vec<(usize, Side)> = game.iter().map(|&(key, side)| (table.enter(key), side)).collect();
            table.back_up(&visits, *outcome);
        }
        table.entries().iter().map(|entry| (entry.value, entry.count)).collect()
    }

    #[test]
    fn results_come_back_by_hand() {
        let game: &[(u64, Side)] = &[(1, First), (2, Second), (3, First), (4, Second)];
        let won = values(HALF, &[(game, Outcome::Win(First))]);
        assert_eq!(won, [(0.5625, 1), (0.375, 1), (0.75, 1), (0.0, 1)]);
        let drawn = values(HALF, &[(game, Outcome::Draw)]);
        assert!(drawn.iter().all(|&entry| entry == (0.5, 1)));
        // As the thesis prints it, long games look lost: for the side that looks, whoever it is.
        let printed = Backup { towards: 0.0, ..HALF };
        let one_view: &[(u64, Side)] = &[(1, First), (2, First), (3, First)];
        assert_eq!(values(printed, &[(one_view, Outcome::Win(First))]), [(0.25, 1), (0.5, 1), (1.0, 1)]);
        let whole = Backup { discount: 1.0, ..HALF };
        assert_eq!(values(whole, &[(game, Outcome::Win(Second))]), [(0.0, 1), (1.0, 1), (0.0, 1), (1.0, 1)]);
    }

    #[test]
    fn positions_seen_again_have_the_mean() {
        let whole = Backup { discount: 1.0, ..HALF };
        let (short, long): (&[_], &[_]) = (&[(1, First), (2, Second)], &[(1, First), (3, Second), (1, First)]);
        let games = [(short, Outcome::Win(First)), (short, Outcome::Win(Second)), (long, Outcome::Win(First))];
        let found = values(whole, &games);
        assert_eq!(found.iter().map(|entry| entry.1).collect::<Vec<_>>(), [4, 2, 1]);
        assert!((found[0].0 - 0.75).abs() < 1e-12, "1, 0, 1 and 1: {found:?}");
        assert_eq!([found[1].0, found[2].0], [0.5, 0.0]);
    }

    #[test]
    fn with_a_rate_values_begin_at_a_half_and_move_slowly() {
        let slow = Backup { discount: 1.0, towards: 0.5, rate: Some(0.5) };
        let game: &[(u64, Side)] = &[(1, First), (2, First), (3, First)];
        let once = values(slow, &[(game, Outcome::Win(First))]);
        assert_eq!(once, [(0.625, 1), (0.75, 1), (1.0, 1)]);
        let twice = values(slow, &[(game, Outcome::Win(First)); 2]);
        assert_eq!(twice, [(0.75, 2), (0.875, 2), (1.0, 2)]);
    }
}
