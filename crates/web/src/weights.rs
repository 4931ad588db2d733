//! The weights of a player as pages draw them.

use lanista_lab::weights::{Weights, weights_on_board};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::ApiError;

/// Weights on the squares of the board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct HeatMap {
    /// What is shown: which inputs.
    pub title: String,
    /// The unit of the first layer that they lead to, from 0; none where there are no units.
    pub unit: Option<usize>,
    /// The weights, rows from the top; none where a square has none.
    pub values: Vec<Vec<Option<f64>>>,
}

/// A weight with a name.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct NamedWeight {
    /// What it weighs.
    pub name: String,
    /// The weight.
    pub value: f64,
}

/// The weights of a player.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct WeightsView {
    /// How it is built, for people.
    pub shape: String,
    /// How many weights it has.
    pub count: usize,
    /// Weights on the board.
    pub maps: Vec<HeatMap>,
    /// Weights with names, where there are any.
    pub named: Vec<NamedWeight>,
}

/// The weights in the file of a player; `evaluator` is the name in its text.
pub fn weights_view(game: &str, evaluator: &str, file: &[u8]) -> Result<WeightsView, ApiError> {
    let Weights { shape, count, maps, named } = weights_on_board(game, evaluator, file).map_err(ApiError::failed)?;
    let maps = maps.into_iter().map(|map| HeatMap { title: map.title, unit: map.unit, values: map.values });
    let named = named.into_iter().map(|(name, value)| NamedWeight { name, value });
    Ok(WeightsView { shape, count, maps: maps.collect(), named: named.collect() })
}
