//! The position: black, white, kings, whose turn it is.

use lanista_core::{Cell, MoveList, Outcome, ParseError, Picture, Position, Progress, SIDE_KEY, Side, folded_multiply};

use super::captures::Captures;
use super::geometry::{BIT_OF_SQUARE, KING_ROWS, ROTATIONS, step, turned};
use super::{DraughtsMove, notation};

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draughts {
    pieces: [u32; 2],
    kings: u32,
    side: Side,
}

/// The two forward directions of a side's men; the other two are `^ 2`.
#[inline]
const fn forward(side: Side) -> (usize, usize) {
    match side {
        Side::First => (2, 3),
        Side::Second => (0, 1),
    }
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

    /// The pieces that can capture.
    #[inline]
    fn jumpers(&self) -> u32 {
        let own = self.pieces[self.side.index()];
        let enemy = self.pieces[(!self.side).index()];
        let empty = !(own | enemy);
        // Backwards from the landing square to the piece: one pass finds all jumpers of a direction.
        let from = |direction: usize| step(step(empty, direction ^ 2) & enemy, direction ^ 2);
        let (a, b) = forward(self.side);
        let mut jumpers = (from(a) | from(b)) & own;
        let kings = own & self.kings;
        if kings != 0 {
            jumpers |= (from(a ^ 2) | from(b ^ 2)) & kings;
        }
        jumpers
    }

    /// Whether some piece can make a plain step.
    #[inline]
    fn has_step(&self) -> bool {
        let own = self.pieces[self.side.index()];
        let empty = !(own | self.pieces[(!self.side).index()]);
        let (a, b) = forward(self.side);
        let steps = (step(own, a) | step(own, b)) & empty;
        let kings = own & self.kings;
        steps != 0 || (kings != 0 && (step(kings, a ^ 2) | step(kings, b ^ 2)) & empty != 0)
    }

    #[inline]
    fn capture_moves(&self, mut jumpers: u32, moves: &mut MoveList<DraughtsMove>) {
        let own = self.pieces[self.side.index()];
        let enemy = self.pieces[(!self.side).index()];
        while jumpers != 0 {
            let from = jumpers.trailing_zeros();
            let king = self.kings >> from & 1 == 1;
            let captures = Captures {
                enemy,
                empty: !(own | enemy) | 1 << from,
                directions: if king { (0, 3) } else { forward(self.side) },
                king_row: if king { 0 } else { KING_ROWS[self.side.index()] },
            };
            captures.extend(DraughtsMove::standing(from), moves);
            jumpers &= jumpers - 1;
        }
    }

    #[inline]
    fn step_moves(&self, moves: &mut MoveList<DraughtsMove>) {
        let own = self.pieces[self.side.index()];
        let empty = !(own | self.pieces[(!self.side).index()]);
        let mut add = |movers: u32, direction: usize| {
            let mut targets = step(movers, direction) & empty;
            while targets != 0 {
                let from = targets.trailing_zeros().wrapping_sub(ROTATIONS[direction]) & 31;
                moves.push(DraughtsMove::quiet(from, direction));
                targets &= targets - 1;
            }
        };
        let (a, b) = forward(self.side);
        add(own, a);
        add(own, b);
        let kings = own & self.kings;
        if kings != 0 {
            add(kings, a ^ 2);
            add(kings, b ^ 2);
        }
    }
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
        let jumpers = self.jumpers();
        if jumpers != 0 {
            self.capture_moves(jumpers, moves);
        } else {
            self.step_moves(moves);
        }
    }

    #[inline]
    fn play(&mut self, mv: DraughtsMove) {
        let (us, them) = (self.side.index(), (!self.side).index());
        let (from, to) = (1u32 << mv.from(), 1u32 << mv.to());
        let captured = mv.captured();
        self.pieces[us] = self.pieces[us] & !from | to;
        self.pieces[them] &= !captured;
        let crowned = if self.kings & from != 0 { to } else { to & KING_ROWS[us] };
        self.kings = self.kings & !from & !captured | crowned;
        self.side = !self.side;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (!self.has_step() && self.jumpers() == 0).then_some(Outcome::Win(!self.side))
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
            if (row + column) % 2 == 0 {
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
        Picture {
            rows: (0..8).map(|row| (0..8).map(|column| cell(row, column)).collect()).collect(),
            row_labels: (0..8).map(|row| (row * 4 + 1).to_string()).collect(),
            column_labels: Vec::new(),
        }
    }
}
