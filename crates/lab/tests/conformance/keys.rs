//! Keys: a function of board and side to move.

use std::collections::HashMap;

use lanista_core::{Game, Rules, SIDE_KEY};

use crate::walks::{self, Walk, after, legal};

/// A key carried along equals the one computed from the board, and different positions have different keys.
pub fn follow_the_board<G: Game>(rules: &Rules<G>) {
    let mut owners: HashMap<u64, G> = HashMap::new();
    walks::play(rules, Walk::Random, 20, |referee, _| {
        let position = referee.position();
        for next in legal(position).into_iter().map(|mv| after(position, mv)).chain([*position]) {
            assert_eq!(next.key(), next.recomputed_key(), "{}: {next}", G::ID);
            let owner = *owners.entry(next.key()).or_insert(next);
            assert_eq!(owner, next, "{}: {owner} and {next} have one key", G::ID);
            let read = G::position(&next.to_string(), rules).map(|position| position.key());
            assert_eq!(read, Ok(next.key()), "{}: {next} read from its text", G::ID);
        }
    });
}

/// The same board with the other side to move has the key xored with [`SIDE_KEY`]. Such a position is looked for among
/// the texts that differ in one letter. Where none is found, as in Connect Four, the board tells the side.
pub fn tell_the_side<G: Game>(rules: &Rules<G>) {
    let mut found = 0;
    for position in walks::sample(rules, 1, 9) {
        if let Some(other) = other_side(&position, rules) {
            found += 1;
            assert_eq!(other.key(), position.key() ^ SIDE_KEY, "{}: {position} and {other}", G::ID);
        }
    }
    assert!(found > 0 || G::ID == "connect-four", "{}: no board with either side to move", G::ID);
}

fn other_side<G: Game>(position: &G, rules: &Rules<G>) -> Option<G> {
    let text = position.to_string();
    let changed = text.char_indices().flat_map(|(index, old)| {
        let (before, rest) = text.split_at(index);
        let letters = ('a'..='z').chain('A'..='Z').chain('0'..='9');
        letters.map(move |letter| format!("{before}{letter}{}", &rest[old.len_utf8()..]))
    });
    let same_board =
        |other: &G| other.side_to_move() != position.side_to_move() && other.picture() == position.picture();
    changed.filter_map(|text| G::position(&text, rules).ok()).find(same_board)
}
