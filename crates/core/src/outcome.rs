//! How games end.

use std::fmt;
use std::str::FromStr;

use crate::{ParseError, Score, Side};

/// The result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// That side won.
    Win(Side),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// The outcome after the two sides have changed seats.
    #[inline]
    pub fn swapped(self) -> Outcome {
        match self {
            Outcome::Win(side) => Outcome::Win(!side),
            Outcome::Draw => Outcome::Draw,
        }
    }

    /// 1 for a win of `side`, ½ for a draw, 0 for a loss.
    pub fn points(self, side: Side) -> f64 {
        match self {
            Outcome::Win(winner) if winner == side => 1.0,
            Outcome::Win(_) => 0.0,
            Outcome::Draw => 0.5,
        }
    }

    /// The score for `side`, so many plies before the end: near wins are better, near losses worse.
    #[inline]
    pub fn score(self, side: Side, plies: u32) -> Score {
        match self {
            Outcome::Win(winner) if winner == side => Score::win_in(plies),
            Outcome::Win(_) => Score::loss_in(plies),
            Outcome::Draw => Score::DRAW,
        }
    }
}

/// `1-0` if the first side won, `0-1` if the second did, `1/2-1/2` for a draw.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Outcome::Win(Side::First) => "1-0",
            Outcome::Win(Side::Second) => "0-1",
            Outcome::Draw => "1/2-1/2",
        })
    }
}

impl FromStr for Outcome {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Outcome, ParseError> {
        match text {
            "1-0" => Ok(Outcome::Win(Side::First)),
            "0-1" => Ok(Outcome::Win(Side::Second)),
            "1/2-1/2" => Ok(Outcome::Draw),
            _ => Err(ParseError::new(1, format!("unknown result {text:?}, expected 1-0, 0-1 or 1/2-1/2"))),
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The board says so: connected, four in a row, no move left, board full.
    Board,
    /// The position occurred too often.
    Repetition,
    /// Too many plies without progress.
    NoProgress,
    /// The longest length that the rules allow was reached.
    PlyCap,
    /// A player gave up.
    Resignation,
    /// Both players called it a draw.
    Agreement,
    /// A player broke the rules, the clock or down.
    Forfeit,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Reason::Board => "board",
            Reason::Repetition => "repetition",
            Reason::NoProgress => "no-progress",
            Reason::PlyCap => "ply-cap",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreement",
            Reason::Forfeit => "forfeit",
        })
    }
}

/// An outcome together with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// Who won, if anybody.
    pub outcome: Outcome,
    /// Why the game is over.
    pub reason: Reason,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_back_and_change_seats() {
        for outcome in [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw] {
            assert_eq!(outcome.to_string().parse(), Ok(outcome));
            assert_eq!(outcome.swapped().swapped(), outcome);
            assert_eq!(outcome.points(Side::First), outcome.swapped().points(Side::Second));
            assert_eq!(outcome.points(Side::First) + outcome.points(Side::Second), 1.0);
        }
        assert_eq!(Outcome::Win(Side::Second).points(Side::Second), 1.0);
        assert_eq!(Outcome::Win(Side::First).to_string(), "1-0");
        assert!("2-0".parse::<Outcome>().is_err());
        assert_eq!(
            [Reason::Resignation, Reason::Agreement].map(|reason| reason.to_string()),
            ["resignation", "agreement"]
        );
    }
}
