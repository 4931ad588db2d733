//! Curves: every figure of every generation, thinned out for the page that draws them.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use lanista_lab::statistics::{Summary, welch};
use lanista_lab::store::{Store, StoredMeasurement};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::runs::{RunSummary, find_run, summary};
use crate::error::{Answer, ApiError, ErrorBody};
use crate::extract::{Path, Query};
use crate::sampling::thinned;
use crate::state::App;

/// Points of a curve where nobody asks for a number.
const USUAL_POINTS: usize = 600;
/// The most points of a curve.
const MOST_POINTS: usize = 5000;
/// The most runs that are compared.
const MOST_COMPARED: usize = 8;

/// Which curves.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MetricsQuery {
    /// The most points of each curve; 600 if not given.
    pub points: Option<usize>,
    /// Of this trial only, from 0.
    pub trial: Option<u32>,
    /// Of this figure only.
    pub name: Option<String>,
    /// From this generation on.
    pub from: Option<u32>,
    /// Up to this generation.
    pub to: Option<u32>,
}

impl MetricsQuery {
    fn wants(&self, trial: u32, generation: u32, name: &str) -> bool {
        self.trial.is_none_or(|wanted| wanted == trial)
            && self.name.as_ref().is_none_or(|wanted| wanted == name)
            && self.from.is_none_or(|from| from <= generation)
            && self.to.is_none_or(|to| generation <= to)
    }
}

/// A curve.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Curve {
    /// What was measured.
    pub name: String,
    /// What it was measured for.
    pub of: String,
    /// The trial, from 0.
    pub trial: u32,
    /// The values of its sweep.
    pub setting: String,
    /// Which replicate, from 0.
    pub replicate: u32,
    /// Points before they were thinned out.
    pub total: usize,
    /// The generations.
    pub x: Vec<f64>,
    /// The figures.
    pub y: Vec<f64>,
    /// Half their 95 % intervals.
    pub error: Vec<Option<f64>>,
}

/// The curves of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MetricsAnswer {
    /// The curves.
    pub curves: Vec<Curve>,
}

/// Which trial, figure and subject a curve belongs to.
type CurveOf = (u32, String, String);
/// A generation, its figure, and half its interval.
type Measured = (f64, f64, Option<f64>);

fn curves(store: &Store, run: i64, query: &MetricsQuery) -> Result<Vec<Curve>, ApiError> {
    let most = query.points.unwrap_or(USUAL_POINTS).clamp(3, MOST_POINTS);
    let mut series: BTreeMap<CurveOf, Vec<Measured>> = BTreeMap::new();
    for StoredMeasurement { trial, generation, measurement } in store.measurements(run, true)? {
        if let Some(generation) = generation
            && query.wants(trial, generation, &measurement.name)
        {
            let point = (f64::from(generation), measurement.value, measurement.error);
            series.entry((trial, measurement.name, measurement.of)).or_default().push(point);
        }
    }
    let trials = store.trials(run)?;
    let curve = |((trial, name, of), points): (CurveOf, Vec<Measured>)| {
        let row = trials.iter().find(|row| row.trial == trial);
        let plane: Vec<(f64, f64)> = points.iter().map(|&(x, y, _)| (x, y)).collect();
        let kept: Vec<&Measured> = thinned(&plane, most).into_iter().map(|index| &points[index]).collect();
        Curve {
            setting: row.map_or(String::new(), |row| row.setting.clone()),
            replicate: row.map_or(0, |row| row.replicate),
            total: points.len(),
            x: kept.iter().map(|point| point.0).collect(),
            y: kept.iter().map(|point| point.1).collect(),
            error: kept.iter().map(|point| point.2).collect(),
            name,
            of,
            trial,
        }
    };
    Ok(series.into_iter().map(curve).collect())
}

/// The curves of a run, thinned out so that peaks and bends stay.
#[utoipa::path(get, path = "/api/runs/{run}/metrics", operation_id = "run_metrics", tag = "runs",
    params(("run" = i64, Path), MetricsQuery),
    responses((status = 200, body = MetricsAnswer), (status = 404, body = ErrorBody)))]
