//! A game written down as a tree, for tests that are computed by hand.
//!
//! ```text
//! 0 ─┬─ 1 (-60) ─┬─ 4 (300)
//!    │           ├─ 5 (-100)
//!    │           └─ 6 (50)
//!    ├─ 2 (-40) ─┬─ 7 (200)
//!    │           └─ 8 (90) ─── 12 the first side has won
//!    └─ 3 (30) ──┬─ 9 (20)
//!                ├─ 10 the second side has won
//!                └─ 11 a draw
//! ```
//!
//! In brackets what the evaluator says, for who is to move there. Places without a branch have one move that stays there.

use std::fmt;
use std::str::FromStr;

use lanista_core::{
    DrawRules, Evaluator, Game, MoveList, Outcome, ParseError, Picture, Position, Progress, Rules, SIDE_KEY, Score,
    Side, Tactics, mix64,
};

const CHILDREN: [&[u8]; 13] =
    [&[1, 2, 3], &[4, 5, 6], &[7, 8], &[9, 10, 11], &[4], &[5], &[6], &[7], &[12], &[9], &[], &[], &[]];

/// What the evaluator says, for who is to move.
const VALUES: [i32; 13] = [0, -60, -40, 30, 300, -100, 50, 200, 90, 20, 0, 0, 0];

/// A position: a place in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Twig {
    pub place: u8,
    side: Side,
}

impl Default for Twig {
    fn default() -> Twig {
        Twig { place: 0, side: Side::First }
    }
}

/// A move: the place that it leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct To(pub u8);

/// The values that are written down.
pub(crate) struct Written;

impl Evaluator<Twig> for Written {
    fn value(&mut self, position: &Twig) -> Score {
        Score(VALUES[position.place as usize])
    }
}

impl Position for Twig {
    type Move = To;
    const SYMMETRIES: usize = 1;

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn legal_moves(&self, moves: &mut MoveList<To>) {
        moves.clear();
        CHILDREN[self.place as usize].iter().for_each(|&place| moves.push(To(place)));
    }

    fn play(&mut self, mv: To) {
        *self = Twig { place: mv.0, side: !self.side };
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.place {
            10 => Some(Outcome::Win(Side::Second)),
            11 => Some(Outcome::Draw),
            12 => Some(Outcome::Win(Side::First)),
            _ => None,
        }
    }

    fn key(&self) -> u64 {
        mix64(self.place.into()) ^ if self.side == Side::Second { SIDE_KEY } else { 0 }
    }

    fn progress(&self, _mv: To) -> Progress {
        Progress::Conversion
    }

    fn material(&self, _side: Side) -> u32 {
        0
    }

    fn symmetric(&self, _index: usize) -> Twig {
        *self
    }

    fn symmetric_move(mv: To, _index: usize) -> To {
        mv
    }

    fn parse_move(&self, text: &str) -> Result<To, ParseError> {
        text.parse()
    }

    fn picture(&self) -> Picture {
        Picture { rows: Vec::new(), row_labels: Vec::new(), column_labels: Vec::new(), square_names: Vec::new() }
    }
}

impl Game for Twig {
    const ID: &'static str = "twigs";
    const NAME: &'static str = "Twigs";
    const SIDES: [&'static str; 2] = ["First", "Second"];

    fn presets() -> Vec<Rules<Twig>> {
        vec![Rules { name: "twigs".into(), about: "", start: Twig::default(), draws: DrawRules::default() }]
    }
}

impl Tactics for Twig {
    const HISTORY_SLOTS: usize = 13;

    fn history_slot(&self, mv: To) -> usize {
        mv.0.into()
    }
}

impl fmt::Display for To {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for To {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<To, ParseError> {
        text.parse().map(To).map_err(|_| ParseError::new(1, "expected a place"))
    }
}

impl fmt::Display for Twig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.place, self.side.index())
    }
}

impl FromStr for Twig {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Twig, ParseError> {
        let (place, side) = text.split_once(' ').ok_or_else(|| ParseError::new(1, "expected place and side"))?;
        let To(place) = place.parse()?;
        Ok(Twig { place, side: Side::BOTH[usize::from(side == "1")] })
    }
}
