//! The position: two bitboards, whose turn it is, a key.

use lanista_core::{Cell, MoveList, Outcome, ParseError, Picture, Position, Progress, SIDE_KEY, Side};

use super::connection::{connected_to, is_connected, with_neighbours};
use super::geometry::{BETWEEN, PIECE_KEYS, STEPS, board_mask, geometry};
use super::notation;
use super::{BoardRules, BothConnected, LoaMove, NoMove, symmetry};

/// A position on an N×N board, N from 4 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loa<const N: usize> {
    pieces: [u64; 2],
    key: u64,
    side: Side,
    outcome: Option<Outcome>,
    rules: BoardRules,
}

impl<const N: usize> Loa<N> {
    /// All squares of the board.
    pub const BOARD: u64 = board_mask(N);

    /// The standard start: Black on the two edge rows, White on the two edge columns, corners empty.
    pub fn start(rules: BoardRules) -> Self {
        const { assert!(N >= 4 && N <= 8, "boards from 4×4 to 8×8") };
        let inner = (1u64 << (N - 1)) - 2;
        let black = inner | inner << (8 * (N - 1));
        let left = 0x0101_0101_0101_0101 & Self::BOARD & !1 & !(1 << (8 * (N - 1)));
        Self::new([black, left | left << (N - 1)], Side::First, rules)
    }

    /// A position from its bitboards. Each side must have a piece, and no square two.
    pub(super) fn new(pieces: [u64; 2], side: Side, rules: BoardRules) -> Self {
        debug_assert!(pieces[0] & pieces[1] == 0 && pieces.iter().all(|&set| set != 0 && set & !Self::BOARD == 0));
        let mut position = Loa { pieces, key: 0, side, outcome: None, rules };
        position.key = position.recomputed_key();
        position.outcome = position.found_outcome();
        position
    }

    /// The squares of a side's pieces, a1 in bit 0, a rank a byte.
    #[inline]
    pub fn pieces(&self, side: Side) -> u64 {
        self.pieces[side.index()]
    }

    /// The rules of this board.
    #[inline]
    pub fn rules(&self) -> BoardRules {
        self.rules
    }

    /// The same board under other rules.
    pub fn with_rules(&self, rules: BoardRules) -> Self {
        Self::new(self.pieces, self.side, rules)
    }

    /// The outcome from nothing but the board and the side to move.
    fn found_outcome(&self) -> Option<Outcome> {
        let connected = self.pieces.map(is_connected);
        self.judge(connected[(!self.side).index()], connected[self.side.index()])
    }

    /// The outcome, given whether the side that moved last and the other one are connected.
    #[inline]
    fn judge(&self, mover: bool, other: bool) -> Option<Outcome> {
        match (mover, other) {
            (false, false) if self.rules.no_move == NoMove::Loss && !self.can_move() => Some(Outcome::Win(!self.side)),
            (false, false) => None,
            (true, true) if self.rules.both_connected == BothConnected::Draw => Some(Outcome::Draw),
            (true, _) => Some(Outcome::Win(!self.side)),
            (false, true) => Some(Outcome::Win(self.side)),
        }
    }

    fn can_move(&self) -> bool {
        let mut moves = MoveList::new();
        self.board_moves(&mut moves);
        !moves.is_empty()
    }

    /// All moves of pieces, whether or not the game is over.
    #[inline]
    fn board_moves(&self, moves: &mut MoveList<LoaMove>) {
        let own = self.pieces[self.side.index()];
        let enemy = self.pieces[(!self.side).index()];
        let occupied = own | enemy;
        let lines = &geometry::<N>().lines;
        let mut rest = own;
        while rest != 0 {
            let from = rest.trailing_zeros();
            let origin = 1u64 << from;
            rest &= rest - 1;
            for axis in 0..4 {
                let line = lines[from as usize][axis];
                let count = (occupied & line).count_ones();
                let shift = count * STEPS[axis];
                let between = BETWEEN[axis][count as usize];
                // Shifts wrap, but a wrapped square is never on the line, so the mask drops it.
                let free = line & !own;
                let up = origin.wrapping_shl(shift) & free;
                let open = enemy & between.wrapping_shl(from) == 0;
                moves.push_if(LoaMove::new(from, (from + shift) & 63, up & enemy != 0), (up != 0) & open);
                let down = origin.wrapping_shr(shift) & free;
                let open = enemy & between.wrapping_shl(from.wrapping_sub(shift)) == 0;
                moves.push_if(
                    LoaMove::new(from, from.wrapping_sub(shift) & 63, down & enemy != 0),
                    (down != 0) & open,
                );
            }
        }
    }
}

