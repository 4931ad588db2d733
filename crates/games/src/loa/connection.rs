//! Is a set of squares one group?
//!
//! The exact answer is a flood fill. Most sets are refused earlier by their Euler number, which is the number of
//! groups minus the number of holes: above one, there is more than one group. A move changes it only through the
//! eight neighbours of two squares, so positions carry it along.

const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Whether the squares form one group, diagonals counting as neighbours. True for a single square and for none.
pub fn is_connected(squares: u64) -> bool {
    connected_to(squares, squares & squares.wrapping_neg())
}

/// Whether all squares are connected to `start`, a subset of them.
#[inline(never)]
pub(super) fn connected_to(squares: u64, start: u64) -> bool {
    let mut group = start;
    loop {
        let grown = with_neighbours(group) & squares;
        if grown == group {
            return grown == squares;
        }
        group = grown;
    }
}

/// The squares and all their neighbours. Boards smaller than 8×8 are masked by the caller's set.
#[inline]
pub(super) fn with_neighbours(squares: u64) -> u64 {
    let row = squares | (squares & NOT_FILE_H) << 1 | (squares & NOT_FILE_A) >> 1;
    row | row << 8 | row >> 8
}

/// The Euler number of a set: groups minus holes.
/// Counted as squares − neighbours in rows and files + full 2×2 windows − windows that hold just a diagonal.
pub(super) fn euler_number(squares: u64) -> i8 {
    let (east, north) = (squares >> 1 & NOT_FILE_H, squares >> 8);
    let north_east = north >> 1 & NOT_FILE_H;
    let full = squares & east & north & north_east;
    let windows = NOT_FILE_H >> 8;
    let diagonal = !(squares ^ north_east) & !(east ^ north) & (squares ^ east) & windows;
    let count = |set: u64| set.count_ones() as i8;
    count(squares) - count(squares & east) - count(squares & north) + count(full) - count(diagonal)
}

/// By how much a new piece on `square` changes the Euler number of `others`, which does not hold the square.
#[inline]
pub(super) fn euler_change(others: u64, square: usize) -> i8 {
    // Turned so that the square's lower left neighbour is bit 0, the neighbours are eight fixed bits.
    // The multiplication gathers them in the top byte (the factor was found by trying).
    let ring = others.rotate_right((square as u32).wrapping_sub(9)) & RINGS[square];
    EULER_CHANGES[(ring.wrapping_mul(RING_FACTOR) >> 56) as usize]
}

const RING_FACTOR: u64 = 0x2010_4200_8400_4800;
/// The bits of the eight neighbours, row by row from below, the square itself being bit 9.
const RING_BITS: [u32; 8] = [0, 1, 2, 8, 10, 16, 17, 18];

/// The neighbours that a square has on the board, as bits of the turned word.
static RINGS: [u64; 64] = {
    let mut rings = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut neighbour = 0;
        while neighbour < 8 {
            let bit = RING_BITS[neighbour];
            let file = (square % 8) as i32 + (bit % 8) as i32 - 1;
            let rank = (square / 8) as i32 + (bit / 8) as i32 - 1;
            if 0 <= file && file < 8 && 0 <= rank && rank < 8 {
                rings[square] |= 1 << bit;
            }
            neighbour += 1;
        }
        square += 1;
    }
    rings
};

static EULER_CHANGES: [i8; 256] = {
    let mut changes = [0; 256];
    let mut pattern = 0;
    while pattern < 256 {
        let mut ring = 0u64;
        let mut neighbour = 0;
        while neighbour < 8 {
            ring |= (pattern >> neighbour & 1) << RING_BITS[neighbour];
            neighbour += 1;
        }
        changes[(ring.wrapping_mul(RING_FACTOR) >> 56) as usize] = euler_change_of_ring(ring);
        pattern += 1;
    }
    changes
};

const fn euler_change_of_ring(ring: u64) -> i8 {
    // One window a corner: two sides and the corner between them.
    const WINDOWS: [[u32; 3]; 4] = [[8, 1, 0], [1, 10, 2], [10, 17, 18], [17, 8, 16]];
    let mut change = 1;
    let mut index = 0;
    while index < 4 {
        let [a, b, corner] = WINDOWS[index];
        let (a, b, corner) = (ring >> a & 1, ring >> b & 1, ring >> corner & 1);
        // Each side belongs to two windows and is counted in the one where it comes first.
        change -= a as i8;
        change += (a & b & corner) as i8;
        change -= ((1 - a) & (1 - b) & corner) as i8;
        change += (a & b & (1 - corner)) as i8;
        index += 1;
    }
    change
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    /// Groups and holes counted by hand: a set with a ring of eight has one group and one hole.
    #[test]
    fn euler_numbers_of_known_shapes() {
        let square = |file: u32, rank: u32| 1u64 << (rank * 8 + file);
        let ring = 0x0007_0507 << 9;
        assert_eq!(euler_number(0), 0);
        assert_eq!(euler_number(square(7, 7)), 1);
        assert_eq!(euler_number(square(7, 3) | square(0, 4)), 2, "edges do not touch");
        assert_eq!(euler_number(square(2, 2) | square(3, 3)), 1, "diagonal neighbours touch");
        assert_eq!(euler_number(ring), 0);
        assert_eq!(euler_number(ring | square(2, 2)), 1, "the hole is filled");
        assert_eq!(euler_number(ring | square(7, 7)), 1, "two groups, one hole");
        assert!(is_connected(ring) && !is_connected(ring | square(7, 7)));
        assert_eq!(euler_number(0x3c42_8181_8181_423c), 0, "the rounded edge of the board");
    }

    #[test]
    fn euler_number_never_refuses_a_connected_set_and_follows_every_change() {
        let mut random = Seed::new(1).stream();
        for _ in 0..100_000 {
            let mut squares = random.bits() & random.bits();
            if random.below(2) == 0 {
                squares &= random.bits();
            }
            let square = random.below(64) as usize;
            let others = squares & !(1 << square);
            let with = others | 1 << square;
            assert_eq!(euler_number(with), euler_number(others) + euler_change(others, square));
            assert!(!is_connected(with) || euler_number(with) <= 1);
        }
    }
}
