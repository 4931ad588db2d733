//! Workers elsewhere.

use axum::Json;
use axum::extract::State;
use lanista_cluster::{Standing, WorkerLine};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Answer;
use crate::state::App;

/// A worker.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WorkerView {
    /// Its identity.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Jobs that it does at a time.
    pub threads: usize,
    /// Jobs done.
    pub jobs: u64,
    /// Jobs a second.
    pub jobs_per_second: f64,
    /// Seconds since it was last heard of.
    pub silent_seconds: f64,
    /// What is to be said of it: works, idle, slow, in quarantine, another program, leaves.
    pub standing: String,
}

/// The workers that do the jobs of runs.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct ClusterView {
    /// Whether runs are shared out to workers; otherwise threads of this machine do everything.
    pub enabled: bool,
    /// The workers.
    pub workers: Vec<WorkerView>,
    /// Jobs that wait.
    pub waiting: u64,
    /// Why nothing is heard of them, if so.
    pub problem: Option<String>,
}

fn view(worker: WorkerLine) -> WorkerView {
    let standing = match worker.standing {
        Standing::Works => "works",
        Standing::Idle => "idle",
        Standing::Slow => "slow",
        Standing::Quarantined => "in quarantine",
        Standing::OtherProgram => "another program",
        Standing::Leaving => "leaves",
    };
    WorkerView {
        id: worker.id,
        name: worker.name,
        threads: worker.threads,
        jobs: worker.jobs,
        jobs_per_second: worker.jobs_per_second,
        silent_seconds: worker.last_seen,
        standing: standing.into(),
    }
}

/// The workers that do the jobs of runs.
#[utoipa::path(get, path = "/api/cluster", operation_id = "show_cluster", tag = "cluster", responses((status = 200, body = ClusterView)))]
pub async fn show_cluster(State(app): State<App>) -> Answer<ClusterView> {
    Ok(Json(match app.staff.as_ref().map(|staff| staff.latest()) {
        None => ClusterView::default(),
        Some(Err(problem)) => ClusterView { enabled: true, problem: Some(problem), ..ClusterView::default() },
        Some(Ok(found)) => ClusterView {
            enabled: true,
            waiting: found.runs.iter().map(|run| run.queued).sum(),
            workers: found.workers.into_iter().map(view).collect(),
            problem: None,
        },
    }))
}
