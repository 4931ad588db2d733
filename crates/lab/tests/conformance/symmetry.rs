//! Symmetries: maps of a game onto itself.

use std::collections::{BTreeSet, HashSet};

use lanista_core::{Game, Rules, Side, perft};

use crate::walks::{self, after, legal};

/// The identity comes first; no two are the same; one after another is again one of them; each has an inverse
/// (which makes it a bijection).
pub fn is_a_group<G: Game>(rules: &Rules<G>) {
    let positions: Vec<G> = walks::sample(rules, 2, 3);
    let images = |position: &G| -> Vec<G> { (0..G::SYMMETRIES).map(|index| position.symmetric(index)).collect() };
    for position in &positions {
        let all = images(position);
        assert_eq!(all[0], *position, "{}: the first symmetry is the identity", G::ID);
        for image in &all {
            let further: HashSet<G> = images(image).into_iter().collect();
            assert_eq!(further, all.iter().copied().collect(), "{}: {position}: symmetries of {image}", G::ID);
        }
    }
    let all_differ = |position: &G| images(position).into_iter().collect::<HashSet<G>>().len() == G::SYMMETRIES;
    let lopsided = walks::sample(rules, 10, 1).iter().any(all_differ);
    assert!(lopsided, "{}: two symmetries are the same", G::ID);
    for index in 0..G::SYMMETRIES {
        let distinct: HashSet<G> = positions.iter().copied().collect();
        let image: HashSet<G> = positions.iter().map(|position| position.symmetric(index)).collect();
        assert_eq!(image.len(), distinct.len(), "{}: symmetry {index} is no bijection", G::ID);
    }
}

/// Moves, what they lead to, outcomes, material, progress and keys of an image are the images of those of the position.
pub fn keeps_the_rules<G: Game>(rules: &Rules<G>) {
    for index in 0..G::SYMMETRIES {
        let exchanged = rules.start.symmetric(index).side_to_move() != rules.start.side_to_move();
        let seat = |side: Side| if exchanged { !side } else { side };
        for position in walks::sample(rules, 2, 3) {
            let place = format!("{}: symmetry {index} of {position}", G::ID);
            let image = position.symmetric(index);
            assert_eq!(image.key(), image.recomputed_key(), "{place}: key");
            assert_eq!(image.side_to_move(), seat(position.side_to_move()), "{place}: side to move");
            let outcome = position.outcome().map(|outcome| if exchanged { outcome.swapped() } else { outcome });
            assert_eq!(image.outcome(), outcome, "{place}: outcome");
            for side in Side::BOTH {
                assert_eq!(image.material(seat(side)), position.material(side), "{place}: material");
            }
            let expected: BTreeSet<G::Move> =
                legal(&position).into_iter().map(|mv| G::symmetric_move(mv, index)).collect();
            assert_eq!(legal(&image).into_iter().collect::<BTreeSet<G::Move>>(), expected, "{place}: moves");
            for mv in legal(&position) {
                let turned = G::symmetric_move(mv, index);
                assert_eq!(image.progress(turned), position.progress(mv), "{place}: progress of {mv}");
                assert_eq!(after(&image, turned), after(&position, mv).symmetric(index), "{place}: playing {mv}");
            }
        }
    }
}

/// The tree below an image has the size of the tree below the position.
pub fn keeps_perft<G: Game>(rules: &Rules<G>) {
    let positions = walks::sample(rules, 1, 8);
    for position in [rules.start].iter().chain(&positions) {
        for index in 0..G::SYMMETRIES {
            let image = position.symmetric(index);
            assert_eq!(perft(&image, 2), perft(position, 2), "{}: symmetry {index} of {position}", G::ID);
        }
    }
    let deep = positions.get(1).unwrap_or(&rules.start);
    for index in 0..G::SYMMETRIES {
        assert_eq!(perft(&deep.symmetric(index), 3), perft(deep, 3), "{}: symmetry {index} of {deep}", G::ID);
    }
}
