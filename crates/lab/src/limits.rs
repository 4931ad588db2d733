//! How long players may think: fixed limits a move, or a clock for the whole game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lanista_core::{Budget, Decision, Observer, ParseError, Player, Position, RandomStream, Referee};
use serde::{Deserialize, Serialize};

/// A game is expected to last so many more moves.
const MOVES_TO_GO: f64 = 25.0;
/// Time that an answer needs on its way, in seconds.
const OVERHEAD: f64 = 0.01;

/// The seconds to think about a move with so many seconds on the clock and so many added after it.
pub fn share_of_clock(time: f64, increment: f64) -> f64 {
    (time / MOVES_TO_GO + 0.8 * increment).min(time / 2.0)
}

/// Seconds to think, less what the way takes.
pub fn thinking_time(seconds: f64) -> Duration {
    Duration::from_secs_f64((seconds - OVERHEAD).max(0.001))
}

/// What a player may spend: plies, positions or milliseconds a move, or a clock. As text, `nodes=10000` or
/// `depth=8,clock=60+0.6`; empty for no limit but the player's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Limit {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Positions to visit.
    pub nodes: Option<u64>,
    /// Milliseconds a move.
    pub movetime: Option<u64>,
    /// Seconds for the game, and seconds added after each move.
    pub clock: Option<(f64, f64)>,
}

impl Limit {
    /// Reads `name=value,…` with the names depth, nodes, movetime (milliseconds) and clock (seconds+seconds).
    pub fn parse(text: &str) -> Result<Limit, ParseError> {
        let mut limit = Limit::default();
        let mut column = 1;
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let fail = |message: String| ParseError::new(column, message);
            let (name, value) = part.split_once('=').ok_or_else(|| {
                fail(format!(
                    "limit {part:?}: expected depth=N, nodes=N, movetime=MILLISECONDS or clock=SECONDS+SECONDS"
                ))
            })?;
            let whole = |most: u64| {
                let number = value.parse().ok().filter(|number| (1..=most).contains(number));
                number.ok_or_else(|| fail(format!("{name}={value}: expected a whole number from 1 to {most}")))
            };
            match name {
                "depth" => limit.depth = Some(whole(1000)? as u32),
                "nodes" => limit.nodes = Some(whole(1_000_000_000_000)?),
                "movetime" => limit.movetime = Some(whole(86_400_000)?),
                "clock" => {
                    let (time, increment) = value.split_once('+').unwrap_or((value, "0"));
                    let seconds = |text: &str| text.parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
                    let clock = seconds(time).filter(|&time| time > 0.0).zip(seconds(increment));
                    limit.clock = Some(
                        clock.ok_or_else(|| fail(format!("clock={value}: expected seconds+seconds, as in 60+0.6")))?,
                    );
                }
                _ => {
                    let message = format!("unknown limit {name:?}, expected one of: depth, nodes, movetime, clock");
                    return Err(fail(message));
                }
            }
            column += part.chars().count() + 1;
        }
        Ok(limit)
    }

    /// Whether decisions depend on a clock: then they do not repeat.
    pub fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.clock.is_some()
    }

    /// The budget of a decision, clock aside.
    pub fn budget(&self) -> Budget {
        Budget { depth: self.depth, nodes: self.nodes, time: self.movetime.map(Duration::from_millis) }
    }

    /// The player with its clock, if it has one.
    pub fn with_clock<P: Position>(&self, player: Box<dyn Player<P>>) -> Box<dyn Player<P>> {
        match self.clock {
            None => player,
            Some((time, increment)) => Box::new(Clocked { player, left: time, increment, flag: false }),
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.depth.map(|depth| format!("depth={depth}")),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.movetime.map(|time| format!("movetime={time}")),
            self.clock.map(|(time, increment)| format!("clock={time}+{increment}")),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

impl TryFrom<String> for Limit {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Limit, ParseError> {
        Limit::parse(&text)
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> String {
        limit.to_string()
    }
}

/// A player with a clock. Who oversteps it forfeits.
struct Clocked<P: Position> {
    player: Box<dyn Player<P>>,
    left: f64,
    increment: f64,
    flag: bool,
}

impl<P: Position> Player<P> for Clocked<P> {
    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let share = thinking_time(share_of_clock(self.left, self.increment));
        let time = Some(budget.time.map_or(share, |time| time.min(share)));
        let began = Instant::now();
        let decision = self.player.choose(game, &Budget { time, ..*budget }, random);
        self.left -= began.elapsed().as_secs_f64();
        if self.left < 0.0 {
            self.flag = true;
            return None;
        }
        self.left += self.increment;
        decision
    }

    fn failure(&self) -> Option<&str> {
        if self.flag { Some("the clock ran out") } else { self.player.failure() }
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        self.player.observe(observer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_back() {
        for text in ["", "depth=6", "nodes=10000", "movetime=100", "clock=60+0.6", "depth=8,nodes=5,clock=1+0"] {
            assert_eq!(Limit::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Limit::parse("clock=10").unwrap().clock, Some((10.0, 0.0)));
    }

    #[test]
    fn wrong_limits_are_named() {
        for (text, column) in [("depth", 1), ("depth=0", 1), ("depth=6,nodes=x", 9), ("speed=1", 1), ("clock=0+1", 1)] {
            assert_eq!(Limit::parse(text).unwrap_err().column, column, "{text}");
        }
    }
}
