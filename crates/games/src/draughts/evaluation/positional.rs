//! A hand-made evaluator for play: what beginners' books teach, as bit counts.
//!
//! Each side is seen with its own men moving toward its king row. The values are first guesses around what programs of
//! this size use (a king 1.3 to 1.5 men, a strong wish to trade when ahead); no experiment has tuned them yet.

use lanista_core::{Evaluator, Position, Score, Side};

use super::super::Draughts;
use super::super::geometry::{BIT_OF_SQUARE, KING_ROWS, step, turned};

const MAN: i32 = 100;
const KING: i32 = 145;
/// Being ahead is worth more the fewer pieces are left: this many times the lead's share of all material.
const TRADE: i32 = 240;
/// An own man on the back row, while the enemy still has men to crown.
const GUARD: i32 = 4;
/// Both bridge squares held (1 and 3 for Black, 30 and 32 for White): hard to get past.
const BRIDGE: i32 = 10;
const CENTRE: i32 = 4;
/// A man at the left or right edge has half the choice.
const SIDE_EDGE: i32 = -2;
/// For each row a man has advanced, in the opening and when six men are left.
const ADVANCE: [i32; 2] = [0, 3];
/// A man that can crown next move; and one that can in two, over a square that no enemy touches.
const RUNAWAY: [i32; 2] = [30, 18];
/// A man that stands behind an enemy man on its home corner (White on 5 before 1) has nowhere to go.
const DOG_HOLE: i32 = -14;
/// For each square a king can step to without being next to an enemy; and for a king without any.
const KING_STEP: i32 = 2;
const TRAPPED_KING: i32 = -20;
/// With few pieces, having the last move when both sides run into each other.
const OPPOSITION: i32 = 8;
const TO_MOVE: i32 = 3;

/// The evaluator.
#[derive(Clone, Copy, Debug, Default)]
pub struct Positional;

impl Evaluator<Draughts> for Positional {
    #[inline]
    fn value(&mut self, position: &Draughts) -> Score {
        let side = position.side_to_move();
        let own = Army::of(position, side);
        let enemy = Army::of(position, !side);
        let pieces = position.pieces(side) | position.pieces(!side);
        let (lead, all) = (own.material - enemy.material, own.material + enemy.material);
        let mut value = lead + TRADE * lead / all.max(1) + own.placement - enemy.placement + TO_MOVE;
        if pieces.count_ones() <= 10 && own.count == enemy.count {
            value += if has_the_move(pieces, side) { OPPOSITION } else { -OPPOSITION };
        }
        Score(value)
    }
}

/// What one side has.
struct Army {
    count: u32,
    material: i32,
    placement: i32,
}

impl Army {
    #[inline]
    fn of(position: &Draughts, side: Side) -> Army {
        let (own, enemy) = (position.pieces(side), position.pieces(!side));
        let (men, kings) = (own & !position.kings(), own & position.kings());
        let count = |set: u32| set.count_ones() as i32;
        let enemy_men = enemy & !position.kings();
        let board = &SEEN[side.index()];
        let mut placement = CENTRE * count(own & board.centre) + SIDE_EDGE * count(men & board.side_edges);
        if enemy_men != 0 {
            let guards = men & board.back_row;
            placement += GUARD * count(guards);
            if guards & board.bridge == board.bridge {
                placement += BRIDGE;
            }
        }
        // Rows advanced: one for each of the rows 1 to 7 that a man has reached.
        let rows =
            count(men & board.advanced[0]) + 2 * count(men & board.advanced[1]) + 4 * count(men & board.advanced[2]);
        let late = (24 - count(own | enemy)).clamp(0, 18);
        placement += rows * (ADVANCE[0] * (18 - late) + ADVANCE[1] * late) / 18;
        if men & board.dog_hole != 0 && enemy_men & board.dog_corner != 0 {
            placement += DOG_HOLE;
        }
        let near_enemy = around(enemy);
        let safe = !(own | enemy | near_enemy);
        placement += runaways(men, own | enemy, safe, side);
        if kings != 0 {
            let steps = around(kings) & safe;
            placement += KING_STEP * count(steps);
            // A king all of whose neighbours are taken or in reach of the enemy.
            let free = around(steps) & kings;
            placement += TRAPPED_KING * count(kings & !free);
        }
        Army { count: own.count_ones(), material: MAN * count(men) + KING * count(kings), placement }
    }
}

/// Men that are about to crown; see [`RUNAWAY`].
#[inline]
fn runaways(men: u32, pieces: u32, safe: u32, side: Side) -> i32 {
    let count = |set: u32| set.count_ones() as i32;
    // The steps back from where men want to go: for Black up, for White down.
    let back = |set: u32| match side {
        Side::First => step(set, 0) | step(set, 1),
        Side::Second => step(set, 2) | step(set, 3),
    };
    // On the last row nothing can jump a piece, so free is enough; before it, no enemy may be next to it.
    let next = back(KING_ROWS[side.index()] & !pieces);
    let soon = back(next & safe);
    RUNAWAY[0] * count(men & next) + RUNAWAY[1] * count(men & soon & !next)
}

