//! The value of a position for the side to move.

use std::fmt;
use std::ops::Neg;

/// A value from the mover's view, in hundredths of the evaluator's unit.
///
/// Scores beyond ±[`Score::PROVED`] are not opinions: the game is won or lost by force, and the distance
/// from ±[`Score::WIN`] is the number of plies to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(pub i32);

impl Score {
    /// Nobody is ahead.
    pub const DRAW: Score = Score(0);
    /// The game is won now.
    pub const WIN: Score = Score(1_000_000);
    /// The game is lost now.
    pub const LOSS: Score = Score(-1_000_000);
    /// Evaluators stay strictly between −`PROVED` and `PROVED`.
    pub const PROVED: Score = Score(900_000);

    /// A win in that many plies.
    #[inline]
    pub const fn win_in(plies: u32) -> Score {
        Score(Score::WIN.0 - plies as i32)
    }

    /// A loss in that many plies.
    #[inline]
    pub const fn loss_in(plies: u32) -> Score {
        Score(Score::LOSS.0 + plies as i32)
    }

    /// For a proved win or loss, the number of plies to the end.
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.0 > Score::PROVED.0 {
            Some((Score::WIN.0 - self.0) as u32)
        } else if self.0 < -Score::PROVED.0 {
            Some((self.0 - Score::LOSS.0) as u32)
        } else {
            None
        }
    }

    /// The value after a move, for the side that answers it, as the side that makes the move sees it: turned round, and one ply
    /// further from the end.
    #[must_use]
    pub fn before_move(self) -> Score {
        match -self {
            score if score.0 > Score::PROVED.0 => Score(score.0 - 1),
            score if score.0 < -Score::PROVED.0 => Score(score.0 + 1),
            score => score,
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.0 > 0 => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proved_scores_tell_their_distance() {
        assert_eq!(Score::win_in(11).plies_to_end(), Some(11));
        assert_eq!((-Score::win_in(11)).plies_to_end(), Some(11));
        assert_eq!(-Score::win_in(3), Score::loss_in(3));
        assert_eq!(Score(250).plies_to_end(), None);
        assert!(Score::win_in(3) > Score::win_in(5) && Score::loss_in(3) < Score::loss_in(5));
        assert_eq!(Score(-50).to_string(), "-0.50");
        assert_eq!(Score::loss_in(2).to_string(), "loss in 2");
    }
}
