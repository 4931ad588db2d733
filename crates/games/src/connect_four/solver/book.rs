//! The opening book: the exact scores of all positions with a given number of stones.
//!
//! The positions need not be stored, because they can be listed: all that can be reached with that many stones, one of
//! each mirror pair, without those where the mover completes a line at once, in ascending order of their keys
//! (the mover's stones with a one on top of each column, seven bits a column, the smaller of the position's and its
//! mirror image's). Positions where the mover must block a line are among them. A search from a position with fewer stones ends at the book.
//!
//! The file, numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | `C4BK` |
//! | 1 | version, 1 |
//! | 1 | stones of the positions |
//! | 2 | zero |
//! | 4 | number of positions |
//! | 4 | checksum of the scores: `hash = mix64(hash ^ byte)` over all bytes, from 0; the low half |
//! | 1 each | the score, signed, seen by the mover; −128 where it is not known yet |

use std::collections::HashSet;
use std::sync::OnceLock;

use lanista_core::mix64;
use thiserror::Error;

use super::super::ConnectFour;
use super::Solver;
use super::board::{Board, COLUMN};

const SHIPPED: &[u8] = include_bytes!("../data/book.bin");
const MAGIC: &[u8; 4] = b"C4BK";
const VERSION: u8 = 1;
const HEADER: usize = 16;
const EMPTY: Board = Board { mover: 0, stones: 0 };
/// A position still to be solved.
const HOLE: i8 = i8::MIN;
/// No score is higher.
const HIGHEST: i8 = 18;

/// Exact scores of all positions with a given number of stones; while the book is being made, of some of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    plies: u32,
    keys: Vec<u64>,
    scores: Vec<i8>,
}

/// Why a file is no book.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BookError {
    /// Not a book at all.
    #[error("not a Connect Four opening book")]
    NoBook,
    /// Written by another version of the program.
    #[error("the book has version {0}, this program reads version {VERSION}")]
    Version(u8),
    /// Not a number of stones that a book can have.
    #[error("a book holds positions with 1 to {max} stones, not {0}", max = Book::MAX_PLIES)]
    Plies(u32),
    /// Cut off, or with bytes too many.
    #[error("the book should hold {expected} scores and holds {found}")]
    Length {
        /// As many as there are positions.
        expected: usize,
        /// As many as there are bytes.
        found: usize,
    },
    /// A byte has changed.
    #[error("the book is damaged: its checksum or a score is wrong")]
    Damaged,
}

impl Book {
    /// The most stones a book can have: more would take days to solve and seconds to list.
    pub const MAX_PLIES: u32 = 12;

