//! Monte-Carlo tree search: UCT (Kocsis and Szepesvári 2006) with the solver of Winands, Björnsson and Saito (2008).
//!
//! Wins and losses that the tree proves are backed up as such, and nothing that is decided is searched again. The tree
//! is a tree: positions that transpose are several nodes, so that rules that look back (repetition, no progress) are
//! kept to the letter along every path, and a proof is a proof of the game as it stands, its past included.

mod search;
mod tree;

use std::sync::Arc;
use std::time::Duration;

use lanista_core::{Budget, Decision, Evaluator, Observer, Player, Position, RandomStream, Referee};

use crate::chance::{Chances, SCALE};
use crate::parameters::{Kind, Parameter, PlayerInfo, Settings, limit};
use crate::path::tighter;
use crate::ranking::EVAL;
use search::Search;
use tree::Tree;

/// How many simulations there are where nothing limits them.
const USUAL_SIMULATIONS: u64 = 10_000;

/// Monte-Carlo tree search.
///
/// The exploration constant is not tuned: matches of 12 to 200 games showed no clear difference from 0.35 to 1.4.
pub const MCTS: PlayerInfo = PlayerInfo {
    name: "mcts",
    about: "Monte-Carlo tree search: UCT with proved wins and losses",
    parameters: &[
        limit("simulations", 1_000_000_000_000, "walks down the tree; without any limit 10000"),
        limit("nodes", 1_000_000_000_000, "positions to visit, those of the playouts included"),
        limit("movetime", 86_400_000, "milliseconds a move"),
        Parameter {
            name: "exploration",
            kind: Kind::Real { least: 0.0, most: 100.0 },
            default: "0.7",
            about: "the constant of UCT, for results from 0 to 1; UCB1's is 1.41",
        },
        Parameter {
            name: "leaf",
            kind: Kind::Choice(&["playout", "eval"]),
            default: "playout",
            about: "what a new position is worth: the result of random moves to the end, or the evaluator's opinion",
        },
        Parameter {
            name: "playout-plies",
            kind: Kind::Whole { least: 0, most: 100_000 },
            default: "400",
            about: "the longest playout; the evaluator judges what is not over then",
        },
        EVAL,
        SCALE,
        Parameter {
            name: "memory",
            kind: Kind::Whole { least: 1, most: 65_536 },
            default: "64",
            about: "the tree in MB; when it is full it grows no more, and its leaves are played out again and again",
        },
    ],
};

/// What a search does at the leaves and how it weighs.
#[derive(Clone, Copy, Debug)]
struct Habits {
    exploration: f64,
    /// Plies of a playout; 0 asks the evaluator at once.
    playout_plies: u32,
    chances: Chances,
}

/// Monte-Carlo tree search as a player.
pub struct Mcts<P: Position> {
    habits: Habits,
    simulations: Option<u64>,
    budget: Budget,
    evaluator: Box<dyn Evaluator<P>>,
    /// Empty at the start of every decision; kept for its memory.
    tree: Tree<P::Move>,
    observer: Option<Arc<dyn Observer<P::Move>>>,
}

impl<P: Position> Mcts<P> {
    /// The player with these settings.
    pub fn new(settings: &Settings, evaluator: Box<dyn Evaluator<P>>) -> Mcts<P> {
        let plies = if settings.text("leaf") == "eval" { 0 } else { settings.whole("playout-plies").unwrap_or(0) };
        Mcts {
            habits: Habits {
                exploration: settings.real("exploration").unwrap_or(0.7),
                playout_plies: plies as u32,
                chances: Chances::new(settings.whole("scale").unwrap_or(100)),
            },
            simulations: settings.whole("simulations"),
            budget: Budget {
                depth: None,
                nodes: settings.whole("nodes"),
                time: settings.whole("movetime").map(Duration::from_millis),
            },
            evaluator,
            tree: Tree::new(settings.whole("memory").unwrap_or(64) as usize),
            observer: None,
        }
    }
}

impl<P: Position> Player<P> for Mcts<P> {
    /// Of the given budget, `depth` bounds the tree, not the playouts.
    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let budget = Budget {
            depth: budget.depth,
            nodes: tighter(self.budget.nodes, budget.nodes),
            time: tighter(self.budget.time, budget.time),
        };
        let unlimited = budget.nodes.is_none() && budget.time.is_none();
        let simulations = self.simulations.unwrap_or(if unlimited { USUAL_SIMULATIONS } else { u64::MAX });
        let search = Search::new(game, &mut self.tree, self.evaluator.as_mut(), self.habits, random);
        Some(search.decide(&budget, simulations, self.observer.as_deref()))
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        self.observer = Some(observer);
    }
}
