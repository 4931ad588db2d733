//! Opinions as chances: an evaluator's value as the share of the point that its owner may expect, from 0 to 1.

use lanista_core::Score;

use crate::parameters::{Kind, Parameter};

/// How steep the way from values to chances is.
pub(crate) const SCALE: Parameter = Parameter {
    name: "scale",
    kind: Kind::Whole { least: 1, most: 100_000 },
    default: "100",
    about: "the value, in hundredths, that stands for three points of four",
};

/// Both ways between values and chances: ½ + ½·v/(v₀ + |v|). Like the logistic curve it is symmetric and never
/// reaches 0 or 1; unlike it, it can be computed alike everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Chances {
    scale: f64,
}

impl Chances {
    /// The curve through ¾ at `scale` hundredths.
    pub fn new(scale: u64) -> Chances {
        Chances { scale: scale as f64 }
    }

    /// The chance of whom the value is for. Proved scores are values like others, only very large.
    #[inline]
    pub fn of(self, score: Score) -> f64 {
        let value = f64::from(score.0);
        0.5 + 0.5 * (value / (self.scale + value.abs()))
    }

    /// The value that stands for a chance; an opinion, however sure.
    pub fn score(self, chance: f64) -> Score {
        let most = f64::from(Score::PROVED.0 - 1);
        let x = (2.0 * chance - 1.0).clamp(-1.0, 1.0);
        // At certainty this is ±infinity, which the bounds catch.
        Score((self.scale * x / (1.0 - x.abs())).clamp(-most, most) as i32)
    }
}

/// A score as an opinion: what looks won or lost without being proved.
pub(crate) fn opinion(score: Score) -> Score {
    let most = Score::PROVED.0 - 1;
    Score(score.0.clamp(-most, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_chances_and_back() {
        let chances = Chances::new(100);
        let of = [0, 100, -100, 300].map(|value| chances.of(Score(value)));
        assert_eq!(of, [0.5, 0.75, 0.25, 0.875]);
        for value in [-5000, -300, -1, 0, 7, 100, 2500] {
            let score = chances.score(chances.of(Score(value)));
            assert!((score.0 - value).abs() <= 1, "{value} came back as {}", score.0);
        }
        assert!(chances.of(Score::WIN) < 1.0 && chances.of(Score::LOSS) > 0.0);
    }

    #[test]
    fn certainty_is_still_an_opinion() {
        let chances = Chances::new(100);
        assert_eq!(chances.score(1.0), Score(Score::PROVED.0 - 1));
        assert_eq!(chances.score(0.0), Score(1 - Score::PROVED.0));
        assert_eq!(opinion(Score::win_in(3)).plies_to_end(), None);
        assert_eq!(opinion(Score(-250)), Score(-250));
    }
}
