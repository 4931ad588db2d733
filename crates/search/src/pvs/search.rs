//! One thread's search, in numbered steps.

use lanista_core::{Decision, Evaluator, Position, Progress, Referee, Score, Tactics, mix64};

use super::limits::Limits;
use super::order::{HistoryTable, Killers, Knowledge, Ordered};
use super::table::{Bound, Entry, Table};
use super::{DEEPEST, Techniques};
use crate::walk::Walk;

/// What a node is expected to be (Knuth and Moore; Marsland and Campbell).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// On the principal variation: its exact value is wanted.
    Principal,
    /// One good move is expected to refute it.
    Cut,
    /// All moves are expected to fail.
    All,
}

/// Multi-cut (Björnsson and Marsland): of the first `MOVES` moves, searched `REDUCTION` plies less,
/// `CUTS` must refute. The numbers are those of MIA's authors (Winands et al. 2003).
mod multi_cut {
    pub const MOVES: usize = 10;
    pub const CUTS: usize = 3;
    pub const REDUCTION: u32 = 2;
}

/// Half the width of the first aspiration window, in score units.
const ASPIRATION: i32 = 50;

/// What a ply of the tree needs, kept from node to node.
struct Frame<M> {
    moves: Ordered<M>,
    killers: Killers<M>,
    /// The best line from here on.
    line: Vec<M>,
}

pub(super) struct Search<'a, P: Position> {
    walk: Walk<'a, P>,
    root: P,
    table: Option<&'a Table>,
    techniques: Techniques,
    limits: Limits<'a, P::Move>,
    frames: Vec<Frame<P::Move>>,
    history: HistoryTable,
    stopped: bool,
}

