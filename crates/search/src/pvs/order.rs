//! The order of moves: what is likely best is tried first.

use lanista_core::{MAX_MOVES, MoveList, Tactics};

/// The two last moves that refuted something at a ply.
#[derive(Clone, Copy)]
pub(crate) struct Killers<M>([Option<M>; 2]);

impl<M> Default for Killers<M> {
    fn default() -> Self {
        Killers([None, None])
    }
}

impl<M: Copy + PartialEq> Killers<M> {
    pub fn add(&mut self, mv: M) {
        if self.0[0] != Some(mv) {
            self.0 = [Some(mv), self.0[0]];
        }
    }

    fn rank(&self, mv: M) -> Option<i32> {
        self.0.iter().position(|&killer| killer == Some(mv)).map(|place| place as i32)
    }
}

/// How often quiet moves refuted something, whatever the position (Schaeffer 1983), forgetting slowly.
pub(crate) struct HistoryTable(Vec<i32>);

/// Values stay below this.
const MOST_HISTORY: i32 = 1 << 14;

impl HistoryTable {
    pub fn new<P: Tactics>() -> HistoryTable {
        HistoryTable(vec![0; P::HISTORY_SLOTS])
    }

    /// Rewards a move that cut off, or blames one that was tried before it in vain.
    #[inline]
    pub fn add<P: Tactics>(&mut self, position: &P, mv: P::Move, depth: u32, good: bool) {
        let amount = ((depth * depth) as i32).min(MOST_HISTORY / 8);
        let value = &mut self.0[position.history_slot(mv)];
        let change = if good { amount } else { -amount };
        *value += change - *value * amount / MOST_HISTORY;
    }

    #[inline]
    fn get<P: Tactics>(&self, position: &P, mv: P::Move) -> i32 {
        self.0[position.history_slot(mv)]
    }
}

/// The moves of a position, to be taken best first. Each has its place in the game's own list, which the
/// transposition table remembers.
pub(crate) struct Ordered<M> {
    pub moves: MoveList<M>,
    ranks: [i32; MAX_MOVES],
    places: [u8; MAX_MOVES],
    next: usize,
}

impl<M: Copy + Default> Default for Ordered<M> {
    fn default() -> Self {
        Ordered { moves: MoveList::new(), ranks: [0; MAX_MOVES], places: [0; MAX_MOVES], next: 0 }
    }
}

const BEST: i32 = 1 << 30;
const KILLER: i32 = 1 << 28;
const URGENT: i32 = 1 << 26;

/// What the order may use; each is a switch of the engine.
pub(crate) struct Knowledge<'a, M> {
    pub best: Option<u8>,
    pub killers: Option<&'a Killers<M>>,
    pub history: Option<&'a HistoryTable>,
    pub urgency: bool,
}

impl<M: Copy + PartialEq + Default> Ordered<M> {
    /// Ranks the moves, which are those of `position`.
    pub fn rank<P: Tactics<Move = M>>(&mut self, position: &P, knowledge: &Knowledge<'_, M>) {
        self.next = 0;
        for (place, &mv) in self.moves.iter().enumerate() {
            self.places[place] = place as u8;
            let urgency = if knowledge.urgency { position.urgency(mv) } else { None };
            self.ranks[place] = if knowledge.best == Some(place as u8) {
                BEST
            } else if let Some(rank) = knowledge.killers.and_then(|killers| killers.rank(mv)) {
                KILLER - rank
            } else if let Some(class) = urgency {
                URGENT - i32::from(class)
            } else {
                knowledge.history.map_or(0, |history| history.get(position, mv))
            };
        }
    }

    /// Ranks by what the caller thinks of each move.
    pub fn rank_by(&mut self, mut value: impl FnMut(M) -> i32) {
        self.next = 0;
        for (place, &mv) in self.moves.iter().enumerate() {
            self.places[place] = place as u8;
            self.ranks[place] = value(mv);
        }
    }

    /// Starts over with the same ranks.
    pub fn rewind(&mut self) {
        self.next = 0;
    }

    /// The moves taken so far, in order.
    pub fn taken(&self) -> impl Iterator<Item = M> {
        self.places[..self.next].iter().map(|&place| self.moves[place as usize])
    }

    /// The best move not taken yet, with its place. Of equal ones the first in the game's list.
    pub fn take(&mut self) -> Option<(M, u8)> {
        let count = self.moves.len();
        let from = self.next;
        if from >= count {
            return None;
        }
        let mut best = from;
        for index in from + 1..count {
            if (self.ranks[index], self.places[best]) > (self.ranks[best], self.places[index]) {
                best = index;
            }
        }
        self.ranks.swap(from, best);
        self.places.swap(from, best);
        self.next = from + 1;
        let place = self.places[from];
        Some((self.moves[place as usize], place))
    }
}
