//! A walk through the game tree: position, past and evaluator kept in step.

use lanista_core::{Evaluator, History, Outcome, Position, Referee, Score, Side};

/// What every search carries along.
pub(crate) struct Walk<'a, P: Position> {
    /// The past of the game and of the line being tried.
    pub history: History,
    /// Who judges the leaves.
    pub evaluator: &'a mut dyn Evaluator<P>,
    /// Positions visited.
    pub nodes: u64,
}

impl<'a, P: Position> Walk<'a, P> {
    /// A walk that begins at the present position of a game.
    pub fn new(game: &Referee<P>, evaluator: &'a mut dyn Evaluator<P>) -> Walk<'a, P> {
        evaluator.reset(game.position());
        Walk { history: game.history().clone(), evaluator, nodes: 0 }
    }

    /// Goes down a move.
    #[inline]
    pub fn enter(&mut self, before: &P, mv: P::Move) -> P {
        let mut after = *before;
        let progress = before.progress(mv);
        after.play(mv);
        self.history.push(progress, &after);
        self.evaluator.push(before, mv, &after);
        self.nodes += 1;
        after
    }

    /// Goes back up.
    #[inline]
    pub fn leave(&mut self) {
        self.history.pop();
        self.evaluator.pop();
    }

    /// The score of a position, `ply` moves below the root, if the game ends there.
    #[inline]
    pub fn final_score(&self, position: &P, ply: u32) -> Option<Score> {
        let outcome = match position.outcome() {
            Some(outcome) => outcome,
            None => self.history.ending(position)?.outcome,
        };
        Some(outcome_score(outcome, position.side_to_move(), ply))
    }
}

/// Room to judge the moves of a position in.
pub(crate) struct Judged<P: Position> {
    /// The value of each move for the mover.
    pub values: Vec<Score>,
    /// Whether the evaluator judges positions that end the game, too, instead of the rules.
    pub ends_by_evaluator: bool,
    open: Vec<u32>,
    behind: Vec<(P::Move, P)>,
    found: Vec<Score>,
}

impl<P: Position> Default for Judged<P> {
    fn default() -> Judged<P> {
        Judged { values: Vec::new(), ends_by_evaluator: false, open: Vec::new(), behind: Vec::new(), found: Vec::new() }
    }
}

impl<P: Position> Walk<'_, P> {
    /// Judges where moves of `position`, `ply` moves below the root, lead: by the evaluator, or by the end of the game. The
    /// positions are not counted.
    #[inline]
    pub fn judge(&mut self, position: &P, moves: &[P::Move], ply: u32, judged: &mut Judged<P>) {
        let Judged { values, ends_by_evaluator, open, behind, found } = judged;
        values.clear();
        values.resize(moves.len(), Score::DRAW);
        open.clear();
        behind.clear();
        behind.reserve(moves.len());
        for (index, &mv) in moves.iter().enumerate() {
            let mut after = *position;
            let progress = position.progress(mv);
            after.play(mv);
            let outcome = match after.outcome() {
                Some(outcome) => Some(outcome),
                None => self.history.ending_after(progress, &after).map(|ending| ending.outcome),
            };
            match outcome {
                Some(outcome) if !*ends_by_evaluator => {
                    values[index] = -outcome_score(outcome, after.side_to_move(), ply + 1);
                }
                _ => {
                    open.push(index as u32);
                    behind.push((mv, after));
                }
            }
        }
        found.resize(behind.len(), Score::DRAW);
        self.evaluator.values(position, behind, found);
        for (&index, &value) in open.iter().zip(found.iter()) {
            values[index as usize] = -value;
        }
    }
}

/// The score of an outcome for `side`, `ply` moves below the root: near wins are better, near losses worse.
#[inline]
pub(crate) fn outcome_score(outcome: Outcome, side: Side, ply: u32) -> Score {
    match outcome {
        Outcome::Win(winner) if winner == side => Score::win_in(ply),
        Outcome::Win(_) => Score::loss_in(ply),
        Outcome::Draw => Score::DRAW,
    }
}