pub async fn run_metrics(
    State(app): State<App>,
    Path(run): Path<i64>,
    Query(query): Query<MetricsQuery>,
) -> Answer<MetricsAnswer> {
    let curves = app.blocking(move |app| {
        let (store, _) = find_run(app, run)?;
        curves(&store, run, &query)
    });
    Ok(Json(MetricsAnswer { curves: curves.await? }))
}

/// Which runs.
#[derive(Clone, Debug, Deserialize, IntoParams)]
pub struct CompareQuery {
    /// Numbers of runs with commas between them.
    pub runs: String,
}

/// A figure of one of the runs, over all its replicates.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparedValue {
    /// The mean.
    pub mean: f64,
    /// Half its 95 % interval.
    pub error: Option<f64>,
    /// Replicates.
    pub replicates: usize,
    /// Games or positions it rests on.
    pub count: u64,
}

/// A figure that at least two of the runs measured.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ComparedFigure {
    /// What was measured.
    pub name: String,
    /// What it was measured for.
    pub of: String,
    /// The values of the sweep.
    pub setting: String,
    /// The figure in each run; none where it was not measured.
    pub values: Vec<Option<ComparedValue>>,
    /// The p of Welch's t-test between the first two runs, where both have replicates.
    pub p: Option<f64>,
}

/// Runs side by side.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CompareAnswer {
    /// The runs, in the order asked for.
    pub runs: Vec<RunSummary>,
    /// What they have in common.
    pub figures: Vec<ComparedFigure>,
}

/// The figures of a run: by name, subject and setting, a value for each replicate.
type Figures = BTreeMap<(String, String, String), (Vec<f64>, Option<f64>, u64)>;

fn figures(store: &Store, run: i64) -> Result<Figures, ApiError> {
    let trials = store.trials(run)?;
    let mut figures = Figures::new();
    for StoredMeasurement { trial, measurement, .. } in store.measurements(run, false)? {
        let setting = trials.iter().find(|row| row.trial == trial).map_or(String::new(), |row| row.setting.clone());
        let (values, error, count) = figures.entry((measurement.name, measurement.of, setting)).or_default();
        values.push(measurement.value);
        *error = measurement.error;
        *count += measurement.count;
    }
    Ok(figures)
}

/// Compares runs, figure by figure.
#[utoipa::path(get, path = "/api/compare", operation_id = "compare_runs", tag = "runs", params(CompareQuery),
    responses((status = 200, body = CompareAnswer), (status = 404, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn compare_runs(State(app): State<App>, Query(query): Query<CompareQuery>) -> Answer<CompareAnswer> {
    let runs: Result<Vec<i64>, _> = query.runs.split(',').map(|part| part.trim().parse()).collect();
    let runs =
        runs.map_err(|_| ApiError::wrong("runs", format!("{:?}: expected numbers with commas between", query.runs)))?;
    if !(2..=MOST_COMPARED).contains(&runs.len()) {
        return Err(ApiError::wrong("runs", format!("{} runs, expected 2 to {MOST_COMPARED}", runs.len())));
    }
    let answer = app.blocking(move |app| {
        let mut summaries = Vec::new();
        let mut all: Vec<Figures> = Vec::new();
        for run in runs {
            let (store, row) = find_run(app, run)?;
            all.push(figures(&store, run)?);
            summaries.push(summary(&app.workshop, row));
        }
        let keys: std::collections::BTreeSet<_> = all.iter().flat_map(Figures::keys).collect();
        let shared = keys.into_iter().filter(|key| all.iter().filter(|figures| figures.contains_key(*key)).count() > 1);
        let figures = shared.map(|key| {
            let (name, of, setting) = key.clone();
            let values = all.iter().map(|figures| {
                let (values, error, count) = figures.get(key)?;
                let summary = Summary::of(values)?;
                let spread = summary.estimate().map(|estimate| estimate.error);
                let error = if values.len() > 1 { spread } else { *error };
                Some(ComparedValue { mean: summary.mean, error, replicates: values.len(), count: *count })
            });
            let first_two = all[0].get(key).zip(all[1].get(key));
            let p = first_two.and_then(|(a, b)| welch(&a.0, &b.0)).map(|test| test.p);
            ComparedFigure { name, of, setting, values: values.collect(), p }
        });
        Ok(CompareAnswer { figures: figures.collect(), runs: summaries })
    });
    Ok(Json(answer.await?))
}
