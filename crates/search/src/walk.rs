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

/// The score of an outcome for `side`, `ply` moves below the root: near wins are better, near losses worse.
#[inline]
pub(crate) fn outcome_score(outcome: Outcome, side: Side, ply: u32) -> Score {
    match outcome {
        Outcome::Win(winner) if winner == side => Score::win_in(ply),
        Outcome::Win(_) => Score::loss_in(ply),
        Outcome::Draw => Score::DRAW,
    }
}
