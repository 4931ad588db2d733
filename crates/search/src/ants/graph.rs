//! The states that the ants have found, each once, with their moves.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use lanista_core::{Evaluator, MoveList, Score, Tactics};

use super::Instincts;
use super::trails::Trails;
use crate::power::power;

/// A move in a state.
pub(super) struct Edge<M> {
    pub mv: M,
    pub trail: u32,
    /// Where it leads, if ants have been there.
    child: u32,
    /// The value of where it leads, for whom it is the move.
    pub value: Score,
    /// Whether the board ends the game there.
    pub ends: bool,
    /// ηᵝ.
    pub pull: f64,
}

struct State<P> {
    position: P,
    first: u32,
    count: u32,
}

/// No state.
const NONE: u32 = u32::MAX;

pub(super) struct Graph<P: Tactics> {
    states: Vec<State<P>>,
    edges: Vec<Edge<P::Move>>,
    places: HashMap<u64, u32, BuildHasherDefault<KeyAsHash>>,
    moves: MoveList<P::Move>,
    /// Bytes that are left.
    memory: usize,
    /// Positions looked at.
    pub nodes: u64,
}

impl<P: Tactics> Graph<P> {
    pub fn new(memory: usize) -> Graph<P> {
        Graph {
            states: Vec::new(),
            edges: Vec::new(),
            places: HashMap::default(),
            moves: MoveList::new(),
            memory,
            nodes: 0,
        }
    }

    /// The moves of a state.
    #[inline]
    pub fn edges(&self, state: u32) -> (usize, &[Edge<P::Move>]) {
        let State { first, count, .. } = self.states[state as usize];
        (first as usize, &self.edges[first as usize..(first + count) as usize])
    }

    #[inline]
    pub fn edge(&self, index: usize) -> &Edge<P::Move> {
        &self.edges[index]
    }

    /// The state that an edge leads to, if ants have been there.
    pub fn child(&self, edge: usize) -> Option<u32> {
        let child = self.edges[edge].child;
        (child != NONE).then_some(child)
    }

    /// The state of `position`, to which `edge` leads: known from this edge, or from another one, or new.
    /// `None` if there is no memory left.
    #[inline]
    pub fn follow(
        &mut self,
        edge: usize,
        position: &P,
        trails: &mut Trails,
        evaluator: &mut dyn Evaluator<P>,
        instincts: &Instincts,
    ) -> Option<u32> {
        if self.edges[edge].child == NONE {
            self.edges[edge].child = self.find_or_add(position, trails, evaluator, instincts)?;
        }
        Some(self.edges[edge].child)
    }

    /// The state of a position.
    pub fn find_or_add(
        &mut self,
        position: &P,
        trails: &mut Trails,
        evaluator: &mut dyn Evaluator<P>,
        instincts: &Instincts,
    ) -> Option<u32> {
        let key = position.key();
        if let Some(&place) = self.places.get(&key) {
            // Two positions of one key are next to impossible, but the moves of the one are not those of the other.
            return (self.states[place as usize].position == *position).then_some(place);
        }
        position.legal_moves(&mut self.moves);
        let trail_size = if instincts.per_move { 0 } else { Trails::SIZE };
        // What a state takes, with the usual slack of growing lists and tables.
        let size = 2 * (size_of::<State<P>>() + 16 + self.moves.len() * (size_of::<Edge<P::Move>>() + trail_size));
        // The root is needed in any case.
        if !self.states.is_empty() && self.memory < size {
            return None;
        }
        self.memory = self.memory.saturating_sub(size);
        let first = self.edges.len() as u32;
        evaluator.reset(position);
        for &mv in self.moves.iter() {
            let mut next = *position;
            next.play(mv);
            let (value, ends) = match next.outcome() {
                Some(outcome) => (outcome.score(position.side_to_move(), 0), true),
                None => {
                    evaluator.push(position, mv, &next);
                    let value = -evaluator.value(&next);
                    evaluator.pop();
                    (value, false)
                }
            };
            let trail = if instincts.per_move { position.history_slot(mv) as u32 } else { trails.add() };
            let pull = power(instincts.chances.of(value), instincts.beta);
            self.edges.push(Edge { mv, trail, child: NONE, value, ends, pull });
        }
        self.nodes += self.moves.len() as u64;
        let place = self.states.len() as u32;
        self.states.push(State { position: *position, first, count: self.moves.len() as u32 });
        self.places.insert(key, place);
        Some(place)
    }
}

/// Keys of positions are hashes already.
#[derive(Default)]
struct KeyAsHash(u64);

impl Hasher for KeyAsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    /// Only asked for keys that are not numbers, which there are none of.
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }
}
