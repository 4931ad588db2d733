//! The plain family (Allsop): minimax, and alpha-beta with three orders of moves. No tables, no tricks: what
//! every other search is measured against, and what every exact one must agree with.

use std::sync::Arc;

use lanista_core::{Budget, Decision, Evaluator, MoveList, Observer, Player, Position, RandomStream, Referee, Score};

use crate::evaluators::{Noisy, unscaled};
use crate::parameters::{Depth, Kind, Parameter, PlayerInfo, Settings};
use crate::path::Allowance;
use crate::ranking::{EVAL, shuffled};
use crate::walk::{Judged, Walk};

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "depth", kind: Kind::Whole { least: 1, most: 60 }, default: "4", about: "plies to look ahead" },
    EVAL,
    NOISE,
];

/// The random term, common to all players that use an evaluator.
pub(crate) const NOISE: Parameter = Parameter {
    name: "noise",
    kind: Kind::Whole { least: 0, most: 1_000_000 },
    default: "0",
    about: "size of a random term at the leaves, in sixteenths of an evaluator's smallest step: 0 is off, up to 15 only breaks ties",
};

/// The order in which alpha-beta tries moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As the game lists them.
    Natural,
    /// Shuffled.
    Random,
    /// By the evaluator's opinion of the positions they lead to.
    Heuristic,
    /// Moves that refuted a sibling first, then by the evaluator's opinion; before leaves, which are judged anyway, as the
    /// game lists them.
    Quick,
}

/// One of the plain searches.
pub struct Plain<P: Position> {
    /// `None` is minimax: every position to the full depth.
    order: Option<Order>,
    depth: Depth,
    noise: u32,
    evaluator: Box<dyn Evaluator<P>>,
    observer: Option<Arc<dyn Observer<P::Move>>>,
}

/// Minimax.
pub const MINIMAX: PlayerInfo =
    PlayerInfo { name: "minimax", about: "looks at every position to a depth", parameters: PARAMETERS };
/// Alpha-beta in the game's own order.
pub const ALPHABETA: PlayerInfo =
    PlayerInfo { name: "alphabeta", about: "minimax without the positions that cannot matter", parameters: PARAMETERS };
/// Alpha-beta in random order.
pub const ALPHABETA_RANDOM: PlayerInfo = PlayerInfo {
    name: "alphabeta-random-order",
    about: "alpha-beta that tries moves in random order",
    parameters: PARAMETERS,
};
/// Alpha-beta in the evaluator's order.
pub const ALPHABETA_HEURISTIC: PlayerInfo = PlayerInfo {
    name: "alphabeta-heuristic-order",
    about: "alpha-beta that tries first what the evaluator likes",
    parameters: PARAMETERS,
};

/// Alpha-beta that wastes little.
pub const ALPHABETA_QUICK: PlayerInfo = PlayerInfo {
    name: "alphabeta-quick",
    about: "alpha-beta that tries first what refuted a sibling, then what the evaluator likes; fast at small depths",
    parameters: PARAMETERS,
};

impl<P: Position> Plain<P> {
    /// The search of that order (`None`: minimax) with these settings.
    pub fn new(order: Option<Order>, settings: &Settings, evaluator: Box<dyn Evaluator<P>>) -> Plain<P> {
        let noise = settings.whole("noise").unwrap_or(0) as u32;
        Plain { order, depth: settings.depth(), noise, evaluator, observer: None }
    }
}

impl<P: Position> Player<P> for Plain<P> {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let depth = self.depth.within(budget);
        let limits = Limits { depth, allowance: Allowance::new(budget), observer: self.observer.as_deref() };
        if self.noise == 0 {
            return Some(search(game, self.order, limits, self.evaluator.as_mut(), random));
        }
        let mut noisy = Noisy::new(self.evaluator.as_mut(), self.noise, random.bits());
        let mut decision = search(game, self.order, limits, &mut noisy, random);
        decision.score = decision.score.map(unscaled);
        Some(decision)
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        self.observer = Some(observer);
    }
}

/// How far a plain search goes, and what ends it before: then it plays the best of the moves that it has tried.
pub(crate) struct Limits<'a, M> {
    pub depth: u32,
    pub allowance: Allowance,
    pub observer: Option<&'a dyn Observer<M>>,
}

