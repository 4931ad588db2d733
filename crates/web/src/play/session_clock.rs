//! The clock of a game that people play.

use std::time::Instant;

use lanista_lab::limits::Limit;
use serde::Serialize;
use utoipa::ToSchema;

/// A clock as a page shows it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClockView {
    /// Milliseconds that each side has left; none for a side without a clock.
    pub remaining_ms: Vec<Option<u64>>,
    /// The side whose clock runs.
    pub running: Option<u8>,
}

/// Time left for each side.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    left: [Option<f64>; 2],
    increments: [f64; 2],
    running: Option<(usize, Instant)>,
}

impl Clock {
    /// The clock of two sides; `None` if neither has one.
    pub fn new(limits: &[Limit; 2]) -> Option<Clock> {
        let left = limits.map(|limit| limit.clock.map(|(time, _)| time));
        let increments = limits.map(|limit| limit.clock.map_or(0.0, |(_, increment)| increment));
        left.iter().any(Option::is_some).then_some(Clock { left, increments, running: None })
    }

    /// The seconds that a side has left now.
    pub fn left(&self, side: usize) -> Option<f64> {
        let spent = self
            .running
            .filter(|(running, _)| *running == side)
            .map_or(0.0, |(_, since)| since.elapsed().as_secs_f64());
        self.left[side].map(|left| left - spent)
    }

    /// The side whose time is over.
    pub fn fallen(&self) -> Option<usize> {
        let (side, _) = self.running?;
        self.left(side).filter(|left| *left <= 0.0).map(|_| side)
    }

    /// A side has moved.
    pub fn moved(&mut self, side: usize) {
        self.halt();
        if let Some(left) = &mut self.left[side] {
            *left += self.increments[side];
        }
    }

    /// Starts the clock of a side, and stops the other one.
    pub fn start(&mut self, side: usize) {
        self.halt();
        self.running = Some((side, Instant::now()));
    }

    /// Stops both.
    pub fn halt(&mut self) {
        if let Some((side, _)) = self.running {
            self.left[side] = self.left(side).map(|left| left.max(0.0));
            self.running = None;
        }
    }

    pub fn view(&self) -> ClockView {
        let milliseconds = |side| self.left(side).map(|left| (left.max(0.0) * 1000.0) as u64);
        ClockView {
            remaining_ms: vec![milliseconds(0), milliseconds(1)],
            running: self.running.map(|(side, _)| side as u8),
        }
    }
}
