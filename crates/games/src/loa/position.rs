//! The position: two bitboards, whose turn it is, a key.

use lanista_core::{
    Cell, MoveList, Outcome, ParseError, Picture, Position, Progress, RandomStream, SIDE_KEY, Side, random_from_list,
};

use super::connection::{connected_to, euler_change, euler_number, is_connected};
use super::geometry::{Geometry, Hop, HopPair, PIECE_KEYS, board_mask, geometry};
use super::notation;
use super::{BoardRules, BothConnected, LoaMove, NoMove, symmetry};

/// A position on an N×N board, N from 4 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Loa<const N: usize> {
    pieces: [u64; 2],
    key: u64,
    /// The Euler number of each side's pieces: above one they are not connected.
    euler: [i8; 2],
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
        let mut position = Loa { pieces, key: 0, euler: pieces.map(euler_number), side, outcome: None, rules };
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
            (false, false) => {
                let board = self.seen_by_mover();
                let lost = self.rules.no_move == NoMove::Loss && is_stuck::<N>(board.own, board.enemy);
                lost.then_some(Outcome::Win(!self.side))
            }
            (true, true) if self.rules.both_connected == BothConnected::Draw => Some(Outcome::Draw),
            (true, _) => Some(Outcome::Win(!self.side)),
            (false, true) => Some(Outcome::Win(self.side)),
        }
    }

    /// The same board with the other side to move; `None` if the game is over.
    #[inline]
    pub(super) fn with_other_side_to_move(&self) -> Option<Self> {
        self.outcome.is_none().then_some(Loa { side: !self.side, key: self.key ^ SIDE_KEY, ..*self })
    }

    #[inline]
    fn seen_by_mover(&self) -> MoverBoard {
        MoverBoard { own: self.pieces[self.side.index()], enemy: self.pieces[(!self.side).index()] }
    }
}

/// The board with the mover's eyes.
#[derive(Clone, Copy)]
struct MoverBoard {
    own: u64,
    enemy: u64,
}

/// Whether a side has no move. Asked only under rules where it then loses, so kept out of the usual path, with
/// plain numbers as arguments: a reference would force every position out of the registers.
#[cold]
#[inline(never)]
fn is_stuck<const N: usize>(own: u64, enemy: u64) -> bool {
    let board = MoverBoard { own, enemy };
    let mut rest = own;
    while rest != 0 {
        let from = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        if (0..4).any(|axis| board.hops::<N>(from, axis).iter().any(|hop| board.is_open(hop))) {
            return false;
        }
    }
    true
}

impl MoverBoard {
    /// Appends all moves, whether or not the game is over.
    #[inline]
    fn moves<const N: usize>(self, moves: &mut MoveList<LoaMove>) {
        moves.write(|moves| {
            let mut rest = self.own;
            while rest != 0 {
                let from = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                for axis in 0..4 {
                    for hop in self.hops::<N>(from, axis) {
                        moves.push_if(self.landing(hop), self.is_open(hop));
                    }
                }
            }
        });
    }

    /// The moves up and down an axis that the number of pieces on the line asks for.
    #[inline]
    fn hops<const N: usize>(self, from: usize, axis: usize) -> &'static HopPair {
        let Geometry { lines, hops } = geometry::<N>();
        let count = ((self.own | self.enemy) & lines[from][axis]).count_ones() as usize;
        // At least the piece itself is on its line, so the count starts at 1.
        &hops[from][axis][(count - 1) & 7]
    }

    #[inline]
    fn is_open(self, hop: &Hop) -> bool {
        (self.enemy & hop.path) | (self.own & hop.target) == 0
    }

    /// The move that an open hop stands for.
    #[inline]
    fn landing(self, hop: &Hop) -> LoaMove {
        hop.mv.capturing(self.enemy & hop.target != 0)
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
        self.seen_by_mover().moves::<N>(moves);
        if moves.is_empty() {
            moves.push(LoaMove::PASS);
        }
    }

    #[inline(always)]
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
        let rest = own ^ target;
        self.euler[us] += euler_change(rest, to) - euler_change(rest, from);
        // Nobody was connected before. Only the mover's pieces moved, so the
        // other side can have become connected only by losing a piece.
        let mut other = false;
        if mv.is_capture() {
            self.pieces[them] ^= target;
            self.key ^= PIECE_KEYS[them][to];
            self.euler[them] -= euler_change(self.pieces[them], to);
            other = self.euler[them] <= 1 && is_connected(self.pieces[them]);
        }
        let mover = self.euler[us] <= 1 && connected_to(own, target);
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

    /// Draws a piece and a direction until they make a move: each legal move is equally likely, and three draws
    /// cost much less than all moves. A position with few or no moves falls back on the list.
    #[inline]
    fn random_move(&self, random: &mut RandomStream, moves: &mut MoveList<LoaMove>) -> LoaMove {
        let board = self.seen_by_mover();
        for _ in 0..16 {
            let draw = random.below(board.own.count_ones() * 8);
            let mut rest = board.own;
            for _ in 0..draw / 8 {
                rest &= rest - 1;
            }
            let hop = &board.hops::<N>(rest.trailing_zeros() as usize & 63, draw as usize / 2 % 4)[draw as usize % 2];
            if board.is_open(hop) {
                return board.landing(hop);
            }
        }
        random_from_list(self, random, moves)
    }

    fn parse_move(&self, text: &str) -> Result<LoaMove, ParseError> {
        let wanted: LoaMove = text.parse()?;
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let same =
            |mv: &&LoaMove| mv.is_pass() == wanted.is_pass() && (mv.from(), mv.to()) == (wanted.from(), wanted.to());
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
            square_names: Vec::new(),
        }
    }
}
