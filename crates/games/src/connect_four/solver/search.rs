//! The search: is the score higher than `alpha`? Asked with a window of one point, it cuts the most.
//!
//! After Pascal Pons: moves that lose at once are not generated, moves that win at once are not searched, threats order
//! the rest. Added here: a win in three plies is seen without a search; single answers are neither looked up nor kept;
//! bounds by parity (`parity`); children are looked up before any is searched (which also brings their entries into the cache).

use super::super::position::has_four;
use super::Solver;
use super::board::{BOARD, Board, COLUMN, ODD_ROWS, SQUARES, lines_in, winning_squares};
use super::parity;
use super::table::Bound;

/// Positions with more stones use the small table. Set by nodes and time over 13 positions with 9 to 14 stones:
/// 34: 486 ms, 30: 423, 28: 361, 26: 313, 24: 318.
const LARGE_TABLE_PLIES: u32 = 26;
/// Positions with more stones are not kept at all.
const SMALL_TABLE_PLIES: u32 = 36;
/// Positions with more stones are not looked up as mirror images: they no longer meet them.
const MIRROR_PLIES: u32 = 24;
/// Positions with more stones are ordered without a look at the far future.
const PROSPECT_PLIES: u32 = 28;
/// Columns from the middle to the edge.
const CENTRE_FIRST: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];

/// How many lines go through each square.
#[rustfmt::skip]
const LINES: [i32; 49] = [
    3, 4, 5, 5, 4, 3, 0,
    4, 6, 8, 8, 6, 4, 0,
    5, 8, 11, 11, 8, 5, 0,
    7, 10, 13, 13, 10, 7, 0,
    5, 8, 11, 11, 8, 5, 0,
    4, 6, 8, 8, 6, 4, 0,
    3, 4, 5, 5, 4, 3, 0,
];

/// A position worth searching: the mover cannot win at once and has a move that does not lose at once.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub board: Board,
    /// The moves after which the other side cannot win at once.
    pub moves: u64,
    pub ply: u32,
}

/// A move to search: the node it leads to, and how early.
#[derive(Clone, Copy)]
struct Candidate {
    rank: i32,
    node: Node,
}

impl Node {
    /// What the mover may play against these threats without losing at once; nothing if it loses.
    #[inline]
    pub fn new(board: Board, threats: u64, ply: u32) -> Node {
        let drops = board.drops();
        let forced = threats & drops;
        // Never below a winning square of the other side; two squares cannot both be blocked.
        let mut moves = drops & !(threats >> 1);
        if forced != 0 {
            moves &= if forced & (forced - 1) == 0 { forced } else { 0 };
        }
        Node { board, moves, ply }
    }

    /// The score if the mover completes a line with its next stone but one: nothing better is possible here.
    #[inline]
    pub fn highest(&self) -> i32 {
        (SQUARES as i32 - 1 - self.ply as i32) / 2
    }

    /// The score if the other side completes a line with its next stone but one.
    #[inline]
    pub fn lowest(&self) -> i32 {
        -((SQUARES as i32 - 2 - self.ply as i32) / 2)
    }
}

impl Node {
    /// How promising the move to `square` was that led here: `threats` are the winning squares of who played it.
    ///
    /// First of all, many winning squares. Then a square with many lines and few answers. Last, the lines that
    /// the first side could still fill if the second always followed up: they decide long games. (The last term
    /// saves 28 % of the nodes over 20 positions with 8 stones.)
    #[inline]
    fn rank(&self, square: u64, threats: u64) -> i32 {
        let Board { mover, stones } = self.board;
        let answers = self.board.drops() & !(threats >> 1);
        let lines = LINES[square.trailing_zeros() as usize];
        let rank = 16 * threats.count_ones() as i32 + lines - 2 * answers.count_ones() as i32;
        if self.ply > PROSPECT_PLIES {
            return rank;
        }
        let empty = BOARD & !stones & ODD_ROWS;
        // Who moved last?
        if self.ply & 1 == 0 { rank - lines_in(mover | empty) } else { rank + lines_in(mover ^ stones | empty) }
    }
}

