//! What gets lost on the way: the server, its streams, messages, and whoever should look.

use async_nats::jetstream::object_store;
use lanista_cluster::{FILES_STORE, RESULTS_STREAM, WORKER_SIGNS, encode, jobs_subject, results_subject, sign_subject};

use super::by_hand::{answer, consumer, take_bundle};
use super::*;

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
        // Whatever was on its way is lost then.
        until("the coordinator's complaint", || {
            record.warnings.append(&mut executor.warnings());
            record.warnings.iter().any(|text| text.contains("is lost"))
        });
        server.start_again(forget);
        record.fetch(&mut executor, 150);
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
    let request = request(&server);
    let patience = request.patience;
    let mut executor = connect(request);
    let worker = Worker::start(&server, "anna");
    Record::submit(&mut executor, 0..60);
    // The run is busy elsewhere until all jobs are done, and then for longer than the server waits for a worker's acknowledgement
    // before it hands a job out again.
    until("the end of all jobs", || listed(&server).workers.iter().any(|worker| worker.jobs == 60));
    let done = Instant::now();
    until("the end of patience", || done.elapsed() > patience + patience / 4);
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

/// Makes the object store that is away again, with this content.
async fn bring_back(context: &jetstream::Context, contents: &[Vec<u8>]) {
    let config = object_store::Config { bucket: FILES_STORE.into(), ..object_store::Config::default() };
    let store = context.create_object_store(config).await.expect("an object store");
    for content in contents {
        store.put(Blobs::reference(content).as_str(), &mut content.as_slice()).await.expect("put there");
    }
}

/// A worker and the coordinator ask for messages that are in the object store, and it fails.
#[test]
fn an_object_store_that_fails_for_a_while_loses_no_message() {
    let server = Server::start();
    // With so much patience nothing is sent a second time.
    let mut executor = connect(RunRequest { patience: 10 * DEADLINE, ..request(&server) });
    Record::submit(&mut executor, 0..2);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let context = runtime.block_on(context(&server));
    let taken = runtime.block_on(async {
        let consumer = consumer(&context).await;
        [take_bundle(&consumer).await, take_bundle(&consumer).await]
    });
    let worker = Worker::start(&server, "anna");
    until("a worker", || worker.lines().iter().any(|line| line.starts_with("works for the run")));
    let contents = [encode(&taken[0].1).expect("bytes").to_vec(), answer(&taken[1].1, "by hand", local)];
    runtime.block_on(async {
        context.delete_object_store(FILES_STORE).await.expect("it is away");
        let subjects = [jobs_subject(&identity().compatibility(), KEY), results_subject(KEY)];
        for ((subject, content), (message, _)) in subjects.into_iter().zip(&contents).zip(&taken) {
            let elsewhere = format!("LANF{}", Blobs::reference(content));
            context.publish(subject, elsewhere.into()).await.expect("sent").await.expect("taken");
            message.ack().await.expect("acknowledged");
        }
    });
    let mut record = Record::default();
    until("complaints of both", || {
        record.warnings.append(&mut executor.warnings());
        let waits = |lines: &[String]| lines.iter().any(|line| line.contains("trying again"));
        waits(&record.warnings) && waits(&worker.lines())
    });
    runtime.block_on(bring_back(&context, &contents));
    record.fetch(&mut executor, 2);
    let lines = [worker.lines(), record.warnings.clone()].concat();
    assert!(!lines.iter().any(|line| line.contains("dropped")), "{lines:?}");
    record.assert_whole(2);
}

/// A worker asks for a file of a job, and the object store fails.
#[test]
fn an_object_store_that_fails_for_a_while_counts_against_no_job() {
    let server = Server::start();
    let blobs = Arc::new(Blobs::default());
    let request = RunRequest { patience: 10 * DEADLINE, ..request(&server) };
    let mut executor = NatsExecutor::connect(request, &blobs, &Cancel::default()).expect("a connection");
    let content = b"no weights at all".to_vec();
    let reference = blobs.add(content.clone());
    executor.submit(0, games("loa5", [&format!("greedy:eval=mlp@{reference}"), "random"], 0, 1));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let context = runtime.block_on(context(&server));
    let (message, bundle) = runtime.block_on(async { take_bundle(&consumer(&context).await).await });
    let worker = Worker::start(&server, "anna");
    until("a worker", || worker.lines().iter().any(|line| line.starts_with("works for the run")));
    runtime.block_on(async {
        context.delete_object_store(FILES_STORE).await.expect("it is away");
        let (subject, bytes) = (jobs_subject(&identity().compatibility(), KEY), encode(&bundle).expect("bytes"));
        context.publish(subject, bytes).await.expect("sent").await.expect("taken");
        message.ack().await.expect("acknowledged");
    });
    until("a complaint", || worker.lines().iter().any(|line| line.contains("trying again")));
    runtime.block_on(bring_back(&context, &[content]));
    let mut record = Record::default();
    record.fetch(&mut executor, 1);
    // It fails three times, since the file has no weights, but never for want of the file.
    let error = record.results[0].1.as_ref().expect_err("no weights").to_string();
    assert!(!error.contains("not in the object store") && error.matches("anna: ").count() == 3, "{error}");
}

#[test]
fn a_worker_leaves_in_time_when_its_server_is_gone() {
    let mut server = Server::start();
    let mut executor = connect(request(&server));
    let worker = Worker::start(&server, "anna");
    let mut record = Record::default();
    Record::submit(&mut executor, 0..500);
    record.fetch(&mut executor, 1);
    // For good, in the middle of the work: results that are on their way never arrive.
    server.kill();
    until("the worker's complaint", || worker.lines().iter().any(|line| line.contains("is lost, trying again")));
    let told = Instant::now();
    let jobs = worker.stop().expect("a summary").jobs;
    // Jobs get the grace, their results five seconds more, the last words two.
    let most = GRACE + Duration::from_secs(5 + 2);
    assert!(told.elapsed() < most + Duration::from_secs(3), "it took {:?}", told.elapsed());
    assert!(jobs > 0);
}
