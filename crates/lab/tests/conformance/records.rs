//! Records: what was played can be played again, and taken back.

use lanista_core::{Budget, Game, Record, Referee, Rules, Seed, play_game};
use lanista_search::RandomPlayer;

use crate::walks::{self, Walk};

/// The same seed gives the same record, other seeds give others, and a record replays move by move to its ending.
pub fn seeds_regenerate<G: Game>(rules: &Rules<G>) {
    let play = |game: u64| -> Record<G> {
        let budget = Budget::default();
        let seed = Seed::new(game);
        play_game(rules, [&mut RandomPlayer, &mut RandomPlayer], [&budget, &budget], seed)
    };
    let records: Vec<Record<G>> = (0..10).map(play).collect();
    for (game, record) in records.iter().enumerate() {
        let place = format!("{} {}: game {game}", G::ID, rules.name);
        let seed = record.seed.unwrap_or_else(|| panic!("{place}: a game of chance has a seed"));
        assert_eq!(seed, Seed::new(game as u64), "{place}");
        assert_eq!(play(game as u64), *record, "{place}: from the same seed");
        let read = G::rules(&record.rules).unwrap_or_else(|error| panic!("{place}: {error}"));
        assert_eq!(read.start, record.start, "{place}: the rules of a record lead to its start");
        let mut referee = Referee::new(&read);
        for mv in &record.moves {
            referee.play_text(&mv.to_string()).unwrap_or_else(|error| panic!("{place}: {mv}: {error}"));
        }
        assert!(record.ending.is_some(), "{place}: the game ended");
        assert_eq!(referee.record(record.seed), *record, "{place}: replayed");
    }
    assert!(records.iter().any(|record| record.moves != records[0].moves), "{}: seeds do not matter", G::ID);
}

/// Taking a move back gives the game before it, whatever the move and whatever the game knows about its past.
pub fn undo_restores<G: Game>(rules: &Rules<G>) {
    for walk in [Walk::Random, Walk::Homing] {
        let mut before: Option<Referee<G>> = None;
        walks::play(rules, walk, 5, |referee, _| {
            let place = format!("{} {}: {}", G::ID, rules.name, referee.position());
            if let Some(before) = before.replace(referee.clone()).filter(|_| !referee.moves().is_empty()) {
                let mut back = referee.clone();
                assert!(back.undo(), "{place}: there is a move to take back");
                assert_eq!(format!("{back:?}"), format!("{before:?}"), "{place}");
            }
        });
        let mut game = before.unwrap_or_else(|| panic!("{}: no game was played", G::ID));
        while game.undo() {}
        assert_eq!(format!("{game:?}"), format!("{:?}", Referee::new(rules)), "{} {}: undone", G::ID, rules.name);
    }
}
