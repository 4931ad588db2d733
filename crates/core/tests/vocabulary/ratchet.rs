//! Ratchet, a toy game: all that a new game needs, and a move of every kind of [`Progress`].
//!
//! On the table are two lamps, a wheel with a ratchet and nine coins. A side switches a lamp, which can be undone;
//! or, while the lamps differ, turns the wheel by a tooth, which cannot; or, while both are on, takes a coin.
//! Who takes the last coin wins; when the wheel has gone round, the game is a draw.

use std::fmt;
use std::str::FromStr;

use lanista_core::{
    Cell, DrawRules, Game, MoveList, NoProgress, Outcome, ParseError, Picture, Position, Progress, Repetition, Rules,
    SIDE_KEY, Side, Verdict, mix64,
};

const COINS: u8 = 9;
const TEETH: u8 = 6;

/// A position: `*.` the lamps, then the wheel, then the coins of each side, then the side to move: `*. 2 3-1 a`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ratchet {
    lamps: [bool; 2],
    wheel: u8,
    coins: [u8; 2],
    second_to_move: bool,
}

/// A move, displayed as one of the names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Act(usize);

impl Act {
    pub const LEFT: Act = Act(0);
    pub const RIGHT: Act = Act(1);
    pub const TURN: Act = Act(2);
    pub const TAKE: Act = Act(3);
    const NAMES: [&'static str; 4] = ["left", "right", "turn", "take"];
}

impl Position for Ratchet {
    type Move = Act;

    /// The lamps exchanged or not, the sides exchanged or not.
    const SYMMETRIES: usize = 4;

    fn side_to_move(&self) -> Side {
        Side::BOTH[usize::from(self.second_to_move)]
    }

    fn legal_moves(&self, moves: &mut MoveList<Act>) {
        moves.clear();
        if self.outcome().is_some() {
            return;
        }
        moves.push(Act::LEFT);
        moves.push(Act::RIGHT);
        match self.lamps {
            [false, false] => {}
            [true, true] => moves.push(Act::TAKE),
            _ => moves.push(Act::TURN),
        }
    }

    fn play(&mut self, mv: Act) {
        match mv {
            Act::TURN => self.wheel += 1,
            Act::TAKE => self.coins[self.side_to_move().index()] += 1,
            Act(lamp) => self.lamps[lamp] ^= true,
        }
        self.second_to_move ^= true;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.coins[0] + self.coins[1] == COINS {
            return Some(Outcome::Win(!self.side_to_move()));
        }
        (self.wheel == TEETH).then_some(Outcome::Draw)
    }

    fn key(&self) -> u64 {
        let [left, right] = self.lamps.map(u8::from);
        let board = u64::from_le_bytes([left, right, self.wheel, self.coins[0], self.coins[1], 0, 0, 0]);
        mix64(board) ^ if self.second_to_move { SIDE_KEY } else { 0 }
    }

    fn progress(&self, mv: Act) -> Progress {
        match mv {
            Act::TAKE => Progress::Conversion,
            Act::TURN => Progress::Advance,
            _ => Progress::Reversible,
        }
    }

    fn material(&self, side: Side) -> u32 {
        self.coins[side.index()].into()
    }

    fn symmetric(&self, index: usize) -> Ratchet {
        let mut image = *self;
        if index & 1 == 1 {
            image.lamps.reverse();
        }
        if index & 2 == 2 {
            image.coins.reverse();
            image.second_to_move ^= true;
        }
        image
    }

    fn symmetric_move(mv: Act, index: usize) -> Act {
        match mv {
            Act::LEFT | Act::RIGHT if index & 1 == 1 => Act(1 - mv.0),
            _ => mv,
        }
    }

    fn parse_move(&self, text: &str) -> Result<Act, ParseError> {
        let act: Act = text.parse()?;
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        if moves.contains(&act) { Ok(act) } else { Err(ParseError::new(1, format!("{act}: not possible here"))) }
    }

    fn picture(&self) -> Picture {
        let cell = |side, on, letter| if on { Cell::Piece(side, letter) } else { Cell::Empty };
        let row = |side: Side, lamp: bool| {
            let coins = (0..COINS).map(|coin| cell(side, coin < self.coins[side.index()], 'o'));
            let teeth = (0..TEETH).map(|tooth| cell(side, tooth < self.wheel, 'x'));
            [cell(side, lamp, '*')].into_iter().chain(coins).chain(teeth).collect()
        };
        Picture {
            rows: vec![row(Side::First, self.lamps[0]), row(Side::Second, self.lamps[1])],
            row_labels: vec!["a".into(), "b".into()],
            column_labels: Vec::new(),
            square_names: Vec::new(),
        }
    }
}

impl Game for Ratchet {
    const ID: &'static str = "ratchet";
    const NAME: &'static str = "Ratchet";
    const SIDES: [&'static str; 2] = ["Anna", "Bert"];

    fn presets() -> Vec<Rules<Ratchet>> {
        let rules = |name: &str, about, draws| Rules { name: name.into(), about, start: Ratchet::default(), draws };
        let repetition = |count, side_matters| Some(Repetition { count, side_matters });
        let no_progress = |plies, progress, verdict| Some(NoProgress { plies, progress, verdict });
        let patient = no_progress(12, Progress::Advance, Verdict::Draw);
        let greedy = no_progress(9, Progress::Conversion, Verdict::Material);
        vec![
            rules(
                "standard",
                "third occurrence draws",
                DrawRules { repetition: repetition(3, true), ..Default::default() },
            ),
            rules(
                "quick",
                "second occurrence draws, whoever is to move",
                DrawRules { repetition: repetition(2, false), no_progress: patient, ply_cap: Some(30) },
            ),
            rules(
                "greedy",
                "nine plies without a coin, then coins decide",
                DrawRules { no_progress: greedy, ..Default::default() },
            ),
            rules("endless", "only the table ends the game", DrawRules::default()),
        ]
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Act::NAMES[self.0])
    }
}

impl FromStr for Act {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Act, ParseError> {
        let index = Act::NAMES.iter().position(|&name| name == text);
        index.map(Act).ok_or_else(|| ParseError::new(1, format!("expected one of: {}", Act::NAMES.join(", "))))
    }
}

impl fmt::Display for Ratchet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [left, right] = self.lamps.map(|on| if on { '*' } else { '.' });
        let side = if self.second_to_move { 'b' } else { 'a' };
        f.pad(&format!("{left}{right} {} {}-{} {side}", self.wheel, self.coins[0], self.coins[1]))
    }
}

impl FromStr for Ratchet {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Ratchet, ParseError> {
        let lamp = |byte| [b'.', b'*'].iter().position(|&sign| sign == byte).map(|index| index == 1);
        let digit = |byte: u8, most: u8| byte.checked_sub(b'0').filter(|&digit| digit <= most);
        let read = || match *text.as_bytes() {
            [left, right, b' ', wheel, b' ', first, b'-', second, b' ', side @ (b'a' | b'b')] => {
                let coins = [digit(first, COINS)?, digit(second, COINS)?];
                let lamps = [lamp(left)?, lamp(right)?];
                let position = Ratchet { lamps, wheel: digit(wheel, TEETH)?, coins, second_to_move: side == b'b' };
                (coins[0] + coins[1] <= COINS).then_some(position)
            }
            _ => None,
        };
        read().ok_or_else(|| ParseError::new(1, "expected lamps, wheel, coins and side, as in `*. 2 3-1 a`"))
    }
}
