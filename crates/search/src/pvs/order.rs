//! The order of moves: what is likely best is tried first.

use std::cmp::Reverse;

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
    /// Those that are ranked.
    keys: [Key; MAX_MOVES],
    count: usize,
    next: usize,
}

impl<M: Copy + Default> Default for Ordered<M> {
    fn default() -> Self {
        Ordered { moves: MoveList::new(), keys: [Key(0); MAX_MOVES], count: 0, next: 0 }
    }
}

/// A move's rank, and below it its place, so that the greatest is the best and of equal ones the first in the game's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(i64);

impl Key {
    #[inline]
    fn new(rank: i32, place: usize) -> Key {
        Key(i64::from(rank) << 8 | i64::from(!(place as u8)))
    }

    #[inline]
    fn place(self) -> u8 {
        !(self.0 as u8)
    }
}

/// After so many moves none has cut off; then most often none does, and it pays to sort the rest at once.
const SORTED_FROM: usize = 3;

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
        (self.count, self.next) = (self.moves.len(), 0);
        for (place, &mv) in self.moves.iter().enumerate() {
            let urgency = if knowledge.urgency { position.urgency(mv) } else { None };
            let rank = if knowledge.best == Some(place as u8) {
                BEST
            } else if let Some(rank) = knowledge.killers.and_then(|killers| killers.rank(mv)) {
                KILLER - rank
            } else if let Some(class) = urgency {
                URGENT - i32::from(class)
            } else {
                knowledge.history.map_or(0, |history| history.get(position, mv))
            };
            self.keys[place] = Key::new(rank, place);
        }
    }

    /// Ranks by what the caller thinks of each move, and leaves out those of which nothing is thought.
    pub fn rank_some(&mut self, mut rank: impl FnMut(M) -> Option<i32>) {
        (self.count, self.next) = (0, 0);
        for (place, &mv) in self.moves.iter().enumerate() {
            if let Some(rank) = rank(mv) {
                self.keys[self.count] = Key::new(rank, place);
                self.count += 1;
            }
        }
    }

    /// Starts over with the same ranks.
    pub fn rewind(&mut self) {
        self.next = 0;
    }

    /// The moves taken so far, in order.
    pub fn taken(&self) -> impl Iterator<Item = M> {
        self.keys[..self.next].iter().map(|key| self.moves[key.place() as usize])
    }

    /// The best move not taken yet, with its place.
    pub fn take(&mut self) -> Option<(M, u8)> {
        let left = &mut self.keys[self.next..self.count];
        let mut best = (0, *left.first()?);
        if self.next < SORTED_FROM {
            for (index, &key) in left.iter().enumerate() {
                if key > best.1 {
                    best = (index, key);
                }
            }
            left.swap(0, best.0);
        } else if self.next == SORTED_FROM {
            left.sort_unstable_by_key(|&key| Reverse(key));
        }
        let place = left[0].place();
        self.next += 1;
        Some((self.moves[place as usize], place))
    }
}
