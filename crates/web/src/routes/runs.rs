//! Runs: what they are, what they came to, and what is to become of them.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use lanista_lab::experiment::Plan;
use lanista_lab::extend::extended;
use lanista_lab::store::{RunRow, Store, StoreError, TrialRow};
use serde::{Deserialize, Serialize};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::BroadcastStream;
use tokio_stream::wrappers::errors::BroadcastStreamRecvError;
use utoipa::ToSchema;

use super::experiments::{PublishedView, cost_within_limits, published, read_plan};
use crate::error::{Answer, ApiError, ErrorBody};
use crate::events::{events, line};
use crate::extract::{Body, NoBody, Path};
use crate::state::App;
use crate::work::{FigureView, RunEvent, RunStatus, StandingView, Workshop, standings};

/// The most warnings that are shown.
const MOST_WARNINGS: usize = 100;
/// The most trials whose tables are shown.
pub const MOST_TABLES: usize = 50;

/// Where a fork comes from.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ParentView {
    /// The run.
    pub run: i64,
    /// The generation after which it goes on.
    pub generation: i64,
}

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RunSummary {
    /// Its number.
    pub run: i64,
    /// The title of its experiment.
    pub title: String,
    /// What kind of study it is: `match`, `tournament`, `evolution` …
    pub kind: String,
    /// The id of the game.
    pub game: String,
    /// The rules.
    pub rules: String,
    /// The file of its experiment.
    pub file: String,
    /// When it began, in UTC.
    pub created: String,
    /// What it is doing.
    pub status: RunStatus,
    /// Seconds it took so far.
    pub seconds: f64,
    /// The hash of its results, once it is finished.
    pub fingerprint: Option<String>,
    /// Where it was forked from.
    pub parent: Option<ParentView>,
    /// Its trials.
    pub trials: i64,
    /// Trials done.
    pub trials_done: i64,
    /// Steps done.
    pub steps: i64,
    /// Steps in all, as far as it is known.
    pub steps_total: i64,
    /// Its games.
    pub games: i64,
    /// Why it stopped, if it failed.
    pub failure: Option<String>,
    /// The program that began it.
    pub program: String,
}

/// A trial of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TrialView {
    /// Its number, from 0.
    pub trial: u32,
    /// The values of the sweep.
    pub setting: String,
    /// Which replicate, from 0.
    pub replicate: u32,
    /// Its seed.
    pub seed: String,
    /// Generations done.
    pub generation: u32,
    /// Steps done.
    pub steps: i64,
    /// Steps in all.
    pub steps_total: i64,
    /// Its games.
    pub games: i64,
    /// Whether it is done.
    pub done: bool,
    /// The hash of its results.
    pub digest: Option<String>,
}

/// The player that a learner came to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ChampionView {
    /// The trial, from 0.
    pub trial: u32,
    /// The player as text, its weights by their content.
    pub player: String,
    /// The name of its file.
    pub file: String,
}

/// A run with all that belongs on its page.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RunView {
    /// The run.
    pub run: RunSummary,
    /// What it studies.
    pub about: String,
    /// The text of its experiment.
    pub experiment: String,
    /// Its trials.
    pub trials: Vec<TrialView>,
    /// What it came to so far.
    pub figures: Vec<FigureView>,
    /// Published figures to compare with.
    pub published: Vec<PublishedView>,
    /// The tables, if it is a contest.
    pub standings: Vec<StandingView>,
    /// Players that came out of it.
    pub champions: Vec<ChampionView>,
    /// What went wrong with players.
    pub warnings: Vec<String>,
    /// Games that were kept with their moves.
    pub games_kept: u64,
    /// Whether it learns, so that it has generations.
    pub is_learning: bool,
    /// Values that can be made larger to go on with it, as `TABLE.FIELD`.
    pub lengths: Vec<String>,
}

/// A run in a list.
pub fn summary(workshop: &Workshop, row: RunRow) -> RunSummary {
    RunSummary {
        status: workshop.status(&row),
        failure: workshop.failure(row.run),
        run: row.run,
        title: row.title,
        kind: row.kind,
        game: row.game,
        rules: row.rules,
        file: row.file,
        created: row.created,
        seconds: row.seconds,
        fingerprint: row.fingerprint,
        parent: row.parent.map(|(run, generation)| ParentView { run, generation }),
        trials: row.trials.0,
        trials_done: row.trials.1,
        steps: row.steps.0,
        steps_total: row.steps.1,
        games: row.games,
        program: row.program,
    }
}

