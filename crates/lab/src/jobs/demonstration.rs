//! Demonstration boards: games under way, for whoever watches. Nothing comes back from them, so no result depends on them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use lanista_core::{Position, Referee};

use super::codes::{encode, encode_line};
use crate::limits::Limit;

/// A game under way.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownGame {
    /// The id of the game.
    pub game: &'static str,
    /// The rules, as text.
    pub rules: String,
    /// Who opened, and who answers, as text.
    pub players: [String; 2],
    /// What they may spend.
    pub limits: [Limit; 2],
    /// How many of the moves are the opening.
    pub opening: usize,
    /// The moves so far, one byte each.
    pub codes: Vec<u8>,
    /// Since when it is shown.
    pub since: Instant,
}

/// Where one thread shows its game.
#[derive(Debug, Default)]
struct DemonstrationBoard(Mutex<Option<ShownGame>>);

impl DemonstrationBoard {
    fn lock(&self) -> MutexGuard<'_, Option<ShownGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The boards of an executor's threads, one each. While nobody watches, a move costs one look at a switch.
#[derive(Debug)]
pub struct Demonstration {
    is_watched: AtomicBool,
    boards: Box<[DemonstrationBoard]>,
}

impl Demonstration {
    /// So many boards that nobody watches yet.
    pub fn new(boards: usize) -> Demonstration {
        Demonstration {
            is_watched: AtomicBool::new(false),
            boards: (0..boards).map(|_| DemonstrationBoard::default()).collect(),
        }
    }

    /// Whether somebody watches from now on. Games show from their next move on.
    pub fn watch(&self, is_watched: bool) {
        if self.is_watched.swap(is_watched, Ordering::Relaxed) && !is_watched {
            self.boards.iter().for_each(|board| *board.lock() = None);
        }
    }

    /// What each board shows.
    pub fn games(&self) -> Vec<Option<ShownGame>> {
        self.boards.iter().map(|board| board.lock().clone()).collect()
    }

    pub(crate) fn stand(&self, board: usize) -> Stand<'_> {
        Stand { demonstration: self, board: &self.boards[board] }
    }
}

/// One board, with the switch that says whether anybody watches.
#[derive(Clone, Copy)]
pub(crate) struct Stand<'a> {
    demonstration: &'a Demonstration,
    board: &'a DemonstrationBoard,
}

/// Who moves the pieces on a demonstration board during one game.
pub(super) struct Demonstrator<'a> {
    pub stand: Stand<'a>,
    pub game: &'static str,
    pub rules: &'a str,
    /// By seats.
    pub players: [&'a str; 2],
    pub limits: [Limit; 2],
    pub opening: usize,
    /// Moves of this game that the board shows; none before it first does.
    pub shown: Option<usize>,
}

impl Demonstrator<'_> {
    /// Shows the game as it stands, and `next` played in it.
    #[inline]
    pub fn show<P: Position>(&mut self, game: &Referee<P>, next: Option<P::Move>) {
        if self.stand.demonstration.is_watched.load(Ordering::Relaxed) {
            self.move_pieces(game, next);
        }
    }

    #[cold]
    fn move_pieces<P: Position>(&mut self, game: &Referee<P>, next: Option<P::Move>) {
        let mut board = self.stand.board.lock();
        let is_up_to_date = self.shown == Some(game.moves().len()) && board.is_some();
        if !is_up_to_date {
            let mut codes = Vec::new();
            encode(&game.record(None), &mut codes);
            *board = Some(ShownGame {
                game: self.game,
                rules: self.rules.to_string(),
                players: self.players.map(String::from),
                limits: self.limits,
                opening: self.opening,
                codes,
                since: Instant::now(),
            });
        }
        if let Some(shown) = board.as_mut() {
            // A move against the rules is not played, and not shown.
            shown.codes.extend(next.map_or_else(Vec::new, |mv| encode_line(game.position(), &[mv])));
            self.shown = Some(shown.codes.len());
        }
    }
}