    /// The book that comes with the program.
    pub fn shipped() -> Option<&'static Book> {
        static BOOK: OnceLock<Option<Book>> = OnceLock::new();
        BOOK.get_or_init(|| Book::from_bytes(SHIPPED).ok()).as_ref()
    }

    /// A book with nothing solved yet.
    pub fn unsolved(plies: u32) -> Result<Book, BookError> {
        if !(1..=Book::MAX_PLIES).contains(&plies) {
            return Err(BookError::Plies(plies));
        }
        let keys = list(plies);
        Ok(Book { plies, scores: vec![HOLE; keys.len()], keys })
    }

    /// Reads a book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let Some((header, scores)) = bytes.split_at_checked(HEADER).filter(|(header, _)| header.starts_with(MAGIC))
        else {
            return Err(BookError::NoBook);
        };
        if header[4] != VERSION {
            return Err(BookError::Version(header[4]));
        }
        let mut book = Book::unsolved(header[5].into())?;
        book.scores = scores.iter().map(|&byte| byte as i8).collect();
        if book.scores.len() != book.keys.len() {
            return Err(BookError::Length { expected: book.keys.len(), found: book.scores.len() });
        }
        let wrong = |&score: &i8| score != HOLE && !(-HIGHEST..=HIGHEST).contains(&score);
        if book.header() != header || book.scores.iter().any(wrong) {
            return Err(BookError::Damaged);
        }
        Ok(book)
    }

    /// The book as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header().to_vec();
        bytes.extend(self.scores.iter().map(|&score| score as u8));
        bytes
    }

    fn header(&self) -> [u8; HEADER] {
        let checksum = self.scores.iter().fold(0, |hash, &score| mix64(hash ^ u64::from(score as u8))) as u32;
        let mut header = [0; HEADER];
        header[..4].copy_from_slice(MAGIC);
        header[4] = VERSION;
        header[5] = self.plies as u8;
        header[8..12].copy_from_slice(&(self.keys.len() as u32).to_le_bytes());
        header[12..].copy_from_slice(&checksum.to_le_bytes());
        header
    }

    /// Stones of its positions.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// How many positions it holds, solved or not.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Never: each number of stones has positions.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The position with this index.
    pub fn position(&self, index: usize) -> ConnectFour {
        let Board { mover, stones } = Board::from_key(self.keys[index]);
        let other = mover ^ stones;
        if self.plies.is_multiple_of(2) {
            ConnectFour::from_stones(mover, other)
        } else {
            ConnectFour::from_stones(other, mover)
        }
    }

    /// The score of the position with this index, if it is known.
    pub fn score(&self, index: usize) -> Option<i32> {
        Some(self.scores[index]).filter(|&score| score != HOLE).map(i32::from)
    }

    /// Solves the position with this index. `guess` is what its score may be: that of a neighbour, say.
    pub fn solve(&self, index: usize, solver: &mut Solver, guess: i32) -> i32 {
        solver.score(Board::from_key(self.keys[index]), guess)
    }

    /// All indices in an order in which relatives stand together: they share most of their trees, so that solving them
    /// one after the other takes less than half the time.
    pub fn by_descent(&self) -> Vec<usize> {
        let mut family = vec![EMPTY];
        for _ in 0..self.plies {
            let mut seen = HashSet::new();
            family = family.into_iter().flat_map(children).filter(|child| seen.insert(child.mirror_key())).collect();
        }
        family.iter().filter_map(|board| self.keys.binary_search(&board.mirror_key()).ok()).collect()
    }

    /// Enters a score.
    pub fn set(&mut self, index: usize, score: i32) {
        self.scores[index] = score as i8;
    }

    /// How many positions the first side wins, the second side wins, and neither, among those solved.
    pub fn outcomes(&self) -> [usize; 3] {
        let mut counts = [0; 3];
        for score in (0..self.len()).filter_map(|index| self.score(index)) {
            let first_wins = (score > 0) == (self.plies.is_multiple_of(2));
            let outcome = match score {
                0 => 2,
                _ if first_wins => 0,
                _ => 1,
            };
            counts[outcome] += 1;
        }
        counts
    }

    pub(super) fn score_of(&self, board: Board) -> Option<i32> {
        self.score(self.keys.binary_search(&board.mirror_key()).ok()?)
    }
}

/// The positions after one more stone, finished games left out.
fn children(board: Board) -> impl Iterator<Item = Board> {
    let squares = board.drops() & !board.mover_wins();
    (0..7)
        .map(move |column| squares & COLUMN << (7 * column))
        .filter(|&square| square != 0)
        .map(move |s| board.after(s))
}

/// The keys of a book's positions.
fn list(plies: u32) -> Vec<u64> {
    let mut keys = vec![EMPTY.mirror_key()];
    for _ in 0..plies {
        let mut next: Vec<u64> = Vec::with_capacity(4 * keys.len());
        keys.iter().for_each(|&key| next.extend(children(Board::from_key(key)).map(Board::mirror_key)));
        next.sort_unstable();
        next.dedup();
        keys = next;
    }
    keys.retain(|&key| {
        let board = Board::from_key(key);
        board.mover_wins() & board.drops() == 0
    });
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_positions() {
        let book = Book::unsolved(8).expect("8 plies");
        assert_eq!(book.len(), 77_715);
        let mut order = book.by_descent();
        order.sort_unstable();
        assert!(order.into_iter().eq(0..book.len()), "each position once");
        for index in (0..book.len()).step_by(97) {
            let position = book.position(index);
            let board = Board::new(&position);
            assert_eq!((board.mirror_key(), position.ply()), (book.keys[index], 8));
        }
    }

    #[test]
    fn files_survive_and_damage_is_seen() {
        let mut book = Book::unsolved(3).expect("3 plies");
        (0..book.len()).step_by(2).for_each(|index| book.set(index, index as i32 % 37 - 18));
        let bytes = book.to_bytes();
        assert_eq!(Book::from_bytes(&bytes).as_ref(), Ok(&book));
        assert_eq!(Book::from_bytes(&bytes[..10]), Err(BookError::NoBook));
        let (expected, found) = (book.len(), book.len() - 1);
        assert_eq!(Book::from_bytes(&bytes[..bytes.len() - 1]), Err(BookError::Length { expected, found }));
        for index in 4..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1;
            assert!(Book::from_bytes(&damaged).is_err(), "byte {index}");
        }
    }
}
