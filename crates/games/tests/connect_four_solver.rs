//! The Connect Four solver against a slow one that shares nothing with it, against two other programs, and against what
//! must hold of any solution.

use std::collections::HashMap;

use lanista_core::{Outcome, Position, RandomStream, Seed};
use lanista_games::connect_four::solver::{Analysis, Book, Solver};
use lanista_games::connect_four::{Column, ConnectFour};

/// The slow solver: a grid of numbers, every move tried, nothing pruned but what is remembered.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Grid {
    columns: [Vec<u8>; 7],
}

impl Grid {
    fn after(moves: &str) -> Grid {
        let mut grid = Grid { columns: Default::default() };
        for digit in moves.bytes() {
            grid.drop(usize::from(digit - b'1'));
        }
        grid
    }

    fn stones(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    fn drop(&mut self, column: usize) {
        let side = self.stones() as u8 % 2;
        self.columns[column].push(side);
    }

    /// Whether the topmost stone of the column stands in a line of four.
    fn won_by_top(&self, column: usize) -> bool {
        let row = self.columns[column].len() - 1;
        let side = self.columns[column][row];
        let run = |right: i32, up: i32| {
            (1..4)
                .take_while(|step| {
                    let (x, y) = (column as i32 + step * right, row as i32 + step * up);
                    x >= 0
                        && y >= 0
                        && self.columns.get(x as usize).and_then(|cells| cells.get(y as usize)) == Some(&side)
                })
                .count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(right, up)| run(right, up) + run(-right, -up) >= 3)
    }

    /// The score by plain negamax.
    fn score(&mut self, known: &mut HashMap<Grid, i32>) -> i32 {
        let stones = self.stones() as i32;
        if stones == 42 {
            return 0;
        }
        if let Some(&score) = known.get(self) {
            return score;
        }
        let mut best = i32::MIN;
        for column in 0..7 {
            if let Some(score) = self.score_of(column, known) {
                best = best.max(score);
            }
        }
        known.insert(self.clone(), best);
        best
    }

    fn score_of(&mut self, column: usize, known: &mut HashMap<Grid, i32>) -> Option<i32> {
        if self.columns[column].len() == 6 {
            return None;
        }
        self.drop(column);
        // The winner has played half of the stones, rounded up.
        let score = if self.won_by_top(column) { 22 - (self.stones() as i32 + 1) / 2 } else { -self.score(known) };
        self.columns[column].pop();
        Some(score)
    }
}

fn random_position(random: &mut RandomStream, stones: u32) -> (String, ConnectFour) {
    'again: loop {
        let (mut moves, mut position) = (String::new(), ConnectFour::default());
        for _ in 0..stones {
            if position.outcome().is_some() {
                continue 'again;
            }
            let column = position.random_move(random, &mut Default::default());
            moves += &column.to_string();
            position.play(column);
        }
        if position.outcome().is_none() {
            return (moves, position);
        }
    }
}

fn between(random: &mut RandomStream, least: u32, most: u32) -> u32 {
    least + random.below(most - least + 1)
}

fn solver() -> Solver {
    Solver::without_book(Solver::DEFAULT_TABLE)
}

#[test]
fn late_positions_agree_with_the_slow_solver() {
    let mut random = Seed::new(3).stream();
    let mut solver = solver();
    for _ in 0..1_000 {
        let stones = between(&mut random, 28, 41);
        let (moves, position) = random_position(&mut random, stones);
        let mut grid = Grid::after(&moves);
        let mut known = HashMap::new();
        let analysis = solver.analyse(&position);
        let expected: Vec<(usize, i32)> =
            (0..7).filter_map(|column| Some((column, grid.score_of(column, &mut known)?))).collect();
        let found: Vec<(usize, i32)> = analysis.moves.iter().map(|&(column, score)| (column.index(), score)).collect();
        assert_eq!(found, expected, "{moves}");
        assert_eq!(analysis.solution.score, grid.score(&mut known), "{moves}");
    }
}

/// The scores of a line of a data file: see the files for how they were made.
fn solved(text: &str) -> Vec<(ConnectFour, [Option<i32>; 7])> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let mut words = line.split(' ');
        let position = words.next().expect("moves").parse().expect("a position");
        let mut scores = [None; 7];
        scores.iter_mut().zip(words).for_each(|(score, word)| *score = word.parse().ok());
        (position, scores)
    };
    lines.map(read).collect()
}

fn scores(analysis: &Analysis) -> [Option<i32>; 7] {
    let mut scores = [None; 7];
    analysis.moves.iter().for_each(|&(column, score)| scores[column.index()] = Some(score));
    scores
}

