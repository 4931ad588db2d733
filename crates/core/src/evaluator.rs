//! Opinions about positions.

use crate::{Game, Inputs, Linear, Player, Position, Score};

/// The value of an unfinished position from the mover's view.
///
/// An evaluator may follow a search down the tree, so that a move costs only what it changes: the search tells it
/// where it starts (`reset`), every move that it tries (`push`) and takes back (`pop`). Evaluators
/// that look at the position alone implement `value` and nothing else.
///
/// # Laws
///
/// 1. `value` lies strictly between −[`Score::PROVED`] and [`Score::PROVED`].
/// 2. `value` is a function of the position: whatever was pushed and popped before, it is the same, to the bit,
///    as that of a fresh evaluator reset to that position.
/// 3. `value` is asked of the position that was reset or pushed last, or of the same board with the other side
///    to move, which is how a search tries a null move.
pub trait Evaluator<P: Position>: Send {
    /// Starts at a position, forgetting what was pushed.
    fn reset(&mut self, _position: &P) {}

    /// Follows `mv` from `before` to `after`.
    fn push(&mut self, _before: &P, _mv: P::Move, _after: &P) {}

    /// Takes back the last `push`.
    fn pop(&mut self) {}

    /// The value of an unfinished position.
    fn value(&mut self, position: &P) -> Score;

    /// How many positions it likes to judge at once: more than one where [`Evaluator::values`] is faster than asking for
    /// one after the other.
    fn at_once(&self) -> usize {
        1
    }

    /// The values of unfinished positions, each behind one of `moves` from `before`, the position that was reset or pushed
    /// last: what pushing each of them, asking and popping would give, to the bit.
    fn values(&mut self, before: &P, moves: &[P::Move], behind: &[P], values: &mut [Score]) {
        for ((&mv, after), value) in moves.iter().zip(behind).zip(values) {
            self.push(before, mv, after);
            *value = self.value(after);
            self.pop();
        }
    }

    /// The same before it is rounded to scores, in the evaluator's own unit: for players that only ask which is best.
    fn opinions(&mut self, before: &P, moves: &[P::Move], behind: &[P], opinions: &mut [f64]) {
        for ((&mv, after), opinion) in moves.iter().zip(behind).zip(opinions) {
            self.push(before, mv, after);
            *opinion = f64::from(self.value(after).0);
            self.pop();
        }
    }
}

/// An evaluator that a game has, for people to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluatorInfo {
    /// Its name in a player's text: `eval=NAME`.
    pub name: &'static str,
    /// What it looks at, and where it comes from.
    pub about: &'static str,
    /// What the file in `eval=NAME@FILE` holds, if it takes one.
    pub file: Option<&'static str>,
}

/// A group of network inputs that a game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputGroupInfo {
    /// Its name in experiments and weight files.
    pub name: &'static str,
    /// What it tells of a position.
    pub about: &'static str,
}

/// What finds the value of best play from any position.
pub type Truth<P> = Box<dyn FnMut(&P) -> Score>;

/// What a game's own folder makes for players: its evaluators, and players of its own.
pub trait Evaluators: Game {
    /// All of them, the one for players that are given none first.
    fn evaluators() -> &'static [EvaluatorInfo];

    /// A fresh evaluator of that name; `data` is the content of its file, if one was given. `None` if there is none
    /// of that name; an error tells what is wrong with the data.
    fn evaluator(name: &str, data: Option<&[u8]>) -> Result<Option<Box<dyn Evaluator<Self>>>, String>;

    /// A player that only this game has; `None` if there is none of that name.
    fn own_player(_name: &str) -> Option<Box<dyn Player<Self>>> {
        None
    }

    /// The groups of network inputs that this game has, with their meaning.
    fn input_groups() -> &'static [InputGroupInfo] {
        &[]
    }

    /// The inputs that groups make together, in the order given. An error names the group that there is not.
    fn inputs(groups: &[String]) -> Result<Box<dyn Inputs<Self>>, String> {
        let found = groups.first().map_or("no inputs", String::as_str);
        Err(format!("{found:?}: {} has no network inputs", Self::ID))
    }

    /// The evaluator of that name as a sum of weighted features; `None` if it is none, or there is none of that name.
    fn linear(_name: &str) -> Option<Box<dyn Linear<Self>>> {
        None
    }

    /// What solves positions, where the game is solved; `None` where it is not.
    fn solver() -> Option<Truth<Self>> {
        None
    }
}
