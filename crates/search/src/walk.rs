//! A walk through the game tree: position, past and evaluator kept in step.

use lanista_core::{Evaluator, History, Position, Referee, Score};

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
        Some(outcome.score(position.side_to_move(), ply))
    }
}

/// Room to judge the moves of a position in.
pub(crate) struct Judged<P: Position> {
    /// The value of each move for the mover.
    pub values: Vec<Score>,
    /// What the evaluator thinks of each move before that is rounded, if it was judged finely.
    pub opinions: Vec<f64>,
    /// Whether the evaluator judges positions that end the game, too, instead of the rules.
    pub ends_by_evaluator: bool,
    /// The moves behind which the game goes on: their places, themselves, and where they lead.
    open: Vec<u32>,
    open_moves: Vec<P::Move>,
    behind: Vec<P>,
    found: Vec<Score>,
    fine: Vec<f64>,
}

impl<P: Position> Default for Judged<P> {
    fn default() -> Judged<P> {
        Judged {
            values: Vec::new(),
            opinions: Vec::new(),
            ends_by_evaluator: false,
            open: Vec::new(),
            open_moves: Vec::new(),
            behind: Vec::new(),
            found: Vec::new(),
            fine: Vec::new(),
        }
    }
}

impl<P: Position> Walk<'_, P> {
    /// Judges where moves of `position`, `ply` moves below the root, lead: by the evaluator, or by the end of the game. The
    /// positions are not counted.
    #[inline]
    pub fn judge(&mut self, position: &P, moves: &[P::Move], ply: u32, judged: &mut Judged<P>) {
        self.try_out(position, moves, ply, judged);
        let Judged { values, open, open_moves, behind, found, .. } = judged;
        found.resize(behind.len(), Score::DRAW);
        self.evaluator.values(position, open_moves, behind, found);
        for (&index, &value) in open.iter().zip(found.iter()) {
            values[index as usize] = -value;
        }
    }

    /// The opinions of the evaluator, before they are rounded to scores; a won or lost end is beyond all of them.
    #[inline]
    pub fn judge_finely(&mut self, position: &P, moves: &[P::Move], judged: &mut Judged<P>) {
        self.try_out(position, moves, 0, judged);
        let Judged { values, opinions, open, open_moves, behind, fine, .. } = judged;
        fine.resize(behind.len(), 0.0);
        self.evaluator.opinions(position, open_moves, behind, fine);
        opinions.clear();
        opinions.extend(values.iter().map(|value| match value.0.signum() {
            0 => 0.0,
            sign => f64::from(sign) * f64::INFINITY,
        }));
        for (&index, &opinion) in open.iter().zip(fine.iter()) {
            opinions[index as usize] = -opinion;
        }
    }

    /// Plays the moves: those that end the game have their values then, the others are open.
    #[inline]
    fn try_out(&mut self, position: &P, moves: &[P::Move], ply: u32, judged: &mut Judged<P>) {
        let Judged { values, ends_by_evaluator, open, open_moves, behind, .. } = judged;
        values.clear();
        values.resize(moves.len(), Score::DRAW);
        open.clear();
        open_moves.clear();
        behind.clear();
        behind.reserve(moves.len());
        for (index, &mv) in moves.iter().enumerate() {
            let progress = position.progress(mv);
            // Played where it stays: a copy would have to wait until the move is written.
            behind.push(*position);
            let Some(after) = behind.last_mut() else { return };
            after.play(mv);
            let outcome = match after.outcome() {
                Some(outcome) => Some(outcome),
                None => self.history.ending_after(progress, after).map(|ending| ending.outcome),
            };
            match outcome {
                Some(outcome) if !*ends_by_evaluator => {
                    values[index] = -outcome.score(after.side_to_move(), ply + 1);
                    behind.pop();
                }
                _ => {
                    open.push(index as u32);
                    open_moves.push(mv);
                }
            }
        }
    }
}
