//! Lines, steps and keys, computed when the program is compiled.

use lanista_core::mix64;

/// The difference between neighbouring squares on each axis: rank, file, and the two diagonals.
pub const STEPS: [u32; 4] = [1, 8, 9, 7];

/// What depends on the size of the board.
pub struct Geometry {
    /// The whole line through a square, itself included, for each axis.
    pub lines: [[u64; 4]; 64],
}

/// The geometry of an N×N board.
pub const fn geometry<const N: usize>() -> &'static Geometry {
    const { &build(N) }
}

/// `BETWEEN[axis][n]`: the squares strictly between square 0 and the square `n` steps up the axis.
/// Shifted left by a square's number it serves every square.
pub static BETWEEN: [[u64; 9]; 4] = between();

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
    let mut lines = [[0; 4]; 64];
    let board = board_mask(n);
    let mut square = 0;
    while square < 64 {
        if board >> square & 1 == 1 {
            let mut axis = 0;
            while axis < 4 {
                lines[square][axis] = line(n, square, axis);
                axis += 1;
            }
        }
        square += 1;
    }
    Geometry { lines }
}

const fn line(n: usize, square: usize, axis: usize) -> u64 {
    let mut mask = 0;
    let mut other = 0;
    while other < 64 {
        let (file, rank) = ((square % 8) as i32, (square / 8) as i32);
        let (other_file, other_rank) = ((other % 8) as i32, (other / 8) as i32);
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

const fn between() -> [[u64; 9]; 4] {
    let mut table = [[0; 9]; 4];
    let mut axis = 0;
    while axis < 4 {
        let mut n = 2;
        while n < 9 {
            let square = (n - 1) * STEPS[axis] as usize;
            table[axis][n] = table[axis][n - 1] | if square < 64 { 1 << square } else { 0 };
            n += 1;
        }
        axis += 1;
    }
    table
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
