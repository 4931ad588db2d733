//! Stones in a line, as sets of squares (seven bits a column, the top bit of each empty).

/// The distance between neighbours: up, level, rising and falling diagonals.
pub(super) const STEPS: [u32; 4] = [1, 7, 8, 6];
/// The lowest square of every column.
pub(super) const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// All squares.
pub(super) const BOARD: u64 = BOTTOM * 0b11_1111;

/// The squares that begin (lowest, or leftmost) `length` stones in a row in the direction of a step.
#[inline]
pub(super) fn runs(stones: u64, step: u32, length: u32) -> u64 {
    (1..length).fold(stones, |starts, index| starts & stones >> (step * index))
}

/// The empty squares that would complete four stones in a row.
#[inline]
pub(in super::super) fn completions(stones: u64, all: u64) -> u64 {
    let mut squares = stones << 1 & stones << 2 & stones << 3;
    for step in [7, 6, 8] {
        // Two on one side and one or two on the other: X X _ X, X _ X X, X X X _, _ X X X.
        let pair_below = stones << step & stones << (2 * step);
        let pair_above = stones >> step & stones >> (2 * step);
        squares |= pair_below & (stones << (3 * step) | stones >> step);
        squares |= pair_above & (stones >> (3 * step) | stones << step);
    }
    squares & BOARD & !all
}

/// The square that the next stone in each open column falls on.
#[inline]
pub(in super::super) fn landings(all: u64) -> u64 {
    (all + BOTTOM) & BOARD
}

#[cfg(test)]
mod tests {
    use lanista_core::{MoveList, Position, Seed, Side};

    use super::super::super::ConnectFour;
    use super::super::super::position::has_four;
    use super::*;

    fn square(column: u32, row: u32) -> u64 {
        1 << (7 * (column - 1) + row - 1)
    }

    #[test]
    fn completions_by_hand() {
        let position: ConnectFour = "\
            ....... \
            ....... \
            ....... \
            ...x... \
            ..xo..o \
            .xoxxoo"
            .parse()
            .expect("a position");
        let [first, second] = Side::BOTH.map(|side| position.stones(side));
        let all = first | second;
        // x rises from column 2, row 1 to column 4, row 3: column 5, row 4 completes it. In row 1 its stones in columns 2,
        // 4 and 5 have an o between them.
        assert_eq!(completions(first, all), square(5, 4));
        // o has no three with room for a fourth.
        assert_eq!(completions(second, all), 0);
        assert_eq!(
            landings(all),
            square(1, 1) | square(2, 2) | square(3, 3) | square(4, 4) | square(5, 2) | square(6, 2) | square(7, 3)
        );
        assert_eq!(runs(first, 8, 3), square(2, 1));
    }

    #[test]
    fn completions_are_the_squares_that_make_four() {
        let mut random = Seed::new(4).stream();
        let mut moves = MoveList::new();
        for _ in 0..200 {
            let mut position = ConnectFour::default();
            while position.outcome().is_none() {
                let [first, second] = Side::BOTH.map(|side| position.stones(side));
                for stones in [first, second] {
                    let makes_four =
                        |square: &u32| (BOARD & !(first | second)) >> square & 1 == 1 && has_four(stones | 1 << square);
                    let expected = (0..49).filter(makes_four).fold(0, |set, square| set | 1 << square);
                    assert_eq!(completions(stones, first | second), expected, "{position}");
                }
                position.play(position.random_move(&mut random, &mut moves));
            }
        }
    }
}