pub(crate) fn search<P: Position>(
    game: &Referee<P>,
    order: Option<Order>,
    limits: Limits<'_, P::Move>,
    evaluator: &mut dyn Evaluator<P>,
    random: &mut RandomStream,
) -> Decision<P::Move> {
    let depth = limits.depth;
    let mut lists = vec![MoveList::new(); depth as usize];
    let mut lines = vec![Vec::new(); depth as usize + 1];
    let at_once = evaluator.at_once();
    let mut search = Search {
        walk: Walk::new(game, evaluator),
        order,
        random,
        best: &mut lines,
        limits,
        next_look: LOOK_UP_EVERY,
        stopped: false,
        has_opinion: false,
        at_once,
        judged: &mut Judged::default(),
        refuting: vec![[P::Move::default(); 2]; depth as usize + 1],
        sorted: Vec::new(),
    };
    let score = search.value(game.position(), &mut lists, 0, -Score::WIN, Score::WIN);
    let (nodes, has_opinion) = (search.walk.nodes, search.has_opinion);
    let line = lines.swap_remove(0);
    Decision {
        mv: line[0],
        score: has_opinion.then_some(score),
        depth: if has_opinion { depth } else { 0 },
        nodes,
        line,
    }
}

struct Search<'a, P: Position> {
    walk: Walk<'a, P>,
    order: Option<Order>,
    random: &'a mut RandomStream,
    /// The best line found so far from each ply on.
    best: &'a mut [Vec<P::Move>],
    limits: Limits<'a, P::Move>,
    /// When the clock is looked at again, in nodes.
    next_look: u64,
    /// The decision is wanted now: no second move is tried from here on, and what was not searched in full does not count.
    stopped: bool,
    /// A move at the root was searched in full.
    has_opinion: bool,
    /// How many leaves the evaluator likes to judge at once, and room for it.
    at_once: usize,
    judged: &'a mut Judged<P>,
    /// The moves that last refuted a position at each ply.
    refuting: Vec<[P::Move; 2]>,
    /// Room to sort in.
    sorted: Vec<(Score, usize, P::Move)>,
}

/// The clock and the wish to stop are looked at after so many nodes.
const LOOK_UP_EVERY: u64 = 1024;