/// All neighbours.
#[inline]
fn around(set: u32) -> u32 {
    step(set, 0) | step(set, 1) | step(set, 2) | step(set, 3)
}

/// Whether the side to move has "the move": an odd number of all pieces stands in its system, the columns that end in a
/// square of its own back row.
#[inline]
fn has_the_move(pieces: u32, side: Side) -> bool {
    (pieces & SEEN[side.index()].system).count_ones() % 2 == 1
}

/// Sets of squares as a side sees them.
struct Seen {
    back_row: u32,
    bridge: u32,
    centre: u32,
    side_edges: u32,
    /// Men whose number of rows advanced has bit 0, 1, 2.
    advanced: [u32; 3],
    dog_hole: u32,
    dog_corner: u32,
    system: u32,
}

static SEEN: [Seen; 2] = {
    let white = Seen {
        back_row: set(&[29, 30, 31, 32]),
        bridge: set(&[30, 32]),
        centre: set(&[10, 11, 14, 15, 18, 19, 22, 23]),
        side_edges: set(&[5, 13, 21, 29, 4, 12, 20, 28]),
        advanced: [rows(&[1, 3, 5, 7]), rows(&[2, 3, 6, 7]), rows(&[4, 5, 6, 7])],
        dog_hole: set(&[5]),
        dog_corner: set(&[1]),
        system: rows(&[0, 2, 4, 6]),
    };
    let black = Seen {
        back_row: turned(white.back_row),
        bridge: turned(white.bridge),
        centre: turned(white.centre),
        side_edges: turned(white.side_edges),
        advanced: [turned(white.advanced[0]), turned(white.advanced[1]), turned(white.advanced[2])],
        dog_hole: turned(white.dog_hole),
        dog_corner: turned(white.dog_corner),
        system: turned(white.system),
    };
    [black, white]
};

/// Squares by their numbers.
const fn set(squares: &[usize]) -> u32 {
    let mut set = 0;
    let mut index = 0;
    while index < squares.len() {
        set |= 1 << BIT_OF_SQUARE[squares[index] - 1];
        index += 1;
    }
    set
}

/// Whole rows, counted from White's back row.
const fn rows(rows: &[usize]) -> u32 {
    let mut set = 0;
    let mut index = 0;
    while index < rows.len() * 4 {
        set |= 1 << BIT_OF_SQUARE[(7 - rows[index / 4]) * 4 + index % 4];
        index += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Draughts {
        text.parse().expect("a position")
    }

    #[test]
    fn the_start_is_even_but_for_the_turn() {
        assert_eq!(Positional.value(&Draughts::default()), Score(TO_MOVE));
    }

    #[test]
    fn bridge_and_trading() {
        let board = position("B:W21:B1,3");
        // Two men on the back row 8, both on the bridge 10.
        assert_eq!(Army::of(&board, Side::First).placement, 18);
        // At the side -2, two rows up in an ending 6.
        assert_eq!(Army::of(&board, Side::Second).placement, 4);
        // Ahead by 100 of 300: 240 / 3 more.
        assert_eq!(Positional.value(&board), Score(100 + 80 + 18 - 4 + 3));
    }

    #[test]
    fn runaway_men_and_the_move() {
        let board = position("W:W10:B28");
        // In the centre 4, five rows up 15, crowns in two over 6 or 7: 18.
        assert_eq!(Army::of(&board, Side::Second).placement, 37);
        // At the side -2, six rows down 18, crowns next move: 30.
        assert_eq!(Army::of(&board, Side::First).placement, 46);
        // Neither piece stands in White's system (columns of 29 to 32): White, to move, does not have the move.
        assert_eq!(Positional.value(&board), Score(37 - 46 + 3 - 8));
    }

    #[test]
    fn dog_hole_and_kings() {
        let board = position("B:W5,K18:B1");
        // White: the man in the dog hole -14, at the side -2, six rows up 18; the king in the centre 4, four steps 8.
        assert_eq!(Army::of(&board, Side::Second).placement, 14);
        // Black: a man on the back row 4. Behind by 145 of 345: 240 × 145 / 345 = 100 more.
        assert_eq!(Positional.value(&board), Score(-145 - 100 + 4 - 14 + 3));
        // The only neighbour of 4 is 8, next to the man on 12: trapped.
        assert_eq!(Army::of(&position("W:WK4:B12"), Side::Second).placement, -20);
    }
}
