//! How long to think: fixed limits, or a share of a clock.

use lanista_core::Budget;

use crate::limits::{share_of_clock, thinking_time};

/// The limits that a `level` line sets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Level {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<f64>,
    time: Option<f64>,
    increment: f64,
}

impl Level {
    /// Reads the arguments of a `level` line; those not given are not limited.
    pub fn parse(arguments: &[(String, String)]) -> Result<Level, String> {
        let mut level = Level::default();
        for (name, value) in arguments {
            let wrong = |expected: &str| format!("{name}={value}: expected {expected}");
            let seconds = || match value.parse::<f64>() {
                Ok(seconds) if (0.0..=1e7).contains(&seconds) => Ok(seconds),
                _ => Err(wrong("seconds")),
            };
            match name.as_str() {
                "depth" => {
                    level.depth = Some(value.parse().ok().filter(|&depth| depth > 0).ok_or_else(|| wrong("plies"))?)
                }
                "nodes" => {
                    level.nodes = Some(value.parse().ok().filter(|&nodes| nodes > 0).ok_or_else(|| wrong("a number"))?)
                }
                "move-time" => level.move_time = Some(seconds()?),
                "time" => level.time = Some(seconds()?),
                "inc" => level.increment = seconds()?,
                _ => {
                    return Err(format!("level has no argument {name}, expected depth, nodes, move-time, time or inc"));
                }
            }
        }
        Ok(level)
    }

    /// The budget of the next decision.
    pub fn budget(&self) -> Budget {
        let from_clock = self.time.map(|time| share_of_clock(time, self.increment));
        let seconds = match (self.move_time, from_clock) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Budget { depth: self.depth, nodes: self.nodes, time: seconds.map(thinking_time) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(text: &str) -> Result<Level, String> {
        let pairs = text.split_whitespace().filter_map(|word| word.split_once('='));
        Level::parse(&pairs.map(|(name, value)| (name.to_string(), value.to_string())).collect::<Vec<_>>())
    }

    #[test]
    fn a_clock_is_shared_out_and_never_overdrawn() {
        let time = |text| level(text).unwrap().budget().time.unwrap().as_secs_f64();
        assert!((time("time=60") - 2.39).abs() < 1e-6);
        assert!((time("time=60 inc=1") - 3.19).abs() < 1e-6);
        assert!(time("time=0.1 inc=10") < 0.05);
        assert!((time("time=60 move-time=0.5") - 0.49).abs() < 1e-6);
        assert!(time("time=0") > 0.0);
    }

    #[test]
    fn wrong_limits_are_named() {
        assert_eq!(level("depth=0"), Err("depth=0: expected plies".into()));
        assert!(level("move-time=-1").is_err() && level("time=nan").is_err() && level("speed=1").is_err());
    }
}
