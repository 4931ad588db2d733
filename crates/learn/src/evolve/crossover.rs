//! Crossover: mixtures of two parents.

use lanista_core::RandomStream;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a child gets its weights from two parents.
///
/// All but `column` work on the weights in the order of the *chromosome*, which is that of the genome or one that is given from
/// outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Crossover {
    /// The child is a copy of its first parent.
    None {},
    /// The first parent up to a random point, the second one behind it. Both give at least one weight. (plogann.)
    SinglePoint {},
    /// The parents take turns, beginning with the first; with n points the chromosome falls into n + 1 parts of the same length, up to
    /// one weight. With 0 points the child is a copy of its first parent. (box.)
    EvenPoints {
        /// How many. (box: 0 to 20; 20 in its fourth-best set.)
        points: u32,
    },
    /// Each weight from either parent, equally likely. (plogann names it as an option.)
    Uniform {},
    /// The weights are the squares of a board, row by row. Squares up to a random column come from the first parent, the others from the
    /// second. (allsop.)
    Column {
        /// Columns of the board. (allsop: 8.)
        columns: usize,
        /// Whether only every second square has a weight, the first one of the first row being in the second column. (allsop:
        /// yes, 32 squares; its example of a cut at column 2 shows rows with one and rows with two values of the first
        /// parent.)
        #[serde(default)]
        checkered: bool,
    },
}

impl Crossover {
    /// A child of two parents of the same length. `order` has the place in the genome of each weight of the chromosome.
    pub fn child(&self, a: &[f32], b: &[f32], order: Option<&[u32]>, stream: &mut RandomStream) -> Vec<f32> {
        let length = a.len();
        let mut child = a.to_vec();
        let place = |index: usize| order.map_or(index, |order| order[index] as usize);
        match *self {
            Crossover::None {} => {}
            Crossover::SinglePoint {} => {
                if length > 1 {
                    let point = 1 + stream.below(length as u32 - 1) as usize;
                    (point..length).map(place).for_each(|weight| child[weight] = b[weight]);
                }
            }
            Crossover::EvenPoints { points } => {
                let parts = points as usize + 1;
                for part in (1..parts).step_by(2) {
                    let range = part * length / parts..(part + 1) * length / parts;
                    range.map(place).for_each(|weight| child[weight] = b[weight]);
                }
            }
            Crossover::Uniform {} => {
                for weight in (0..length).map(place) {
                    if stream.below(2) == 1 {
                        child[weight] = b[weight];
                    }
                }
            }
            Crossover::Column { columns, checkered } => {
                let cut = stream.below(columns as u32) as usize;
                for (weight, value) in child.iter_mut().enumerate() {
                    if column_of(weight, columns, checkered) > cut {
                        *value = b[weight];
                    }
                }
            }
        }
        child
    }

    /// Whether it works on so many weights. An error says what is wrong.
    pub fn check(&self, weights: usize) -> Result<(), String> {
        match *self {
            Crossover::Column { columns, checkered } => {
                let a_row = if checkered { columns / 2 } else { columns };
                if a_row == 0 || (checkered && columns % 2 == 1) || !weights.is_multiple_of(a_row) {
                    return Err(format!("crossover: {weights} weights do not fill a board with {columns} columns"));
                }
                Ok(())
            }
            Crossover::EvenPoints { points } if points > MOST_POINTS => {
                Err(format!("crossover: points = {points}: expected at most {MOST_POINTS}"))
            }
            _ => Ok(()),
        }
    }
}

/// Far more than there are weights between.
const MOST_POINTS: u32 = 1_000_000;

fn column_of(weight: usize, columns: usize, checkered: bool) -> usize {
    if !checkered {
        return weight % columns;
    }
    let (row, place) = (weight / (columns / 2), weight % (columns / 2));
    2 * place + usize::from(row % 2 == 0)
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    fn child(crossover: &Crossover, length: usize, seed: u64) -> Vec<u8> {
        let (a, b) = (vec![1.0; length], vec![2.0; length]);
        crossover.child(&a, &b, None, &mut Seed::new(seed).stream()).iter().map(|&weight| weight as u8).collect()
    }

    #[test]
    fn single_point() {
        let mut points = [0; 5];
        for seed in 0..4_000 {
            let child = child(&Crossover::SinglePoint {}, 5, seed);
            let point = child.iter().filter(|&&weight| weight == 1).count();
            assert!(child[..point].iter().all(|&weight| weight == 1), "{child:?}");
            points[point] += 1;
        }
        assert_eq!(points[0], 0, "both parents give something");
        assert!(points[1..].iter().all(|count| (830..1_170).contains(count)), "{points:?}");
        assert_eq!(child(&Crossover::SinglePoint {}, 1, 0), [1]);
    }

    #[test]
    fn even_points_by_hand() {
        let points = |points, length| child(&Crossover::EvenPoints { points }, length, 0);
        assert_eq!(points(0, 4), [1, 1, 1, 1]);
        assert_eq!(points(1, 6), [1, 1, 1, 2, 2, 2]);
        assert_eq!(points(2, 6), [1, 1, 2, 2, 1, 1]);
        assert_eq!(points(3, 10), [1, 1, 2, 2, 2, 1, 1, 2, 2, 2]);
        // 85–17–1 of box: 20 points make 21 parts of 70 or 71 weights.
        let child = points(20, 1_479);
        assert_eq!(child.windows(2).filter(|pair| pair[0] != pair[1]).count(), 20);
        assert_eq!(child.iter().filter(|&&weight| weight == 2).count() / 10, 70);
    }

    #[test]
    fn uniform_is_half_and_half() {
        let ones = child(&Crossover::Uniform {}, 10_000, 1).iter().filter(|&&weight| weight == 1).count();
        assert!((4_700..5_300).contains(&ones), "{ones}");
        assert_eq!(child(&Crossover::None {}, 3, 1), [1, 1, 1]);
    }

    #[test]
    fn columns_as_in_the_example() {
        let crossover = Crossover::Column { columns: 8, checkered: true };
        let mut seen = std::collections::HashSet::new();
        (0..200).for_each(|seed| {
            seen.insert(child(&crossover, 32, seed));
        });
        assert_eq!(seen.len(), 8, "one child for each column");
        let example = [1, 2, 2, 2, 1, 1, 2, 2].repeat(4);
        assert!(seen.contains(&example), "the cut at column 2 that allsop shows");
        assert!(seen.contains(&vec![1; 32]), "the last column leaves nothing to the second parent");
        assert!(crossover.check(32).is_ok() && crossover.check(30).is_err());
        let plain = child(&Crossover::Column { columns: 3, checkered: false }, 6, 5);
        assert_eq!(plain[..3], plain[3..]);
    }

    #[test]
    fn an_order_moves_the_points() {
        let order = [3, 2, 1, 0];
        let crossover = Crossover::EvenPoints { points: 1 };
        let child = crossover.child(&[1.0; 4], &[2.0; 4], Some(&order), &mut Seed::new(0).stream());
        assert_eq!(child, [2.0, 2.0, 1.0, 1.0]);
    }
}
