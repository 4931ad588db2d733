//! Solves the positions on standard input, one a line, with the crate connect-four-ai and without its book.
//! Prints for each the seconds it took and the scores of the seven columns.

use std::io::{stdin, stdout, BufRead, Write};
use std::time::Instant;

use connect_four_ai::{Position, Solver};

fn main() {
    let mut solver = Solver::empty();
    for line in stdin().lock().lines() {
        let line = line.expect("a line");
        let position = Position::from_moves(line.trim()).expect("a position");
        let began = Instant::now();
        let scores = solver.get_all_move_scores(&position);
        let seconds = began.elapsed().as_secs_f64();
        let scores: Vec<String> = scores.iter().map(|score| score.map_or("-".into(), |score| score.to_string())).collect();
        println!("{seconds:.9} {}", scores.join(" "));
        stdout().flush().expect("output");
    }
}
