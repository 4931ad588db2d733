//! What gets lost on the way: the server, its streams, messages, and whoever should look.

use lanista_cluster::{RESULTS_STREAM, WORKER_SIGNS, encode, jobs_subject, results_subject, sign_subject};

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
