//! Experiments: the shipped ones, what they cost, and whether a text is one.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use include_dir::{Dir, include_dir};
use lanista_lab::blobs::Blobs;
use lanista_lab::cost::{Cost, CostError, estimate, steps};
use lanista_lab::experiment::{Experiment, ExperimentError, Plan};
use lanista_lab::jobs::Cancel;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{Answer, ApiError, ErrorBody};
use crate::extract::Body;
use crate::play::Stop;
use crate::state::App;

static SHIPPED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");

/// Trying out what an experiment costs takes about so long.
const PATIENCE: Duration = Duration::from_secs(2);
/// And never longer than this.
const NO_LONGER: Duration = Duration::from_secs(5);

/// A published figure to compare with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublishedView {
    /// Where it was published.
    pub source: String,
    /// The figure that it belongs to.
    pub name: String,
    /// What it was measured for.
    pub of: String,
    /// Its value.
    pub value: f64,
    /// Half its 95 % interval.
    pub error: Option<f64>,
    /// What a reader should know of it.
    pub note: String,
}

/// A shipped experiment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ExperimentInfo {
    /// Its file in the folder of experiments.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What it studies.
    pub about: String,
    /// What kind of study it is.
    pub kind: String,
    /// The id of the game.
    pub game: String,
    /// Its text.
    pub text: String,
    /// Published figures.
    pub published: Vec<PublishedView>,
    /// Its trials.
    pub trials: usize,
    /// Its steps, all trials together.
    pub steps: f64,
    /// What a step is.
    pub unit: String,
}

/// The published figures of an experiment.
pub fn published(experiment: &Experiment) -> Vec<PublishedView> {
    let view = |figure: &lanista_lab::experiment::Published| PublishedView {
        source: figure.source.clone(),
        name: figure.measurement.to_string(),
        of: figure.of.clone(),
        value: *figure.value,
        error: figure.error.as_ref().map(|error| **error),
        note: figure.note.clone(),
    };
    experiment.published.iter().map(view).collect()
}

/// All shipped files, by name. Reading them takes a while the first time. One that cannot be read is an error, not a gap.
pub fn shipped() -> Result<&'static [ExperimentInfo], ExperimentError> {
    static INFOS: OnceLock<Result<Vec<ExperimentInfo>, ExperimentError>> = OnceLock::new();
    let infos = INFOS.get_or_init(|| {
        let mut files = Vec::new();
        collect(&SHIPPED, &mut files);
        // What takes a minute stands first.
        files.sort_by_key(|(id, _)| (id.contains('/'), id.clone()));
        files.into_iter().map(|(id, text)| info(id, text)).collect()
    });
    infos.as_deref().map_err(Clone::clone)
}

fn collect(folder: &Dir<'static>, files: &mut Vec<(String, &'static str)>) {
    for file in folder.files() {
        let name = file.path().to_string_lossy().replace('\\', "/");
        if let (true, Some(text)) = (name.ends_with(".toml"), file.contents_utf8()) {
            files.push((name, text));
        }
    }
    folder.dirs().for_each(|folder| collect(folder, files));
}

fn info(id: String, text: &str) -> Result<ExperimentInfo, ExperimentError> {
    let plan = Plan::read_alone(text, &id, Arc::new(Blobs::shipped()))?;
    let (steps, unit) = steps(&plan, &id)?;
    Ok(ExperimentInfo {
        title: plan.experiment.title.clone(),
        about: plan.experiment.about.split_whitespace().collect::<Vec<_>>().join(" "),
        kind: plan.kind().to_string(),
        game: plan.experiment.game.to_string(),
        text: text.to_string(),
        published: published(&plan.experiment),
        trials: plan.trials.len(),
        steps,
        unit,
        id,
    })
}

/// The shipped experiments with what they study.
#[utoipa::path(get, path = "/api/experiments", operation_id = "list_experiments", tag = "experiments",
    responses((status = 200, body = Vec<ExperimentInfo>)))]
