//! Connect Four solved: the exact score of a position and of each of its moves.
//!
//! The score is Pascal Pons' (blog.gamesolver.org): 22 less the number of stones the winner will have played, positive
//! if the mover wins, negative if it loses, 0 for a draw. So 1 is a win with the last stone but one, or with the last;
//! the sooner the win, the higher the score.
//!
//! The search is his, too, in its outlines: alpha-beta with windows of one point over bitboards, with a compact
//! transposition table (see `search`, `table`); John Tromp's Fhourstones is behind both. What makes it fast
//! are the bounds by parity (`parity`), which settle most positions long before the board is full.

mod board;
mod book;
mod parity;
mod search;
mod table;

pub use book::{Book, BookError};

use lanista_core::{Outcome, Position};

use super::position::has_four;
use super::{Column, ConnectFour};
use board::{Board, COLUMN, SQUARES};
use search::Node;
use table::{NearTable, Table};

/// Columns from the middle to the edge, as the analysis takes them.
const CENTRE_FIRST: [u32; 7] = [3, 2, 4, 1, 5, 0, 6];

/// The outcome of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// 22 less the stones of the winner at the end; negative if the mover loses, 0 for a draw.
    pub score: i32,
    /// Plies to the end of the game.
    pub distance: u32,
}

impl Solution {
    /// What a score means in a position with this many stones.
    pub fn new(score: i32, ply: u32) -> Solution {
        let winner_stones = 22 - score.unsigned_abs();
        // The first side plays the odd plies.
        let first_wins = (score > 0) == ply.is_multiple_of(2);
        let end = match score {
            0 => SQUARES,
            _ if first_wins => 2 * winner_stones - 1,
            _ => 2 * winner_stones,
        };
        Solution { score, distance: end.saturating_sub(ply) }
    }

    /// The outcome in a position where this is the solution.
    pub fn outcome(&self, position: &ConnectFour) -> Outcome {
        let mover = position.side_to_move();
        match self.score {
            0 => Outcome::Draw,
            1.. => Outcome::Win(mover),
            _ => Outcome::Win(!mover),
        }
    }
}

/// A position with all its moves: the strong solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// The outcome of best play.
    pub solution: Solution,
    /// The score of each move, seen by the mover, from the left column to the right; empty if the game is over.
    pub moves: Vec<(Column, i32)>,
}

impl Analysis {
    /// The moves with the best score.
    pub fn best_moves(&self) -> impl Iterator<Item = Column> + '_ {
        self.moves.iter().filter(|&&(_, score)| score == self.solution.score).map(|&(column, _)| column)
    }
}

/// The solver, with tables that stay warm from one position to the next. Answers do not depend on what it did before.
///
/// ```
/// use lanista_games::connect_four::{ConnectFour, solver::Solver};
/// let mut solver = Solver::new(Solver::DEFAULT_TABLE);
/// let position: ConnectFour = "444444".parse().unwrap();
/// let solution = solver.solve(&position);
/// assert_eq!((solution.score, solution.distance), (1, 35));
/// ```
pub struct Solver {
    table: Table,
    near: NearTable,
    book: Option<&'static Book>,
    /// Stones of the positions in the book; out of reach if there is none.
    book_ply: u32,
    nodes: u64,
}

impl Solver {
    /// A modest size of the table, in bytes: 64 MiB. More pays off only without a book, with few stones on the board.
    pub const DEFAULT_TABLE: usize = 64 << 20;

    /// A solver with the shipped book. The table is as large as asked, rounded down to a power of two, but never smaller
    /// than 64 MiB; memory that the search does not reach is not touched.
    pub fn new(table_bytes: usize) -> Solver {
        Solver { book: Book::shipped(), ..Solver::without_book(table_bytes) }.with_book_ply()
    }

    /// A solver that finds everything by itself.
    pub fn without_book(table_bytes: usize) -> Solver {
        let (table, near) = (Table::new(table_bytes), NearTable::new());
        Solver { table, near, book: None, book_ply: u32::MAX, nodes: 0 }
    }

    fn with_book_ply(mut self) -> Solver {
        self.book_ply = self.book.map_or(u32::MAX, Book::plies);
        self
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.near.clear();
        self.nodes = 0;
    }

    /// The outcome of best play.
    pub fn solve(&mut self, position: &ConnectFour) -> Solution {
        let board = Board::new(position);
        Solution::new(self.score(board, 0), board.ply())
    }

    /// The outcome of best play, and the score of every move.
    pub fn analyse(&mut self, position: &ConnectFour) -> Analysis {
        let board = Board::new(position);
        let ply = board.ply();
        let mut scores: [Option<i32>; 7] = [None; 7];
        if has_four(board.mover ^ board.stones) {
            return Analysis { solution: Solution::new(self.score(board, 0), ply), moves: Vec::new() };
        }
        let wins = board.mover_wins();
        let symmetric = board.is_symmetric();
        let mut guess = 0;
        for column in CENTRE_FIRST {
            let square = board.drops() & COLUMN << (7 * column);
            if square == 0 {
                continue;
            }
            let score = if symmetric && column > 3 {
                scores[6 - column as usize]
            } else if square & wins != 0 {
                Some(score_of_win(ply))
            } else {
                // Moves of one position often have scores near each other.
                guess = self.score(board.after(square), guess);
                Some(-guess)
            };
            scores[column as usize] = score;
        }
        let best = scores.iter().flatten().max().copied().unwrap_or(0);
        let moves = (0..7).zip(scores).filter_map(|(column, score)| Some((Column::new(column), score?)));
        Analysis { solution: Solution::new(best, ply), moves: moves.collect() }
    }

    /// The exact score, found the sooner the better the guess.
    fn score(&mut self, board: Board, guess: i32) -> i32 {
        let ply = board.ply();
        if has_four(board.mover ^ board.stones) {
            return -score_of_win(ply - 1);
        }
        if ply == SQUARES {
            return 0;
        }
        if board.mover_wins() & board.drops() != 0 {
            return score_of_win(ply);
        }
        let node = Node::new(board, board.other_wins(), ply);
        if ply == SQUARES - 1 {
            return 0;
        }
        if node.moves == 0 {
            return -score_of_win(ply + 1);
        }
        if ply == self.book_ply
            && let Some(score) = self.book.and_then(|book| book.score_of(board))
        {
            return score;
        }
        // From the guess step by step: questions near the truth share most of their answers. (Plaat's MTD(f); compared with
        // Pons' halving of the interval it takes a seventh fewer nodes.)
        let (mut low, mut high) = (node.lowest(), node.highest());
        let mut alpha = guess.clamp(low, (high - 1).max(low));
        while low < high {
            let found = self.search(&node, alpha);
            if found > alpha {
                low = found;
                alpha = low;
            } else {
                high = found;
                alpha = high - 1;
            }
        }
        low
    }
}

/// The score of a mover who completes a line in a position with this many stones.
fn score_of_win(ply: u32) -> i32 {
    (SQUARES as i32 + 1 - ply as i32) / 2
}