impl Solver {
    /// A bound of the score on the same side of `alpha` as the score: an upper bound if not higher than `alpha`,
    /// otherwise a lower one.
    pub(super) fn search(&mut self, node: &Node, alpha: i32) -> i32 {
        self.nodes += 1;
        let Node { board, moves, ply } = *node;
        // Two squares are left, the mover does not lose with one of them: a draw.
        if ply >= SQUARES - 2 {
            return 0;
        }

        // 1. What the number of stones and the open lines allow.
        let highest = node.highest();
        let lowest = node.lowest();
        if highest <= alpha {
            return highest;
        }
        if lowest > alpha {
            return lowest;
        }
        let wisher = if alpha >= 0 { board.mover } else { board.mover ^ board.stones };
        if !has_four(wisher | BOARD & !board.stones) {
            return 0;
        }
        if ply == self.book_ply
            && let Some(score) = self.book.and_then(|book| book.score_of(board))
        {
            return score;
        }

        // 2. What the tables know.
        let open = moves & (moves - 1) != 0;
        let large = ply <= LARGE_TABLE_PLIES;
        let small = !large && ply <= SMALL_TABLE_PLIES;
        let key = if ply <= MIRROR_PLIES { board.mirror_key() } else { board.key() };
        let place = self.table.place(key);
        let known = match (open, large, small) {
            (true, true, _) => self.table.get(place),
            (true, _, true) => self.near.get(key),
            _ => Bound::Nothing,
        };
        let mut ceiling = highest - 1;
        match known {
            Bound::AtMost(score) if score <= alpha => return score,
            Bound::AtLeast(score) if score > alpha => return score,
            Bound::AtMost(score) => ceiling = ceiling.min(score),
            _ => {}
        }

        // 3. The moves, the promising first: most winning squares, most lines through the square, fewest answers.
        let unused = Candidate { rank: 0, node: *node };
        let mut candidates = [unused; 7];
        let mut count = 0;
        for column in CENTRE_FIRST {
            let square = moves & COLUMN << (7 * column);
            if square == 0 {
                continue;
            }
            let child = board.after(square);
            let threats = winning_squares(board.mover | square, child.stones);
            let child = Node::new(child, threats, ply + 1);
            if child.moves == 0 {
                return highest;
            }
            let bound = parity::upper_bound(child.board, threats, ply + 1, -alpha - 1);
            if bound < -alpha {
                return -bound;
            }
            let rank = child.rank(square, threats);
            let mut index = count;
            while index > 0 && candidates[index - 1].rank < rank {
                candidates[index] = candidates[index - 1];
                index -= 1;
            }
            candidates[index] = Candidate { rank, node: child };
            count += 1;
        }
        // No win in three plies.
        if ceiling <= alpha {
            return ceiling;
        }
        let candidates = &candidates[..count];

        // 4. A child that is already known to be bad enough for the other side.
        if large && open && ply < LARGE_TABLE_PLIES {
            let mut found = i32::MIN;
            for Candidate { node: child, .. } in candidates {
                let key = if child.ply <= MIRROR_PLIES { child.board.mirror_key() } else { child.board.key() };
                if let Bound::AtMost(score) = self.table.get(self.table.place(key)) {
                    found = found.max(-score);
                }
            }
            if found > alpha {
                self.table.put(place, Bound::AtLeast(found));
                return found;
            }
        }

        // 5. The search.
        let mut best = i32::MIN;
        for Candidate { node: child, .. } in candidates {
            best = best.max(-self.search(child, -alpha - 1));
            if best > alpha {
                break;
            }
        }
        let bound = if best > alpha {
            Bound::AtLeast(best)
        } else {
            best = best.min(ceiling);
            Bound::AtMost(best)
        };
        if open && large {
            self.table.put(place, bound);
        } else if open && small {
            self.near.put(key, bound);
        }
        best
    }
}
