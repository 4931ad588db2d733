//! How many moves a side has (Winands et al., section 3.5).

use lanista_core::Side;

use super::super::Loa;
use super::super::geometry::{STEPS, geometry};
use super::lines::{MoveValues, line_mobility};

/// The moves of `side`, whoever's turn it is, in quarters of a plain move. A pass is no move. Evaluators in a search
/// use line tables instead, which follow the moves.
pub fn mobility<const N: usize>(position: &Loa<N>, side: Side, values: MoveValues) -> i32 {
    let pieces = Side::BOTH.map(|side| position.pieces(side));
    let mut sum = 0;
    for (axis, step) in STEPS.into_iter().enumerate() {
        let mut rest = Loa::<N>::BOARD;
        while rest != 0 {
            let first = rest.trailing_zeros();
            let mask = geometry::<N>().lines[first as usize][axis];
            rest &= !mask;
            let mut line = [0; 8];
            let length = mask.count_ones();
            for (index, digit) in line[..length as usize].iter_mut().enumerate() {
                let square = first + index as u32 * step;
                *digit = (pieces[0] >> square & 1) as usize + 2 * (pieces[1] >> square & 1) as usize;
            }
            let across = if axis == 0 { first / 8 } else { first % 8 } as usize;
            let edge = axis < 2 && (across == 0 || across == N - 1);
            sum += line_mobility(&line[..length as usize], side.index() + 1, edge, values);
        }
    }
    sum
}

/// The pieces of `side` that have a move, whoever's turn it is.
pub fn movable<const N: usize>(position: &Loa<N>, side: Side) -> u64 {
    let mut set = 0;
    for_each_piece(position, side, |from, moves| set |= u64::from(moves > 0) << from);
    set
}

/// How many moves `side` has, whoever's turn it is. A pass is no move.
pub(super) fn move_count<const N: usize>(position: &Loa<N>, side: Side) -> u32 {
    let mut sum = 0;
    for_each_piece(position, side, |_, moves| sum += moves);
    sum
}

