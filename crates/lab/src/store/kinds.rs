//! The kinds of games in a batch: every combination of outcome, reason and length that occurs, four bytes each.

use std::collections::BTreeSet;

use super::GameFilter;
use crate::jobs::{GameRows, outcome_code};

/// The kinds that occur, in order.
pub(super) fn of(games: &GameRows) -> Vec<u8> {
    let kinds: BTreeSet<(u8, u8, u16)> = games
        .iter()
        .map(|row| (row.outcome_code(), row.reason, u16::try_from(row.codes.len()).unwrap_or(u16::MAX)))
        .collect();
    kinds
        .into_iter()
        .flat_map(|(outcome, reason, plies)| {
            let [low, high] = plies.to_le_bytes();
            [outcome, reason, low, high]
        })
        .collect()
}

/// Whether a filter lets one of the kinds through.
pub(super) fn fit(kinds: &[u8], filter: &GameFilter) -> bool {
    let wanted = filter.outcome.map(outcome_code);
    kinds.chunks_exact(4).any(|kind| {
        let plies = u16::from_le_bytes([kind[2], kind[3]]);
        wanted.is_none_or(|outcome| kind[0] == outcome)
            && filter.reason.is_none_or(|reason| kind[1] == reason)
            && filter.shortest.is_none_or(|least| u32::from(plies) >= least || plies == u16::MAX)
            && filter.longest.is_none_or(|most| u32::from(plies) <= most)
    })
}
