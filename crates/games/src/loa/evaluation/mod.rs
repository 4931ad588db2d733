//! Opinions about positions of Lines of Action: MIA's features one by one, the evaluators made of them, and the inputs
//! of networks.
//!
//! Everything is computed in whole numbers, so that the same position has the same value everywhere. Features are in
//! the units that their functions tell; a value is in hundredths, from the mover's view.

mod aloa;
mod centralisation;
mod cluster;
mod com;
mod concentration;
mod connectedness;
mod inputs;
mod linear;
mod lines;
mod mass;
mod mia;
mod mobility;
mod nonads;
mod quads;
mod side_cache;
mod uniformity;
mod walls;
mod weights;

pub use aloa::{Aloa, average_distance};
pub use centralisation::{SquareValues, centralisation};
pub use cluster::biggest_group;
pub use com::{Com, mean_distance};
pub use concentration::concentration;
pub use connectedness::connectedness;
pub use inputs::{BoardValues, InputGroup};
pub use linear::MiaFeatures;
pub use lines::MoveValues;
pub use mass::{Centre, Mass};
pub use mia::Mia;
pub use mobility::{mobility, movable};
pub use quads::quads;
pub use uniformity::uniformity;
pub use walls::walls;
pub use weights::Weights;

use lanista_core::{Evaluator, EvaluatorInfo, Evaluators, InputGroupInfo, Inputs, Linear, Player};

use super::{COM_NAME, Loa};
use crate::inputs::GroupedInputs;

const WEIGHTS: Option<&str> = Some("weights: lines of `name = whole number`, hundredths for one unit of the feature");

/// MIA IV with every feature computed anew.
const UNCACHED: &str = "mia4-uncached";

const INFOS: [EvaluatorInfo; 7] = [
    EvaluatorInfo {
        name: "mia4",
        about: "MIA IV (Winands et al.): all nine features, moves weighted by kind",
        file: WEIGHTS,
    },
    EvaluatorInfo {
        name: "mia3",
        about: "MIA III: concentration, centralisation, centre of mass near the edge, quads, mobility, walls, player to move",
        file: WEIGHTS,
    },
    EvaluatorInfo {
        name: "mia2",
        about: "MIA II: concentration, centralisation, central centre of mass, quads, mobility",
        file: WEIGHTS,
    },
    EvaluatorInfo {
        name: "mia1",
        about: "MIA I: concentration, centralisation, central centre of mass, quads",
        file: WEIGHTS,
    },
    EvaluatorInfo {
        name: UNCACHED,
        about: "MIA IV without its cache: the same values, more slowly, to measure what the cache saves",
        file: WEIGHTS,
    },
    EvaluatorInfo {
        name: "aloa",
        about: "ALoA (AFIT thesis, 2010): distance between pieces, edges, quads near the centre of mass",
        file: None,
    },
    EvaluatorInfo {
        name: "com",
        about: "mean distance to the own centre of mass, as the Groningen thesis' COM opponent measures it",
        file: None,
    },
];

impl<const N: usize> Evaluators for Loa<N> {
    fn own_player(name: &str) -> Option<Box<dyn Player<Self>>> {
        (name == COM_NAME).then(|| Box::new(super::Com) as Box<dyn Player<Self>>)
    }

    fn evaluators() -> &'static [EvaluatorInfo] {
        &INFOS
    }

    fn evaluator(name: &str, data: Option<&[u8]>) -> Result<Option<Box<dyn Evaluator<Self>>>, String> {
        let mia = |generation, make: fn(Weights) -> Mia<N>| {
            let weights = data.map_or(Ok(Weights::mia(generation)), |data| Weights::read(generation, data))?;
            Ok(Some(Box::new(make(weights)) as Box<dyn Evaluator<Self>>))
        };
        let none = |evaluator: Box<dyn Evaluator<Self>>| match data {
            None => Ok(Some(evaluator)),
            Some(_) => Err(format!("{name} takes no file")),
        };
        match name {
            "aloa" => none(Box::<Aloa<N>>::default()),
            "com" => none(Box::<Com>::default()),
            UNCACHED => mia(4, Mia::uncached),
            _ => generation(name).map_or(Ok(None), |generation| mia(generation, Mia::new)),
        }
    }

    fn input_groups() -> &'static [InputGroupInfo] {
        &inputs::INFOS
    }

    fn inputs(groups: &[String]) -> Result<Box<dyn Inputs<Self>>, String> {
        Ok(Box::new(GroupedInputs::<Self, InputGroup>::read(groups)?))
    }

    fn linear(name: &str) -> Option<Box<dyn Linear<Self>>> {
        generation(name).map(|generation| Box::new(MiaFeatures { generation }) as Box<dyn Linear<Self>>)
    }
}

/// Which MIA a name stands for.
fn generation(name: &str) -> Option<usize> {
    ["mia1", "mia2", "mia3", "mia4"].iter().position(|known| *known == name).map(|index| index + 1)
}

/// The pieces of a board drawn in rows from the top, Black's first: for tests.
#[cfg(test)]
pub(super) fn drawn(rows: &[&str]) -> [u64; 2] {
    let mut pieces = [0; 2];
    for (rank, row) in rows.iter().rev().enumerate() {
        for (file, letter) in row.split(' ').enumerate() {
            match letter {
                "b" => pieces[0] |= 1 << (8 * rank + file),
                "w" => pieces[1] |= 1 << (8 * rank + file),
                _ => assert_eq!(letter, "."),
            }
        }
        assert_eq!(row.split(' ').count(), rows.len(), "a square board");
    }
    pieces
}
