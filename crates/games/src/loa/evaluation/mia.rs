//! The evaluators MIA I to IV (Winands et al., sections 3 and 4.1).

use lanista_core::{Evaluator, Position, Score, Side};

use super::super::{Loa, LoaMove};
use super::centralisation::centralisation;
use super::concentration::concentration_around;
use super::connectedness::connectedness;
use super::lines::{LineMobility, LineTable};
use super::mass::Mass;
use super::quads::quads_around;
use super::side_cache::SideCache;
use super::uniformity::uniformity;
use super::walls::walls;
use super::weights::Weights;

/// A weighted sum of features. What concerns one side alone is cached, mobility follows the moves.
pub struct Mia<const N: usize> {
    weights: Weights,
    sides: SideCache,
    table: &'static LineTable,
    /// The lines of the start and after each of the first moves; later ones are worked out when a value is asked for.
    lines: Vec<LineMobility<N>>,
    /// The moves since the start.
    moves: Vec<(Side, LoaMove)>,
}

impl<const N: usize> Mia<N> {
    /// An evaluator with these weights.
    pub fn new(weights: Weights) -> Self {
        let table = LineTable::of(weights.move_values);
        Mia { weights, sides: SideCache::new(), table, lines: Vec::with_capacity(128), moves: Vec::with_capacity(128) }
    }

    /// Mobility as `side` sees it, in quarters of a move.
    #[inline]
    fn mobility(&mut self, side: Side) -> i32 {
        let Some(&last) = self.lines.last() else { return 0 };
        let mut lines = last;
        for &(mover, mv) in &self.moves[self.lines.len() - 1..] {
            lines.play(mover, mv, self.table);
            self.lines.push(lines);
        }
        lines.lead(side)
    }

    /// Walls around enemy pieces less walls around own ones, weighted.
    #[inline]
    fn walls(&self, own: u64, enemy: u64) -> i32 {
        let weights = self.weights.walls;
        if weights == [0, 0] {
            return 0;
        }
        let (built, suffered) = (walls::<N>(enemy, own), walls::<N>(own, enemy));
        weights[0] * (built[0] - suffered[0]) + weights[1] * (built[1] - suffered[1])
    }
}

/// The features that concern one side alone, weighted, in thousandths.
fn side_value<const N: usize>(weights: &Weights, pieces: u64) -> i32 {
    let mass = Mass::of(pieces);
    let centre = mass.centre();
    let quads = quads_around(pieces, centre);
    let mut value = weights.concentration * concentration_around(pieces, mass.count, centre)
        + centralisation::<N>(pieces, &weights.squares)
        + weights.off_centre * mass.off_centre::<N>()
        + 1000 * (weights.quads[0] * quads[0] + weights.quads[1] * quads[1]);
    if weights.connectedness != 0 {
        value += weights.connectedness * connectedness(pieces);
    }
    if weights.uniformity != 0 {
        value += 1000 * weights.uniformity * uniformity(pieces);
    }
    value
}

impl<const N: usize> Evaluator<Loa<N>> for Mia<N> {
    fn reset(&mut self, position: &Loa<N>) {
        self.moves.clear();
        self.lines.clear();
        if self.weights.mobility != 0 {
            self.lines.push(LineMobility::of(Side::BOTH.map(|side| position.pieces(side)), self.table));
        }
    }

    #[inline]
    fn push(&mut self, before: &Loa<N>, mv: LoaMove, _after: &Loa<N>) {
        self.moves.push((before.side_to_move(), mv));
    }

    #[inline]
    fn pop(&mut self) {
        self.moves.pop();
        self.lines.truncate(self.moves.len() + 1);
    }

    #[inline]
    fn value(&mut self, position: &Loa<N>) -> Score {
        let side = position.side_to_move();
        let (own, enemy) = (position.pieces(side), position.pieces(!side));
        let weights = self.weights;
        let mut cached = |pieces| self.sides.value(pieces, |pieces| side_value::<N>(&weights, pieces));
        let sides = cached(own) - cached(enemy);
        let mobility = 250 * weights.mobility * self.mobility(side);
        Score((sides + mobility) / 1000 + self.walls(own, enemy) + weights.to_move)
    }
}
