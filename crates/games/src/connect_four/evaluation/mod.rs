//! Opinions about positions of Connect Four, and the inputs of networks.

mod inputs;
mod lines;
mod switches;
mod threats;

pub use inputs::InputGroup;
pub(super) use lines::{completions, landings};
pub use threats::{ThreatFeatures, ThreatWeights, Threats};

use lanista_core::{Evaluator, EvaluatorInfo, Evaluators, InputGroupInfo, Inputs, Linear, Score, Truth};

use super::ConnectFour;
use super::solver::Solver;
use crate::inputs::GroupedInputs;

const INFOS: [EvaluatorInfo; 1] = [EvaluatorInfo {
    name: "threats",
    about: "squares that complete four, by the odd and even rule, and stones near the centre",
    file: Some("weights: lines of `name = whole number`, hundredths for each time that the feature is there"),
}];

impl Evaluators for ConnectFour {
    fn evaluators() -> &'static [EvaluatorInfo] {
        &INFOS
    }

    fn evaluator(name: &str, data: Option<&[u8]>) -> Result<Option<Box<dyn Evaluator<Self>>>, String> {
        if name != "threats" {
            return Ok(None);
        }
        let weights = data.map_or(Ok(ThreatWeights::DEFAULT), ThreatWeights::read)?;
        Ok(Some(Box::new(Threats::new(weights))))
    }

    fn input_groups() -> &'static [InputGroupInfo] {
        &inputs::INFOS
    }

    fn inputs(groups: &[String]) -> Result<Box<dyn Inputs<Self>>, String> {
        Ok(Box::new(GroupedInputs::<Self, InputGroup>::read(groups)?))
    }

    fn linear(name: &str) -> Option<Box<dyn Linear<Self>>> {
        (name == "threats").then(|| Box::new(ThreatFeatures) as Box<dyn Linear<Self>>)
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
