//! The moves of a position, ranked by what an evaluator thinks of where they lead.

use lanista_core::{MoveList, Position, RandomStream, Score};

use crate::parameters::{Kind, Parameter};
use crate::walk::{Judged, Walk};

/// The evaluator of a player that has one.
pub(crate) const EVAL: Parameter = Parameter {
    name: "eval",
    kind: Kind::Evaluator,
    default: "",
    about: "the evaluator; the game's first if not given",
};

/// What becomes of moves that the evaluator likes equally.
pub(crate) const TIES: Parameter = Parameter {
    name: "ties",
    kind: Kind::Choice(&["random", "first"]),
    default: "random",
    about: "among equally good moves take a random one, or the first in the game's list",
};

/// A move with its value for the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ranked<M> {
    pub mv: M,
    pub value: Score,
}

/// All moves of a position `ply` moves below the root, the best first. Equal ones stay in the game's order, or are
/// shuffled if there is a stream to do it with. Moves that end the game have their proved value.
pub(crate) fn ranked<P: Position>(
    walk: &mut Walk<'_, P>,
    position: &P,
    ply: u32,
    shuffle: Option<&mut RandomStream>,
) -> Vec<Ranked<P::Move>> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    if let Some(random) = shuffle {
        shuffled(moves.as_mut_slice(), random);
    }
    let mut judged = Judged::default();
    walk.judge(position, &moves, ply, &mut judged);
    walk.nodes += moves.len() as u64;
    let mut all: Vec<Ranked<P::Move>> =
        moves.iter().zip(&judged.values).map(|(&mv, &value)| Ranked { mv, value }).collect();
    all.sort_by_key(|ranked| std::cmp::Reverse(ranked.value));
    all
}

/// Puts things in random order (Fisher and Yates).
pub(crate) fn shuffled<T>(things: &mut [T], random: &mut RandomStream) {
    for last in (1..things.len()).rev() {
        things.swap(last, random.below(last as u32 + 1) as usize);
    }
}
