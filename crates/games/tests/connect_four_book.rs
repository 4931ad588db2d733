//! The shipped opening book of Connect Four against published numbers.

use lanista_core::Side;
use lanista_games::connect_four::ConnectFour;
use lanista_games::connect_four::solver::{Book, Solver};

/// Whether a side could complete a line by dropping one stone.
fn can_win(position: &ConnectFour, side: Side) -> bool {
    let [own, other] = [side, !side].map(|side| position.stones(side));
    let cell = |stones: u64, column: i32, row: i32| {
        (0..7).contains(&column) && (0..6).contains(&row) && stones >> (7 * column + row) & 1 == 1
    };
    (0..7).any(|column| {
        let row = (0..6).find(|&row| !cell(own | other, column, row));
        row.is_some_and(|row| {
            [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(right, up)| {
                let run = |sign: i32| {
                    (1..4).take_while(|step| cell(own, column + sign * step * right, row + sign * step * up)).count()
                };
                run(1) + run(-1) >= 3
            })
        })
    })
}

#[test]
fn the_book_is_complete() {
    let book = Book::shipped().expect("a book comes with the program");
    assert!((0..book.len()).all(|index| book.score(index).is_some()));
}

/// The 8-ply data set of John Tromp (UCI Machine Learning Repository, "Connect-4"): positions where neither side can
/// win at once, one of each mirror pair, by the outcome for the first side.
#[test]
fn the_book_has_the_published_totals() {
    let book = Book::shipped().expect("a book comes with the program");
    assert_eq!(book.plies(), 8);
    let mut counts = [0; 3];
    for index in 0..book.len() {
        let position = book.position(index);
        if Side::BOTH.iter().any(|&side| can_win(&position, side)) {
            continue;
        }
        match book.score(index).expect("a score") {
            1.. => counts[0] += 1,
            0 => counts[2] += 1,
            _ => counts[1] += 1,
        }
    }
    assert_eq!(counts, [44_473, 16_635, 6_449], "wins, losses, draws");
}

#[test]
fn the_first_moves_have_the_published_scores() {
    let mut solver = Solver::new(Solver::DEFAULT_TABLE);
    let analysis = solver.analyse(&ConnectFour::default());
    let scores: Vec<i32> = analysis.moves.iter().map(|entry| entry.1).collect();
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!((analysis.solution.score, analysis.solution.distance), (1, 41));
}
