//! What each feature is worth, as data.
//!
//! MIA's weights were never published. The values here are first guesses that follow what the paper tells (Winands et
//! al., section 4.1): in MIA I and II concentration dominates and a central centre of mass is good; learning then made
//! concentration less important, turned the sign of the centre of mass and raised centralisation; MIA IV has the
//! centralisation, walls and player to move of MIA III. Those of MIA III and IV were moved by hand until changes of a
//! single weight lost or drew matches of 200 games at depth 3 (alpha-beta with quiescence, random openings). The
//! paper's one tenth for concentration lost clearly there: its unit is another than ours. Weights that an experiment
//! learnt are in `players/`, as files that [`Weights::read`] takes.

use lanista_core::one_of;

use super::centralisation::SquareValues;
use super::lines::MoveValues;
use crate::weights_text;

/// Weights in hundredths for one unit of each feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// For a concentration of 1, the greatest.
    pub concentration: i32,
    /// For a piece by its square, averaged over the pieces.
    pub squares: SquareValues,
    /// For each square between the centre of mass and the centre of the board.
    pub off_centre: i32,
    /// For each window of exactly three pieces near the centre of mass, and of four.
    pub quads: [i32; 2],
    /// For each move more than the enemy has.
    pub mobility: i32,
    /// How moves are counted.
    pub move_values: MoveValues,
    /// For a wall around an enemy piece that closes two directions, and three.
    pub walls: [i32; 2],
    /// For each own neighbour that a piece has on average.
    pub connectedness: i32,
    /// For each square of the rectangle around the pieces.
    pub uniformity: i32,
    /// For being on the move.
    pub to_move: i32,
}

/// No weight is further from zero: keeps every value below a proved win, also if one side has a hundred moves more.
const LIMIT: i32 = 4000;

impl Weights {
    /// The weights of MIA I to IV, by number 1 to 4.
    pub const fn mia(generation: usize) -> Weights {
        let mia1 = Weights {
            concentration: 1000,
            squares: SquareValues { corner: -40, rings: [-40, 0, 0, 0] },
            off_centre: -10,
            quads: [8, 12],
            mobility: 0,
            move_values: MoveValues::Equal,
            walls: [0, 0],
            connectedness: 0,
            uniformity: 0,
            to_move: 0,
        };
        let mia2 = Weights { squares: SquareValues { corner: -80, rings: [-40, 0, 0, 0] }, mobility: 4, ..mia1 };
        let mia3 = Weights {
            concentration: 700,
            squares: SquareValues { corner: -80, rings: [-35, 0, 15, 25] },
            off_centre: 4,
            quads: [3, 5],
            mobility: 5,
            walls: [10, 25],
            to_move: 10,
            ..mia2
        };
        let mia4 = Weights { connectedness: 25, uniformity: -3, move_values: MoveValues::Weighted, ..mia3 };
        match generation {
            1 => mia1,
            2 => mia2,
            3 => mia3,
            _ => mia4,
        }
    }

    /// The weights of a generation, changed by lines of text: `name = whole number`; `#` begins a comment.
    /// Names are those of the features that the generation has, and `move-values = equal` or `weighted`.
    pub fn read(generation: usize, data: &[u8]) -> Result<Weights, String> {
        let mut weights = Weights::mia(generation);
        weights_text::read(data, |name, value| {
            if name == MOVE_VALUES && generation >= 2 {
                weights.move_values = one_of(name, value, MOVE_VALUE_NAMES)?;
                return Ok(());
            }
            let slot = weights.slot(generation, name).ok_or_else(|| {
                let names = Weights::names(generation).collect::<Vec<_>>().join(", ");
                format!("mia{generation} has no weight {name:?}, expected one of: {names}")
            })?;
            *slot = weights_text::whole_number(name, value, LIMIT)?;
            Ok(())
        })?;
        Ok(weights)
    }

    /// The weights of a generation as text that [`Weights::read`] reads back.
    pub fn text(mut self, generation: usize) -> String {
        let mut line = |name| self.slot(generation, name).map(|value| format!("{name} = {value}\n"));
        let mut text: String = Weights::names(generation).filter_map(&mut line).collect();
        if let Some((name, _)) = MOVE_VALUE_NAMES.iter().find(|(_, values)| *values == self.move_values)
            && generation >= 2
        {
            text += &format!("{MOVE_VALUES} = {name}\n");
        }
        text
    }

    /// The weights of a generation with these numbers, in the order of [`Weights::names`], rounded and kept within
    /// limits. Names beyond the numbers keep their weights.
    pub fn from_numbers(generation: usize, numbers: &[f32]) -> Weights {
        let mut weights = Weights::mia(generation);
        for (name, &number) in Weights::names(generation).zip(numbers) {
            if let Some(slot) = weights.slot(generation, name) {
                *slot = weights_text::rounded(number, LIMIT);
            }
        }
        weights
    }