impl<const N: usize> Position for Loa<N> {
    type Move = LoaMove;

    /// The eight of the square, without and with the sides exchanged.
    const SYMMETRIES: usize = 16;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn legal_moves(&self, moves: &mut MoveList<LoaMove>) {
        moves.clear();
        if self.outcome.is_some() {
            return;
        }
        self.board_moves(moves);
        if moves.is_empty() {
            moves.push(LoaMove::PASS);
        }
    }

    #[inline]
    fn play(&mut self, mv: LoaMove) {
        let (us, them) = (self.side.index(), (!self.side).index());
        self.side = !self.side;
        self.key ^= SIDE_KEY;
        if mv.is_pass() {
            return;
        }
        let (from, to) = (mv.from() as usize, mv.to() as usize);
        let target = 1u64 << to;
        self.pieces[us] ^= 1 << from | target;
        self.key ^= PIECE_KEYS[us][from] ^ PIECE_KEYS[us][to];
        let own = self.pieces[us];
        // Nobody was connected before. Only the mover's pieces moved, so the
        // other side can have become connected only by losing a piece.
        let mut other = false;
        if mv.is_capture() {
            self.pieces[them] ^= target;
            self.key ^= PIECE_KEYS[them][to];
            other = is_connected(self.pieces[them]);
        }
        let mover = (own == target || with_neighbours(target) & own != target) && connected_to(own, target);
        self.outcome = self.judge(mover, other);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        let mut key = if self.side == Side::Second { SIDE_KEY } else { 0 };
        for side in Side::BOTH {
            for (square, piece_key) in PIECE_KEYS[side.index()].iter().enumerate() {
                if self.pieces(side) >> square & 1 == 1 {
                    key ^= piece_key;
                }
            }
        }
        key
    }

    #[inline]
    fn progress(&self, mv: LoaMove) -> Progress {
        if mv.is_capture() { Progress::Conversion } else { Progress::Reversible }
    }

    fn material(&self, side: Side) -> u32 {
        self.pieces(side).count_ones()
    }

    fn symmetric(&self, index: usize) -> Self {
        let turned = self.pieces.map(|pieces| symmetry::squares::<N>(pieces, index % 8));
        let (pieces, side) = if index < 8 { (turned, self.side) } else { ([turned[1], turned[0]], !self.side) };
        Self::new(pieces, side, self.rules)
    }

    fn symmetric_move(mv: LoaMove, index: usize) -> LoaMove {
        if mv.is_pass() {
            return mv;
        }
        let turn = |square| symmetry::square::<N>(square, index % 8);
        LoaMove::new(turn(mv.from()), turn(mv.to()), mv.is_capture())
    }

    fn parse_move(&self, text: &str) -> Result<LoaMove, ParseError> {
        let wanted: LoaMove = text.parse()?;
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let same = |mv: &&LoaMove| {
            mv.is_pass() == wanted.is_pass() && (mv.from(), mv.to()) == (wanted.from(), wanted.to())
        };
        moves.iter().find(same).copied().ok_or_else(|| ParseError::new(1, notation::why_illegal(self, wanted)))
    }

    fn picture(&self) -> Picture {
        let cell = |rank: usize, file: usize| {
            let square = rank * 8 + file;
            match Side::BOTH.map(|side| self.pieces(side) >> square & 1) {
                [1, _] => Cell::Piece(Side::First, 'b'),
                [_, 1] => Cell::Piece(Side::Second, 'w'),
                _ => Cell::Empty,
            }
        };
        Picture {
            rows: (0..N).rev().map(|rank| (0..N).map(|file| cell(rank, file)).collect()).collect(),
            row_labels: (1..=N).rev().map(|rank| rank.to_string()).collect(),
            column_labels: ('a'..='h').take(N).map(String::from).collect(),
        }
    }
}
