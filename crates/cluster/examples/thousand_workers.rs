//! How many workers one coordinator and one server can keep busy: simulated workers, each a light task with a connection of
//! its own, take real bundles, wait as long as the jobs would take, and answer with a recorded result.
//!
//!     nats-server --jetstream --store_dir nats-data &
//!     cargo run --release -p lanista-cluster --example thousand_workers -- nats://127.0.0.1:4222 1000 0.5 60 $!
//!
//! The arguments are the server, the number of workers, the seconds that a job takes, the seconds to measure, and the process
//! of the server, whose use of the processor is then reported, too. The workers live in a process of their own.

use std::error::Error;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use lanista_cluster::{
    Access, Answer, Bundle, Identity, JOBS_STREAM, JobAnswer, NatsExecutor, OnPoison, RunRequest, WORKER_SIGNS,
    WorkerSign, decode, encode, results_subject, run_consumer, sign_subject,
};
use lanista_core::Seed;
use lanista_lab::blobs::Blobs;
use lanista_lab::executor::Executor;
use lanista_lab::jobs::{Cancel, Duel, DuelRival, Duels, Job, JobResult, Work};
use lanista_lab::learning::Body;
use lanista_learn::{FirstMover, Genome, Played, Points};
use lanista_nn::{Activation, Layer, Shape, View};

const KEY: &str = "simulation";
/// The executor is asked again after so long.
const WAIT: Duration = Duration::from_millis(100);

fn identity() -> Identity {
    Identity { program: "lanista simulation".into(), signature: "0".repeat(16) }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "expected: URL WORKERS SECONDS_A_JOB SECONDS [SERVER_PROCESS]";
    let url = arguments.first().ok_or(usage)?.clone();
    let workers: usize = arguments.get(1).ok_or(usage)?.parse()?;
    let job_seconds: f64 = arguments.get(2).ok_or(usage)?.parse()?;
    let seconds: f64 = arguments.get(3).ok_or(usage)?.parse()?;
    if arguments.last().is_some_and(|last| last == "simulate") {
        return simulate(&url, workers, job_seconds);
    }
    coordinate(&url, workers, job_seconds, seconds, arguments.get(4).and_then(|pid| pid.parse().ok()))
}

/// Hands out jobs as fast as they are done, and measures.
fn coordinate(
    url: &str,
    workers: usize,
    job_seconds: f64,
    seconds: f64,
    server: Option<u32>,
) -> Result<(), Box<dyn Error>> {
    let request = RunRequest {
        access: Access { url: url.into(), ..Access::default() },
        title: "simulation".into(),
        key: KEY.into(),
        on_poison: OnPoison::Fail,
        verify_share: 0.02,
        patience: Duration::from_secs(10),
        identity: identity(),
    };
    let mut executor = NatsExecutor::connect(request, &Arc::new(Blobs::default()), &Cancel::default())?;
    let more: Vec<String> =
        [url, &workers.to_string(), &job_seconds.to_string(), "0", "simulate"].map(String::from).into();
    let mut crowd = Command::new(std::env::current_exe()?).args(more).stdin(Stdio::null()).spawn()?;
    let deadline = Instant::now() + Duration::from_secs(120);
    while executor.workers() < 2 * workers && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(100));
    }
    println!("{} workers are there", executor.workers() / 2);
    let job = job();
    let bytes = encode(&job)?.len();
    let mut next = 0;
    let mut submit = |executor: &mut NatsExecutor, count: usize| {
        for _ in 0..count {
            executor.submit(next, job.clone());
            next += 1;
        }
    };
    submit(&mut executor, 4 * workers);
    // Everybody has work before the clock starts.
    let mut done = 0;
    while done < 2 * workers {
        if executor.next(WAIT).is_some() {
            done += 1;
            submit(&mut executor, 1);
        }
    }
    let (began, before, server_before) =
        (Instant::now(), cpu_seconds("self"), server.map(|pid| cpu_seconds(&pid.to_string())));
    done = 0;
    while began.elapsed().as_secs_f64() < seconds {
        if executor.next(WAIT).is_some() {
            done += 1;
            submit(&mut executor, 1);
        }
        for text in executor.warnings() {
            println!("{text}");
        }
    }
    let time = began.elapsed().as_secs_f64();
    let rate = f64::from(done as u32) / time;
    println!("{rate:.0} jobs/s of {bytes} bytes for {workers} workers with jobs of {job_seconds} s");
    println!("{:.1} % of what they could do without any way to go", 100.0 * rate * job_seconds / workers as f64);
    println!("coordinator: {:.2} cores, {} at most", (cpu_seconds("self") - before) / time, memory("self"));
    if let (Some(pid), Some(before)) = (server, server_before) {
        let pid = pid.to_string();
        println!("server: {:.2} cores, {} at most", (cpu_seconds(&pid) - before) / time, memory(&pid));
    }
    drop(executor);
    crowd.kill()?;
    crowd.wait()?;
    Ok(())
}

