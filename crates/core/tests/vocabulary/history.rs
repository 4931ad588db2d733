//! Rules that look back: repetition, no progress, caps.

use lanista_core::{
    DrawRules, Ending, History, NoProgress, Outcome, Position, Progress, Reason, Repetition, Side, Verdict,
};

use crate::ratchet::Ratchet;

/// A game that is played on whether or not the history would end it.
struct Game {
    position: Ratchet,
    history: History,
}

impl Game {
    fn new(draws: DrawRules) -> Game {
        let position = Ratchet::default();
        Game { position, history: History::new(draws, &position) }
    }

    /// Plays the moves and returns the end that the history sees after each.
    fn play(&mut self, moves: &str) -> Vec<Option<Ending>> {
        let mut endings = Vec::new();
        for name in moves.split_whitespace() {
            let mv = self.position.parse_move(name).unwrap_or_else(|error| panic!("{}: {error}", self.position));
            let progress = self.position.progress(mv);
            self.position.play(mv);
            self.history.push(progress, &self.position);
            endings.push(self.history.ending(&self.position));
        }
        endings
    }

    /// Plays the moves; the last one must be the first to end the game.
    fn ends_with_the_last(&mut self, moves: &str) -> Ending {
        let endings = self.play(moves);
        let (last, before) = endings.split_last().expect("moves");
        assert!(before.iter().all(Option::is_none), "{moves}: {endings:?}");
        last.unwrap_or_else(|| panic!("{moves}: no end"))
    }
}

fn repetition(count: u32, side_matters: bool) -> DrawRules {
    DrawRules { repetition: Some(Repetition { count, side_matters }), ..DrawRules::default() }
}

fn no_progress(plies: u32, progress: Progress, verdict: Verdict) -> DrawRules {
    DrawRules { no_progress: Some(NoProgress { plies, progress, verdict }), ..DrawRules::default() }
}

fn draw(reason: Reason) -> Ending {
    Ending { outcome: Outcome::Draw, reason }
}

#[test]
fn third_occurrence_with_the_same_side_to_move() {
    let mut game = Game::new(repetition(3, true));
    // Twice around: the start is there at plies 0, 4 and 8.
    assert_eq!(game.ends_with_the_last("left right left right left right left right"), draw(Reason::Repetition));
    assert_eq!(game.history.occurrences(), 3);
}

/// Switching lamps never leads to the same board with the other side to move, so these positions are given.
#[test]
fn same_board_with_the_other_side_to_move() {
    let [first, second]: [Ratchet; 2] = ["*. 0 0-0 a", "*. 0 0-0 b"].map(|text| text.parse().expect("a position"));
    for (side_matters, expected) in [(true, 1), (false, 2)] {
        let mut history = History::new(repetition(9, side_matters), &first);
        history.push(Progress::Reversible, &second);
        assert_eq!(history.occurrences(), expected, "side matters: {side_matters}");
        history.push(Progress::Reversible, &first);
        assert_eq!(history.occurrences(), expected + 1, "side matters: {side_matters}");
        history.pop();
        assert_eq!(history.occurrences(), expected, "side matters: {side_matters}");
    }
}

#[test]
fn what_cannot_be_undone_starts_the_count_again() {
    let start = Ratchet::default();
    for (progress, expected) in [(Progress::Reversible, 2), (Progress::Advance, 1), (Progress::Conversion, 1)] {
        let mut history = History::new(repetition(3, true), &start);
        let other = start.symmetric(2);
        history.push(progress, &other);
        history.push(Progress::Reversible, &start);
        assert_eq!(history.occurrences(), expected, "{progress:?}");
        history.push(Progress::Reversible, &other);
        history.push(Progress::Reversible, &start);
        assert_eq!(history.occurrences(), expected + 1, "{progress:?}");
    }
}

#[test]
fn no_progress_counts_what_is_less_than_its_progress() {
    // Advances count for the first rule and not for the second.
    let moves = "left turn left left left";
    let mut advance = Game::new(no_progress(3, Progress::Advance, Verdict::Draw));
    assert_eq!(advance.ends_with_the_last(moves), draw(Reason::NoProgress));
    let mut conversion = Game::new(no_progress(5, Progress::Conversion, Verdict::Draw));
    assert_eq!(conversion.ends_with_the_last(moves), draw(Reason::NoProgress));
    // A coin is progress for both.
    for least in [Progress::Advance, Progress::Conversion] {
        let mut game = Game::new(no_progress(3, least, Verdict::Draw));
        assert_eq!(game.ends_with_the_last("left right take left left left"), draw(Reason::NoProgress));
    }
}

#[test]
fn material_decides_after_no_progress() {
    let rules = no_progress(3, Progress::Conversion, Verdict::Material);
    let ending = |moves: &str| Game::new(rules).ends_with_the_last(moves);
    let won = |side| Ending { outcome: Outcome::Win(side), reason: Reason::NoProgress };
    assert_eq!(ending("left left left"), draw(Reason::NoProgress));
    assert_eq!(ending("left right take left left left"), won(Side::First));
    assert_eq!(ending("left right take take left left left"), draw(Reason::NoProgress));
    assert_eq!(ending("left right take take left left take right right right"), won(Side::First));
    let mut patient = Game::new(no_progress(4, Progress::Conversion, Verdict::Material));
    assert_eq!(patient.ends_with_the_last("left turn right take left left left left"), won(Side::Second));
}

#[test]
fn cap_counts_plies() {
    let mut game = Game::new(DrawRules { ply_cap: Some(4), ..DrawRules::default() });
    assert_eq!(game.ends_with_the_last("left turn turn turn"), draw(Reason::PlyCap));
    assert_eq!(game.history.plies(), 4);
    game.history.pop();
    assert_eq!((game.history.plies(), game.history.ending(&game.position)), (3, None));
}

#[test]
fn repetition_goes_before_no_progress_and_both_before_the_cap() {
    let all = DrawRules { ply_cap: Some(4), ..no_progress(4, Progress::Advance, Verdict::Draw) };
    let with_repetition = DrawRules { repetition: repetition(2, true).repetition, ..all };
    let moves = "left right left right";
    assert_eq!(Game::new(with_repetition).ends_with_the_last(moves).reason, Reason::Repetition);
    assert_eq!(Game::new(all).ends_with_the_last(moves).reason, Reason::NoProgress);
}

#[test]
fn restart_forgets_everything_but_the_rules() {
    let rules = DrawRules { ply_cap: Some(9), ..repetition(3, true) };
    let mut game = Game::new(rules);
    game.play("left left left left");
    assert_eq!((game.history.occurrences(), game.history.plies()), (3, 4));
    game.history.restart(&Ratchet::default());
    assert_eq!((game.history.occurrences(), game.history.plies()), (1, 0));
    assert_eq!(*game.history.rules(), rules);
}

#[test]
fn without_rules_nothing_is_remembered() {
    let mut game = Game::new(DrawRules::default());
    assert!(game.play(&"left ".repeat(200)).iter().all(Option::is_none));
    assert_eq!((game.history.occurrences(), game.history.plies()), (1, 200));
}
