//! What can go wrong between coordinator, server and workers, and that it changes nothing but the time.

mod by_hand;
mod jobs;
mod losses;
#[path = "../server/mod.rs"]
mod server;

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use lanista_cluster::worker::{Summary, WorkerError, WorkerRequest, work};
use lanista_cluster::{Access, Identity, JOBS_STREAM, NatsExecutor, OnPoison, Overview, RunRequest, overview};
use lanista_core::Seed;
use lanista_lab::blobs::Blobs;
use lanista_lab::executor::{Executor, attempt};
use lanista_lab::jobs::{Adjudication, Bounds, Cancel, Job, JobError, JobResult, Pairs, Work};
use lanista_lab::limits::Limit;
use server::Server;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// No test waits longer than this for anything.
const DEADLINE: Duration = Duration::from_secs(60);
/// An executor is asked again after so long.
const WAIT: Duration = Duration::from_millis(100);
const KEY: &str = "test-run";
/// Workers of tests may finish for so long when they are told to stop.
const GRACE: Duration = Duration::from_secs(5);

fn identity() -> Identity {
    Identity { program: "lanista test".into(), signature: "0123456789abcdef".into() }
}

fn request(server: &Server) -> RunRequest {
    RunRequest {
        access: Access { url: server.url(), ..Access::default() },
        title: "a test".into(),
        key: KEY.into(),
        on_poison: OnPoison::Fail,
        verify_share: 0.0,
        patience: Duration::from_secs(2),
        identity: identity(),
    }
}

fn connect(request: RunRequest) -> NatsExecutor {
    NatsExecutor::connect(request, &Arc::new(Blobs::default()), &Cancel::default()).expect("a connection")
}

/// A worker on a thread of the test, stopped at the end.
struct Worker {
    stop: UnboundedSender<()>,
    lines: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<Result<Summary, WorkerError>>>,
}

impl Worker {
    fn start(server: &Server, name: &str) -> Worker {
        Worker::with(server, name, identity())
    }

    fn with(server: &Server, name: &str, identity: Identity) -> Worker {
        let (stop, wishes) = unbounded_channel();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&lines);
        let request = WorkerRequest {
            access: Access { url: server.url(), ..Access::default() },
            name: name.into(),
            threads: 1,
            once: false,
            grace: GRACE,
            cache: 1 << 20,
            bounds: Bounds::default(),
            identity,
            say: Arc::new(move |text| heard.lock().expect("lines").push(text)),
        };
        Worker { stop, lines, thread: Some(std::thread::spawn(move || work(request, wishes))) }
    }

    fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("lines").clone()
    }

    fn stop(mut self) -> Result<Summary, WorkerError> {
        let _ = self.stop.send(());
        self.thread.take().expect("a thread").join().expect("it ends")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Who is there, as `lanista cluster` shows it.
fn listed(server: &Server) -> Overview {
    let access = Access { url: server.url(), ..Access::default() };
    let (mut found, time) = (Overview::default(), Duration::from_millis(1200));
    let shown = overview(&access, &identity(), time, false, Arc::new(|_| {}), |heard| {
        found = heard;
        Ok::<(), ()>(())
    });
    assert!(shown.is_ok_and(|shown| shown.is_ok()));
    found
}

fn until(what: &str, mut happens: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !happens() {
        assert!(Instant::now() < deadline, "{what} never happens");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn job(number: u64) -> Job {
    games("loa5", ["greedy:eval=aloa", "random"], number, 1)
}

/// Games that are kept.
fn games(game: &str, players: [&str; 2], first_pair: u64, pairs: u64) -> Job {
    let work = Pairs {
        players: players.map(str::to_string),
        limits: [Limit::default(); 2],
        openings: Vec::new(),
        first_pair,
        pairs,
        seed: Seed::new(9),
        adjudication: Adjudication::default(),
        keep_games: true,
    };
    Job::new(game, "", Work::Pairs(work))
}

fn local(number: u64) -> JobResult {
    attempt(&job(number), &Blobs::default(), &Cancel::default()).expect("a result")
}

/// What an executor did: results by ticket, and all that it said.
#[derive(Default)]
struct Record {
    results: Vec<(u64, Result<JobResult, JobError>)>,
    warnings: Vec<String>,
}

impl Record {
    fn submit(executor: &mut NatsExecutor, tickets: std::ops::Range<u64>) {
        tickets.for_each(|ticket| executor.submit(ticket, job(ticket)));
    }

    /// Fetches results until there are so many.
    fn fetch(&mut self, executor: &mut NatsExecutor, count: usize) {
        let deadline = Instant::now() + DEADLINE;
        while self.results.len() < count {
            assert!(Instant::now() < deadline, "{} of {count} results, {:?}", self.results.len(), self.warnings);
            if let Some(done) = executor.next(WAIT) {
                self.results.push((done.ticket, done.result));
            }
            self.warnings.append(&mut executor.warnings());
        }
    }

    /// Every ticket was answered once, with the result that this machine computes.
    fn assert_whole(mut self, count: u64) {
        self.results.sort_by_key(|(ticket, _)| *ticket);
        let tickets: Vec<u64> = self.results.iter().map(|(ticket, _)| *ticket).collect();
        assert_eq!(tickets, (0..count).collect::<Vec<_>>());
        for (ticket, result) in self.results {
            assert_eq!(result.expect("a result"), local(ticket), "ticket {ticket}");
        }
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().expect("a runtime").block_on(future)
}

async fn context(server: &Server) -> jetstream::Context {
    jetstream::new(async_nats::connect(server.url()).await.expect("a connection"))
}
