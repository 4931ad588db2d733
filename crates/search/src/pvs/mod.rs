//! The engine: MIA's search (Winands et al.), and what has proved itself since.
//!
//! Every technique is a switch, so that a study can measure it. Those that may be wrong (null move, multi-cut,
//! reductions, quiescence) go off together with `exact`: then the value at the root is that of plain minimax.

mod limits;
mod order;
mod search;
mod table;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use lanista_core::{Budget, Decision, Evaluator, Observer, Player, Position, RandomStream, Referee, Tactics};

use crate::evaluators::{Noisy, unscaled};
use crate::parameters::{Kind, Parameter, PlayerInfo, Settings, limit};
use crate::path::tighter;
use crate::plain::NOISE;
use crate::ranking::EVAL;
use limits::Limits;
use search::Search;
use table::Table;

/// No search goes deeper than this.
const DEEPEST: u32 = 100;

const fn switch(name: &'static str, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Flag, default, about }
}

/// The engine.
pub const PVS: PlayerInfo = PlayerInfo {
    name: "pvs",
    about: "the engine: principal variation search with everything that helps",
    parameters: &[
        limit("depth", DEEPEST as u64, "plies to look ahead; without any limit 6"),
        limit("nodes", 1_000_000_000_000, "positions to visit"),
        limit("movetime", 86_400_000, "milliseconds a move"),
        EVAL,
        Parameter {
            name: "table",
            kind: Kind::Whole { least: 0, most: 65_536 },
            default: "16",
            about: "transposition table in MB; 0 is none",
        },
        Parameter {
            name: "threads",
            kind: Kind::Whole { least: 1, most: 256 },
            default: "1",
            about: "threads (lazy SMP); more than one does not repeat to the bit",
        },
        switch("exact", "false", "only what is certain: the value of plain minimax"),
        switch("etc", "true", "enhanced transposition cut-offs, more than 2 plies from the leaves"),
        switch("null-move", "true", "adaptive null move at CUT and ALL nodes, as MIA"),
        switch("multi-cut", "true", "multi-cut where the null move fails, as MIA"),
        switch("killers", "true", "two killer moves a ply"),
        switch("history", "true", "the history heuristic"),
        switch("urgency", "true", "the game's capture classes before quiet moves"),
        switch("quiescence", "true", "follow noisy moves at the leaves"),
        switch("aspiration", "true", "narrow windows around the last iteration's value"),
        switch("reductions", "true", "late moves are searched less deep"),
        switch("iir", "true", "without a move from the table search one ply less"),
        switch("lookback", "true", "apply repetition and other rules of the past inside the tree"),
        NOISE,
    ],
};

/// The switches and limits of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Techniques {
    pub exact: bool,
    pub etc: bool,
    pub null_move: bool,
    pub multi_cut: bool,
    pub killers: bool,
    pub history: bool,
    pub urgency: bool,
    pub quiescence: bool,
    pub aspiration: bool,
    pub reductions: bool,
    pub iir: bool,
    pub lookback: bool,
}

/// The engine as a player.
pub struct Pvs<P: Position> {
    techniques: Techniques,
    budget: Budget,
    noise: u32,
    table: Option<Table>,
    /// One for each thread.
    evaluators: Vec<Box<dyn Evaluator<P>>>,
    observer: Option<Arc<dyn Observer<P::Move>>>,
}

impl<P: Tactics> Pvs<P> {
    /// The engine with these settings. `evaluator` makes a fresh evaluator for each thread.
    pub fn new(settings: &Settings, mut evaluator: impl FnMut() -> Box<dyn Evaluator<P>>) -> Pvs<P> {
        let exact = settings.flag("exact");
        let bold = |name| settings.flag(name) && !exact;
        let budget = Budget {
            depth: settings.whole("depth").map(|depth| depth as u32),
            nodes: settings.whole("nodes"),
            time: settings.whole("movetime").map(Duration::from_millis),
        };
        let table = settings.whole("table").unwrap_or(0) as usize;
        Pvs {
            techniques: Techniques {
                exact,
                etc: settings.flag("etc"),
                null_move: bold("null-move"),
                multi_cut: bold("multi-cut"),
                killers: settings.flag("killers"),
                history: settings.flag("history"),
                urgency: settings.flag("urgency"),
                quiescence: bold("quiescence"),
                aspiration: settings.flag("aspiration"),
                reductions: bold("reductions"),
                iir: bold("iir"),
                lookback: settings.flag("lookback"),
            },
            budget,
            noise: settings.whole("noise").unwrap_or(0) as u32,
            table: (table > 0).then(|| Table::new(table)),
            evaluators: (0..settings.whole("threads").unwrap_or(1)).map(|_| evaluator()).collect(),
            observer: None,
        }
    }

    /// The limits of a decision: the tighter of the engine's own and those it is given; 6 plies if there are none.
    fn limits(&self, given: &Budget) -> Budget {
        let mut budget = Budget {
            depth: tighter(self.budget.depth, given.depth),
            nodes: tighter(self.budget.nodes, given.nodes),
            time: tighter(self.budget.time, given.time),
        };
        if budget == Budget::default() {
            budget.depth = Some(6);
        }
        budget
    }
}

impl<P: Tactics> Player<P> for Pvs<P> {
    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let budget = self.limits(budget);
        let seed = if self.noise > 0 { random.bits() } else { 0 };
        let stop = AtomicBool::new(false);
        let observer = self.observer.clone();
        let (table, techniques, noise) = (self.table.as_ref(), self.techniques, self.noise);
        let (first, others) = self.evaluators.split_first_mut()?;
        let mut decision = std::thread::scope(|scope| {
            for (index, evaluator) in others.iter_mut().enumerate() {
                let stop = &stop;
                scope.spawn(move || {
                    let limits = Limits::new(&Budget { depth: budget.depth, ..Budget::default() }, DEEPEST, stop, None);
                    run(evaluator.as_mut(), noise, seed, |evaluator| {
                        // Helpers only fill the table; every second one starts a ply deeper to spread the work.
                        Search::new(game, evaluator, table, techniques, limits).decide(index as u32 % 2)
                    });
                });
            }
            let mut limits = Limits::new(&budget, DEEPEST, &stop, observer.as_deref());
            limits.has_noise = noise > 0;
            let decision = run(first.as_mut(), noise, seed, |evaluator| {
                Search::new(game, evaluator, table, techniques, limits).decide(0)
            });
            stop.store(true, Ordering::Relaxed);
            decision
        });
        if noise > 0 {
            decision.score = decision.score.map(unscaled);
        }
        Some(decision)
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        self.observer = Some(observer);
    }
}

/// Searches with the evaluator as it is, or with noise.
fn run<P: Position, T>(
    evaluator: &mut dyn Evaluator<P>,
    noise: u32,
    seed: u64,
    search: impl FnOnce(&mut dyn Evaluator<P>) -> T,
) -> T {
    if noise == 0 { search(evaluator) } else { search(&mut Noisy::new(evaluator, noise, seed)) }
}
