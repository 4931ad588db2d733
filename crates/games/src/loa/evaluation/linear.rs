//! MIA's features by themselves, for learners that turn its weights.

use lanista_core::{Linear, Position, Side};

use super::super::Loa;
use super::centralisation::{corners, ring};
use super::concentration::concentration_around;
use super::connectedness::connectedness;
use super::lines::{LineMobility, LineTable};
use super::mass::Mass;
use super::quads::quads_around;
use super::uniformity::uniformity;
use super::walls::walls;
use super::weights::Weights;

/// How far a learner moves each weight at a time, in the order of the weights' names: about what its feature needs to
/// change a value as much as the others do. A weight of 1 is one such step, so that one rate fits all of them.
const STEPS: [f32; 15] = [150.0, 50.0, 50.0, 50.0, 50.0, 50.0, 15.0, 10.0, 10.0, 2.0, 12.0, 12.0, 15.0, 25.0, 1.5];

/// MIA I to IV as a sum of features times weights, each weight in its own step, so that one rate fits all.
///
/// The evaluator cuts the average square value of each side to thousandths and the sum to hundredths of its unit (toward
/// zero), so its value differs from the sum by less than 1.002, and by the rounding of `f32`.
#[derive(Clone, Copy, Debug)]
pub struct MiaFeatures {
    /// From 1 to 4.
    pub generation: usize,
}

impl MiaFeatures {
    /// The weights of its generation, each in its own step.
    fn in_steps(&self, weights: Weights) -> Vec<f32> {
        weights.numbers(self.generation).iter().zip(STEPS).map(|(weight, step)| weight / step).collect()
    }
}

impl<const N: usize> Linear<Loa<N>> for MiaFeatures {
    fn names(&self) -> Vec<String> {
        Weights::names(self.generation).map(String::from).collect()
    }

    fn weights(&self) -> Vec<f32> {
        self.in_steps(Weights::mia(self.generation))
    }

    fn read(&self, file: &[u8]) -> Result<Vec<f32>, String> {
        let weights = Weights::read(self.generation, file)?;
        match weights.move_values == Weights::mia(self.generation).move_values {
            true => Ok(self.in_steps(weights)),
            false => {
                Err(format!("move-values: learners of mia{} count moves as it does without a file", self.generation))
            }
        }
    }

    fn features(&self, position: &Loa<N>, out: &mut [f32]) {
        let side = position.side_to_move();
        let (own, enemy) = (position.pieces(side), position.pieces(!side));
        let [ours, theirs] = [own, enemy].map(side_features::<N>);
        let lead = |index: usize| ours[index] - theirs[index];
        // The first generation does not look at moves, nor the second at walls.
        let mobility = || {
            let table = LineTable::of(Weights::mia(self.generation).move_values);
            LineMobility::<N>::of(Side::BOTH.map(|side| position.pieces(side)), table).lead(side) as f32 / 4.0
        };
        let walls = || {
            let (built, suffered) = (walls::<N>(enemy, own), walls::<N>(own, enemy));
            [0, 1].map(|kind| (built[kind] - suffered[kind]) as f32)
        };
        // In the order of the weights' names.
        for (index, feature) in out.iter_mut().take(9).enumerate() {
            *feature = lead(index);
        }
        if self.generation >= 2 {
            out[9] = mobility();
        }
        if self.generation >= 3 {
            [out[10], out[11]] = walls();
            out[12] = 1.0;
        }
        if self.generation >= 4 {
            (out[13], out[14]) = (lead(9), lead(10));
        }
        for (feature, step) in out.iter_mut().zip(STEPS) {
            *feature *= step;
        }
    }

    fn file(&self, weights: &[f32]) -> Vec<u8> {
        let weights: Vec<f32> = weights.iter().zip(STEPS).map(|(weight, step)| weight * step).collect();
        Weights::from_numbers(self.generation, &weights).text(self.generation).into_bytes()
    }
}

/// What concerns one side alone: concentration; the shares of its pieces on corners, edges and the three rings inside;
/// off-centre; windows of three and four; connectedness; uniformity.
fn side_features<const N: usize>(pieces: u64) -> [f32; 11] {
    let mass = Mass::of(pieces);
    let centre = mass.centre();
    let [three, four] = quads_around(pieces, centre).map(|count| count as f32);
    let thousandths = |value: i32| value as f32 / 1000.0;
    let share = |set: u64| (pieces & set).count_ones() as f32 / mass.count as f32;
    let corners = const { corners(N) };
    let [edge, second, third, inner] = const { [ring(N, 0), ring(N, 1), ring(N, 2), ring(N, 3)] };
    [
        thousandths(concentration_around(pieces, mass.count, centre)),
        share(corners),
        share(edge & !corners),
        share(second),
        share(third),
        share(inner),
        thousandths(mass.off_centre::<N>()),
        three,
        four,
        thousandths(connectedness(pieces)),
        uniformity(pieces) as f32,
    ]
}