pub async fn list_experiments(State(app): State<App>) -> Answer<Vec<ExperimentInfo>> {
    Ok(Json(app.blocking(|_| Ok(shipped()?.to_vec())).await?))
}

/// Reads an experiment from a page: no file of this machine, no other program.
pub fn read_plan(app: &App, text: &str, file: &str) -> Result<Plan, ApiError> {
    Ok(Plan::read(text, file, app.files.for_texts(&[text])?)?)
}

/// What an experiment costs. Trying out ends after a while in any case.
fn cost(plan: &Plan, file: &str) -> Result<Cost, CostError> {
    let (cancel, done) = (Cancel::default(), Stop::default());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            if !done.wait(NO_LONGER) {
                cancel.cancel();
            }
        });
        let cost = estimate(plan, file, PATIENCE, &cancel);
        done.wish();
        cost
    })
}

fn cores(app: &App) -> usize {
    match app.settings.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}

/// An error if an experiment costs more than the owner of this server allows.
pub fn cost_within_limits(app: &App, plan: &Plan, file: &str) -> Result<(), ApiError> {
    let cost = cost(plan, file).map_err(|error| ApiError::wrong("text", error.to_string()))?;
    let (seconds, most) = (cost.seconds(cores(app)), app.settings.max_cost);
    if seconds > most {
        let least = if cost.is_least { "at least" } else { "about" };
        return Err(ApiError::wrong(
            "text",
            format!(
                "{least} {seconds:.0} s on this machine; this server allows {most:.0} s (lanista serve --max-cost)"
            ),
        ));
    }
    Ok(())
}

/// A text that may be an experiment.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct CheckRequest {
    /// The text.
    pub text: String,
    /// Whether to try out how long it takes, which takes some seconds itself.
    #[serde(default)]
    pub estimate: bool,
}

/// What is wrong with an experiment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CheckFault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// What a check found.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct CheckAnswer {
    /// What is wrong; none if it can be run.
    pub fault: Option<CheckFault>,
    /// Its title.
    pub title: String,
    /// What kind of study it is.
    pub kind: String,
    /// The id of the game.
    pub game: String,
    /// Its trials.
    pub trials: usize,
    /// Its steps, all trials together.
    pub steps: f64,
    /// What a step is.
    pub unit: String,
    /// Seconds on this machine, if that was asked for.
    pub seconds: Option<f64>,
    /// Whether that is only the least that it takes.
    pub is_least: bool,
    /// What this server allows, in seconds.
    pub most_seconds: f64,
}

/// Checks an experiment, and estimates what it costs.
#[utoipa::path(post, path = "/api/experiments/check", operation_id = "check_experiment", tag = "experiments",
    request_body = CheckRequest, responses((status = 200, body = CheckAnswer), (status = 400, body = ErrorBody)))]
pub async fn check_experiment(State(app): State<App>, Body(request): Body<CheckRequest>) -> Answer<CheckAnswer> {
    let answer = app.blocking(move |app| {
        let most_seconds = app.settings.max_cost;
        let name = "experiment.toml";
        let plan = match Plan::read(&request.text, name, app.files.for_texts(&[&request.text])?) {
            Ok(plan) => plan,
            Err(error) => {
                let fault = Some(CheckFault { line: error.line, message: error.message });
                return Ok(CheckAnswer { fault, most_seconds, ..CheckAnswer::default() });
            }
        };
        let mut answer = CheckAnswer {
            title: plan.experiment.title.clone(),
            kind: plan.kind().to_string(),
            game: plan.experiment.game.to_string(),
            trials: plan.trials.len(),
            most_seconds,
            ..CheckAnswer::default()
        };
        if request.estimate {
            let cost = cost(&plan, name).map_err(|error| ApiError::wrong("text", error.to_string()))?;
            answer.seconds = Some(cost.seconds(cores(app)));
            answer.is_least = cost.is_least;
        }
        (answer.steps, answer.unit) = steps(&plan, name)?;
        Ok(answer)
    });
    Ok(Json(answer.await?))
}