/// All runs of the store; none if there is no store yet.
pub fn all_runs(app: &App) -> Result<Vec<RunRow>, ApiError> {
    match Store::open(&app.settings.store) {
        Ok(store) => Ok(store.runs()?),
        Err(StoreError::Missing(_)) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// A run of the store.
pub fn find_run(app: &App, run: i64) -> Result<(Store, RunRow), ApiError> {
    let missing = || ApiError::missing(format!("there is no run {run}"));
    let store = app.store().map_err(|_| missing())?;
    let row = store.find_run(&run.to_string()).map_err(|error| match error {
        StoreError::NotFound(_) => missing(),
        other => other.into(),
    })?;
    Ok((store, row))
}

/// The plan of a run, with the files that it began with.
pub fn stored_plan(store: &Store, row: &RunRow) -> Result<Plan, ApiError> {
    Ok(Plan::read_alone(&row.experiment, &row.file, Arc::new(store.blobs(row.run)?))?)
}

fn trial_view(row: TrialRow) -> TrialView {
    TrialView {
        trial: row.trial,
        setting: row.setting,
        replicate: row.replicate,
        seed: row.seed,
        generation: row.generation,
        steps: row.steps.0,
        steps_total: row.steps.1,
        games: row.games,
        done: row.done,
        digest: row.digest,
    }
}

fn champions(store: &Store, row: &RunRow, plan: &Plan) -> Result<Vec<ChampionView>, ApiError> {
    if !plan.experiment.is_learning() {
        return Ok(Vec::new());
    }
    let files = store.made_files(row.run)?;
    let trials = plan.trials.len();
    let champion = |trial: usize| {
        let prefix = if trials > 1 { format!("trial-{}-champion.", trial + 1) } else { "champion.".to_string() };
        let blob = files.iter().find(|blob| blob.name.starts_with(&prefix))?;
        let player = plan.champion(trial, &blob.reference)?;
        Some(ChampionView { trial: trial as u32, player, file: blob.name.clone() })
    };
    Ok((0..trials).filter_map(champion).collect())
}

/// The lengths that an experiment has.
fn lengths(text: &str) -> Vec<String> {
    let fields = lanista_lab::extend::LENGTHS.iter().filter(|field| **field != "title");
    let has = |field: &&&str| match field.split_once('.') {
        Some((table, _)) => text.lines().any(|line| line.trim() == format!("[{table}]")),
        None => true,
    };
    fields.filter(has).map(ToString::to_string).collect()
}

/// All runs, the newest first.
#[utoipa::path(get, path = "/api/runs", operation_id = "list_runs", tag = "runs", responses((status = 200, body = Vec<RunSummary>)))]
pub async fn list_runs(State(app): State<App>) -> Answer<Vec<RunSummary>> {
    let runs =
        app.blocking(|app| Ok(all_runs(app)?.into_iter().rev().map(|row| summary(&app.workshop, row)).collect()));
    Ok(Json(runs.await?))
}

/// A run with its trials and what it came to.
#[utoipa::path(get, path = "/api/runs/{run}", operation_id = "show_run", tag = "runs", params(("run" = i64, Path)),
    responses((status = 200, body = RunView), (status = 404, body = ErrorBody)))]
pub async fn show_run(State(app): State<App>, Path(run): Path<i64>) -> Answer<RunView> {
    let view = app.blocking(move |app| {
        let (store, row) = find_run(app, run)?;
        let plan = stored_plan(&store, &row)?;
        let mut warnings = store.warnings(run)?;
        warnings.truncate(MOST_WARNINGS);
        Ok(RunView {
            about: plan.experiment.about.clone(),
            experiment: row.experiment.clone(),
            trials: store.trials(run)?.into_iter().map(trial_view).collect(),
            figures: store.measurements(run, false)?.into_iter().map(Into::into).collect(),
            published: published(&plan.experiment),
            standings: standings(&store, run, &plan, &row.file, MOST_TABLES)?,
            champions: champions(&store, &row, &plan)?,
            warnings,
            games_kept: store.kept_games(run)?,
            is_learning: plan.experiment.is_learning(),
            lengths: lengths(&row.experiment),
            run: summary(&app.workshop, row),
        })
    });
    Ok(Json(view.await?))
}

/// The tables of a contest.
#[utoipa::path(get, path = "/api/runs/{run}/standings", operation_id = "show_standings", tag = "runs", params(("run" = i64, Path)),
    responses((status = 200, body = Vec<StandingView>), (status = 404, body = ErrorBody)))]
pub async fn show_standings(State(app): State<App>, Path(run): Path<i64>) -> Answer<Vec<StandingView>> {
    let tables = app.blocking(move |app| {
        let (store, row) = find_run(app, run)?;
        let plan = stored_plan(&store, &row)?;
        standings(&store, run, &plan, &row.file, MOST_TABLES)
    });
    Ok(Json(tables.await?))
}

/// An experiment to be run.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct StartRequest {
    /// The text of the experiment.
    pub text: String,
    /// What to call its file.
    pub file: Option<String>,
}

