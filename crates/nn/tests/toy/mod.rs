//! A toy: stones in a row of 20 places. A side puts a stone on a free place, which takes the other side's stones beside
//! it off the board.

use std::fmt;
use std::str::FromStr;

use lanista_core::{
    Inputs, MoveList, Outcome, ParseError, Picture, Position, Progress, RandomStream, SIDE_KEY, Side, Switches, mix64,
};

pub const PLACES: usize = 20;

/// A position: each side's stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stones {
    pub stones: [u32; 2],
    pub second: bool,
}

/// A move: the place where a stone goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Put(pub u8);

impl Stones {
    /// The same board with the other side to move.
    pub fn passed(self) -> Stones {
        Stones { second: !self.second, ..self }
    }

    /// Some position.
    pub fn random(random: &mut RandomStream) -> Stones {
        let mut position = Stones::default();
        let mut moves = MoveList::new();
        for _ in 0..random.below(30) {
            let mv = position.random_move(random, &mut moves);
            position.play(mv);
        }
        position
    }
}

impl Position for Stones {
    type Move = Put;
    const SYMMETRIES: usize = 1;

    fn side_to_move(&self) -> Side {
        Side::BOTH[usize::from(self.second)]
    }

    fn legal_moves(&self, moves: &mut MoveList<Put>) {
        moves.clear();
        let taken = self.stones[0] | self.stones[1];
        (0..PLACES as u8).filter(|place| taken >> place & 1 == 0).for_each(|place| moves.push(Put(place)));
    }

    fn play(&mut self, mv: Put) {
        let mover = usize::from(self.second);
        let stone = 1 << mv.0;
        self.stones[mover] |= stone;
        self.stones[1 - mover] &= !(stone << 1 | stone >> 1);
        self.second = !self.second;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.stones[0] | self.stones[1] == (1 << PLACES) - 1).then_some(Outcome::Draw)
    }

    fn key(&self) -> u64 {
        let [first, second] = self.stones.map(u64::from);
        mix64(first << 32 | second) ^ if self.second { SIDE_KEY } else { 0 }
    }

    fn progress(&self, _mv: Put) -> Progress {
        Progress::Conversion
    }

    fn material(&self, side: Side) -> u32 {
        self.stones[side.index()].count_ones()
    }

    fn symmetric(&self, _index: usize) -> Stones {
        *self
    }

    fn symmetric_move(mv: Put, _index: usize) -> Put {
        mv
    }

    fn parse_move(&self, text: &str) -> Result<Put, ParseError> {
        text.parse()
    }

    fn picture(&self) -> Picture {
        Picture { rows: Vec::new(), row_labels: Vec::new(), column_labels: Vec::new(), square_names: Vec::new() }
    }
}

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.stones[0], self.stones[1], u8::from(self.second))
    }
}

impl FromStr for Stones {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Stones, ParseError> {
        let numbers: Vec<u32> = text.split(' ').map_while(|number| number.parse().ok()).collect();
        match numbers[..] {
            [first, second, mover] => Ok(Stones { stones: [first, second], second: mover == 1 }),
            _ => Err(ParseError::new(1, "expected three numbers")),
        }
    }
}

impl fmt::Display for Put {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Put {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Put, ParseError> {
        text.parse().map(Put).map_err(|_| ParseError::new(1, "expected a place"))
    }
}

/// Every kind of input: a board with a base, a count of own pairs, a switch that depends on who is to move, and two
/// free numbers of stones if wanted. Switches lie in all four words.
pub struct Everything {
    pub free: Vec<usize>,
}

impl Everything {
    pub fn new(free: bool) -> Everything {
        Everything { free: if free { vec![20, 23] } else { Vec::new() } }
    }
}

impl Inputs<Stones> for Everything {
    fn size(&self) -> usize {
        24
    }

    fn write(&self, position: &Stones, side: Side, out: &mut [f32]) {
        let [own, other] = [side, !side].map(|side| position.stones[side.index()]);
        out.fill(0.0);
        for (place, out) in out[..PLACES].iter_mut().enumerate() {
            let has = |stones: u32| f32::from(u8::from(stones >> place & 1 == 1));
            *out = 0.25 + has(own) - 0.75 * has(other);
        }
        out[21] = 0.5 * (own & own >> 1).count_ones() as f32;
        out[22] = f32::from(u8::from(position.side_to_move() == side)) * 0.3;
        if !self.free.is_empty() {
            [out[20], out[23]] = counts(own, other);
        }
    }

    fn switches(&self) -> usize {
        200
    }

    fn base(&self, out: &mut [f32]) {
        out.fill(0.0);
        out[..PLACES].fill(0.25);
    }

    fn effects(&self, switch: usize) -> Vec<(usize, f32)> {
        match switch {
            0..20 => vec![(switch, 1.0)],
            70..90 => vec![(switch - 70, -0.75)],
            130..149 => vec![(21, 0.5)],
            199 => vec![(22, 0.3)],
            _ => Vec::new(),
        }
    }

    fn on(&self, position: &Stones, side: Side) -> Switches {
        let [own, other] = [side, !side].map(|side| u64::from(position.stones[side.index()]));
        [own, other << 6, (own & own >> 1) << 2, u64::from(position.side_to_move() == side) << 7]
    }

    fn free(&self) -> &[usize] {
        &self.free
    }

    fn write_free(&self, position: &Stones, side: Side, out: &mut [f32]) {
        out.copy_from_slice(&counts(position.stones[side.index()], position.stones[(!side).index()]));
    }
}

fn counts(own: u32, other: u32) -> [f32; 2] {
    [own.count_ones() as f32 / 20.0, other.count_ones() as f32 / 20.0]
}
