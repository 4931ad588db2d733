//! Opinions about positions of Connect Four, and the inputs of networks.

mod inputs;
mod lines;
mod threats;

pub use inputs::{InputGroup, input_size, write_inputs};
pub use threats::Threats;

use lanista_core::{Evaluator, EvaluatorInfo, Evaluators, Score, Truth};

use super::ConnectFour;
use super::solver::Solver;

const INFOS: [EvaluatorInfo; 1] = [EvaluatorInfo {
    name: "threats",
    about: "squares that complete four, by the odd and even rule, and stones near the centre",
    file: None,
}];

impl Evaluators for ConnectFour {
    fn evaluators() -> &'static [EvaluatorInfo] {
        &INFOS
    }

    fn evaluator(name: &str, data: Option<&[u8]>) -> Result<Option<Box<dyn Evaluator<Self>>>, String> {
        match (name, data) {
            ("threats", None) => Ok(Some(Box::new(Threats))),
            ("threats", Some(_)) => Err("threats takes no file".into()),
            _ => Ok(None),
        }
    }

    fn solver() -> Option<Truth<Self>> {
        let mut solver = Solver::new(Solver::DEFAULT_TABLE);
        Some(Box::new(move |position| {
            let solution = solver.solve(position);
            match solution.score {
                0 => Score::DRAW,
                1.. => Score::win_in(solution.distance),
                _ => Score::loss_in(solution.distance),
            }
        }))
    }
}