/// Starts an experiment if it costs no more than the owner of this server allows.
#[utoipa::path(post, path = "/api/runs", operation_id = "start_run", tag = "runs", request_body = StartRequest,
    responses((status = 201, body = RunSummary), (status = 422, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn start_run(
    State(app): State<App>,
    Body(request): Body<StartRequest>,
) -> Result<impl IntoResponse, ApiError> {
    let started = app.blocking(move |app| {
        // The name is for people; it never reaches the disk.
        let name = request.file.as_deref().map(FilePath::new).and_then(FilePath::file_name);
        let name = name.and_then(|name| name.to_str()).unwrap_or("experiment.toml");
        let plan = read_plan(app, &request.text, name)?;
        cost_within_limits(app, &plan, name)?;
        let run = app.workshop.begin(&plan, name)?;
        let (_, row) = find_run(app, run)?;
        Ok(summary(&app.workshop, row))
    });
    Ok((StatusCode::CREATED, Json(started.await?)))
}

async fn changed(
    app: App,
    run: i64,
    change: impl FnOnce(&App) -> Result<(), ApiError> + Send + 'static,
) -> Answer<RunSummary> {
    let done = app.blocking(move |app| {
        find_run(app, run)?;
        change(app)?;
        let (_, row) = find_run(app, run)?;
        Ok(summary(&app.workshop, row))
    });
    Ok(Json(done.await?))
}

/// Stops a run. It can go on later.
#[utoipa::path(post, path = "/api/runs/{run}/cancel", operation_id = "cancel_run", tag = "runs", params(("run" = i64, Path)),
    responses((status = 200, body = RunSummary), (status = 409, body = ErrorBody)))]
pub async fn cancel_run(State(app): State<App>, Path(run): Path<i64>, _: NoBody) -> Answer<RunSummary> {
    changed(app, run, move |app| app.workshop.cancel(run)).await
}

/// Goes on with a run that was broken off.
#[utoipa::path(post, path = "/api/runs/{run}/resume", operation_id = "resume_run", tag = "runs", params(("run" = i64, Path)),
    responses((status = 200, body = RunSummary), (status = 409, body = ErrorBody)))]
pub async fn resume_run(State(app): State<App>, Path(run): Path<i64>, _: NoBody) -> Answer<RunSummary> {
    changed(app, run, move |app| app.workshop.resume(run)).await
}

/// What becomes longer.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ExtendRequest {
    /// New values, as `TABLE.FIELD=VALUE`: `match.pairs=2000`.
    pub changes: Vec<String>,
}

/// Makes a run longer and goes on with it.
#[utoipa::path(post, path = "/api/runs/{run}/extend", operation_id = "extend_run", tag = "runs", params(("run" = i64, Path)),
    request_body = ExtendRequest,
    responses((status = 200, body = RunSummary), (status = 409, body = ErrorBody), (status = 422, body = ErrorBody)))]
pub async fn extend_run(
    State(app): State<App>,
    Path(run): Path<i64>,
    Body(request): Body<ExtendRequest>,
) -> Answer<RunSummary> {
    changed(app, run, move |app| {
        let (store, row) = find_run(app, run)?;
        // Only lengths can change, so nothing that a page sends names a file or a program.
        let plan = extended(&row, &request.changes, &store)?;
        cost_within_limits(app, &plan, &row.file)?;
        app.workshop.extend(run, &request.changes)
    })
    .await
}

/// Removes a run for good.
#[utoipa::path(delete, path = "/api/runs/{run}", operation_id = "delete_run", tag = "runs", params(("run" = i64, Path)),
    responses((status = 204), (status = 404, body = ErrorBody), (status = 409, body = ErrorBody)))]
pub async fn delete_run(State(app): State<App>, Path(run): Path<i64>) -> Result<StatusCode, ApiError> {
    app.blocking(move |app| {
        find_run(app, run)?;
        app.workshop.delete(run)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Everything that happens in a run, as server-sent events; the first is its state.
#[utoipa::path(get, path = "/api/runs/{run}/events", operation_id = "follow_run", tag = "runs", params(("run" = i64, Path)),
    responses((status = 200, body = RunEvent, content_type = "text/event-stream"), (status = 404, body = ErrorBody)))]
pub async fn follow_run(State(app): State<App>, Path(run): Path<i64>) -> Result<impl IntoResponse, ApiError> {
    let place = app.stream_place()?;
    let feed = app.workshop.feed(run);
    // Listening begins before the state is read, so that nothing falls between.
    let changes = BroadcastStream::new(feed.events.subscribe());
    let state = app.blocking(move |app| {
        let (_, row) = find_run(app, run)?;
        Ok(RunEvent::State { run: Box::new(summary(&app.workshop, row)) })
    });
    let first = tokio_stream::once(line(&state.await?));
    let changes = changes.map(|event| match event {
        Ok(event) => event,
        Err(BroadcastStreamRecvError::Lagged(events)) => line(&RunEvent::Missed { events }),
    });
    Ok(events(first.chain(changes), place, feed))
}
