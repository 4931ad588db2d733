//! The position: black, white, kings, whose turn it is.

use lanista_core::{Cell, MoveList, Outcome, ParseError, Picture, Position, Progress, SIDE_KEY, Side, folded_multiply};

use super::captures::Captures;
use super::geometry::{BIT_OF_SQUARE, KING_ROWS, step, turned};
use super::{DraughtsMove, notation};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draughts {
    pieces: [u32; 2],
    kings: u32,
    side: Side,
}

impl Default for Draughts {
    fn default() -> Draughts {
        let squares = |range: std::ops::Range<usize>| range.fold(0, |set, square| set | 1 << BIT_OF_SQUARE[square]);
        Draughts { pieces: [squares(0..12), squares(20..32)], kings: 0, side: Side::First }
    }
}

impl Draughts {
    /// A position from its bitboards, which the parser has checked.
    pub(super) fn new(pieces: [u32; 2], kings: u32, side: Side) -> Draughts {
        debug_assert!(pieces[0] & pieces[1] == 0 && kings & !(pieces[0] | pieces[1]) == 0);
        Draughts { pieces, kings, side }
    }

    /// The pieces of a side, men and kings, as bits.
    #[inline]
    pub fn pieces(&self, side: Side) -> u32 {
        self.pieces[side.index()]
    }

    /// The kings of both sides.
    #[inline]
    pub fn kings(&self) -> u32 {
        self.kings
    }

    /// Whether the mover can capture, and so must.
    #[inline]
    pub fn has_capture(&self) -> bool {
        match self.side {
            Side::First => self.seen_by_mover().has_jump::<2, 3>(),
            Side::Second => self.seen_by_mover().has_jump::<0, 1>(),
        }
    }

    /// The board with the mover's eyes. Each side has its own code, in which all directions are constants.
    #[inline]
    fn seen_by_mover(&self) -> MoverBoard {
        let [black, white] = self.pieces;
        let (own, enemy) = if self.side == Side::First { (black, white) } else { (white, black) };
        MoverBoard { own, enemy, empty: !(own | enemy), kings: own & self.kings }
    }
}

/// Whether a side that cannot step forward has no move at all. Rare, so kept out of the usual path, with plain
/// numbers as arguments: a reference would force every position out of the registers.
#[cold]
#[inline(never)]
fn is_stuck(own: u32, enemy: u32, kings: u32, side: Side) -> bool {
    let board = MoverBoard { own, enemy, empty: !(own | enemy), kings };
    match side {
        Side::First => board.steps_backward::<2, 3>() == 0 && !board.has_jump::<2, 3>(),
        Side::Second => board.steps_backward::<0, 1>() == 0 && !board.has_jump::<0, 1>(),
    }
}

/// The board with the mover's eyes. Men move in the directions `A` and `B`; the opposite ones are `A ^ 2`, `B ^ 2`.
#[derive(Clone, Copy)]
struct MoverBoard {
    own: u32,
    enemy: u32,
    empty: u32,
    kings: u32,
}

impl MoverBoard {
    /// Where jumps of `movers` in a direction land.
    #[inline]
    fn landings(&self, movers: u32, direction: usize) -> u32 {
        step(step(movers, direction) & self.enemy, direction) & self.empty
    }

    #[inline]
    fn has_jump<const A: usize, const B: usize>(&self) -> bool {
        let forward = self.landings(self.own, A) | self.landings(self.own, B);
        forward != 0 || self.kings != 0 && self.landings(self.kings, A ^ 2) | self.landings(self.kings, B ^ 2) != 0
    }

    /// Where pieces can step forward.
    #[inline]
    fn steps_forward<const A: usize, const B: usize>(&self) -> u32 {
        (step(self.own, A) | step(self.own, B)) & self.empty
    }

    /// Where kings can step backward.
    #[inline]
    fn steps_backward<const A: usize, const B: usize>(&self) -> u32 {
        (step(self.kings, A ^ 2) | step(self.kings, B ^ 2)) & self.empty
    }

    #[inline]
    fn moves<const A: usize, const B: usize>(&self, king_row: u32, moves: &mut MoveList<DraughtsMove>) {
        if self.has_jump::<A, B>() {
            self.captures::<A, B>(king_row, moves);
        } else {
            self.steps::<A, B>(moves);
        }
    }

    #[inline]
    fn captures<const A: usize, const B: usize>(&self, king_row: u32, moves: &mut MoveList<DraughtsMove>) {
        let men = self.own & !self.kings;
        let captures = Captures { enemy: self.enemy, empty: self.empty, king_row };
        for direction in [A, B] {
            for landing in single_bits(self.landings(men, direction)) {
                captures.complete::<A, B>(DraughtsMove::jump(landing, direction), landing, moves);
            }
        }
        if self.kings != 0 {
            self.king_captures(moves);
        }
    }

