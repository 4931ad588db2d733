//! Writes a store with a run whose curve has many points, to see how pages take it; prints the number of the run.
//!
//! `cargo run -p lanista-web --example long_curve -- FILE [POINTS]`

#[path = "../tests/http/long_run.rs"]
mod long_run;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let points = match arguments.get(1) {
        None => Some(100_000),
        Some(text) => text.parse().ok().filter(|points| (1..=10_000_000).contains(points)),
    };
    let (Some(file), Some(points)) = (arguments.first(), points) else {
        eprintln!("expected a file for the store and, if you like, a number of points up to 10000000");
        return ExitCode::FAILURE;
    };
    println!("{}", long_run::write_long_run(Path::new(file), points));
    ExitCode::SUCCESS
}
