//! When to stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use lanista_core::{Budget, Decision, Observer};

use crate::evaluators::unscaled;

/// The limits of one decision, watched by the thread that counts.
pub(crate) struct Limits<'a, M> {
    pub depth: u32,
    nodes: u64,
    deadline: Option<Instant>,
    began: Instant,
    time: Option<Duration>,
    /// Set when any thread of this search has reached a limit, or from outside.
    stop: &'a AtomicBool,
    observer: Option<&'a dyn Observer<M>>,
    /// Whether scores are finer than what the observer is told.
    pub has_noise: bool,
}

/// How many nodes pass between two looks at the clock: about a tenth of a millisecond.
const NODES_BETWEEN_LOOKS: u64 = 256;

impl<'a, M> Limits<'a, M> {
    pub fn new(budget: &Budget, deepest: u32, stop: &'a AtomicBool, observer: Option<&'a dyn Observer<M>>) -> Self {
        let began = Instant::now();
        Limits {
            depth: budget.depth.unwrap_or(deepest).min(deepest).max(1),
            nodes: budget.nodes.unwrap_or(u64::MAX),
            deadline: budget.time.map(|time| began + time),
            began,
            time: budget.time,
            stop,
            observer,
            has_noise: false,
        }
    }

    /// Whether the search must end now.
    #[inline]
    pub fn reached(&self, nodes: u64) -> bool {
        if nodes >= self.nodes {
            return true;
        }
        if !nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            return false;
        }
        self.stop.load(Relaxed)
            || self.observer.is_some_and(|observer| observer.wants_decision())
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Tells the observer, if there is one.
    pub fn report(&self, decision: &Decision<M>)
    where
        M: Clone,
    {
        match self.observer {
            Some(observer) if self.has_noise => {
                observer.progress(&Decision { score: decision.score.map(unscaled), ..decision.clone() });
            }
            Some(observer) => observer.progress(decision),
            None => {}
        }
    }

    /// Whether another iteration is not worth starting: it would hardly end in the time that is left.
    pub fn nearly_reached(&self) -> bool {
        self.time.is_some_and(|time| self.began.elapsed() > time / 2)
    }
}
