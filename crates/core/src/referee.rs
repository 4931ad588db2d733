//! Who watches a game: checks every move, knows the past, calls the end.

use crate::{Ending, History, MoveList, ParseError, Position, RandomStream, Reason, Record, Rules, Seed};

/// A game under way.
#[derive(Clone, Debug)]
pub struct Referee<P: Position> {
    rules: Rules<P>,
    position: P,
    moves: Vec<P::Move>,
    history: History,
    ending: Option<Ending>,
}

/// A move that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game is over.
    #[error("the game is over ({outcome}, {reason})", outcome = .0.outcome, reason = .0.reason)]
    GameOver(Ending),
    /// Not a move of this position.
    #[error("{0} is not legal here")]
    NotLegal(String),
    /// Not readable as a move of this position.
    #[error(transparent)]
    Unreadable(ParseError),
}

impl<P: Position> Referee<P> {
    /// A game at the start position of its rules.
    pub fn new(rules: &Rules<P>) -> Referee<P> {
        let mut referee = Referee {
            rules: rules.clone(),
            position: rules.start,
            moves: Vec::new(),
            history: History::new(rules.draws, &rules.start),
            ending: None,
        };
        referee.ending = referee.find_ending();
        referee
    }

    /// The present position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The moves so far.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// The past as the rules see it.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Plays a move after checking it.
    pub fn play(&mut self, mv: P::Move) -> Result<(), IllegalMove> {
        if let Some(ending) = self.ending {
            return Err(IllegalMove::GameOver(ending));
        }
        let mut legal = MoveList::new();
        self.position.legal_moves(&mut legal);
        if !legal.contains(&mv) {
            return Err(IllegalMove::NotLegal(mv.to_string()));
        }
        self.advance(mv);
        Ok(())
    }

    /// Plays a legal move.
    fn advance(&mut self, mv: P::Move) {
        let progress = self.position.progress(mv);
        self.position.play(mv);
        self.history.push(progress, &self.position);
        self.moves.push(mv);
        self.ending = self.find_ending();
    }

    /// Plays a move given as text.
    pub fn play_text(&mut self, text: &str) -> Result<(), IllegalMove> {
        if let Some(ending) = self.ending {
            return Err(IllegalMove::GameOver(ending));
        }
        let mv = self.position.parse_move(text).map_err(IllegalMove::Unreadable)?;
        self.play(mv)
    }

    /// Plays so many random moves, or fewer if the game ends before.
    pub fn play_random(&mut self, plies: u32, random: &mut RandomStream) {
        let mut room = MoveList::new();
        for _ in 0..plies {
            if self.ending.is_some() {
                break;
            }
            let mv = self.position.random_move(random, &mut room);
            self.advance(mv);
        }
    }

    /// Takes the last move back. `false` if there is none.
    pub fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        self.history.pop();
        self.position = self.rules.start;
        for &mv in &self.moves {
            self.position.play(mv);
        }
        self.ending = None;
        true
    }

    /// Ends the game in a way that the board does not show: resignation, agreement or forfeit.
    pub fn end(&mut self, ending: Ending) {
        self.ending.get_or_insert(ending);
    }

    /// The game so far as a record.
    pub fn record(&self, seed: Option<Seed>) -> Record<P> {
        Record {
            rules: self.rules.name.clone(),
            start: self.rules.start,
            moves: self.moves.clone(),
            ending: self.ending,
            seed,
        }
    }

    fn find_ending(&self) -> Option<Ending> {
        match self.position.outcome() {
            Some(outcome) => Some(Ending { outcome, reason: Reason::Board }),
            None => self.history.ending(&self.position),
        }
    }
}