impl<'a, P: Tactics> Search<'a, P> {
    pub fn new(
        game: &Referee<P>,
        evaluator: &'a mut dyn Evaluator<P>,
        table: Option<&'a Table>,
        techniques: Techniques,
        limits: Limits<'a, P::Move>,
    ) -> Search<'a, P> {
        let frame = || Frame {
            moves: Ordered::default(),
            killers: Killers::default(),
            line: Vec::with_capacity(DEEPEST as usize + 2),
        };
        Search {
            walk: Walk::new(game, evaluator),
            root: *game.position(),
            table,
            techniques,
            // Room for the main search and the quiescence below it; frames grow on demand, never per node.
            frames: std::iter::repeat_with(frame).take(limits.depth as usize + 32).collect(),
            limits,
            history: HistoryTable::new::<P>(),
            stopped: false,
        }
    }

    /// Searches deeper and deeper until a limit is reached or the game is decided.
    pub fn decide(mut self, head_start: u32) -> Decision<P::Move> {
        let mut decision = self.first_move();
        for depth in 1 + head_start.min(self.limits.depth - 1)..=self.limits.depth {
            let guess = decision.score.filter(|_| depth > 4).map(|score| score.0);
            let score = self.iterate(depth, guess);
            let line = &self.frames[0].line;
            if let Some(&mv) = line.first() {
                // An iteration that was cut short still knows the best of what it has seen, the old best move first.
                decision.mv = mv;
                decision.line.clear();
                decision.line.extend_from_slice(line);
                if !self.stopped {
                    (decision.score, decision.depth) = (Some(score), depth);
                }
            }
            decision.nodes = self.walk.nodes;
            self.limits.report(&decision);
            if self.stopped || self.limits.nearly_reached() {
                break;
            }
            // A proved win or loss within the depth searched in full does not change any more.
            if !self.techniques.exact && score.plies_to_end().is_some_and(|plies| plies <= depth) {
                break;
            }
        }
        decision
    }

    /// Something to play if not even the first iteration ends.
    fn first_move(&mut self) -> Decision<P::Move> {
        let frame = &mut self.frames[0];
        self.root.legal_moves(&mut frame.moves.moves);
        Decision::blind(frame.moves.moves[0])
    }

    /// One iteration, in a window around the guess that widens until the value lies inside.
    fn iterate(&mut self, depth: u32, guess: Option<i32>) -> Score {
        let root = self.root;
        let (mut alpha, mut beta) = (Score::LOSS, Score::WIN);
        let mut width = ASPIRATION;
        if let (true, Some(guess)) = (self.techniques.aspiration, guess) {
            alpha = Score((guess - width).max(Score::LOSS.0));
            beta = Score((guess + width).min(Score::WIN.0));
        }
        loop {
            let score = self.node(&root, depth, alpha, beta, 0, Kind::Principal, false);
            if self.stopped {
                return score;
            }
            width = width.saturating_mul(4);
            if score <= alpha && alpha > Score::LOSS {
                alpha = Score(score.0.saturating_sub(width).max(Score::LOSS.0));
            } else if score >= beta && beta < Score::WIN {
                beta = Score(score.0.saturating_add(width).min(Score::WIN.0));
            } else {
                return score;
            }
        }
    }

    /// The value of a position for its mover, exact between `alpha` and `beta`, a bound outside.
    #[allow(clippy::too_many_arguments)]
    fn node(
        &mut self,
        position: &P,
        depth: u32,
        alpha: Score,
        beta: Score,
        ply: u32,
        kind: Kind,
        after_null: bool,
    ) -> Score {
        let (mut alpha, mut beta) = (alpha, beta);
        let here = ply as usize;
        self.frames[here].line.clear();

        // 1. Out of time or nodes: whatever is returned now is thrown away.
        if self.limits.reached(self.walk.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return Score::DRAW;
        }

        // 2. The end of the game.
        if ply > 0 {
            if let Some(score) = self.ended(position, ply) {
                return score;
            }
            // 3. Mate distance: nothing here can be better than winning now.
            alpha = alpha.max(Score::loss_in(ply));
            beta = beta.min(Score::win_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. Leaves.
        if depth == 0 || here + 1 >= self.frames.len() {
            return if self.techniques.quiescence {
                self.quiescence(position, alpha, beta, ply)
            } else {
                self.walk.evaluator.value(position)
            };
        }

        // 5. The transposition table.
        let left = self.plies_left();
        let key = key_in_table(position.key(), left, depth);
        let found = self.table.and_then(|table| table.find(key));
        if let Some(entry) = found
            && ply > 0
            && self.deep_enough(entry.depth, depth)
            && in_time(entry.score, left)
        {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                _ => {}
            }
        }
        let best_place = found.map(|entry| entry.best);

        // 6. If the table has no move, this node is hardly worth its depth. No table at all says nothing.
        let unknown = self.table.is_some() && best_place.is_none();
        let depth = if self.techniques.iir && unknown && depth >= 5 && kind != Kind::All { depth - 1 } else { depth };

        // 7. Null move: if passing refutes, a real move will.
        if kind != Kind::Principal
            && let Some(score) = self.null_move(position, depth, beta, ply, kind, after_null)
        {
            return score;
        }

        // 8. The moves, ranked.
        let frame = &mut self.frames[here];
        position.legal_moves(&mut frame.moves.moves);
        let knowledge = Knowledge {
            best: best_place,
            killers: self.techniques.killers.then_some(&frame.killers),
            history: self.techniques.history.then_some(&self.history),
            urgency: self.techniques.urgency,
        };
        frame.moves.rank(position, &knowledge);

        // 9. Enhanced transposition cut-offs: perhaps some successor is known to refute.
        if self.techniques.etc
            && ply > 0
            && depth > 2
            && let Some(score) = self.transposition_cut(position, depth, beta, ply, left)
        {
            return score;
        }

        // 10. Multi-cut: several refutations at less depth are as good as one.
        if self.techniques.multi_cut
            && kind != Kind::Principal
            && depth > multi_cut::REDUCTION + 1
            && let Some(score) = self.multi_cut(position, depth, beta, ply, kind)
        {
            return score;
        }

        // 11. The moves, one by one.
        let mut best = Score(i32::MIN + 1);
        let mut best_found = 0;
        let old_alpha = alpha;
        let mut tried = 0;
        self.frames[here].moves.rewind();
        while let Some((mv, place)) = self.frames[here].moves.take() {
            let quiet = position.urgency(mv).is_none();
            let next = self.walk.enter(position, mv);
            let score = self.child(&next, depth, alpha, beta, ply, kind, tried, quiet);
            self.walk.leave();
            if self.stopped {
                break;
            }
            tried += 1;
            if score > best {
                (best, best_found) = (score, place);
                if score > alpha || (ply == 0 && tried == 1) {
                    alpha = alpha.max(score);
                    self.lengthen_line(here, mv);
                }
                if alpha >= beta {
                    self.reward(position, mv, ply, depth, tried, quiet);
                    break;
                }
            }
        }
        if self.stopped {
            return best;
        }

        // 12. Remember.
        if let Some(table) = self.table {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best > old_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            table.store(key, Entry { score: to_table(best, ply), bound, depth: depth as u8, best: best_found });
        }
        best
    }

    /// The value of the position after a move, for the mover: null window first, reduced for late quiet moves.
    #[allow(clippy::too_many_arguments)]
    fn child(
        &mut self,
        next: &P,
        depth: u32,
        alpha: Score,
        beta: Score,
        ply: u32,
        kind: Kind,
        tried: usize,
        quiet: bool,
    ) -> Score {
        let expected = match kind {
            Kind::Cut => Kind::All,
            Kind::All => Kind::Cut,
            Kind::Principal if tried == 0 => Kind::Principal,
            Kind::Principal => Kind::Cut,
        };
        if tried == 0 {
            return -self.node(next, depth - 1, -beta, -alpha, ply + 1, expected, false);
        }
        let reduction = if self.techniques.reductions && quiet { reduction(depth, tried, kind) } else { 0 };
        let window = Score(alpha.0 + 1);
        let mut score = -self.node(next, depth - 1 - reduction, -window, -alpha, ply + 1, expected, false);
        if reduction > 0 && score > alpha && !self.stopped {
            score = -self.node(next, depth - 1, -window, -alpha, ply + 1, expected, false);
        }
        if score > alpha && score < beta && !self.stopped {
            score = -self.node(next, depth - 1, -beta, -alpha, ply + 1, Kind::Principal, false);
        }
        score
    }

    /// The best line from a ply on is a move and the best line behind it.
    fn lengthen_line(&mut self, ply: usize, mv: P::Move) {
        let (above, below) = self.frames.split_at_mut(ply + 1);
        let line = &mut above[ply].line;
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0].line);
    }

    /// The score of a position below the root where the game ends, or is as good as ended.
    #[inline]
    fn ended(&self, position: &P, ply: u32) -> Option<Score> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome.score(position.side_to_move(), ply));
        }
        if !self.techniques.lookback {
            return None;
        }
        if let Some(ending) = self.walk.history.ending(position) {
            return Some(ending.outcome.score(position.side_to_move(), ply));
        }
        // Who repeats a position once can do so again: no need to wait for the last time.
        let repeats = !self.techniques.exact && self.walk.history.occurrences() > 1;
        repeats.then_some(Score::DRAW)
    }

    /// Whether an entry of that depth may stand for a search of `depth`. An exact search takes no deeper one either,
    /// since minimax of that depth would not have seen so far.
    #[inline]
    fn deep_enough(&self, found: u8, depth: u32) -> bool {
        if self.techniques.exact { u32::from(found) == depth } else { u32::from(found) >= depth }
    }

    /// In how many plies rules that count plies end the game, as far as they are looked at.
    #[inline]
    fn plies_left(&self) -> [u32; 2] {
        if self.techniques.lookback { self.walk.history.plies_left() } else { [u32::MAX; 2] }
    }

    fn null_move(
        &mut self,
        position: &P,
        depth: u32,
        beta: Score,
        ply: u32,
        kind: Kind,
        after_null: bool,
    ) -> Option<Score> {
        if !self.techniques.null_move || after_null || depth < 2 || beta.0.abs() > Score::PROVED.0 {
            return None;
        }
        let passed = position.passed()?;
        // MIA: adaptive at CUT nodes (Heinz 1999), 3 at ALL nodes.
        let deep = depth > if position.is_sparse() { 8 } else { 6 };
        let reduction = if kind == Kind::All || deep { 3 } else { 2 };
        self.walk.nodes += 1;
        self.walk.history.push(Progress::Conversion, &passed);
        let expected = if kind == Kind::Cut { Kind::All } else { Kind::Cut };
        let score =
            -self.node(&passed, depth.saturating_sub(1 + reduction), -beta, Score(1 - beta.0), ply + 1, expected, true);
        self.walk.history.pop();
        // A win proved by passing is no proof.
        (!self.stopped && score >= beta).then_some(Score(score.0.min(Score::PROVED.0)).max(beta))
    }

    fn transposition_cut(&mut self, position: &P, depth: u32, beta: Score, ply: u32, left: [u32; 2]) -> Option<Score> {
        let table = self.table?;
        if left.iter().any(|&plies| plies <= depth) {
            // How much is left after each move would have to be worked out first.
            return None;
        }
        let left = left.map(|plies| plies - 1);
        for &mv in self.frames[ply as usize].moves.moves.iter() {
            let mut next = *position;
            next.play(mv);
            if let Some(entry) = table.find(next.key())
                && entry.bound != Bound::Lower
                && self.deep_enough(entry.depth, depth - 1)
                && in_time(entry.score, left)
            {
                let score = -from_table(entry.score, ply + 1);
                if score >= beta {
                    return Some(score);
                }
            }
        }
        None
    }

    fn multi_cut(&mut self, position: &P, depth: u32, beta: Score, ply: u32, kind: Kind) -> Option<Score> {
        if beta.0.abs() > Score::PROVED.0 {
            return None;
        }
        let expected = if kind == Kind::Cut { Kind::All } else { Kind::Cut };
        let mut cuts = 0;
        for _ in 0..multi_cut::MOVES {
            let (mv, _) = self.frames[ply as usize].moves.take()?;
            let next = self.walk.enter(position, mv);
            let below = depth - 1 - multi_cut::REDUCTION;
            let score = -self.node(&next, below, -beta, Score(1 - beta.0), ply + 1, expected, false);
            self.walk.leave();
            if self.stopped {
                return None;
            }
            cuts += usize::from(score >= beta);
            if cuts == multi_cut::CUTS {
                return Some(beta);
            }
        }
        None
    }

    /// Follows noisy moves until the position is quiet. The mover may also leave things as they are,
    /// unless the rules force a capture.
    fn quiescence(&mut self, position: &P, alpha: Score, beta: Score, ply: u32) -> Score {
        let forced = position.is_forced();
        let mut best = Score::loss_in(ply);
        if !forced || ply as usize + 1 >= self.frames.len() {
            best = self.walk.evaluator.value(position);
            if best >= beta || ply as usize + 1 >= self.frames.len() {
                return best;
            }
        }
        let mut alpha = alpha.max(best);
        let here = ply as usize;
        position.legal_moves(&mut self.frames[here].moves.moves);
        self.frames[here]
            .moves
            .rank_some(|mv| position.is_noisy(mv).then(|| 0 - position.urgency(mv).map_or(100, i32::from)));
        while let Some((mv, _)) = self.frames[here].moves.take() {
            if self.limits.reached(self.walk.nodes) {
                self.stopped = true;
                return best;
            }
            let next = self.walk.enter(position, mv);
            self.frames[here + 1].line.clear();
            let score = match self.ended(&next, ply + 1) {
                Some(score) => -score,
                None => -self.quiescence(&next, -beta, -alpha, ply + 1),
            };
            self.walk.leave();
            best = best.max(score);
            if score > alpha {
                alpha = score;
                self.lengthen_line(here, mv);
            }
            if alpha >= beta || self.stopped {
                break;
            }
        }
        best
    }

    /// Remembers a move that cut off, and blames the quiet ones tried before it.
    fn reward(&mut self, position: &P, mv: P::Move, ply: u32, depth: u32, tried: usize, quiet: bool) {
        if !quiet {
            return;
        }
        self.frames[ply as usize].killers.add(mv);
        self.history.add(position, mv, depth, true);
        let frame = &self.frames[ply as usize];
        for earlier in frame.moves.taken().take(tried - 1) {
            if position.urgency(earlier).is_none() {
                self.history.add(position, earlier, depth, false);
            }
        }
    }
}

