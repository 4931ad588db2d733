//! Jobs that fail, that are too long, that belong to other programs, and that two runs want at once.

use futures_util::StreamExt;
use lanista_cluster::{encode, run_consumer};
use lanista_lab::jobs::Decisions;

use super::*;

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
    assert!(executor.next(WAIT).is_none(), "nobody could do it");
    assert_eq!(stranger.stop().expect("a summary").jobs + bits.stop().expect("a summary").jobs, 0);
    let _worker = Worker::start(&server, "anna");
    record.fetch(&mut executor, 3);
    record.assert_whole(3);
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
        judge: None,
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

/// A worker tells the server of what it holds, for each run as often as that run wants it, whichever it began last.
#[test]
fn each_of_two_runs_has_its_own_patience() {
    let server = Server::start();
    let worker = Worker::start(&server, "anna");
    let begin = |key: &str, seconds: u64| {
        let patience = Duration::from_secs(seconds);
        let executor = connect(RunRequest { key: key.into(), title: key.into(), patience, ..request(&server) });
        let line = format!("works for the run {key:?}");
        until("the beginning of a run", || worker.lines().contains(&line));
        executor
    };
    let mut hasty = begin("hasty", 2);
    let _calm = begin("calm", 600);
    // It goes on until the run is over.
    hasty.submit(0, games("loa5", ["greedy:eval=aloa", "random"], 0, 10_000_000));
    block_on(async {
        let client = context(&server).await.client();
        let subject = format!("$JS.ACK.{JOBS_STREAM}.{}.>", run_consumer(&identity().compatibility(), "hasty"));
        let words = client.subscribe(subject).await.expect("the words to the server");
        let progress = words.filter(|word| std::future::ready(word.payload.as_ref() == b"+WPI")).take(3).count();
        tokio::time::timeout(DEADLINE, progress).await.expect("the bundle is kept alive");
    });
}
