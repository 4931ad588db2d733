//! Walls: edge pieces that enemy pieces keep from the centre (Winands et al., section 3.6).
//!
//! A piece on the edge has three directions toward the centre: straight and the two diagonals. A neighbour of the other
//! side closes a direction as long as it stands there: the line holds at least two pieces, so a move would have to jump
//! it. Two closed directions are a small wall, three a big one. A corner piece has only three neighbours at all: two of
//! them make a big wall, three (the piece is shut in) two big walls.

/// How many small and big walls `enemy` has built around the pieces `own`.
#[inline]
pub fn walls<const N: usize>(own: u64, enemy: u64) -> [i32; 2] {
    let [south, north, west, east] = const { edges(N) };
    let [a1, h1, a8, h8] = const { single_corners(N) };
    let corner = a1 | h1 | a8 | h8;
    // The enemy as neighbour in each direction. Only asked at edges where no direction leaves the board.
    let (up, down, right, left) = (enemy >> 8, enemy << 8, enemy >> 1, enemy << 1);
    let (up_right, down_right, down_left, up_left) = (enemy >> 9, enemy << 7, enemy << 9, enemy >> 7);
    // At an edge: straight to the centre, and the two diagonals. In a corner: up or down, the diagonal, left or right.
    let a = (south | a1 | h1) & up | (north | a8 | h8) & down | west & right | east & left;
    let b = (south | a1) & up_right | (north | h8) & down_left | (west | a8) & down_right | (east | h1) & up_left;
    let c = south & up_left | north & down_right | west & up_right | east & down_left;
    let c = c | (a1 | a8) & right | (h1 | h8) & left;
    let three = a & b & c & own;
    let two = (a & b | a & c | b & c) & own & !three;
    let count = |set: u64| set.count_ones() as i32;
    [count(two & !corner), count(two & corner) + count(three) + count(three & corner)]
}

/// The south, north, west and east edge without corners.
const fn edges(n: usize) -> [u64; 4] {
    let south = (1u64 << (n - 1)) - 2;
    let mut west = 0;
    let mut rank = 1;
    while rank < n - 1 {
        west |= 1 << (8 * rank);
        rank += 1;
    }
    [south, south << (8 * (n - 1)), west, west << (n - 1)]
}

/// Lower left, lower right, upper left, upper right.
const fn single_corners(n: usize) -> [u64; 4] {
    [1, 1 << (n - 1), 1 << (8 * (n - 1)), 1 << (9 * (n - 1))]
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    /// Built from the text of the paper's figure 2a: a4 closed in three ways, h4 in two; a corner piece closed in two
    /// counts as three; a corner piece shut in counts twice; b1 and c1 count as two big walls.
    #[test]
    fn the_paper_s_cases() {
        let [black, white] = drawn(&[
            "b w . . . . w b", //
            "w w . . . . . w",
            ". . . . . . . .",
            ". w . . . . w .",
            "b w . . . . w b",
            ". w . . . . . .",
            "w w w w . . . .",
            "w b b w . . . .",
        ]);
        // a4 three, h4 two (g4, g5). a8: three of three. h8: g8 and h7, two of three. b1: a2 b2 c2; c1: b2 c2 d2.
        assert_eq!(walls::<8>(black, white), [1, 1 + 2 + 1 + 2]);
        // No white piece at the edge is closed in two directions: a1 has only b1, a2 and b2 are no black pieces.
        assert_eq!(walls::<8>(white, black), [0, 0]);
    }

    #[test]
    fn small_board() {
        let [black, white] = drawn(&[
            ". . b . .", //
            ". w . w b",
            ". . . w .",
            "w . . . .",
            "b w . . .",
        ]);
        // c5: b4 and d4, two of three. e4: d4 and d3, two of three. a1: a2 and b1, as if three.
        assert_eq!(walls::<5>(black, white), [2, 1]);
    }

    #[test]
    fn a_corner_with_one_neighbour_is_no_wall() {
        let [black, white] = drawn(&[
            "b . . .", //
            ". w . .", ". . . w", ". . . b",
        ]);
        assert_eq!(walls::<4>(black, white), [0, 0]);
    }
}
