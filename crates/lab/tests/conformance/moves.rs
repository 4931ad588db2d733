//! Moves: what is legal, and what it does.

use std::collections::HashSet;

use lanista_core::{Game, MoveList, Progress, Rules, Side};

use crate::walks::{self, Walk, after, legal};

/// The moves of a position are distinct, also as people read them; a finished position has none, any other has some;
/// each gives the turn to the other side; the list does not depend on what it held before.
pub fn distinct_and_leading_on<G: Game>(rules: &Rules<G>) {
    let mut reused = MoveList::new();
    walks::play(rules, Walk::Random, 20, |referee, _| {
        let position = referee.position();
        let moves = legal(position);
        let place = format!("{}: {position}", G::ID);
        assert_eq!(moves.is_empty(), position.outcome().is_some(), "{place}: a finished position has no moves");
        let distinct: HashSet<G::Move> = moves.iter().copied().collect();
        assert_eq!(distinct.len(), moves.len(), "{place}: moves are distinct");
        let texts: HashSet<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), moves.len(), "{place}: names of moves are distinct");
        position.legal_moves(&mut reused);
        assert_eq!(reused.to_vec(), moves, "{place}: a list that was used before");
        for mv in moves {
            let next = after(position, mv);
            assert_eq!(next.side_to_move(), !position.side_to_move(), "{place}: the turn after {mv}");
        }
    });
}

/// A conversion changes the material and nothing else does; what cannot be undone is not undone by the next three
/// plies. (That no earlier position comes back later on follows from comparing endings, where walks head for home.)
pub fn progress_is_true<G: Game>(rules: &Rules<G>) {
    let material = |position: &G| Side::BOTH.map(|side| position.material(side));
    walks::play(rules, Walk::Random, 20, |referee, _| {
        let position = referee.position();
        for mv in legal(position) {
            let next = after(position, mv);
            let changed = material(position) != material(&next);
            let progress = position.progress(mv);
            assert_eq!(progress == Progress::Conversion, changed, "{}: {position}: {mv} is {progress:?}", G::ID);
        }
    });
    for position in walks::sample(rules, 1, 7) {
        let lasting = legal(&position).into_iter().find(|&mv| position.progress(mv) != Progress::Reversible);
        if let Some(mv) = lasting {
            let back = comes_back(&after(&position, mv), &position, 3);
            assert!(!back, "{}: {position}: {mv} can be undone", G::ID);
        }
    }
}

fn comes_back<G: Game>(position: &G, wanted: &G, plies: u32) -> bool {
    legal(position).into_iter().any(|mv| {
        let next = after(position, mv);
        next == *wanted || plies > 1 && comes_back(&next, wanted, plies - 1)
    })
}
