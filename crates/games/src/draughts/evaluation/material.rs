//! Counting pieces: a man 1, a king 2, as Allsop's thesis does.

use lanista_core::{Evaluator, Position, Score};

use super::super::Draughts;

/// The difference in material.
#[derive(Clone, Copy, Debug, Default)]
pub struct Material;

impl Evaluator<Draughts> for Material {
    #[inline]
    fn value(&mut self, position: &Draughts) -> Score {
        let side = position.side_to_move();
        Score(100 * (position.material(side) as i32 - position.material(!side) as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn men_and_kings() {
        // Black: men 1 and 2, king 32: 4. White: man 20: 1.
        let position: Draughts = "B:W20:B1,2,K32".parse().expect("a position");
        assert_eq!(Material.value(&position), Score(300));
        let position: Draughts = "W:W20:B1,2,K32".parse().expect("a position");
        assert_eq!(Material.value(&position), Score(-300));
    }
}