/// A job as the study of Lines of Action has it: four networks of 2,041 weights, everybody against everybody.
fn job() -> Job {
    let layer = |size| Layer { size, activation: Activation::Tanh, bias: true };
    let shape = Shape { inputs: 100, layers: vec![layer(20), layer(1)] };
    let mut stream = Seed::new(1).stream();
    let mut genome = || Genome::Weights((0..2041).map(|_| stream.unit() as f32).collect());
    let genomes = (0..4).map(|_| genome()).collect();
    let duel = |a, b| Duel { a, b: DuelRival::Genome(b), games: 2, first: FirstMover::Alternate, seed: Seed::new(2) };
    let meetings = (0..4).flat_map(|a| (a + 1..4).map(move |b| duel(a, b))).collect();
    let body = Body::Network { shape, groups: vec!["board".into(), "nonads".into()], view: View::Mover };
    let player = "alphabeta-quick:depth=3,eval=genome".to_string();
    let duels = Duels { body, player, genomes, opponents: Vec::new(), meetings, random_plies: 0 };
    Job::new("loa", "mia,ply-cap=100", Work::Duels(duels))
}

fn recorded() -> JobResult {
    JobResult::Duels(vec![vec![Played { result: Points::Win, plies: 57 }; 2]; 6])
}

/// Simulates workers until the process is killed.
#[tokio::main]
async fn simulate(url: &str, workers: usize, job_seconds: f64) -> Result<(), Box<dyn Error>> {
    for number in 0..workers {
        let url = url.to_string();
        tokio::spawn(async move {
            if let Err(error) = one_worker(&url, number, job_seconds).await {
                eprintln!("worker {number}: {error}");
            }
        });
        // A thousand at once would be turned away.
        if number % 50 == 49 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    std::future::pending().await
}

type Failed = Box<dyn Error + Send + Sync>;

async fn one_worker(url: &str, number: usize, job_seconds: f64) -> Result<(), Failed> {
    let client = async_nats::connect(url).await?;
    let context = async_nats::jetstream::new(client.clone());
    let id = format!("simulated-{number}");
    let sign = WorkerSign {
        id: id.clone(),
        name: id.clone(),
        program: identity().program,
        compatibility: identity().compatibility(),
        threads: 1,
        ..WorkerSign::default()
    };
    let bytes: bytes::Bytes = serde_json::to_vec(&sign)?.into();
    let (speaker, subject) = (client.clone(), sign_subject(WORKER_SIGNS, &id));
    tokio::spawn(async move {
        while speaker.publish(subject.clone(), bytes.clone()).await.is_ok() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    });
    let stream = context.get_stream(JOBS_STREAM).await?;
    let consumer: PullConsumer = stream.get_consumer(&run_consumer(&identity().compatibility(), KEY)).await?;
    let mut random = Seed::new(3).child(number as u64).stream();
    loop {
        let mut messages = consumer.batch().max_messages(1).expires(Duration::from_secs(5)).messages().await?;
        while let Some(message) = messages.next().await {
            let message = message?;
            let bundle: Bundle = decode(&message.payload)?;
            if bundle.not_by.as_ref() == Some(&id) {
                message.ack_with(async_nats::jetstream::AckKind::Nak(Some(Duration::from_millis(250)))).await?;
                continue;
            }
            // Real jobs differ in length.
            let time = job_seconds * (0.5 + random.unit()) * bundle.jobs.len() as f64;
            tokio::time::sleep(Duration::from_secs_f64(time)).await;
            let answer =
                |(ticket, _): &(u64, Job)| JobAnswer { ticket: *ticket, result: Ok(recorded()), seconds: job_seconds };
            let answer = Answer {
                epoch: bundle.epoch.clone(),
                bundle: bundle.number,
                worker: id.clone(),
                name: id.clone(),
                jobs: bundle.jobs.iter().map(answer).collect(),
            };
            let message_id = format!("{}-{}", bundle.epoch, bundle.number);
            let message_out = PublishMessage::build().payload(encode(&answer)?).message_id(message_id);
            context.send_publish(results_subject(KEY), message_out).await?.await?;
            message.ack().await.map_err(|error| error.to_string())?;
        }
    }
}

/// Seconds of processor time that a process has used.
fn cpu_seconds(process: &str) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    // User and system time, in hundredths of a second.
    (ticks(11) + ticks(12)) / 100.0
}

/// The most memory that a process ever had.
fn memory(process: &str) -> String {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown memory".to_string(), |line| line.trim().to_string())
}
