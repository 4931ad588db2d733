//! Lines, steps and keys, computed when the program is compiled.

use lanista_core::mix64;

use super::LoaMove;

/// The difference between neighbouring squares on each axis: rank, file, and the two diagonals.
pub const STEPS: [u32; 4] = [1, 8, 9, 7];

/// What depends on the size of the board.
pub struct Geometry {
    /// The whole line through a square, itself included, for each axis.
    pub lines: [[u64; 4]; 64],
    /// The two moves of a square along each axis when its line holds 1 to 8 pieces.
    pub hops: [[[HopPair; 8]; 4]; 64],
}

/// The moves up and down an axis.
pub type HopPair = [Hop; 2];

/// A move that the pieces on its line allow as far as its length goes.
#[derive(Clone, Copy)]
pub struct Hop {
    /// The squares that must not hold an enemy.
    pub path: u64,
    /// The square to land on; all squares if it is off the board, so that the mover's own pieces forbid it.
    pub target: u64,
    /// The move, as one without capture.
    pub mv: LoaMove,
}

/// The geometry of an N×N board.
pub const fn geometry<const N: usize>() -> &'static Geometry {
    const { &build(N) }
}

/// The squares of an N×N board.
pub const fn board_mask(n: usize) -> u64 {
    let mut mask = 0;
    let mut square = 0;
    while square < 64 {
        if square / 8 < n && square % 8 < n {
            mask |= 1 << square;
        }
        square += 1;
    }
    mask
}

/// The number that a piece of a side on a square adds to the key.
pub static PIECE_KEYS: [[u64; 64]; 2] = piece_keys();

const fn build(n: usize) -> Geometry {
    let nowhere = Hop { path: 0, target: !0, mv: LoaMove::PASS };
    let mut lines = [[0; 4]; 64];
    let mut hops = [[[[nowhere; 2]; 8]; 4]; 64];
    let board = board_mask(n);
    let mut square = 0;
    while square < 64 {
        if board >> square & 1 == 1 {
            let mut axis = 0;
            while axis < 4 {
                lines[square][axis] = line(n, square, axis);
                let mut index = 0;
                while index < 16 {
                    let (count, up) = (index / 2 + 1, index % 2 == 0);
                    let distance = count * STEPS[axis] as usize;
                    let to = if up { square + distance } else { square.wrapping_sub(distance) };
                    if to < 64 && lines[square][axis] >> to & 1 == 1 {
                        hops[square][axis][count - 1][index % 2] = Hop {
                            path: between(axis, count) << if up { square } else { to },
                            target: 1 << to,
                            mv: LoaMove::new(square as u32, to as u32, false),
                        };
                    }
                    index += 1;
                }
                axis += 1;
            }
        }
        square += 1;
    }
    Geometry { lines, hops }
}

const fn line(n: usize, square: usize, axis: usize) -> u64 {
    let mut mask = 0;
    let mut other = 0;
    while other < 64 {
        let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
        let (other_file, other_rank) = (other % 8, other / 8);
        let same = match axis {
            0 => rank == other_rank,
            1 => file == other_file,
            2 => rank - file == other_rank - other_file,
            _ => rank + file == other_rank + other_file,
        };
        if same && (other_file as usize) < n && (other_rank as usize) < n {
            mask |= 1 << other;
        }
        other += 1;
    }
    mask
}

/// The squares strictly between square 0 and the square `count` steps up the axis.
const fn between(axis: usize, count: usize) -> u64 {
    let mut squares = 0;
    let mut n = 1;
    while n < count {
        squares |= 1 << (n * STEPS[axis] as usize);
        n += 1;
    }
    squares
}

const fn piece_keys() -> [[u64; 64]; 2] {
    let mut keys = [[0; 64]; 2];
    let mut index = 0;
    while index < 128 {
        keys[index / 64][index % 64] = mix64(mix64(0x4c6f_4100 + index as u64));
        index += 1;
    }
    keys
}
