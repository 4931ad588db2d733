//! Generations of learners, and who took part in them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::response::IntoResponse;
use lanista_lab::store::{Individual, RunRow, Store};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::run_games::download;
use super::runs::{find_run, stored_plan};
use crate::error::{Answer, ApiError, ErrorBody};
use crate::extract::{Path, Query};
use crate::state::App;
use crate::weights::{WeightsView, weights_view};

/// The generations of a trial.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TrialGenerations {
    /// The trial, from 0.
    pub trial: u32,
    /// Generations whose population was kept, in order.
    pub kept: Vec<u32>,
}

/// The generations of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GenerationsAnswer {
    /// By trial.
    pub trials: Vec<TrialGenerations>,
}

/// Which trial.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TrialQuery {
    /// The trial, from 0.
    #[serde(default)]
    pub trial: u32,
}

/// One of a population.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndividualRow {
    /// Its place, the best first, from 0.
    pub number: usize,
    /// Its points a game among the others, 0 to 1; none where the learner gives none.
    pub fitness: Option<f64>,
}

/// A population.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PopulationAnswer {
    /// The trial, from 0.
    pub trial: u32,
    /// The generation, from 1.
    pub generation: u32,
    /// Who took part, the best first.
    pub individuals: Vec<IndividualRow>,
}

/// One of a population with its weights.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndividualView {
    /// Its place, the best first, from 0.
    pub number: usize,
    /// Its points a game among the others.
    pub fitness: Option<f64>,
    /// The player as text, its weights by their content: to play against, to watch, to enter in a match.
    pub player: String,
    /// Its weights.
    pub weights: WeightsView,
}

/// The generations of a run whose populations were kept.
#[utoipa::path(get, path = "/api/runs/{run}/generations", operation_id = "list_generations", tag = "generations", params(("run" = i64, Path)),
    responses((status = 200, body = GenerationsAnswer), (status = 404, body = ErrorBody)))]
pub async fn list_generations(State(app): State<App>, Path(run): Path<i64>) -> Answer<GenerationsAnswer> {
    let found = app.blocking(move |app| {
        let (store, _) = find_run(app, run)?;
        let mut trials: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (trial, generation) in store.populations(run)? {
            trials.entry(trial).or_default().push(generation);
        }
        let trials = trials.into_iter().map(|(trial, kept)| TrialGenerations { trial, kept });
        Ok(GenerationsAnswer { trials: trials.collect() })
    });
    Ok(Json(found.await?))
}

fn fitness(individual: &Individual) -> Option<f64> {
    Some(individual.fitness).filter(|fitness| fitness.is_finite())
}

/// Who took part in a generation, with their points.
#[utoipa::path(get, path = "/api/runs/{run}/generations/{generation}/individuals", operation_id = "list_individuals", tag = "generations",
    params(("run" = i64, Path), ("generation" = u32, Path), TrialQuery),
    responses((status = 200, body = PopulationAnswer), (status = 404, body = ErrorBody)))]
pub async fn list_individuals(
    State(app): State<App>,
    Path((run, generation)): Path<(i64, u32)>,
    Query(TrialQuery { trial }): Query<TrialQuery>,
) -> Answer<PopulationAnswer> {
    let found = app.blocking(move |app| {
        let (store, _) = find_run(app, run)?;
        let population = store.population(run, trial, generation)?;
        let row = |(number, individual)| IndividualRow { number, fitness: fitness(individual) };
        let individuals = population.individuals.iter().enumerate().map(row).collect();
        Ok(PopulationAnswer { trial, generation, individuals })
    });
    Ok(Json(found.await?))
}

fn find(
    app: &App,
    run: i64,
    trial: u32,
    generation: u32,
    number: usize,
) -> Result<(Store, RunRow, Individual), ApiError> {
    let (store, row) = find_run(app, run)?;
    let mut individuals = store.population(run, trial, generation)?.individuals;
    let count = individuals.len();
    if number >= count {
        return Err(ApiError::missing(format!("generation {generation} of run {run} has {count} individuals")));
    }
    let individual = individuals.swap_remove(number);
    if individual.file.is_empty() {
        return Err(ApiError::missing(format!(
            "generation {generation} of run {run}: of individual {number} only the points were kept, not the weights"
        )));
    }
    Ok((store, row, individual))
}

/// One of a population: its weights on the board, and the player to play against.
#[utoipa::path(get, path = "/api/runs/{run}/generations/{generation}/individuals/{number}", operation_id = "show_individual", tag = "generations",
    params(("run" = i64, Path), ("generation" = u32, Path), ("number" = usize, Path), TrialQuery),
    responses((status = 200, body = IndividualView), (status = 404, body = ErrorBody)))]
pub async fn show_individual(
    State(app): State<App>,
    Path((run, generation, number)): Path<(i64, u32, usize)>,
    Query(TrialQuery { trial }): Query<TrialQuery>,
) -> Answer<IndividualView> {
    let found = app.blocking(move |app| {
        let (store, row, individual) = find(app, run, trial, generation, number)?;
        let plan = stored_plan(&store, &row)?;
        let fitness = fitness(&individual);
        let none = || ApiError::missing(format!("run {run}: nothing learns in it"));
        let named = plan.champion(trial as usize, "FILE").ok_or_else(none)?;
        let evaluator = named.split("eval=").nth(1).and_then(|rest| rest.split('@').next()).unwrap_or("mlp");
        let weights = weights_view(&row.game, evaluator, &individual.file)?;
        let reference = app.files.remember(individual.file);
        Ok(IndividualView { number, fitness, player: named.replace("@FILE", &format!("@{reference}")), weights })
    });
    Ok(Json(found.await?))
}

/// The weights of one of a population, as the file of a player.
#[utoipa::path(get, path = "/api/runs/{run}/generations/{generation}/individuals/{number}/file", operation_id = "download_individual", tag = "generations",
    params(("run" = i64, Path), ("generation" = u32, Path), ("number" = usize, Path), TrialQuery),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), (status = 404, body = ErrorBody)))]
pub async fn download_individual(
    State(app): State<App>,
    Path((run, generation, number)): Path<(i64, u32, usize)>,
    Query(TrialQuery { trial }): Query<TrialQuery>,
) -> Result<impl IntoResponse, ApiError> {
    let found = app.blocking(move |app| Ok(find(app, run, trial, generation, number)?.2.file));
    let name = format!("run-{run}-generation-{generation}-individual-{number}.weights");
    Ok(download(&name, "application/octet-stream", found.await?))
}
