//! What can go wrong between coordinator, server and workers, and that it changes nothing but the time.

mod server;

use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use lanista_cluster::worker::{Summary, WorkerError, WorkerRequest, work};
use lanista_cluster::{
    Access, Answer, Bundle, Identity, JOBS_STREAM, JobAnswer, NatsExecutor, OnPoison, RESULTS_STREAM, RunRequest,
    WORKER_SIGNS, WorkerSign, decode, encode, jobs_subject, results_subject, run_consumer, sign_subject,
};
use lanista_core::Seed;
use lanista_lab::blobs::Blobs;
use lanista_lab::executor::{Executor, attempt};
use lanista_lab::jobs::{Adjudication, Bounds, Cancel, Decisions, Job, JobError, JobResult, Pairs, PairsResult, Work};
use lanista_lab::limits::Limit;
use server::Server;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

/// No test waits longer than this for anything.
const DEADLINE: Duration = Duration::from_secs(60);
const KEY: &str = "test-run";

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
            grace: Duration::from_secs(5),
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
            if let Some(done) = executor.next() {
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

#[test]
fn the_server_restarts_or_forgets_everything() {
    for forget in [false, true] {
        let mut server = Server::start();
        let mut executor = connect(request(&server));
        let _worker = Worker::start(&server, "anna");
        let mut record = Record::default();
        Record::submit(&mut executor, 0..150);
        record.fetch(&mut executor, 20);
        server.kill();
        // Whatever was on its way is lost now.
        std::thread::sleep(Duration::from_millis(200));
        server.start_again(forget);
        record.fetch(&mut executor, 150);
        assert!(record.warnings.iter().any(|text| text.contains("is lost")), "{:?}", record.warnings);
        record.assert_whole(150);
    }
}

#[test]
fn a_full_stream_only_takes_longer() {
    let server = Server::start();
    block_on(async {
        for (name, subject) in [(JOBS_STREAM, "lanista.jobs.>"), (RESULTS_STREAM, "lanista.results.>")] {
            let config = jetstream::stream::Config {
                name: name.into(),
                subjects: vec![subject.into()],
                retention: jetstream::stream::RetentionPolicy::WorkQueue,
                discard: jetstream::stream::DiscardPolicy::New,
                max_messages: 1,
                ..Default::default()
            };
            context(&server).await.create_stream(config).await.expect("a small stream");
        }
    });
    let mut executor = connect(request(&server));
    let mut record = Record::default();
    Record::submit(&mut executor, 0..12);
    until("a complaint", || {
        record.warnings.append(&mut executor.warnings());
        record.warnings.iter().any(|text| text.contains("NATS does not take jobs"))
    });
    let _workers = ["anna", "berta"].map(|name| Worker::start(&server, name));
    record.fetch(&mut executor, 12);
    record.assert_whole(12);
}

#[test]
fn a_run_that_does_not_look_loses_nothing() {
    let server = Server::start();
    let mut executor = connect(request(&server));
    let worker = Worker::start(&server, "anna");
    Record::submit(&mut executor, 0..60);
    // The run is busy elsewhere; longer than the server waits for acknowledgements of a worker.
    std::thread::sleep(Duration::from_secs(3));
    let mut record = Record::default();
    record.fetch(&mut executor, 60);
    record.assert_whole(60);
    assert_eq!(worker.stop().expect("a summary").jobs, 60, "nothing is done twice");
}

#[test]
fn damaged_messages_are_dropped_and_named() {
    let server = Server::start();
    let mut executor = connect(request(&server));
    let compatibility = identity().compatibility();
    block_on(async {
        let context = context(&server).await;
        let mut flipped = encode(&job(0)).expect("bytes").to_vec();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 4;
        let elsewhere = format!("LANF{}", Blobs::reference(b"nobody put this there"));
        for bytes in [
            b"nonsense".to_vec(),
            Vec::new(),
            flipped,
            elsewhere.into_bytes(),
            encode(&job(0)).expect("bytes").to_vec(),
        ] {
            for subject in [jobs_subject(&compatibility, KEY), results_subject(KEY)] {
                context.publish(subject, bytes.clone().into()).await.expect("sent").await.expect("taken");
            }
        }
        // Signs of life that are none.
        context.client().publish(sign_subject(WORKER_SIGNS, "x"), "{".into()).await.expect("sent");
        context.client().flush().await.expect("sent");
    });
    let worker = Worker::start(&server, "anna");
    let mut record = Record::default();
    Record::submit(&mut executor, 0..20);
    record.fetch(&mut executor, 20);
    let dropped = |lines: &[String]| lines.iter().filter(|line| line.contains("a message was dropped")).count();
    until("the worker's complaint", || dropped(&worker.lines()) == 5);
    assert_eq!(dropped(&record.warnings), 5, "{:?}", record.warnings);
    record.assert_whole(20);
}

#[test]
fn another_version_gets_no_job_and_both_sides_say_so() {
    let server = Server::start();
    let mut executor = connect(request(&server));
    let other = Identity { program: "lanista 0.0.1".into(), ..identity() };
    let stranger = Worker::with(&server, "old", other);
    let bits = Worker::with(&server, "odd", Identity { signature: "f".repeat(16), ..identity() });
    let mut record = Record::default();
    Record::submit(&mut executor, 0..3);
    until("words on both sides", || {
        record.warnings.append(&mut executor.warnings());
        let told =
            |name: &str| record.warnings.iter().any(|text| text.starts_with(&format!("worker {name} cannot work")));
        let refused =
            |worker: &Worker| worker.lines().iter().any(|line| line.starts_with("no work for the run \"a test\""));
        told("old") && told("odd") && refused(&stranger) && refused(&bits)
    });
    assert!(executor.next().is_none(), "nobody could do it");
    assert_eq!(stranger.stop().expect("a summary").jobs + bits.stop().expect("a summary").jobs, 0);
    let _worker = Worker::start(&server, "anna");
    record.fetch(&mut executor, 3);
    record.assert_whole(3);
}

/// Takes the next bundle of the test's run by hand, as a worker of our own making.
async fn take_bundle(consumer: &PullConsumer) -> (jetstream::Message, Bundle) {
    let mut messages = consumer.batch().max_messages(1).expires(DEADLINE).messages().await.expect("a request");
    let message = messages.next().await.expect("in time").expect("a message");
    let bundle = decode(&message.payload).expect("a bundle");
    (message, bundle)
}

async fn consumer(context: &jetstream::Context) -> PullConsumer {
    let stream = context.get_stream(JOBS_STREAM).await.expect("the stream");
    stream.get_consumer(&run_consumer(&identity().compatibility(), KEY)).await.expect("the consumer")
}

async fn sign(context: &jetstream::Context, name: &str) {
    let compatibility = identity().compatibility();
    let sign = WorkerSign { id: name.into(), name: name.into(), threads: 1, compatibility, ..WorkerSign::default() };
    let bytes = serde_json::to_vec(&sign).expect("a sign");
    context.client().publish(sign_subject(WORKER_SIGNS, name), bytes.into()).await.expect("sent");
}

fn answer(bundle: &Bundle, worker: &str, result: impl Fn(u64) -> JobResult) -> Vec<u8> {
    let part = |(ticket, _): &(u64, Job)| JobAnswer { ticket: *ticket, result: Ok(result(*ticket)), seconds: 0.01 };
    let jobs = bundle.jobs.iter().map(part).collect();
    let (worker, name) = (worker.to_string(), worker.to_string());
    encode(&Answer { epoch: bundle.epoch.clone(), bundle: bundle.number, worker, name, jobs }).expect("bytes").to_vec()
}

#[test]
fn answers_that_come_several_times_or_for_another_start_count_once() {
    let server = Server::start();
    let mut executor = connect(request(&server));
    Record::submit(&mut executor, 0..5);
    let mut record = Record::default();
    block_on(async {
        let context = context(&server).await;
        let consumer = consumer(&context).await;
        for _ in 0..5 {
            let (message, bundle) = take_bundle(&consumer).await;
            let earlier = Bundle { epoch: "an earlier start".into(), ..bundle.clone() };
            let wrong = |_| JobResult::Pairs(PairsResult::default());
            for bytes in [answer(&earlier, "x", wrong), answer(&bundle, "x", local), answer(&bundle, "y", wrong)] {
                context.publish(results_subject(KEY), bytes.into()).await.expect("sent").await.expect("taken");
            }
            message.ack().await.expect("acknowledged");
        }
    });
    record.fetch(&mut executor, 5);
    assert!(executor.next().is_none() && executor.next().is_none());
    record.assert_whole(5);
}

#[test]
fn a_worker_that_gives_wrong_results_is_named_and_its_results_are_done_again() {
    let server = Server::start();
    let mut executor = connect(RunRequest { verify_share: 1.0, ..request(&server) });
    let liar = "liar";
    Record::submit(&mut executor, 0..4);
    block_on(async {
        let context = context(&server).await;
        sign(&context, liar).await;
        sign(&context, "honest-but-slow").await;
        let consumer = consumer(&context).await;
        // One wrong result, which nobody fetches from the executor before it is found out.
        let (message, bundle) = take_bundle(&consumer).await;
        let wrong = answer(&bundle, liar, |_| JobResult::Pairs(PairsResult::default()));
        context.publish(results_subject(KEY), wrong.into()).await.expect("sent").await.expect("taken");
        message.ack().await.expect("acknowledged");
    });
    let _worker = Worker::start(&server, "anna");
    let mut record = Record::default();
    until("quarantine", || {
        record.warnings.append(&mut executor.warnings());
        record.warnings.iter().any(|text| text.contains("worker liar (liar) gave a wrong result and is in quarantine"))
    });
    record.fetch(&mut executor, 4);
    record.assert_whole(4);
}

#[test]
fn a_run_that_used_wrong_results_stops() {
    let server = Server::start();
    let mut executor = connect(RunRequest { verify_share: 1.0, ..request(&server) });
    Record::submit(&mut executor, 0..400);
    let mut record = Record::default();
    block_on(async {
        let context = context(&server).await;
        sign(&context, "liar").await;
        sign(&context, "another").await;
        let consumer = consumer(&context).await;
        let (message, bundle) = take_bundle(&consumer).await;
        let wrong = answer(&bundle, "liar", |_| JobResult::Pairs(PairsResult::default()));
        context.publish(results_subject(KEY), wrong.into()).await.expect("sent").await.expect("taken");
        message.ack().await.expect("acknowledged");
    });
    record.fetch(&mut executor, 1);
    let _worker = Worker::start(&server, "anna");
    let deadline = Instant::now() + DEADLINE;
    loop {
        assert!(Instant::now() < deadline, "the run goes on");
        match executor.next().map(|done| done.result) {
            Some(Err(JobError::Deviation(text))) => {
                assert!(text.contains("worker liar") && text.contains("1 of its results"), "{text}");
                break;
            }
            Some(Err(error)) => panic!("{error}"),
            _ => {}
        }
    }
}

#[test]
fn a_job_that_always_fails_is_reported_with_its_error() {
    let server = Server::start();
    let _worker = Worker::start(&server, "anna");
    let mut executor = connect(request(&server));
    let mut record = Record::default();
    for (ticket, (player, reason)) in [
        ("greedy:eval=nonsense", "has no evaluator"),
        ("greedy:eval=mlp@/etc/hostname", "by its content"),
        ("engine:touch trace", "leave --nats away"),
        ("pvs:table=60000", "as table of a player"),
    ]
    .into_iter()
    .enumerate()
    {
        executor.submit(ticket as u64, games("loa5", [player, "random"], 0, 1));
        record.fetch(&mut executor, ticket + 1);
        let error = record.results[ticket].1.as_ref().expect_err("an error").to_string();
        assert!(error.contains(reason), "{player}: {error}");
    }
}

#[test]
fn positions_of_a_test_can_be_skipped_and_games_cannot() {
    let server = Server::start();
    let _worker = Worker::start(&server, "anna");
    let mut executor = connect(RunRequest { on_poison: OnPoison::Skip, ..request(&server) });
    let work = Decisions {
        player: "greedy:eval=nonsense".into(),
        limit: Limit::default(),
        positions: vec![Vec::new(), vec![0]],
        first: 0,
        seed: Seed::new(1),
    };
    executor.submit(0, Job::new("loa5", "", Work::Decisions(work)));
    let mut record = Record::default();
    record.fetch(&mut executor, 1);
    match record.results[0].1.as_ref().expect("skipped") {
        JobResult::Decisions(rows) => assert!(rows.len() == 2 && rows.iter().all(|row| row.mv.is_empty())),
        other => panic!("{other:?}"),
    }
    assert!(record.warnings.iter().any(|text| text.contains("2 positions are left without an answer")));
    executor.submit(1, games("loa5", ["greedy:eval=nonsense", "random"], 0, 1));
    record.fetch(&mut executor, 2);
    let error = record.results[1].1.as_ref().expect_err("an error").to_string();
    assert!(error.contains("only decisions can be skipped"), "{error}");
}

#[test]
fn what_is_too_long_for_a_message_goes_through_the_object_store_and_files_do_too() {
    let write =
        |folder: &std::path::Path| std::fs::write(folder.join("conf"), "max_payload: 65536\n").expect("written");
    let server = Server::prepared(&["-c", "{folder}/conf"], write);
    let blobs = Arc::new(Blobs::default());
    let mut executor = NatsExecutor::connect(request(&server), &blobs, &Cancel::default()).expect("a connection");
    let _worker = Worker::start(&server, "anna");
    let reference = blobs.add(b"no weights at all".to_vec());
    // No file of weights: the error of the evaluator proves that its content was there.
    executor.submit(0, games("loa5", [&format!("greedy:eval=mlp@{reference}"), "random"], 0, 1));
    let long = games("connect-four", ["random", "random"], 0, 15_000);
    executor.submit(1, long.clone());
    let mut record = Record::default();
    record.fetch(&mut executor, 2);
    record.results.sort_by_key(|(ticket, _)| *ticket);
    let error = record.results[0].1.as_ref().expect_err("no weights").to_string();
    assert!(!error.contains("not in the object store") && error.contains(&reference), "{error}");
    let expected = attempt(&long, &Blobs::default(), &Cancel::default()).expect("a result");
    assert!(encode(&expected).expect("bytes").len() > 65536, "long enough");
    assert_eq!(record.results[1].1.as_ref().expect("a result"), &expected);
}

#[test]
fn two_runs_share_a_worker() {
    let server = Server::start();
    let worker = Worker::start(&server, "anna");
    let mut executors = ["first", "second"].map(|key| connect(RunRequest { key: key.into(), ..request(&server) }));
    let mut records = [Record::default(), Record::default()];
    for executor in &mut executors {
        Record::submit(executor, 0..200);
    }
    // Neither waits for the other: when one has half its results the other has some.
    let [first, second] = &mut executors;
    records[0].fetch(first, 100);
    records[1].fetch(second, 1);
    assert!(records[0].results.len() < 200);
    records[1].fetch(second, 200);
    records[0].fetch(first, 200);
    records.into_iter().for_each(|record| record.assert_whole(200));
    drop(executors);
    assert_eq!(worker.stop().expect("a summary").jobs, 400);
}
