//! Scores as pages show them.

use lanista_core::{Score, Side};
use serde::Serialize;
use utoipa::ToSchema;

use super::side_name;

/// What kind of score it is, seen by the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScoreKind {
    /// An opinion.
    Estimate,
    /// The first side wins by force.
    Win,
    /// The first side loses by force.
    Loss,
    /// Exactly a draw.
    Draw,
}

/// A score, seen by the first side.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ScoreView {
    /// In the evaluator's unit, positive if the first side is ahead; ±100 for a game decided by force.
    pub value: f64,
    /// For people: `+0.35`, `Black wins in 11`.
    pub text: String,
    /// Whether it is certain.
    pub kind: ScoreKind,
    /// Plies to the end, if the game is decided by force.
    pub plies_to_end: Option<u32>,
}

impl ScoreView {
    /// A mover's score.
    pub fn of_mover(score: Score, mover: Side, names: [&str; 2]) -> ScoreView {
        let score = if mover == Side::First { score } else { -score };
        match score.plies_to_end() {
            Some(plies) => {
                let (kind, winner, value) =
                    if score.0 > 0 { (ScoreKind::Win, 0, 100.0) } else { (ScoreKind::Loss, 1, -100.0) };
                let text = format!("{} wins in {plies}", side_name(names[winner]));
                ScoreView { value, text, kind, plies_to_end: Some(plies) }
            }
            None => ScoreView {
                value: f64::from(score.0) / 100.0,
                text: score.to_string(),
                kind: ScoreKind::Estimate,
                plies_to_end: None,
            },
        }
    }
}
