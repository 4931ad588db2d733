//! Text: what is written is read back, and nothing else is taken for a move.

use std::collections::BTreeSet;

use lanista_core::{Cell, Game, Rules, SIDE_KEY, Side};

use crate::walks::{self, Walk, after, legal};

/// Reading undoes writing, for positions and moves, with and without the rules or the position at hand.
pub fn is_read_back<G: Game>(rules: &Rules<G>) {
    walks::play(rules, Walk::Random, 20, |referee, _| {
        let position = referee.position();
        let text = position.to_string();
        assert_eq!(text.parse().as_ref(), Ok(position), "{}: {text}", G::ID);
        assert_eq!(G::position(&text, rules).as_ref(), Ok(position), "{}: {text}", G::ID);
        assert_eq!(text, text.trim(), "{}: white space around {text:?}", G::ID);
        assert!(!text.contains([';', '\n']), "{}: {text:?} does not fit into a line of a data file", G::ID);
        let wide = format!("{position:>200}");
        assert_eq!((wide.chars().count(), wide.trim()), (200, text.as_str()), "{}: padding", G::ID);
        for mv in legal(position) {
            let name = mv.to_string();
            assert_eq!(name.parse(), Ok(mv), "{}: {name}", G::ID);
            assert_eq!(position.parse_move(&name), Ok(mv), "{}: {name} in {text}", G::ID);
            assert_eq!(format!("{mv:<40}").trim_end(), name, "{}: padding", G::ID);
            assert_eq!(format!("{mv:<40}").chars().count(), 40, "{}: padding", G::ID);
        }
    });
}

/// A move of another position is read as a legal move or not at all; after the end there is no move to read.
pub fn foreign_moves_are_refused<G: Game>(rules: &Rules<G>) {
    let positions = walks::sample(rules, 3, 5);
    let names: BTreeSet<String> = positions.iter().flat_map(legal).map(|mv| mv.to_string()).collect();
    let nonsense = ["", " ", "-", "x", "0", "99", "a1", "a1-", "é8-b6", "pass!", "1-2-3-4-5-6-7-8-9-10-11-12"];
    for position in &positions {
        let moves = legal(position);
        for name in names.iter().map(String::as_str).chain(nonsense) {
            if let Ok(mv) = position.parse_move(name) {
                assert!(moves.contains(&mv), "{}: {name} in {position} was read as {mv}", G::ID);
            }
        }
    }
    for text in nonsense {
        assert!(rules.start.parse_move(text).is_err(), "{}: move {text:?}", G::ID);
    }
    for text in ["?", "start", "8/8/8", "B:W", "4 4", "x".repeat(10_000).as_str()] {
        let error = G::position(text, rules).expect_err("nonsense is no position");
        assert!(error.column > 0 && !error.message.is_empty(), "{}: {text:?}: {error}", G::ID);
        assert!(error.to_string().len() < 500, "{}: a long input makes a long message", G::ID);
    }
}

/// A picture is a rectangle with a label for every row or none; it changes with every move unless nothing moved,
/// and it shows pieces of whom has material.
pub fn pictures_are_whole<G: Game>(rules: &Rules<G>) {
    for position in walks::sample(rules, 2, 3) {
        let picture = position.picture();
        let (height, width) = (picture.rows.len(), picture.rows[0].len());
        assert!(picture.rows.iter().all(|row| row.len() == width), "{}: {position}", G::ID);
        assert!([0, height].contains(&picture.row_labels.len()), "{}: row labels", G::ID);
        assert!([0, width].contains(&picture.column_labels.len()), "{}: column labels", G::ID);
        if !picture.square_names.is_empty() {
            let shape: Vec<usize> = picture.square_names.iter().map(Vec::len).collect();
            assert_eq!(shape, vec![width; height], "{}: square names", G::ID);
        }
        let lines = height + usize::from(!picture.column_labels.is_empty());
        assert_eq!(picture.to_string().lines().count(), lines, "{}: {position}", G::ID);
        for side in Side::BOTH {
            let shown =
                picture.rows.iter().flatten().any(|cell| matches!(cell, Cell::Piece(owner, _) if *owner == side));
            assert!(shown || position.material(side) == 0, "{}: {position}: pieces of {side:?}", G::ID);
        }
        for mv in legal(&position) {
            let next = after(&position, mv);
            let nothing_moved = next.key() == position.key() ^ SIDE_KEY;
            assert_eq!(next.picture() == picture, nothing_moved, "{}: {position}: {mv}", G::ID);
        }
    }
}
