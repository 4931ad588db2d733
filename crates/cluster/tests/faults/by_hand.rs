//! Workers of our own making: answers that come twice, too late, or are wrong.

use std::sync::atomic::{AtomicBool, Ordering};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use lanista_cluster::{
    Answer, Bundle, JobAnswer, Standing, WORKER_SIGNS, WorkerSign, decode, encode, jobs_subject, results_subject,
    run_consumer, sign_subject,
};
use lanista_lab::jobs::PairsResult;

use super::*;

/// Takes the next bundle of the test's run by hand, as a worker of our own making.
pub(super) async fn take_bundle(consumer: &PullConsumer) -> (jetstream::Message, Bundle) {
    let mut messages = consumer.batch().max_messages(1).expires(DEADLINE).messages().await.expect("a request");
    let message = messages.next().await.expect("in time").expect("a message");
    let bundle = decode(&message.payload).expect("a bundle");
    (message, bundle)
}

pub(super) async fn consumer(context: &jetstream::Context) -> PullConsumer {
    let stream = context.get_stream(JOBS_STREAM).await.expect("the stream");
    stream.get_consumer(&run_consumer(&identity().compatibility(), KEY)).await.expect("the consumer")
}

fn sign_of(name: &str) -> WorkerSign {
    let compatibility = identity().compatibility();
    WorkerSign { id: name.into(), name: name.into(), threads: 1, compatibility, ..WorkerSign::default() }
}

async fn show(context: &jetstream::Context, sign: &WorkerSign) {
    let bytes = serde_json::to_vec(sign).expect("a sign");
    context.client().publish(sign_subject(WORKER_SIGNS, &sign.id), bytes.into()).await.expect("sent");
}

async fn sign(context: &jetstream::Context, name: &str) {
    show(context, &sign_of(name)).await;
}

