//! The ant colony of Allsop's thesis (after Sharma, Kobti and Goodwin 2008).
//!
//! In each forage every ant walks down the game tree to a depth; it takes the edge from i to j with a probability
//! proportional to τᵅ·ηᵝ, τ the pheromone on the edge, η what the evaluator thinks of j. After the forage the trails are
//! updated: τ ← ρτ + Σ scores of the final states of the ants that used the edge. After all forages the root edge with
//! the most pheromone is played.
//!
//! What the thesis leaves open is decided so:
//! - Scores and η are chances from 0 to 1 (see `scale`), seen by the side that moves along the edge: ants on the
//!   opponent's edges look for what is good for him. A single view would make the opponent help.
//! - ν: a path that ends the game after l of d plies counts (d/l)^ν times: near wins smell stronger.
//! - Trails begin with τ = 1, in the state model when an ant first comes near.
//! - Pheromone lies on the edges of states, kept in a hash table (`per=state`), or on moves whatever the state
//!   (`per=move`), which the thesis proposes for draughts as 4 × 32 moves. Here a game tells its kinds of moves itself.

mod colony;
mod graph;
mod trails;

use std::sync::Arc;

use lanista_core::{Budget, Decision, Evaluator, Observer, Player, RandomStream, Referee, Tactics};

use crate::chance::{Chances, SCALE};
use crate::parameters::{Depth, Kind, Parameter, PlayerInfo, Settings};
use crate::ranking::EVAL;
use colony::Colony;

const fn whole(name: &'static str, most: u64, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Whole { least: 1, most }, default, about }
}

const fn real(name: &'static str, least: f64, most: f64, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Real { least, most }, default, about }
}

/// The ant colony.
pub const ANTS: PlayerInfo = PlayerInfo {
    name: "ants",
    about: "an ant colony that lays trails through the game tree (Allsop)",
    parameters: &[
        whole("ants", 100_000, "40", "ants; the thesis: 40, planned sweep 20 to 80"),
        whole("forages", 1_000_000, "200", "forages of each ant; the thesis: 200, planned sweep 100 to 400"),
        whole("depth", 200, "4", "plies of a walk; the thesis: 1 to 10"),
        real("alpha", 0.0, 10.0, "0.6", "weight of the pheromone; the thesis: 0.6"),
        real("beta", 0.0, 10.0, "0.8", "weight of the evaluator's opinion; the thesis: 0.8"),
        real("rho", 0.01, 1.0, "0.8", "what is left of a trail after a forage; the thesis: 0.8"),
        real("nu", 0.0, 10.0, "1", "weight of the path's length; the thesis: 1"),
        Parameter {
            name: "per",
            kind: Kind::Choice(&["state", "move"]),
            default: "state",
            about: "where pheromone lies: on the moves of each state, or on moves whatever the state",
        },
        EVAL,
        SCALE,
        Parameter {
            name: "memory",
            kind: Kind::Whole { least: 1, most: 65_536 },
            default: "256",
            about: "the states in MB; when they are full, ants turn back where they would find a new one",
        },
    ],
};

/// The model's parameters, by their names in the thesis.
#[derive(Clone, Copy, Debug)]
struct Instincts {
    ants: u32,
    forages: u32,
    depth: u32,
    alpha: f64,
    beta: f64,
    rho: f64,
    nu: f64,
    /// Whether pheromone lies on moves whatever the state.
    per_move: bool,
    chances: Chances,
    /// Bytes for the states.
    memory: usize,
}

/// The ant colony as a player.
pub struct Ants<P: Tactics> {
    instincts: Instincts,
    depth: Depth,
    evaluator: Box<dyn Evaluator<P>>,
    observer: Option<Arc<dyn Observer<P::Move>>>,
}

impl<P: Tactics> Ants<P> {
    /// The player with these settings.
    pub fn new(settings: &Settings, evaluator: Box<dyn Evaluator<P>>) -> Ants<P> {
        let whole = |name| settings.whole(name).unwrap_or(1);
        let real = |name| settings.real(name).unwrap_or(1.0);
        let instincts = Instincts {
            ants: whole("ants") as u32,
            forages: whole("forages") as u32,
            depth: whole("depth") as u32,
            alpha: real("alpha"),
            beta: real("beta"),
            rho: real("rho"),
            nu: real("nu"),
            per_move: settings.text("per") == "move",
            chances: Chances::new(whole("scale")),
            memory: (whole("memory") as usize) << 20,
        };
        Ants { instincts, depth: settings.depth(), evaluator, observer: None }
    }
}

impl<P: Tactics> Player<P> for Ants<P> {
    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let depth = self.depth.within(budget);
        let instincts = Instincts { depth, ..self.instincts };
        let mut colony = Colony::new(game, self.evaluator.as_mut(), instincts);
        colony.forage(budget, random, self.observer.as_deref());
        Some(colony.decision())
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        self.observer = Some(observer);
    }
}
