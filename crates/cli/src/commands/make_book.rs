//! `lanista solve connect-four --make-book`: hours of solving that can stop and go on.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use lanista_games::connect_four::solver::{Book, Solver};
use serde::Serialize;

use crate::output::{Output, progress_bar};

/// Positions that a thread takes at a time: relatives, which share much of their trees.
const CHUNK: usize = 32;
/// How much work a kill can cost.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// How to make an opening book.
#[derive(Args, Clone)]
pub struct BookRequest {
    /// Make an opening book of all positions with this many stones. If the output exists, go on with it.
    #[arg(long, value_name = "PLIES", conflicts_with_all = ["position", "each"])]
    pub make_book: Option<u32>,
    /// Where the book is written.
    #[arg(long, value_name = "FILE", default_value = "book.bin", requires = "make_book")]
    output: PathBuf,
    /// How many threads make the book, each with its own table.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "make_book",
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

#[derive(Serialize)]
struct BookReport {
    output: String,
    plies: u32,
    positions: usize,
    first_wins: usize,
    second_wins: usize,
    draws: usize,
    nodes: u64,
    seconds: f64,
}

/// The book as the threads see it.
struct Progress {
    book: Book,
    saved: Instant,
    nodes: u64,
}

impl BookRequest {
    pub fn make(&self, plies: u32, table_bytes: usize, output: &mut Output) -> anyhow::Result<()> {
        let began = Instant::now();
        let path = self.output.as_path();
        let book = self.begun(plies)?;
        // If it cannot be written there, better to know now than after much work.
        save(&book, path)?;
        let todo: Vec<usize> = book.by_descent().into_iter().filter(|&index| book.score(index).is_none()).collect();
        let bar = progress_bar(book.len() as u64, "solving");
        bar.set_position((book.len() - todo.len()) as u64);
        bar.reset_eta();
        let outline = book.clone();
        let progress = Mutex::new(Progress { book, saved: Instant::now(), nodes: 0 });
        let next = AtomicUsize::new(0);
        let work = || -> anyhow::Result<()> {
            let mut solver = Solver::without_book(table_bytes);
            let mut guess = 0;
            loop {
                let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                let Some(chunk) = todo.get(start..).filter(|rest| !rest.is_empty()) else {
                    break;
                };
                for &index in chunk.iter().take(CHUNK) {
                    guess = outline.solve(index, &mut solver, guess);
                    bar.inc(1);
                    let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
                    progress.book.set(index, guess);
                    if progress.saved.elapsed() > SAVE_EVERY {
                        save(&progress.book, path)?;
                        progress.saved = Instant::now();
                    }
                }
            }
            progress.lock().unwrap_or_else(PoisonError::into_inner).nodes += solver.nodes();
            Ok(())
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| {
                thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a thread of the book maker has failed")))
            })
        })?;
        bar.finish_and_clear();
        let Progress { book, nodes, .. } = progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        save(&book, path)?;
        let [first_wins, second_wins, draws] = book.outcomes();
        let (positions, seconds) = (book.len(), began.elapsed().as_secs_f64());
        let report = BookReport {
            output: path.display().to_string(),
            plies,
            positions,
            first_wins,
            second_wins,
            draws,
            nodes,
            seconds,
        };
        if output.is_json() {
            return output.json(&report);
        }
        output.line(format!(
            "{}: {positions} positions with {plies} stones; the first side wins {first_wins}, the second {second_wins}, \
             {draws} are drawn ({nodes} positions searched in {seconds:.1} s)",
            report.output
        ))?;
        Ok(())
    }

    /// The book in the output file, or a new one.
    fn begun(&self, plies: u32) -> anyhow::Result<Book> {
        let path = self.output.display();
        match fs::read(&self.output) {
            Ok(bytes) => {
                let book = Book::from_bytes(&bytes).with_context(|| format!("--output {path}"))?;
                anyhow::ensure!(book.plies() == plies, "--output {path}: holds a book of {} plies", book.plies());
                Ok(book)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Book::unsolved(plies).with_context(|| format!("--make-book {plies}"))
            }
            Err(error) => Err(error).with_context(|| format!("--output {path}")),
        }
    }
}

/// Writes beside the old file, then takes its place: a kill leaves one or the other.
fn save(book: &Book, path: &Path) -> anyhow::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    let write = || fs::write(&beside, book.to_bytes()).and_then(|()| fs::rename(&beside, path));
    write().with_context(|| format!("--output {}", path.display()))
}
