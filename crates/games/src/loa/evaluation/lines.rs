//! Mobility by line tables, kept up to date move by move (Winands et al., section 3.5).
//!
//! What a piece can do along a line depends on that line alone. Each of the 6N − 2 lines therefore has a number, its
//! squares read as digits (0 empty, 1 Black, 2 White), and a table gives Black's moves along it less White's: one byte,
//! so that the tables stay near the processor. A move changes the digits of two squares, which lie on seven lines.
//!
//! All counts are in quarters of a plain move.

use std::sync::LazyLock;

use lanista_core::Side;

use super::super::LoaMove;

/// A plain move.
const MOVE: i32 = 4;
/// Entries for lines of 1 to 8 squares inside the board; as many for edge lines follow.
const INNER: usize = offset(9);
/// A power of two that holds both, so that no index needs a check.
const ENTRIES: usize = 1 << 15;
const _: () = assert!(2 * INNER <= ENTRIES);
/// The most lines a board has.
const LINES: usize = 46;

/// How moves are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveValues {
    /// Each move counts 1 (MIA II and III; the paper says that all earlier evaluators counted so).
    Equal,
    /// A capture counts double, a move to an edge half, a move along an edge half (MIA IV).
    Weighted,
}

/// Black's moves less White's, by line number.
pub(super) struct LineTable([i8; ENTRIES]);

impl LineTable {
    /// The table of one way of counting, made when it is first needed.
    pub(super) fn of(values: MoveValues) -> &'static LineTable {
        static EQUAL: LazyLock<Box<LineTable>> = LazyLock::new(|| LineTable::build(MoveValues::Equal));
        static WEIGHTED: LazyLock<Box<LineTable>> = LazyLock::new(|| LineTable::build(MoveValues::Weighted));
        match values {
            MoveValues::Equal => &EQUAL,
            MoveValues::Weighted => &WEIGHTED,
        }
    }

    fn build(values: MoveValues) -> Box<LineTable> {
        let mut table = Box::new(LineTable([0; ENTRIES]));
        for edge in [false, true] {
            for length in 1..=8 {
                let start = offset(length) + if edge { INNER } else { 0 };
                for code in 0..3usize.pow(length as u32) {
                    let mut rest = code;
                    let mut line = [0; 8];
                    for digit in &mut line[..length] {
                        *digit = rest % 3;
                        rest /= 3;
                    }
                    let moves = |side| line_mobility(&line[..length], side, edge, values);
                    let lead = moves(1) - moves(2);
                    debug_assert!(i8::try_from(lead).is_ok(), "a line of eight has few moves");
                    table.0[start + code] = lead as i8;
                }
            }
        }
        table
    }

    #[inline]
    fn lead(&self, code: u16) -> i32 {
        i32::from(self.0[code as usize % ENTRIES])
    }
}

/// The moves of side 1 or 2 along a line of digits.
pub(super) fn line_mobility(line: &[usize], side: usize, edge: bool, values: MoveValues) -> i32 {
    let count = line.iter().filter(|&&digit| digit != 0).count();
    let mut sum = 0;
    for from in (0..line.len()).filter(|&from| line[from] == side) {
        for to in [from.wrapping_add(count), from.wrapping_sub(count)] {
            let Some(&target) = line.get(to) else { continue };
            let between = &line[from.min(to) + 1..from.max(to)];
            if target == side || between.iter().any(|&digit| digit != 0 && digit != side) {
                continue;
            }
            sum += match values {
                MoveValues::Equal => MOVE,
                // The ends of every line lie on the edge. Along an edge they are the corners, where the
                // paper's example halves a second time; other squares of an edge line are not "going to" it.
                MoveValues::Weighted => {
                    let end = to == 0 || to == line.len() - 1;
                    (MOVE << u32::from(target != 0)) >> u32::from(end) >> u32::from(edge)
                }
            };
        }
    }
    sum
}

/// Where the entries of lines of that length begin.
const fn offset(length: usize) -> usize {
    let mut sum = 0;
    let mut shorter = 1;
    let mut power = 1;
    while shorter < length {
        power *= 3;
        sum += power;
        shorter += 1;
    }
    sum
}

/// The lines of a board.
struct LineGeometry {
    /// The number of each line when it is empty.
    empty: [u16; LINES],
    /// The lines through each square, and what a digit there is worth in them.
    places: [[Place; 4]; 64],
}

#[derive(Clone, Copy)]
struct Place {
    line: u8,
    worth: u16,
}

const fn line_geometry(n: usize) -> LineGeometry {
    let mut empty = [0; LINES];
    let mut places = [[Place { line: 0, worth: 0 }; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        if file < n && rank < n {
            // For each axis: which line, and how many squares lie before and after this one.
            let (file_left, rank_left) = (n - 1 - file, n - 1 - rank);
            let lines = [rank, n + file, 3 * n - 1 + rank - file, 4 * n - 1 + rank + file];
            let before = [file, rank, min(file, rank), min(file_left, rank)];
            let after = [file_left, rank_left, min(file_left, rank_left), min(file, rank_left)];
            let mut axis = 0;
            while axis < 4 {
                let edge = axis == 0 && (rank == 0 || rank_left == 0) || axis == 1 && (file == 0 || file_left == 0);
                let length = before[axis] + 1 + after[axis];
                empty[lines[axis]] = (offset(length) + if edge { INNER } else { 0 }) as u16;
                places[square][axis] = Place { line: lines[axis] as u8, worth: 3u16.pow(before[axis] as u32) };
                axis += 1;
            }
        }
        square += 1;
    }
    LineGeometry { empty, places }
}

const fn min(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

/// The number of each line of an N×N board, and Black's lead along all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineMobility<const N: usize> {
    codes: [u16; LINES],
    lead: i32,
}

impl<const N: usize> LineMobility<N> {
    const GEOMETRY: &'static LineGeometry = const { &line_geometry(N) };

    /// The lines of a position.
    pub(super) fn of(pieces: [u64; 2], table: &LineTable) -> Self {
        let mut codes = Self::GEOMETRY.empty;
        for (side, mut rest) in pieces.into_iter().enumerate() {
            while rest != 0 {
                for place in &Self::GEOMETRY.places[rest.trailing_zeros() as usize] {
                    codes[place.line as usize] += (side as u16 + 1) * place.worth;
                }
                rest &= rest - 1;
            }
        }
        let lead = codes[..6 * N - 2].iter().map(|&code| table.lead(code)).sum();
        LineMobility { codes, lead }
    }

    /// Follows a move of `side`.
    #[inline]
    pub(super) fn play(&mut self, side: Side, mv: LoaMove, table: &LineTable) {
        if mv.is_pass() {
            return;
        }
        let own = side.index() as u16 + 1;
        let captured = if mv.is_capture() { 3 - own } else { 0 };
        self.change(mv.from(), own.wrapping_neg(), table);
        self.change(mv.to(), own.wrapping_sub(captured), table);
    }

    /// Adds to the digit of a square.
    #[inline]
    fn change(&mut self, square: u32, digit: u16, table: &LineTable) {
        for place in &Self::GEOMETRY.places[square as usize & 63] {
            let code = &mut self.codes[place.line as usize];
            let old = *code;
            *code = old.wrapping_add(digit.wrapping_mul(place.worth));
            self.lead += table.lead(*code) - table.lead(old);
        }
    }

    /// The moves of a side less those of the other, in quarters.
    #[inline]
    pub(super) fn lead(&self, side: Side) -> i32 {
        if side == Side::First { self.lead } else { -self.lead }
    }
}
