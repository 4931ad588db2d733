//! Counting a game tree with all cores.

use std::sync::atomic::{AtomicU64, Ordering};

use lanista_core::{MoveList, PerftCount, Position, perft};
use rayon::prelude::*;

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads: {reason}")]
pub struct NoThreads {
    threads: usize,
    reason: rayon::ThreadPoolBuildError,
}

/// Counts the tree below each legal move to `depth` plies in all, on `threads` threads.
/// `progress` is told how many of how many subtrees are done. The result does not depend on the threads.
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    threads: usize,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Vec<(P::Move, PerftCount)>, NoThreads> {
    let mut moves = MoveList::new();
    if depth > 0 {
        position.legal_moves(&mut moves);
    }
    let subtrees = subtrees(position, &moves, depth);
    let done = AtomicU64::new(0);
    let count = |&(root, start, left): &(usize, P, u32)| {
        let count = perft(&start, left);
        progress(done.fetch_add(1, Ordering::Relaxed) + 1, subtrees.len() as u64);
        (root, count)
    };
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|reason| NoThreads { threads, reason })?;
    let counts: Vec<(usize, PerftCount)> = pool.install(|| subtrees.par_iter().map(count).collect());
    let mut divided: Vec<(P::Move, PerftCount)> = moves.iter().map(|&mv| (mv, PerftCount::default())).collect();
    for (root, count) in counts {
        divided[root].1 += count;
    }
    Ok(divided)
}

/// The positions after two plies (after one if the tree ends there), each with its root move and the plies left:
/// enough pieces of work to keep many threads busy.
fn subtrees<P: Position>(position: &P, moves: &[P::Move], depth: u32) -> Vec<(usize, P, u32)> {
    let mut subtrees = Vec::new();
    let mut replies = MoveList::new();
    for (root, &mv) in moves.iter().enumerate() {
        let mut next = *position;
        next.play(mv);
        if depth < 2 {
            subtrees.push((root, next, 0));
            continue;
        }
        next.legal_moves(&mut replies);
        for &reply in replies.iter() {
            let mut after = next;
            after.play(reply);
            subtrees.push((root, after, depth - 2));
        }
    }
    subtrees
}

#[cfg(test)]
mod tests {
    use lanista_core::Game;
    use lanista_games::draughts::Draughts;

    use super::*;

    #[test]
    fn threads_do_not_change_the_count() {
        let start = Draughts::presets()[0].start;
        for depth in 1..=6 {
            let one = divide(&start, depth, 1, &|_, _| {}).expect("a thread starts");
            let three = divide(&start, depth, 3, &|_, _| {}).expect("threads start");
            assert_eq!(one, three, "depth {depth}");
            let leaves: u64 = one.iter().map(|(_, count)| count.leaves).sum();
            assert_eq!(leaves, perft(&start, depth).leaves, "depth {depth}");
        }
    }
}
