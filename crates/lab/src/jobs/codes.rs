//! Moves in one byte each: the number of the move in the list of legal moves.
//!
//! Games always list their moves in the same order; golden playthroughs in the tests of each game see to that.

use lanista_core::{Game, MoveList, Position, Reason, Record, Referee, Rules};

/// Codes that are no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: no move has number {code}, or the game is over")]
pub struct CodeError {
    /// Which move, from 1.
    pub ply: usize,
    /// What it says.
    pub code: u8,
}

/// The moves of a game as codes, put at the end of `codes`.
pub fn encode<P: Position>(record: &Record<P>, codes: &mut Vec<u8>) {
    let mut position = record.start;
    let mut legal = MoveList::new();
    for &mv in &record.moves {
        legal.clear();
        position.legal_moves(&mut legal);
        // Records hold legal moves only.
        let code = legal.iter().position(|&other| other == mv).unwrap_or(0);
        codes.push(code as u8);
        position.play(mv);
    }
}

/// The moves of a line from a position as codes, as far as they are legal.
pub fn encode_line<P: Position>(position: &P, line: &[P::Move]) -> Vec<u8> {
    let mut position = *position;
    let mut legal = MoveList::new();
    let mut codes = Vec::with_capacity(line.len());
    for &mv in line {
        legal.clear();
        position.legal_moves(&mut legal);
        let Some(code) = legal.iter().position(|&other| other == mv) else { break };
        codes.push(code as u8);
        position.play(mv);
    }
    codes
}

/// Shows every position of a game, the first and the last included.
pub(crate) fn walk<P: Position>(start: P, codes: &[u8], mut each: impl FnMut(&P)) -> Result<(), CodeError> {
    let mut position = start;
    let mut moves = MoveList::new();
    each(&position);
    for (index, &code) in codes.iter().enumerate() {
        moves.clear();
        position.legal_moves(&mut moves);
        let mv = moves.get(usize::from(code)).copied().ok_or(CodeError { ply: index + 1, code })?;
        position.play(mv);
        each(&position);
    }
    Ok(())
}

/// The game that codes tell.
pub fn decode<G: Game>(rules: &Rules<G>, codes: &[u8]) -> Result<Referee<G>, CodeError> {
    let mut game = Referee::new(rules);
    let mut legal = MoveList::new();
    for (index, &code) in codes.iter().enumerate() {
        legal.clear();
        game.position().legal_moves(&mut legal);
        let mv = legal.get(usize::from(code)).copied();
        let played = mv.is_some_and(|mv| game.play(mv).is_ok());
        if !played {
            return Err(CodeError { ply: index + 1, code });
        }
    }
    Ok(game)
}

const REASONS: [Reason; 7] = [
    Reason::Board,
    Reason::Repetition,
    Reason::NoProgress,
    Reason::PlyCap,
    Reason::Resignation,
    Reason::Forfeit,
    Reason::Agreement,
];

/// A reason as a number. Stores keep it: numbers never change.
pub fn reason_code(reason: Reason) -> u8 {
    REASONS.iter().position(|&other| other == reason).unwrap_or(0) as u8
}

/// The reason of a number.
pub fn reason_from_code(code: u8) -> Option<Reason> {
    REASONS.get(usize::from(code)).copied()
}
