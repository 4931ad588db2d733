//! The position: the mover's stones and all stones.

use lanista_core::{
    Cell, Ending, MoveList, Outcome, ParseError, Picture, Position, Progress, RandomStream, SIDE_KEY, Seed, Side,
    folded_multiply,
};

use super::lanes::random_games;

/// Columns of the board.
pub(super) const WIDTH: u32 = 7;
/// Rows of the board.
pub(super) const HEIGHT: u32 = 6;
/// Bits of a column, the empty one on top included.
pub(super) const STRIDE: u32 = HEIGHT + 1;
/// The lowest square of every column.
const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// All squares.
pub(super) const BOARD: u64 = BOTTOM * 0b11_1111;

/// A move: a column, kept as the bit of its lowest square, displayed as 1 to 7.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Column(u8);

impl Column {
    /// A column from 0 to 6.
    #[inline]
    pub(super) const fn new(index: u32) -> Column {
        Column((index * STRIDE) as u8)
    }

    /// The column, 0 to 6.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize / STRIDE as usize
    }
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct ConnectFour {
    /// Stones of the side to move.
    pub(super) mover: u64,
    /// All stones.
    pub(super) stones: u64,
}

impl ConnectFour {
    /// Stones on the board.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.stones.count_ones()
    }

    /// The squares of a side's stones: bit 7·column + row.
    #[inline]
    pub fn stones(&self, side: Side) -> u64 {
        if side == self.side_to_move() { self.mover } else { self.mover ^ self.stones }
    }

    /// The squares of all stones.
    #[inline]
    pub(super) fn occupied(&self) -> u64 {
        self.stones
    }

    /// The position with these stones, if it can be one: called by the parser, which has checked gravity and counts.
    pub(super) fn from_stones(first: u64, second: u64) -> ConnectFour {
        let mover = if first.count_ones() == second.count_ones() { first } else { second };
        ConnectFour { mover, stones: first | second }
    }

    /// How many stones the column holds.
    #[inline]
    pub(super) fn height(&self, column: Column) -> usize {
        (self.stones >> column.0 & 0x3f).count_ones() as usize
    }

    /// Whether a stone can be dropped into the column.
    #[inline]
    fn is_open(&self, column: Column) -> bool {
        self.stones >> (u32::from(column.0) + HEIGHT - 1) & 1 == 0
    }
}

/// Whether the stones contain four in a line.
#[inline]
pub(super) fn has_four(stones: u64) -> bool {
    begun_fours(stones) != 0
}

/// The squares where four in a line begin.
#[inline(always)]
pub(super) fn begun_fours(stones: u64) -> u64 {
    // Upright, level, and the two diagonals. No early exit: four short chains run side by side.
    let line = |step: u32| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step)
    };
    line(1) | line(STRIDE) | line(STRIDE - 1) | line(STRIDE + 1)
}

/// The cells of all fours in a line, rows from the top.
pub(super) fn fours(stones: u64) -> Vec<(usize, usize)> {
    let mut found = 0u64;
    for step in [1, STRIDE, STRIDE - 1, STRIDE + 1] {
        let pairs = stones & stones >> step;
        let starts = pairs & pairs >> (2 * step);
        found |= starts | starts << step | starts << (2 * step) | starts << (3 * step);
    }
    let cell = |square: u32| ((HEIGHT - 1 - square % STRIDE) as usize, (square / STRIDE) as usize);
    (0..WIDTH * STRIDE).filter(|&square| found >> square & 1 == 1).map(cell).collect()
}

impl Position for ConnectFour {
    type Move = Column;

    /// The mirror.
    const SYMMETRIES: usize = 2;

    #[inline]
    fn side_to_move(&self) -> Side {
        if self.ply() & 1 == 0 { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, moves: &mut MoveList<Column>) {
        moves.clear();
        if has_four(self.mover ^ self.stones) {
            return;
        }
        moves.write(|moves| {
            for column in (0..WIDTH).map(Column::new) {
                moves.push_if(column, self.is_open(column));
            }
        });
    }

    #[inline]
    fn play(&mut self, mv: Column) {
        self.mover ^= self.stones;
        // Adding to the lowest square of a column carries up to its first empty one.
        self.stones |= self.stones + (1 << mv.0);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_four(self.mover ^ self.stones) {
            return Some(Outcome::Win(!self.side_to_move()));
        }
        (self.stones == BOARD).then_some(Outcome::Draw)
    }

    #[inline]
    fn key(&self) -> u64 {
        let side = if self.side_to_move() == Side::Second { SIDE_KEY } else { 0 };
        folded_multiply(self.stones(Side::First), self.stones) ^ side
    }

    #[inline]
    fn progress(&self, _mv: Column) -> Progress {
        Progress::Conversion
    }

    fn material(&self, side: Side) -> u32 {
        self.stones(side).count_ones()
    }

    fn symmetric(&self, index: usize) -> Self {
        let mirror = |stones: u64| {
            (0..WIDTH).fold(0, |mirrored, column| {
                mirrored | (stones >> (column * STRIDE) & 0x3f) << ((WIDTH - 1 - column) * STRIDE)
            })
        };
        if index == 0 { *self } else { ConnectFour { mover: mirror(self.mover), stones: mirror(self.stones) } }
    }

    fn symmetric_move(mv: Column, index: usize) -> Column {
        if index == 0 { mv } else { Column::new(WIDTH - 1 - mv.index() as u32) }
    }

    fn parse_move(&self, text: &str) -> Result<Column, ParseError> {
        let column: Column = text.parse()?;
        if self.outcome().is_some() {
            return Err(ParseError::new(1, format!("{column}: the game is over")));
        }
        if !self.is_open(column) {
            return Err(ParseError::new(1, format!("{column}: the column is full")));
        }
        Ok(column)
    }

    fn picture(&self) -> Picture {
        let [first, second] = Side::BOTH.map(|side| self.stones(side));
        let cell = |row: u32, column: u32| {
            let square = 1 << (column * STRIDE + row);
            if first & square != 0 {
                Cell::Piece(Side::First, 'x')
            } else if second & square != 0 {
                Cell::Piece(Side::Second, 'o')
            } else {
                Cell::Empty
            }
        };
        Picture {
            rows: (0..HEIGHT).rev().map(|row| (0..WIDTH).map(|column| cell(row, column)).collect()).collect(),
            row_labels: Vec::new(),
            column_labels: (1..=WIDTH).map(|column| column.to_string()).collect(),
            square_names: Vec::new(),
        }
    }

    fn random_games(&self, seed: Seed, first: u64, ends: &mut [(Ending, u32)]) -> bool {
        random_games(*self, seed, first, ends);
        true
    }

    /// Draws columns until one is open: each open one is equally likely, and most of the time the first draw will do.
    #[inline]
    fn random_move(&self, random: &mut RandomStream, _moves: &mut MoveList<Column>) -> Column {
        loop {
            let column = Column::new(random.below(WIDTH));
            if self.is_open(column) {
                return column;
            }
        }
    }
}