    fn king_captures(&self, moves: &mut MoveList<DraughtsMove>) {
        for direction in 0..4 {
            for landing in single_bits(self.landings(self.kings, direction)) {
                let mv = DraughtsMove::jump(landing, direction);
                let captures = Captures { enemy: self.enemy, empty: self.empty | 1 << mv.from(), king_row: 0 };
                captures.complete::<0, 3>(mv, landing, moves);
            }
        }
    }

    #[inline]
    fn steps<const A: usize, const B: usize>(&self, moves: &mut MoveList<DraughtsMove>) {
        moves.write(|moves| {
            let mut add = |movers: u32, direction: usize| {
                for target in single_bits(step(movers, direction) & self.empty) {
                    moves.push(DraughtsMove::quiet(target, direction));
                }
            };
            add(self.own, A);
            add(self.own, B);
            if self.kings != 0 {
                add(self.kings, A ^ 2);
                add(self.kings, B ^ 2);
            }
        });
    }
}

/// The bits of a set, each as a set of its own.
#[inline]
fn single_bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

impl Position for Draughts {
    type Move = DraughtsMove;

    /// Turning the board and exchanging the sides.
    const SYMMETRIES: usize = 2;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn legal_moves(&self, moves: &mut MoveList<DraughtsMove>) {
        moves.clear();
        match self.side {
            Side::First => self.seen_by_mover().moves::<2, 3>(KING_ROWS[0], moves),
            Side::Second => self.seen_by_mover().moves::<0, 1>(KING_ROWS[1], moves),
        }
    }

    #[inline]
    fn play(&mut self, mv: DraughtsMove) {
        let [black, white] = self.pieces;
        let (ends, captured) = (mv.ends(), mv.captured());
        // Branches on the side, which the processor foretells, keep everything in registers.
        let (pieces, king_row) = match self.side {
            Side::First => ([black ^ ends, white & !captured], KING_ROWS[0]),
            Side::Second => ([black & !captured, white ^ ends], KING_ROWS[1]),
        };
        self.pieces = pieces;
        // A man never stands on its king row, and the end of a move is empty before it.
        let moved = if self.kings & ends != 0 { ends } else { ends & king_row };
        self.kings = (self.kings & !captured) ^ moved;
        self.side = !self.side;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let board = self.seen_by_mover();
        let men_can_step = match self.side {
            Side::First => board.steps_forward::<2, 3>() != 0,
            Side::Second => board.steps_forward::<0, 1>() != 0,
        };
        (!men_can_step && is_stuck(board.own, board.enemy, board.kings, self.side)).then_some(Outcome::Win(!self.side))
    }

    #[inline]
    fn key(&self) -> u64 {
        let board = u64::from(self.pieces[0]) | u64::from(self.pieces[1]) << 32;
        let side = if self.side == Side::Second { SIDE_KEY } else { 0 };
        folded_multiply(board, u64::from(self.kings)) ^ side
    }

    #[inline]
    fn progress(&self, mv: DraughtsMove) -> Progress {
        let king = self.kings >> mv.from() & 1 == 1;
        if mv.jumps() > 0 || !king && KING_ROWS[self.side.index()] >> mv.to() & 1 == 1 {
            Progress::Conversion
        } else if king {
            Progress::Reversible
        } else {
            Progress::Advance
        }
    }

    /// A man counts 1, a king 2.
    fn material(&self, side: Side) -> u32 {
        let pieces = self.pieces(side);
        pieces.count_ones() + (pieces & self.kings).count_ones()
    }

    fn symmetric(&self, index: usize) -> Self {
        if index == 0 {
            return *self;
        }
        let [black, white] = self.pieces.map(turned);
        Draughts { pieces: [white, black], kings: turned(self.kings), side: !self.side }
    }

    fn symmetric_move(mv: DraughtsMove, index: usize) -> DraughtsMove {
        if index == 0 { mv } else { mv.turned() }
    }

    fn parse_move(&self, text: &str) -> Result<DraughtsMove, ParseError> {
        notation::parse_move(self, text)
    }

    fn picture(&self) -> Picture {
        let cell = |row: usize, column: usize| {
            if (row + column).is_multiple_of(2) {
                return Cell::Unused;
            }
            let bit = BIT_OF_SQUARE[row * 4 + column / 2];
            let king = self.kings >> bit & 1 == 1;
            match self.pieces.map(|pieces| pieces >> bit & 1) {
                [1, _] => Cell::Piece(Side::First, if king { 'B' } else { 'b' }),
                [_, 1] => Cell::Piece(Side::Second, if king { 'W' } else { 'w' }),
                _ => Cell::Empty,
            }
        };
        let name = |row: usize, column: usize| {
            if (row + column).is_multiple_of(2) { String::new() } else { (row * 4 + column / 2 + 1).to_string() }
        };
        Picture {
            rows: (0..8).map(|row| (0..8).map(|column| cell(row, column)).collect()).collect(),
            row_labels: (0..8).map(|row| (row * 4 + 1).to_string()).collect(),
            column_labels: Vec::new(),
            square_names: (0..8).map(|row| (0..8).map(|column| name(row, column)).collect()).collect(),
        }
    }
}