/// How many plies a late quiet move loses: the more, the later and the farther from the leaves.
fn reduction(depth: u32, tried: usize, kind: Kind) -> u32 {
    if depth < 3 || tried < 3 {
        return 0;
    }
    let plies = depth.ilog2() * (tried as u32).ilog2() / 3 + u32::from(kind == Kind::Cut);
    plies.clamp(1, depth - 2)
}

/// The key under which the table knows a position. Where a rule that counts plies may end the game within `depth`, what is
/// found there holds for that number of plies left and no other, so that it is part of the key.
#[inline]
fn key_in_table(key: u64, left: [u32; 2], depth: u32) -> u64 {
    let [length, progress] = left.map(|plies| if plies <= depth { plies } else { u32::MAX });
    if length & progress == u32::MAX { key } else { key ^ mix64(u64::from(length) << 32 | u64::from(progress)) }
}

/// Whether a score from the table, if it is proved, is proved within the plies that are left: a deeper search may have seen
/// an end that comes too late here.
#[inline]
fn in_time(score: Score, left: [u32; 2]) -> bool {
    score.plies_to_end().is_none_or(|plies| left.iter().all(|&left| plies <= left))
}

/// Proved scores are kept in the table as distances from the position itself.
#[inline]
fn to_table(score: Score, ply: u32) -> Score {
    match score.0 {
        value if value > Score::PROVED.0 => Score(value + ply as i32),
        value if value < -Score::PROVED.0 => Score(value - ply as i32),
        _ => score,
    }
}

#[inline]
fn from_table(score: Score, ply: u32) -> Score {
    match score.0 {
        value if value > Score::PROVED.0 => Score(value - ply as i32),
        value if value < -Score::PROVED.0 => Score(value + ply as i32),
        _ => score,
    }
}
