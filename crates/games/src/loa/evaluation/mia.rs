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
    /// None where the cache is to be done without, to see what it saves.
    sides: Option<SideCache>,
    table: &'static LineTable,
    /// The lines of the start and after each of the first moves; later ones are worked out when a value is asked for.
    lines: Vec<LineMobility<N>>,
    /// The moves since the start.
    moves: Vec<(Side, LoaMove)>,
}

impl<const N: usize> Mia<N> {
    /// An evaluator with these weights.
    pub fn new(weights: Weights) -> Self {
        Mia { sides: Some(SideCache::new()), ..Mia::uncached(weights) }
    }

    /// An evaluator that gives the same values and computes all of them anew.
    pub fn uncached(weights: Weights) -> Self {
        let table = LineTable::of(weights.move_values);
        Mia { weights, sides: None, table, lines: Vec::with_capacity(128), moves: Vec::with_capacity(128) }
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
        let compute = |pieces| side_value::<N>(&weights, pieces);
        let sides = match &mut self.sides {
            Some(cache) => cache.value(own, compute) - cache.value(enemy, compute),
            None => compute(own) - compute(enemy),
        };
        let mobility = 250 * weights.mobility * self.mobility(side);
        Score((sides + mobility) / 1000 + self.walls(own, enemy) + weights.to_move)
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, MoveList, Seed};

    use super::super::{centralisation, concentration, mobility, quads};
    use super::*;

    #[test]
    fn a_value_by_hand() {
        let text = b"concentration = 100\ncorner = -80\nedge = -50\nsecond-ring = 10\noff-centre = 6\nquad-3 = 7\n\
            quad-4 = 9\nmobility = 5\nwall-2 = 10\nwall-3 = 20\nconnectedness = 30\nuniformity = -4\nto-move = 2";
        // b . . w
        // . b . .
        // . b . w
        // . . . .
        let position: Loa<4> = "b2w/1b2/1b1w/4 b".parse().expect("a position");
        // Black: concentration 1, 100; centralisation (-80 + 10 + 10) / 3 = -20; centre of mass (0.667, 2), 0.833 off, 5.0;
        // neighbours 4/3, 40.0; rectangle 2 × 3, -24: sum 101.0.
        // White: concentration 1 / (1 + 1/2), 66.6; centralisation (-80 - 50) / 2 = -65; centre of mass (3, 2), 1.5 off, 9;
        // no neighbours; rectangle 1 × 3, -12: sum -1.4.
        // Moves of Black: a4 to c4 and a3 along the edge, 1/2 each, c2 over b3; b3 to c3 and, for 1/2 each, a3, b1, d1, a2,
        // c4; b2 takes d2 and d4 (2 / 2 each) and goes to b4, a3, c1 (1/2 each): 2 + 3.5 + 3.5 = 9.
        // Moves of White: d4 to b4 (1/2), takes b2 (2); d2 takes b2 (2), goes to c1 (1/2) and c3: 6. Lead 3, 15.
        // No walls. To move 2. 101.0 + 1.4 + 15 = 117.4, cut to 117, and 2.
        let mut mia = Mia::new(Weights::read(4, text).expect("weights"));
        mia.reset(&position);
        assert_eq!(mia.value(&position), Score(119));
    }

    #[test]
    fn the_value_is_the_sum_of_the_features() {
        let mut random = Seed::new(8).stream();
        let mut moves = MoveList::new();
        for generation in 1..=4 {
            let weights = Weights::mia(generation);
            let mut mia = Mia::<6>::new(weights);
            let mut position = Loa::<6>::presets().swap_remove(0).start;
            while position.outcome().is_none() {
                let side_value = |side| {
                    let pieces = position.pieces(side);
                    let [three, four] = quads(pieces);
                    weights.concentration * concentration(pieces)
                        + centralisation::<6>(pieces, &weights.squares)
                        + weights.off_centre * Mass::of(pieces).off_centre::<6>()
                        + 1000 * (weights.quads[0] * three + weights.quads[1] * four)
                        + weights.connectedness * connectedness(pieces)
                        + 1000 * weights.uniformity * uniformity(pieces)
                        + 250 * weights.mobility * mobility(&position, side, weights.move_values)
                };
                let side = position.side_to_move();
                let walls = |side| {
                    let [two, three] = walls::<6>(position.pieces(side), position.pieces(!side));
                    weights.walls[0] * two + weights.walls[1] * three
                };
                let sides = (side_value(side) - side_value(!side)) / 1000;
                let expected = sides + walls(!side) - walls(side) + weights.to_move;
                mia.reset(&position);
                assert_eq!(mia.value(&position), Score(expected), "mia{generation} {position}");
                position.play(position.random_move(&mut random, &mut moves));
            }
        }
    }

    /// Table 1 of the paper.
    #[test]
    fn the_features_of_each_generation() {
        let has = |generation: usize| {
            let weights = Weights::mia(generation);
            let [connected, uniform] = [weights.connectedness, weights.uniformity].map(|weight| weight != 0);
            [weights.mobility != 0, weights.walls != [0, 0], connected, uniform, weights.to_move != 0]
        };
        assert_eq!(has(1), [false; 5]);
        assert_eq!(has(2), [true, false, false, false, false]);
        assert_eq!(has(3), [true, true, false, false, true]);
        assert_eq!(has(4), [true; 5]);
        assert!(Weights::mia(1).off_centre < 0 && Weights::mia(3).off_centre > 0, "the sign that learning turned");
    }
}
