//! The laws of [`lanista_core::Position`] and [`lanista_core::Game`], as one suite that every game must pass: every
//! registered game, under every preset of its rules, unasked; and a toy game that no crate knows.

mod chance;
mod endings;
mod keys;
mod moves;
#[path = "../../../core/tests/vocabulary/ratchet.rs"]
mod ratchet;
mod records;
mod rules;
mod symmetry;
mod text;
mod walks;

use lanista_core::{Evaluator, EvaluatorInfo, Evaluators, Game, Tactics};
use lanista_games::files::GameFiles;
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use ratchet::Ratchet;

macro_rules! laws {
    ($($name:ident: $law:path,)+) => {
        /// The suite: all laws for one game under all its rules.
        fn conforms<G: Game>() {
            for rules in G::presets() {
                $($law(&rules);)+
            }
        }

        $(#[test]
        fn $name() {
            #[derive(Clone)]
            struct Law;

            impl GameVisitor for Law {
                type Output = ();

                fn visit<G: Game>(self) {
                    for rules in G::presets() {
                        $law(&rules);
                    }
                }
            }

            registry::visit_all(&Law);
        })+
    };
}

laws! {
    moves_are_distinct_and_lead_on: moves::distinct_and_leading_on,
    progress_is_what_it_says: moves::progress_is_true,
    keys_follow_the_board: keys::follow_the_board,
    keys_tell_the_side: keys::tell_the_side,
    text_is_read_back: text::is_read_back,
    foreign_moves_are_refused: text::foreign_moves_are_refused,
    pictures_are_whole: text::pictures_are_whole,
    symmetries_are_a_group: symmetry::is_a_group,
    symmetries_keep_the_rules: symmetry::keeps_the_rules,
    symmetries_keep_perft: symmetry::keeps_perft,
    random_moves_are_uniform: chance::is_uniform,
    random_games_follow_the_rules: chance::random_games_follow_the_rules,
    many_random_games_are_the_same: chance::many_random_games_are_the_same,
    endings_are_those_of_the_rules: endings::follow_the_rules,
    seeds_regenerate_records: records::seeds_regenerate,
    undo_restores_everything: records::undo_restores,
    rules_are_read_back: rules::are_read_back,
}

// What the registry asks of a game beyond its rules has an answer that fits any game.
impl GameFiles for Ratchet {}
impl Tactics for Ratchet {}
impl Evaluators for Ratchet {
    fn evaluators() -> &'static [EvaluatorInfo] {
        &[]
    }

    fn evaluator(_name: &str, _data: Option<&[u8]>) -> Result<Option<Box<dyn Evaluator<Self>>>, String> {
        Ok(None)
    }
}

#[test]
fn a_toy_game_conforms() {
    fn could_be_registered<G: RegisteredGame>() {
        conforms::<G>();
    }
    could_be_registered::<Ratchet>();
}

/// The suite runs over as many games as there are, so an empty registry would pass it.
#[test]
fn the_registry_has_the_games() {
    let ids = registry::ids();
    for id in ["loa", "loa4", "loa5", "loa6", "loa7", "connect-four", "draughts"] {
        assert!(ids.contains(&id), "{id}");
    }
    struct Id;
    impl GameVisitor for Id {
        type Output = &'static str;
        fn visit<G: Game>(self) -> &'static str {
            G::ID
        }
    }
    assert_eq!(registry::visit("loa8", Id), Ok("loa"));
    assert_eq!(registry::visit("checkers", Id), Ok("draughts"));
    let error = registry::visit("chess", Id).expect_err("no such game").to_string();
    assert!(error.contains("chess") && error.contains("connect-four"), "{error}");
    let mut names = ids.clone();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), ids.len(), "two games of one name: {ids:?}");
}