/// A thousand positions of each class.
const CLASSES: [(&str, &str); 3] = [
    ("end", include_str!("../src/connect_four/data/solved-end.txt")),
    ("middle", include_str!("../src/connect_four/data/solved-middle.txt")),
    ("begin", include_str!("../src/connect_four/data/solved-begin.txt")),
];

/// Early positions take long: of the files a sample, the earlier the smaller.
#[test]
fn positions_of_each_class_agree_with_other_programs() {
    agree_with_other_programs([1_000, 250, 15]);
}

#[test]
#[ignore = "takes minutes: cargo test --release -p lanista-games --test connect_four_solver -- --ignored"]
fn all_positions_of_each_class_agree_with_other_programs() {
    agree_with_other_programs([1_000; 3]);
}

fn agree_with_other_programs(samples: [usize; 3]) {
    let mut solver = solver();
    for ((name, text), sample) in CLASSES.into_iter().zip(samples) {
        let positions = solved(text);
        assert_eq!(positions.len(), 1_000, "{name}");
        for (position, expected) in positions.iter().step_by(positions.len() / sample) {
            assert_eq!(scores(&solver.analyse(position)), *expected, "{name} {position}");
        }
    }
}

/// The score is the best of the moves', a move's score is what the position after it is worth to the other side, and the mirror
/// image has the same scores the other way round. The distance is what the moves lead to.
#[test]
fn solutions_are_consistent() {
    let mut random = Seed::new(4).stream();
    let mut solver = solver();
    for _ in 0..300 {
        let stones = between(&mut random, 18, 41);
        let (moves, position) = random_position(&mut random, stones);
        let analysis = solver.analyse(&position);
        assert_eq!(solver.solve(&position), analysis.solution, "{moves}");
        assert_eq!(analysis.moves.iter().map(|entry| entry.1).max(), Some(analysis.solution.score), "{moves}");
        for &(column, score) in &analysis.moves {
            let mut child = position;
            child.play(column);
            let answer = solver.solve(&child);
            assert_eq!(answer.score, -score, "{moves} then {column}");
            if score == analysis.solution.score {
                assert_eq!(answer.distance + 1, analysis.solution.distance, "{moves} then {column}");
            }
        }
        let mut mirrored = scores(&solver.analyse(&position.symmetric(1)));
        mirrored.reverse();
        assert_eq!(scores(&analysis), mirrored, "{moves}");
    }
}

/// A game of best moves ends as and when the solution says.
#[test]
fn best_moves_lead_to_the_end() {
    let mut random = Seed::new(5).stream();
    let mut solver = solver();
    for _ in 0..50 {
        let stones = between(&mut random, 20, 30);
        let (moves, mut position) = random_position(&mut random, stones);
        let promised = solver.solve(&position);
        let outcome = promised.outcome(&position);
        for _ in 0..promised.distance {
            assert_eq!(position.outcome(), None, "{moves}");
            let best: Vec<Column> = solver.analyse(&position).best_moves().collect();
            position.play(best[random.below(best.len() as u32) as usize]);
        }
        assert_eq!(position.outcome(), Some(outcome), "{moves}");
    }
}

#[test]
fn finished_games_have_their_score() {
    let mut solver = solver();
    let analysis = solver.analyse(&"1212121".parse().expect("the first side has won"));
    assert_eq!((analysis.solution.score, analysis.solution.distance, analysis.moves.len()), (-18, 0, 0));
    let mut random = Seed::new(6).stream();
    // One random game in 400 is a draw.
    let drawn = loop {
        let (_, mut position) = random_position(&mut random, 41);
        position.play(position.random_move(&mut random, &mut Default::default()));
        if position.outcome() == Some(Outcome::Draw) {
            break position;
        }
    };
    let analysis = solver.analyse(&drawn);
    assert_eq!((analysis.solution.score, analysis.solution.distance, analysis.moves.len()), (0, 0, 0));
}

/// A sample of the shipped book, found again without it.
#[test]
fn the_book_agrees_with_the_search() {
    let book = Book::shipped().expect("a book comes with the program");
    let solved: Vec<usize> = (0..book.len()).filter(|&index| book.score(index).is_some()).collect();
    let mut solver = solver();
    for &index in solved.iter().step_by(solved.len().div_ceil(12).max(1)) {
        let position = book.position(index);
        assert_eq!(Some(solver.solve(&position).score), book.score(index), "{position}");
    }
}