/// Shows a sign of life again and again, as workers do, until the test has seen enough.
fn keep_showing(server: &Server, sign: WorkerSign) -> StillThere {
    let over = Arc::new(AtomicBool::new(false));
    let (heard, url) = (Arc::clone(&over), server.url());
    let thread = std::thread::spawn(move || {
        block_on(async {
            let context = jetstream::new(async_nats::connect(url).await.expect("a connection"));
            while !heard.load(Ordering::Relaxed) {
                show(&context, &sign).await;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
    });
    StillThere { over, thread: Some(thread) }
}

/// Somebody who shows signs of life until it is dropped.
struct StillThere {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for StillThere {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(super) fn answer(bundle: &Bundle, worker: &str, result: impl Fn(u64) -> JobResult) -> Vec<u8> {
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
    assert!(executor.next(WAIT).is_none() && executor.next(WAIT).is_none());
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

/// What `lanista cluster` tells of workers that are there: two that work, and one that is slow first and found out then.
#[test]
fn the_listing_names_slow_and_quarantined_workers() {
    let server = Server::start();
    // What the third worker holds stays with it.
    let mut executor = connect(RunRequest { verify_share: 1.0, patience: DEADLINE, ..request(&server) });
    // Nobody fetches the results, so that the wrong one is found out before it is used.
    Record::submit(&mut executor, 0..60);
    let _liar = keep_showing(&server, WorkerSign { jobs: 1, worked: 900.0, busy: 1, ..sign_of("liar") });
    let (message, bundle) = block_on(async {
        let context = context(&server).await;
        take_bundle(&consumer(&context).await).await
    });
    let _workers = ["anna", "berta"].map(|name| Worker::start(&server, name));
    let standing = |found: &Overview, name: &str| {
        found.workers.iter().find(|worker| worker.name == name).map(|worker| worker.standing)
    };
    let mut found = Overview::default();
    until("a slow worker among others", || {
        found = listed(&server);
        standing(&found, "liar") == Some(Standing::Slow)
    });
    for name in ["anna", "berta"] {
        assert!(matches!(standing(&found, name), Some(Standing::Works | Standing::Idle)), "{found:?}");
    }
    assert!(found.runs.len() == 1 && found.runs[0].quarantined.is_empty(), "{found:?}");
    block_on(async {
        let context = context(&server).await;
        let wrong = answer(&bundle, "liar", |_| JobResult::Pairs(PairsResult::default()));
        context.publish(results_subject(KEY), wrong.into()).await.expect("sent").await.expect("taken");
        drop(message);
    });
    until("quarantine", || {
        found = listed(&server);
        standing(&found, "liar") == Some(Standing::Quarantined)
    });
    assert_eq!(found.runs[0].quarantined, ["liar"]);
    assert!(["anna", "berta"].iter().all(|name| standing(&found, name) != Some(Standing::Quarantined)), "{found:?}");
    let mut record = Record::default();
    record.fetch(&mut executor, 60);
    record.assert_whole(60);
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
        match executor.next(WAIT).map(|done| done.result) {
            Some(Err(JobError::Deviation(text))) => {
                assert!(text.contains("worker liar") && text.contains("1 of its results"), "{text}");
                break;
            }
            Some(Err(error)) => panic!("{error}"),
            _ => {}
        }
    }
}

/// Found out between two rounds, when no job is open: the run hears of it with its next job, or with a result that waits for it.
#[test]
fn a_run_that_used_wrong_results_stops_between_rounds_too() {
    for waits in [false, true] {
        let server = Server::start();
        let mut executor = connect(RunRequest { verify_share: 1.0, patience: DEADLINE, ..request(&server) });
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let context = runtime.block_on(context(&server));
        runtime.block_on(async {
            sign(&context, "liar").await;
            sign(&context, "honest").await;
        });
        until("both workers", || executor.workers() == 4);
        let take = || runtime.block_on(async { take_bundle(&consumer(&context).await).await });
        let give =
            |(message, bundle): (jetstream::Message, Bundle), worker: &str, result: &dyn Fn(u64) -> JobResult| {
                runtime.block_on(async {
                    let bytes = answer(&bundle, worker, result);
                    context.publish(results_subject(KEY), bytes.into()).await.expect("sent").await.expect("taken");
                    message.ack().await.expect("acknowledged");
                });
            };
        let mut record = Record::default();
        Record::submit(&mut executor, 0..1);
        give(take(), "liar", &|_| JobResult::Pairs(PairsResult::default()));
        record.fetch(&mut executor, 1);
        let mut bundles = vec![take()];
        if waits {
            Record::submit(&mut executor, 1..2);
            bundles.insert(0, take());
        }
        bundles.into_iter().for_each(|bundle| give(bundle, "honest", &local));
        until("quarantine", || {
            record.warnings.append(&mut executor.warnings());
            record.warnings.iter().any(|text| text.contains("worker liar (liar) gave a wrong result"))
        });
        if !waits {
            Record::submit(&mut executor, 1..2);
        }
        record.fetch(&mut executor, 2);
        match &record.results[1].1 {
            Err(JobError::Deviation(text)) => assert!(text.contains("1 of its results are already part"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}

/// The next bundle that the coordinator sends, seen on its way to the stream.
async fn sent_next(sent: &mut async_nats::Subscriber) -> Bundle {
    let message = tokio::time::timeout(DEADLINE, sent.next()).await.expect("in time").expect("a message");
    decode(&message.payload).expect("a bundle")
}

/// Who did the job refuses to do it again, and the other worker is busy for longer than that is asked of it.
#[test]
fn a_comparison_waits_until_another_worker_has_time() {
    let server = Server::start();
    let mut executor = connect(RunRequest { verify_share: 1.0, ..request(&server) });
    let _busy = keep_showing(&server, WorkerSign { busy: 1, ..sign_of("busy") });
    let _worker = Worker::start(&server, "anna");
    until("both workers", || executor.workers() == 4);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let context = context(&server).await;
        let subject = jobs_subject(&identity().compatibility(), KEY);
        let mut sent = context.client().subscribe(subject).await.expect("the jobs");
        // A question to the server: its answer comes after it has begun to pass on what is subscribed to.
        let consumer = consumer(&context).await;
        Record::submit(&mut executor, 0..1);
        assert_eq!(sent_next(&mut sent).await.not_by, None, "the job");
        let first = sent_next(&mut sent).await;
        let again = sent_next(&mut sent).await;
        assert!(first.not_by.is_some() && again.not_by == first.not_by && again.number != first.number);
        let (message, bundle) = take_bundle(&consumer).await;
        let bytes = answer(&bundle, "busy", local);
        context.publish(results_subject(KEY), bytes.into()).await.expect("sent").await.expect("taken");
        message.ack().await.expect("acknowledged");
    });
    until("an agreement", || listed(&server).runs.iter().any(|run| run.verified == 1));
    let mut record = Record::default();
    record.fetch(&mut executor, 1);
    record.assert_whole(1);
}

#[test]
fn a_comparison_that_is_lost_goes_out_again() {
    let server = Server::start();
    let mut executor = connect(RunRequest { verify_share: 1.0, ..request(&server) });
    let _workers = ["anna", "berta"].map(|name| keep_showing(&server, sign_of(name)));
    until("both workers", || executor.workers() == 4);
    Record::submit(&mut executor, 0..1);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let context = context(&server).await;
        let consumer = consumer(&context).await;
        let (message, bundle) = take_bundle(&consumer).await;
        let bytes = answer(&bundle, "anna", local);
        context.publish(results_subject(KEY), bytes.into()).await.expect("sent").await.expect("taken");
        message.ack().await.expect("acknowledged");
        let (message, first) = take_bundle(&consumer).await;
        message.ack_with(AckKind::Term).await.expect("lost");
        let (_, again) = take_bundle(&consumer).await;
        assert!(again.not_by.as_deref() == Some("anna") && again.jobs == first.jobs && again.number != first.number);
    });
}