/// Hands out the square of each piece of `side` and how many moves it has.
#[inline]
fn for_each_piece<const N: usize>(position: &Loa<N>, side: Side, mut see: impl FnMut(usize, u32)) {
    let (own, enemy) = (position.pieces(side), position.pieces(!side));
    let mut rest = own;
    while rest != 0 {
        let from = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let mut moves = 0;
        for axis in 0..4 {
            let count = ((own | enemy) & geometry::<N>().lines[from][axis]).count_ones() as usize;
            for hop in &geometry::<N>().hops[from][axis][count - 1] {
                moves += u32::from(enemy & hop.path | own & hop.target == 0);
            }
        }
        see(from, moves);
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, MoveList, Position, Seed, Tactics};

    use super::super::lines::{LineMobility, LineTable};
    use super::*;

    /// The same from the list of legal moves: slow and obvious.
    fn counted<const N: usize>(position: &Loa<N>, side: Side, values: MoveValues) -> i32 {
        let turned = if position.side_to_move() == side { Some(*position) } else { position.passed() };
        let mut moves = MoveList::new();
        turned.expect("an unfinished game").legal_moves(&mut moves);
        let last = N as u32 - 1;
        let at = |square: u32| (square % 8, square / 8);
        let on_edge = |(file, rank): (u32, u32)| file == 0 || rank == 0 || file == last || rank == last;
        let mut sum = 0;
        for mv in moves.iter().filter(|mv| !mv.is_pass()) {
            let (from, to) = (at(mv.from()), at(mv.to()));
            let along =
                (from.0 == to.0 && (to.0 == 0 || to.0 == last)) || (from.1 == to.1 && (to.1 == 0 || to.1 == last));
            let corner = on_edge((to.0, 1)) && on_edge((1, to.1));
            let to_edge = if along { corner } else { on_edge(to) };
            sum += match values {
                MoveValues::Equal => 4,
                MoveValues::Weighted => (4 << u32::from(mv.is_capture())) >> u32::from(along) >> u32::from(to_edge),
            };
        }
        sum
    }

    fn agrees_along_random_games<const N: usize>() {
        let mut random = Seed::new(5).child(N as u64).stream();
        let mut moves = MoveList::new();
        for _ in 0..60 {
            let mut position = Loa::<N>::presets().swap_remove(0).start;
            for _ in 0..60 {
                if position.outcome().is_some() {
                    break;
                }
                for values in [MoveValues::Equal, MoveValues::Weighted] {
                    for side in Side::BOTH {
                        let naive = counted(&position, side, values);
                        if values == MoveValues::Equal {
                            assert_eq!(4 * move_count(&position, side) as i32, naive, "{side:?} {position}");
                        }
                        assert_eq!(mobility(&position, side, values), naive, "{values:?} {side:?} {position}");
                        let lines =
                            LineMobility::<N>::of(Side::BOTH.map(|side| position.pieces(side)), LineTable::of(values));
                        let lead = naive - counted(&position, !side, values);
                        assert_eq!(lines.lead(side), lead, "line tables: {values:?} {side:?} {position}");
                    }
                }
                position.play(position.random_move(&mut random, &mut moves));
            }
        }
    }

    #[test]
    fn line_tables_agree_with_the_legal_moves() {
        agrees_along_random_games::<4>();
        agrees_along_random_games::<5>();
        agrees_along_random_games::<6>();
        agrees_along_random_games::<7>();
        agrees_along_random_games::<8>();
    }

    fn position(text: &str) -> Loa<8> {
        text.parse().expect("a position")
    }

    #[test]
    fn start_position() {
        let start = Loa::<8>::presets().swap_remove(0).start;
        // Each of six pieces in a row goes up its file of two pieces; each has two diagonals of two pieces, of which one
        // leads b1 and g1 off the board; b1 and g1 go along the row of six to a corner: 6 + 10 + 2, for two rows 36.
        assert_eq!(mobility(&start, Side::First, MoveValues::Equal), 4 * 36);
        // To a corner along the edge: a quarter each. c1 and f1 capture on the edge (a3, h3): 2 / 2 = 1. All others land
        // inside and count 1: 6 + 10 + 2/4 = 16.5, for two rows 33.
        assert_eq!(mobility(&start, Side::First, MoveValues::Weighted), 4 * 33);
        assert_eq!(mobility(&start, Side::Second, MoveValues::Weighted), 4 * 33);
    }

    #[test]
    fn the_paper_s_values() {
        // . . . . . . . .
        // . . . . . . . .
        // . . . . . . . .
        // . . . . . . . .
        // . . . . b . . .   e4
        // . . . . . . . .
        // . . . . . w . .   f2
        // b . w . . . . .   a1, c1
        let board = position("8/8/8/8/4b3/8/5w2/b1w5 b");
        // a1: c1 is a capture along the edge, not into the corner: 2 * 1/2 = 1. a2 goes along an edge: 1/2.
        // The diagonal a1-h8 holds a1 alone: b2, 1.
        // e4: rank and file hold e4 alone: d4, f4, e3, e5. Diagonal b1-h7: d3 and f5; diagonal h1-a8: d5, f3: 8.
        // Sum 10.5.
        assert_eq!(mobility(&board, Side::First, MoveValues::Weighted), 42);
        assert_eq!(mobility(&board, Side::First, MoveValues::Equal), 4 * 11);
        // c1: e1 along the edge 1/2, captures a1 along the edge into a corner: 2 / 2 / 2 = 1/2; c2: 1; diagonals c1-h6
        // and c1-a3 hold c1 alone: d2, b2: 2. f2: rank e2, g2; file f1 (edge, 1/2), f3; diagonals e1-h4: e1 (1/2), g3;
        // g1-a7: g1 (1/2), e3: 2 + 1.5 + 1.5 + 1.5. Sum 4 + 6.5.
        assert_eq!(mobility(&board, Side::Second, MoveValues::Weighted), 42);
    }
}