    /// The numbers of a generation, in the order of [`Weights::names`].
    pub fn numbers(mut self, generation: usize) -> Vec<f32> {
        Weights::names(generation)
            .filter_map(|name| self.slot(generation, name).map(|&mut value| value as f32))
            .collect()
    }

    /// The names of the weights that a generation has.
    pub fn names(generation: usize) -> impl Iterator<Item = &'static str> {
        NAMES.iter().filter(move |(first, _)| *first <= generation).map(|&(_, name)| name)
    }

    fn slot(&mut self, generation: usize, name: &str) -> Option<&mut i32> {
        let known = Weights::names(generation).any(|known| known == name);
        let slot = match name {
            _ if !known => return None,
            "concentration" => &mut self.concentration,
            "corner" => &mut self.squares.corner,
            "edge" => &mut self.squares.rings[0],
            "second-ring" => &mut self.squares.rings[1],
            "third-ring" => &mut self.squares.rings[2],
            "centre" => &mut self.squares.rings[3],
            "off-centre" => &mut self.off_centre,
            "quad-3" => &mut self.quads[0],
            "quad-4" => &mut self.quads[1],
            "mobility" => &mut self.mobility,
            "wall-2" => &mut self.walls[0],
            "wall-3" => &mut self.walls[1],
            "connectedness" => &mut self.connectedness,
            "uniformity" => &mut self.uniformity,
            "to-move" => &mut self.to_move,
            _ => return None,
        };
        Some(slot)
    }
}

/// The one setting that is no number: how moves are counted.
const MOVE_VALUES: &str = "move-values";
const MOVE_VALUE_NAMES: [(&str, MoveValues); 2] = [("equal", MoveValues::Equal), ("weighted", MoveValues::Weighted)];

/// Each weight with the generation that has it first (table 1 of the paper).
const NAMES: [(usize, &str); 15] = [
    (1, "concentration"),
    (1, "corner"),
    (1, "edge"),
    (1, "second-ring"),
    (1, "third-ring"),
    (1, "centre"),
    (1, "off-centre"),
    (1, "quad-3"),
    (1, "quad-4"),
    (2, "mobility"),
    (3, "wall-2"),
    (3, "wall-3"),
    (3, "to-move"),
    (4, "connectedness"),
    (4, "uniformity"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for generation in 1..=4 {
            let weights = Weights::mia(generation);
            let text = weights.text(generation);
            assert_eq!(Weights::read(generation, text.as_bytes()), Ok(weights));
            assert_eq!(Weights::read(generation, b""), Ok(weights), "no line changes nothing");
        }
        let read = Weights::read(4, b"# tuned\n\n mobility=7 # per move\nwall-3 = -30\n").expect("weights");
        assert_eq!((read.mobility, read.walls[1]), (7, -30));
        let read = Weights::read(4, b"move-values = equal").expect("weights");
        assert_eq!(read.move_values, MoveValues::Equal);
    }

    #[test]
    fn numbers_are_rounded_and_kept_within_limits() {
        for generation in 1..=4 {
            let weights = Weights::mia(generation);
            assert_eq!(Weights::from_numbers(generation, &weights.numbers(generation)), weights);
        }
        let turned = Weights::from_numbers(1, &[9999.0, -1.5, 0.4, f32::NAN, f32::NEG_INFINITY]);
        let rings = [0, 0, -4000, 0];
        assert_eq!((turned.concentration, turned.squares), (4000, SquareValues { corner: -2, rings }));
        assert_eq!(turned.quads, Weights::mia(1).quads, "no numbers for these");
    }

    #[test]
    fn errors_name_the_line() {
        let fails = |data: &[u8]| Weights::read(2, data).expect_err("an error");
        assert!(fails(b"mobility = 1\nspeed = 3\n").starts_with("line 2: mia2 has no weight \"speed\""));
        assert!(fails(b"wall-2 = 1").starts_with("line 1: mia2 has no weight \"wall-2\""), "walls came with mia3");
        assert!(fails(b"\n\nmobility 3").starts_with("line 3:"));
        assert!(fails(b"mobility = 2.5").starts_with("line 1: mobility = 2.5: expected a whole number"));
        assert!(fails(b"mobility = 4001").contains("from -4000 to 4000"));
        assert_eq!(fails(b"\nmove-values = 2"), "line 2: move-values=2: expected equal or weighted");
        assert!(fails(b"\xff\xfe").contains("expected text"));
    }
}
