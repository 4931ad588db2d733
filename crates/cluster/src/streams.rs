//! The streams on the server, and what they are called.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};

use crate::connection::ConnectionError;

/// The stream of jobs: each waits for one worker.
pub const JOBS_STREAM: &str = "LANISTA_JOBS";
/// The stream of results: each waits for its coordinator.
pub const RESULTS_STREAM: &str = "LANISTA_RESULTS";
/// The object store of files and of messages that are too long.
pub const FILES_STORE: &str = "lanista-files";

/// What nobody fetches goes after so long. Coordinators send again what they miss.
pub(crate) const KEPT: Duration = Duration::from_secs(3 * 24 * 3600);
/// Files go after so long. Coordinators put them there again when a worker misses one.
const FILES_KEPT: Duration = Duration::from_secs(14 * 24 * 3600);
/// A consumer that nobody asks goes after so long.
const UNUSED: Duration = Duration::from_secs(24 * 3600);
/// Streams that we make refuse more than this. An administrator may make them with other limits before.
const MOST_BYTES: i64 = 1 << 30;
/// Messages with the same id within this time are one message.
const DUPLICATES: Duration = Duration::from_secs(120);
/// So many workers may wait for jobs of a run.
const MOST_WAITING: i64 = 50_000;
/// So many bundles of a run may be under way.
const MOST_OUT: i64 = 500_000;

/// Where the jobs of a run wait. Only programs that fit look there.
pub fn jobs_subject(compatibility: &str, run: &str) -> String {
    format!("lanista.jobs.{compatibility}.{run}")
}

/// Where the results of a run go.
pub fn results_subject(run: &str) -> String {
    format!("lanista.results.{run}")
}

/// The consumer that the workers of a run share.
pub fn run_consumer(compatibility: &str, run: &str) -> String {
    format!("run-{compatibility}-{run}")
}

fn queue(name: &str, subject: &str) -> Config {
    Config {
        name: name.to_string(),
        subjects: vec![subject.to_string()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        max_bytes: MOST_BYTES,
        max_age: KEPT,
        duplicate_window: DUPLICATES,
        num_replicas: 1,
        ..Config::default()
    }
}

/// Makes what is missing on the server; leaves alone what is there.
pub(crate) async fn prepare(context: &Context) -> Result<(), ConnectionError> {
    for config in [queue(JOBS_STREAM, "lanista.jobs.>"), queue(RESULTS_STREAM, "lanista.results.>")] {
        let name = config.name.clone();
        if context.get_stream(&name).await.is_err() {
            made(&name, context.get_or_create_stream(config).await)?;
        }
    }
    if context.get_object_store(FILES_STORE).await.is_err() {
        let config = object_store::Config {
            bucket: FILES_STORE.to_string(),
            max_age: FILES_KEPT,
            num_replicas: 1,
            ..object_store::Config::default()
        };
        if let Err(error) = context.create_object_store(config).await {
            // Somebody else may have been faster.
            if context.get_object_store(FILES_STORE).await.is_err() {
                return Err(ConnectionError::Stream(FILES_STORE.into(), error.to_string()));
            }
        }
    }
    Ok(())
}

fn made<T>(name: &str, result: Result<T, impl std::fmt::Display>) -> Result<T, ConnectionError> {
    result.map_err(|error| ConnectionError::Stream(name.to_string(), error.to_string()))
}

pub(crate) async fn stream(context: &Context, name: &str) -> Result<Stream, ConnectionError> {
    made(name, context.get_stream(name).await)
}

pub(crate) async fn files(context: &Context) -> Result<ObjectStore, ConnectionError> {
    made(FILES_STORE, context.get_object_store(FILES_STORE).await)
}

/// The consumer of a run's jobs, made if it is missing, with this patience for workers.
pub(crate) async fn make_job_consumer(
    context: &Context,
    compatibility: &str,
    run: &str,
    patience: Duration,
) -> Result<PullConsumer, ConnectionError> {
    let name = run_consumer(compatibility, run);
    let config = consumer(&name, &jobs_subject(compatibility, run), patience);
    made(&name, stream(context, JOBS_STREAM).await?.create_consumer(config).await)
}

/// The consumer of a run's results, made if it is missing.
pub(crate) async fn make_result_consumer(context: &Context, run: &str) -> Result<PullConsumer, ConnectionError> {
    let name = format!("results-{run}");
    let config = consumer(&name, &results_subject(run), Duration::from_secs(30));
    made(&name, stream(context, RESULTS_STREAM).await?.create_consumer(config).await)
}

fn consumer(name: &str, subject: &str, ack_wait: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(name.to_string()),
        filter_subject: subject.to_string(),
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_ack_pending: MOST_OUT,
        max_waiting: MOST_WAITING,
        inactive_threshold: UNUSED,
        ..pull::Config::default()
    }
}

/// Takes everything of a run from the server.
pub(crate) async fn sweep(context: &Context, compatibility: &str, run: &str, consumers: bool) {
    // What cannot be removed now goes by its age.
    for (name, subject, consumer) in [
        (JOBS_STREAM, jobs_subject(compatibility, run), run_consumer(compatibility, run)),
        (RESULTS_STREAM, results_subject(run), format!("results-{run}")),
    ] {
        if let Ok(stream) = context.get_stream(name).await {
            let _ = stream.purge().filter(subject).await;
            if consumers {
                let _ = stream.delete_consumer(&consumer).await;
            }
        }
    }
}