impl<P: Position> Search<'_, P> {
    /// The value of a position for its mover; `lists` has room for as many plies as are left.
    fn value(&mut self, position: &P, lists: &mut [MoveList<P::Move>], ply: u32, alpha: Score, beta: Score) -> Score {
        self.best[ply as usize].clear();
        // The game is not over at the root, even if a rule that looks back could say so.
        if ply > 0
            && let Some(score) = self.walk.final_score(position, ply)
        {
            return score;
        }
        self.look_up();
        let Some((moves, deeper)) = lists.split_first_mut() else {
            return self.walk.evaluator.value(position);
        };
        position.legal_moves(moves);
        let is_quick = self.order == Some(Order::Quick);
        let refuting = if is_quick { self.refuting_first(moves.as_mut_slice(), ply) } else { 0 };
        if !is_quick {
            self.sort(position, moves, ply);
        }
        if deeper.is_empty() && self.at_once > 1 {
            return self.value_by_leaves(position, moves, refuting, ply, alpha, beta);
        }
        let mut best = None;
        let mut alpha = alpha;
        for index in 0..moves.len() {
            if is_quick && index == refuting && !deeper.is_empty() {
                // What refuted siblings did not refute this one: now the others are worth sorting.
                self.sort_by_opinion(position, &mut moves.as_mut_slice()[refuting..], ply);
            }
            let mv = moves[index];
            let next = self.walk.enter(position, mv);
            let value = -self.value(&next, deeper, ply + 1, -beta, -alpha);
            self.walk.leave();
            if self.stopped && best.is_some() {
                // The reply that refutes this move may be among those that were not tried.
                break;
            }
            self.has_opinion |= ply == 0 && !self.stopped;
            if best.is_none_or(|best| value > best) {
                best = Some(value);
                let (here, below) = self.best.split_at_mut(ply as usize + 1);
                here[ply as usize].clear();
                here[ply as usize].push(mv);
                here[ply as usize].extend_from_slice(&below[0]);
            }
            if self.stopped {
                break;
            }
            if self.order.is_some() {
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.refuted(mv, ply);
                    break;
                }
            }
        }
        best.unwrap_or(Score::DRAW)
    }

    /// Sees whether the decision is wanted now.
    #[inline]
    fn look_up(&mut self) {
        let Limits { allowance, observer, .. } = &self.limits;
        let nodes = self.walk.nodes;
        self.stopped |= allowance.has_no_nodes_left(nodes);
        if nodes >= self.next_look {
            self.next_look = nodes + LOOK_UP_EVERY;
            self.stopped |= allowance.is_spent(nodes) || observer.is_some_and(Observer::wants_decision);
        }
    }

    /// The value of a position whose moves all lead to leaves, some of them judged at once. The same as one by one, and as many
    /// positions count as visited. The first `refuting` moves will often do: they are judged before the others.
    fn value_by_leaves(
        &mut self,
        position: &P,
        moves: &[P::Move],
        refuting: usize,
        ply: u32,
        alpha: Score,
        beta: Score,
    ) -> Score {
        let mut best = None;
        let mut alpha = alpha;
        let (first, rest) = moves.split_at(refuting);
        // Where none of the first leaves refutes, hardly any will: then all that are left are judged together.
        let (next, last) = rest.split_at(rest.len().min(self.at_once));
        for moves in [first, next, last].into_iter().filter(|moves| !moves.is_empty()) {
            self.walk.judge(position, moves, ply, self.judged);
            self.has_opinion |= ply == 0;
            for (&mv, &value) in moves.iter().zip(&self.judged.values) {
                self.walk.nodes += 1;
                if best.is_none_or(|best| value > best) {
                    best = Some(value);
                    let line = &mut self.best[ply as usize];
                    line.clear();
                    line.push(mv);
                }
                if self.order.is_some() {
                    alpha = alpha.max(value);
                    if alpha >= beta {
                        self.refuted(mv, ply);
                        return best.unwrap_or(Score::DRAW);
                    }
                }
            }
            if self.stopped {
                break;
            }
        }
        best.unwrap_or(Score::DRAW)
    }

    /// Puts the moves that last refuted a position at this ply in front, and says how many; the others keep their order.
    fn refuting_first(&self, moves: &mut [P::Move], ply: u32) -> usize {
        let mut found = 0;
        for refuting in self.refuting[ply as usize] {
            if let Some(place) = moves[found..].iter().position(|&mv| mv == refuting) {
                moves[found..=found + place].rotate_right(1);
                found += 1;
            }
        }
        found
    }

    fn refuted(&mut self, mv: P::Move, ply: u32) {
        let [first, second] = &mut self.refuting[ply as usize];
        if *first != mv {
            *second = std::mem::replace(first, mv);
        }
    }

    /// Sorts moves by the evaluator's opinion of where they lead, the best first.
    fn sort_by_opinion(&mut self, position: &P, moves: &mut [P::Move], ply: u32) {
        self.walk.judge(position, moves, ply, self.judged);
        self.walk.nodes += moves.len() as u64;
        self.sorted.clear();
        self.sorted
            .extend(self.judged.values.iter().zip(&*moves).enumerate().map(|(at, (&value, &mv))| (-value, at, mv)));
        self.sorted.sort_unstable_by_key(|&(value, at, _)| (value, at));
        moves.iter_mut().zip(&self.sorted).for_each(|(place, &(_, _, mv))| *place = mv);
    }

    fn sort(&mut self, position: &P, moves: &mut MoveList<P::Move>, ply: u32) {
        match self.order {
            None | Some(Order::Natural | Order::Quick) => {}
            Some(Order::Random) => shuffled(moves.as_mut_slice(), self.random),
            Some(Order::Heuristic) => {
                let moves = moves.as_mut_slice();
                moves.sort_by_cached_key(|&mv| {
                    let next = self.walk.enter(position, mv);
                    let value =
                        self.walk.final_score(&next, ply + 1).unwrap_or_else(|| self.walk.evaluator.value(&next));
                    self.walk.leave();
                    value
                });
            }
        }
    }
}
