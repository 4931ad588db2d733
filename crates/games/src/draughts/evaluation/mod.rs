//! Opinions about positions of English draughts, and the inputs of networks. Opinions are in whole numbers: hundredths of a man, from the mover's view.

mod allsop;
mod inputs;
mod material;
mod positional;

pub use allsop::{Allsop, AllsopFeatures, SquareMatrix};
pub use inputs::InputGroup;
pub use material::Material;
pub use positional::Positional;

use lanista_core::{Evaluator, EvaluatorInfo, Evaluators, InputGroupInfo, Inputs, Linear};

use super::Draughts;
use crate::inputs::GroupedInputs;

const INFOS: [EvaluatorInfo; 3] = [
    EvaluatorInfo {
        name: "positional",
        about: "material, trading when ahead, back row, bridge, centre, advance, runaway men, kings and their room, the move",
        file: None,
    },
    EvaluatorInfo { name: "material", about: "a man 1, a king 2", file: None },
    EvaluatorInfo {
        name: "allsop",
        about: "a man 1, a king 2, each times the value of its square (Allsop 2013); all squares 1 without a file",
        file: Some("32 numbers: the values of squares 1 to 32 for White; Black sees them with the board turned"),
    },
];

impl Evaluators for Draughts {
    fn evaluators() -> &'static [EvaluatorInfo] {
        &INFOS
    }

    fn evaluator(name: &str, data: Option<&[u8]>) -> Result<Option<Box<dyn Evaluator<Self>>>, String> {
        let none = |evaluator: Box<dyn Evaluator<Self>>| match data {
            None => Ok(Some(evaluator)),
            Some(_) => Err(format!("{name} takes no file")),
        };
        match name {
            "positional" => none(Box::new(Positional)),
            "material" => none(Box::new(Material)),
            "allsop" => {
                let matrix = data.map_or(Ok(SquareMatrix::ONES), SquareMatrix::read)?;
                Ok(Some(Box::new(Allsop::new(&matrix))))
            }
            _ => Ok(None),
        }
    }

    fn input_groups() -> &'static [InputGroupInfo] {
        &inputs::INFOS
    }

    fn inputs(groups: &[String]) -> Result<Box<dyn Inputs<Self>>, String> {
        Ok(Box::new(GroupedInputs::<Self, InputGroup>::read(groups)?))
    }

    fn linear(name: &str) -> Option<Box<dyn Linear<Self>>> {
        (name == "allsop").then(|| Box::new(AllsopFeatures) as Box<dyn Linear<Self>>)
    }
}
