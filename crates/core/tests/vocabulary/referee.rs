//! The referee: legal moves only, the right end, everything taken back.

use lanista_core::{Ending, Game, IllegalMove, Outcome, Position, Reason, Record, Referee, Rules, Seed, Side};

use crate::ratchet::{Act, Ratchet};

fn rules(text: &str) -> Rules<Ratchet> {
    Ratchet::rules(text).expect("rules")
}

fn played(text: &str, moves: &str) -> Referee<Ratchet> {
    let mut game = Referee::new(&rules(text));
    for name in moves.split_whitespace() {
        game.play_text(name).unwrap_or_else(|error| panic!("{moves}: {name}: {error}"));
    }
    game
}

const DRAWN_BY_CAP: Ending = Ending { outcome: Outcome::Draw, reason: Reason::PlyCap };

#[test]
fn refuses_what_is_not_legal_and_stays_as_it_was() {
    let mut game = played("", "left");
    let before = format!("{game:?}");
    assert_eq!(game.play(Act::TAKE), Err(IllegalMove::NotLegal("take".into())));
    assert!(matches!(game.play_text("take"), Err(IllegalMove::Unreadable(_))));
    assert!(matches!(game.play_text("fly"), Err(IllegalMove::Unreadable(_))));
    assert_eq!(format!("{game:?}"), before);
    assert_eq!(game.play(Act::TURN), Ok(()));
    assert_eq!(game.moves(), [Act::LEFT, Act::TURN]);
}

#[test]
fn nothing_is_played_after_the_end() {
    let mut game = played("ply-cap=2", "left left");
    assert_eq!(game.ending(), Some(DRAWN_BY_CAP));
    assert_eq!(game.play(Act::LEFT), Err(IllegalMove::GameOver(DRAWN_BY_CAP)));
    assert_eq!(game.play_text("left"), Err(IllegalMove::GameOver(DRAWN_BY_CAP)));
    assert_eq!(game.play_text("nonsense"), Err(IllegalMove::GameOver(DRAWN_BY_CAP)));
    let message = IllegalMove::GameOver(DRAWN_BY_CAP).to_string();
    assert!(message.contains("1/2-1/2") && message.contains("ply-cap"), "{message}");
    assert_eq!(game.moves().len(), 2);
}

#[test]
fn the_board_goes_before_the_rules_that_look_back() {
    // The ninth coin is taken with the ply that the cap allows last.
    let moves = format!("left right {}", "take ".repeat(9));
    let won = Ending { outcome: Outcome::Win(Side::First), reason: Reason::Board };
    assert_eq!(played("ply-cap=11", &moves).ending(), Some(won));
    assert_eq!(played("ply-cap=10", moves.strip_suffix("take ").unwrap_or_default()).ending(), Some(DRAWN_BY_CAP));
}

#[test]
fn a_game_can_be_over_before_it_begins() {
    let start: Ratchet = "** 0 4-5 a".parse().expect("a position");
    let mut game = Referee::new(&Rules { start, ..rules("") });
    assert_eq!(game.ending(), Some(Ending { outcome: Outcome::Win(Side::Second), reason: Reason::Board }));
    assert!(!game.undo());
    assert!(game.ending().is_some());
}

#[test]
fn undo_reopens_a_game_and_forgets_its_past() {
    let mut game = played("repetition=2", "left right left right");
    assert_eq!(game.ending().map(|ending| ending.reason), Some(Reason::Repetition));
    assert!(game.undo());
    assert_eq!(format!("{game:?}"), format!("{:?}", played("repetition=2", "left right left")));
    // The position that ended the game occurs for the first time again, on another way.
    assert_eq!(game.play(Act::LEFT), Ok(()));
    assert_eq!((game.history().occurrences(), game.ending().is_some()), (2, true));
    while game.undo() {}
    assert_eq!(format!("{game:?}"), format!("{:?}", Referee::new(&rules("repetition=2"))));
    assert!(!game.undo());
}

#[test]
fn random_moves_are_played_by_the_rules_until_the_end() {
    let random = |text: &str, plies, seed| {
        let mut game = Referee::new(&rules(text));
        game.play_random(plies, &mut Seed::new(seed).stream());
        game
    };
    for seed in 0..20 {
        let game = random("repetition=none,ply-cap=6", 4, seed);
        assert_eq!((game.moves().len(), game.ending()), (4, None));
        let mut same = Referee::new(&rules("repetition=none,ply-cap=6"));
        assert!(game.moves().iter().all(|&mv| same.play(mv).is_ok()));
        assert_eq!(format!("{game:?}"), format!("{same:?}"));
        let capped = random("repetition=none,ply-cap=6", 99, seed);
        assert_eq!((capped.moves().len(), capped.ending()), (6, Some(DRAWN_BY_CAP)));
        assert_eq!(capped.moves()[..4], *game.moves(), "the same seed plays the same moves");
    }
    assert!((1..20).any(|seed| random("", 4, seed).moves() != random("", 4, 0).moves()));
}

#[test]
fn what_ended_stays_ended() {
    let resigned = Ending { outcome: Outcome::Win(Side::First), reason: Reason::Resignation };
    let mut game = played("", "left");
    game.end(resigned);
    assert_eq!(game.ending(), Some(resigned));
    game.end(Ending { reason: Reason::Forfeit, ..resigned });
    assert_eq!(game.ending(), Some(resigned), "the first end counts");
    assert_eq!(game.play(Act::LEFT), Err(IllegalMove::GameOver(resigned)));
}

#[test]
fn a_record_holds_the_game() {
    let game = played("quick,ply-cap=3", "left right left");
    let seed = Some(Seed::new(5));
    let expected = Record {
        rules: "quick,ply-cap=3".into(),
        start: Ratchet::default(),
        moves: vec![Act::LEFT, Act::RIGHT, Act::LEFT],
        ending: Some(DRAWN_BY_CAP),
        seed,
    };
    assert_eq!(game.record(seed), expected);
    assert_eq!(game.position().side_to_move(), Side::Second);
}
