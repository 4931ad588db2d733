//! The win-or-block agent of Box's Connect Four study ("advanced random"), for every game: a move that wins if there
//! is one, else one that keeps the opponent from winning at once, else any.
//!
//! A game need not allow to pass, so what the opponent threatens is seen in the replies: a reply that wins after some
//! *other* move of ours is a threat. In Connect Four this is precisely a column in which the opponent would win if it
//! were his turn: a stone of ours elsewhere changes nothing there, and a win that only our own stone below makes
//! possible is the same column as our move and does not count, so the agent walks into those as Box's does.
//! Where the two sides never have the same move it means: leave as few winning replies as can be.

use lanista_core::{Budget, Decision, MoveList, Outcome, Player, Position, RandomStream, Referee, Score, Tactics};

use crate::parameters::PlayerInfo;
use crate::path::Path;

/// The win-or-block player.
pub const WIN_BLOCK: PlayerInfo = PlayerInfo {
    name: "win-block",
    about: "wins at once if it can, else keeps the opponent from doing so, else plays at random (Box)",
    parameters: &[],
};

/// Wins, or blocks, or plays at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct WinBlock;

impl<P: Tactics> Player<P> for WinBlock {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(&mut self, game: &Referee<P>, _budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let mut moves = MoveList::new();
        let (wins, nodes) = match game.position().wins_or_blocks(&mut moves) {
            Some(wins) => (wins, 0),
            None => wins_or_blocks_by_trying(game, &mut moves),
        };
        let mv = moves[random.below(moves.len() as u32) as usize];
        let (score, depth) = if wins { (Some(Score::win_in(1)), 1) } else { (None, 2) };
        Some(Decision { mv, score, depth, nodes, line: vec![mv] })
    }
}

/// What [`Tactics::wins_or_blocks`] tells, found by trying moves; with the number of positions visited.
pub fn wins_or_blocks_by_trying<P: Position>(game: &Referee<P>, moves: &mut MoveList<P::Move>) -> (bool, u64) {
    let mut path = Path::new(game);
    let winning = winning_moves(&mut path, game.position());
    let wins = !winning.is_empty();
    let found = if wins { winning } else { blocking_moves(&mut path, game.position()) };
    moves.clear();
    found.into_iter().for_each(|mv| moves.push(mv));
    (wins, path.nodes)
}

/// The moves that win at once.
fn winning_moves<P: Position>(path: &mut Path, position: &P) -> Vec<P::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let win = Some(Outcome::Win(position.side_to_move()));
    let mut winning = Vec::new();
    for &mv in moves.iter() {
        let next = path.enter(position, mv);
        if path.outcome(&next) == win {
            winning.push(mv);
        }
        path.leave(1);
    }
    winning
}

/// If there are threats: the moves that take away what the opponent wants by playing it, as in Connect Four; where
/// there are none of the kind, the moves that leave the fewest threats. All moves if nothing is threatened.
fn blocking_moves<P: Position>(path: &mut Path, position: &P) -> Vec<P::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut replies = Vec::with_capacity(moves.len());
    for &mv in moves.iter() {
        let next = path.enter(position, mv);
        // A move that ends the game leaves no reply; if it loses it leaves nothing at all.
        let lost = path.outcome(&next) == Some(Outcome::Win(!position.side_to_move()));
        let wins = if path.outcome(&next).is_none() { winning_moves(path, &next) } else { Vec::new() };
        path.leave(1);
        replies.push((mv, lost, wins));
    }
    let is_threat = |reply: P::Move| replies.iter().any(|(mv, _, wins)| *mv != reply && wins.contains(&reply));
    let taking: Vec<P::Move> = moves.iter().copied().filter(|&mv| is_threat(mv)).collect();
    if !taking.is_empty() {
        return taking;
    }
    let left = |(_, lost, wins): &(P::Move, bool, Vec<P::Move>)| {
        if *lost { usize::MAX } else { wins.iter().filter(|&&reply| is_threat(reply)).count() }
    };
    let counts: Vec<usize> = replies.iter().map(left).collect();
    let fewest = counts.iter().copied().min().unwrap_or(0);
    moves.iter().zip(counts).filter(|&(_, count)| count == fewest).map(|(&mv, _)| mv).collect()
}
