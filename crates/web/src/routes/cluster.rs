//! Workers elsewhere.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Answer;

/// A worker.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WorkerView {
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
}

/// The workers that do the jobs of runs.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ClusterView {
    /// Whether runs are shared out to workers; otherwise threads of this machine do everything.
    pub enabled: bool,
    /// The workers.
    pub workers: Vec<WorkerView>,
    /// Jobs that wait.
    pub waiting: u64,
}

/// The workers that do the jobs of runs.
#[utoipa::path(get, path = "/api/cluster", operation_id = "show_cluster", tag = "cluster", responses((status = 200, body = ClusterView)))]
pub async fn show_cluster() -> Answer<ClusterView> {
    Ok(Json(ClusterView { enabled: false, workers: Vec::new(), waiting: 0 }))
}
