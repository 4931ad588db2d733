//! The coordinator's side of the wire: one task that keeps the book, others that send and receive for it.

mod receive;
mod send;
mod staff;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;
use lanista_lab::blobs::Blobs;
use lanista_lab::executor::{Done, attempt};
use lanista_lab::jobs::{Cancel, DecisionRow, Job, JobError, JobResult, Work};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use crate::connection::{Connection, ConnectionError, Say};
use crate::executor::{OnPoison, RunRequest};
use crate::files::Files;
use crate::ledger::{Ledger, Outcome, Ticketed};
use crate::shelf::{Item, Shelf};
use crate::signs::{self, RUN_SIGNS, RunSign, WorkerSign, sign_subject};
use crate::streams;
use crate::verification::{self, Dispute, Verification};
use crate::wire::{Answer, Sending, encode};
use send::{Parcel, Post, Route};
use staff::Staff;

/// A sign of life goes out so often.
const SIGN_EVERY: Duration = Duration::from_millis(500);
/// Workers that are there answer the first sign within this time; then the run begins.
const GATHERING: Duration = Duration::from_millis(400);
/// The last words to the server may take so long.
const FAREWELL: Duration = Duration::from_secs(3);
/// A comparison without an answer for so long, or for so many times the patience of the run, is taken for lost.
const COMPARED: Duration = Duration::from_secs(3600);
const COMPARED_PATIENCE: u32 = 12;

/// What the coordinator hears of.
pub(crate) enum Input {
    /// A job of the run.
    Submit(u64, Arc<Job>),
    /// An answer of a worker.
    Answer(Answer),
    /// A worker's sign of life.
    Worker(WorkerSign),
    /// A message that makes no sense.
    Dropped(String),
    /// An answer is there that cannot be had now.
    Delayed(String),
    /// A bundle is on the stream; its content is where the reference says, if it was too long.
    Sent(u64, Duration, Option<String>),
    /// What a job gives that two workers disagree about.
    Truth(Dispute, Option<blake3::Hash>),
    /// The stream has nothing of ours any more.
    NothingThere,
    /// The end.
    Stop,
}

/// What a coordinator begins with.
pub(crate) struct Begin {
    pub request: RunRequest,
    pub blobs: Arc<Blobs>,
    pub cancel: Cancel,
    pub shelf: Arc<Shelf>,
    pub inputs: UnboundedSender<Input>,
}

/// Runs a coordinator on this thread until it is told to stop.
pub(crate) fn run(begin: Begin, queue: UnboundedReceiver<Input>, ready: &Sender<Result<(), ConnectionError>>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            let _ = ready.send(Err(ConnectionError::Server(begin.request.access.shown(), error.to_string())));
            return;
        }
    };
    runtime.block_on(async {
        match Coordinator::start(begin).await {
            Ok(coordinator) => coordinator.work(queue, ready).await,
            Err(error) => {
                let _ = ready.send(Err(error));
            }
        }
    });
    runtime.shutdown_timeout(Duration::from_millis(200));
}

struct Coordinator {
    request: RunRequest,
    connection: Connection,
    blobs: Arc<Blobs>,
    cancel: Cancel,
    shelf: Arc<Shelf>,
    inputs: UnboundedSender<Input>,
    files: Files,
    post: Post,
    epoch: String,
    compatibility: String,
    ledger: Ledger,
    verification: Verification,
    staff: Staff,
    /// Bundles whose content is in the object store.
    parcels: HashMap<u64, String>,
    quarantined: HashSet<String>,
    /// The names of those, in the order in which they were found out.
    quarantined_names: Vec<String>,
    dropped: u64,
    last_answer: Instant,
    last_look: Instant,
    /// When it was said last that results have to wait.
    complained: Mutex<Option<Instant>>,
}

impl Coordinator {
    async fn start(begin: Begin) -> Result<Coordinator, ConnectionError> {
        let Begin { request, blobs, cancel, shelf, inputs } = begin;
        let warn = Arc::clone(&shelf);
        let say: Say = Arc::new(move |text| warn.warn(text));
        let connection = request.access.join("lanista run", false, say).await?;
        let compatibility = request.identity.compatibility();
        streams::sweep(&connection.context, &compatibility, &request.key, true).await;
        streams::make_job_consumer(&connection.context, &compatibility, &request.key, request.patience).await?;
        streams::make_result_consumer(&connection.context, &request.key).await?;
        let epoch = nuid::next().to_string();
        let files = Files::new(&connection);
        let post = Post::new(Route {
            connection: connection.clone(),
            files: files.clone(),
            blobs: Arc::clone(&blobs),
            epoch: epoch.clone(),
            request: request.clone(),
            compatibility: compatibility.clone(),
            shelf: Arc::clone(&shelf),
            inputs: inputs.clone(),
        });
        receive::results(&connection, &files, &request.key, inputs.clone());
        receive::signs(&connection, inputs.clone()).await?;
        let verification = Verification::new(request.verify_share);
        let staff = Staff::new(request.identity.clone(), request.patience);
        let now = Instant::now();
        Ok(Coordinator {
            request,
            connection,
            blobs,
            cancel,
            shelf,
            inputs,
            files,
            post,
            epoch,
            compatibility,
            ledger: Ledger::default(),
            verification,
            staff,
            parcels: HashMap::new(),
            quarantined: HashSet::new(),
            quarantined_names: Vec::new(),
            dropped: 0,
            last_answer: now,
            last_look: now,
            complained: Mutex::default(),
        })
    }

    async fn work(mut self, mut queue: UnboundedReceiver<Input>, ready: &Sender<Result<(), ConnectionError>>) {
        let mut tick = tokio::time::interval(SIGN_EVERY);
        let gathered = tokio::time::sleep(GATHERING);
        tokio::pin!(gathered);
        let mut waiting = true;
        loop {
            tokio::select! {
                input = queue.recv() => match input {
                    None | Some(Input::Stop) => break,
                    Some(input) => self.take(input),
                },
                _ = tick.tick() => self.tick(false).await,
                () = &mut gathered, if waiting => {
                    waiting = false;
                    let _ = ready.send(Ok(()));
                }
            }
            // Everything that came meanwhile, before anything is sent.
            while let Ok(input) = queue.try_recv() {
                match input {
                    Input::Stop => return self.leave().await,
                    input => self.take(input),
                }
            }
            self.send_more();
        }
        self.leave().await;
    }

    fn take(&mut self, input: Input) {
        match input {
            Input::Submit(ticket, job) => match self.shelf.deviation() {
                // The run hears of it now, not when somebody has done the job.
                Some(reason) => self.shelf.fail(ticket, JobError::Deviation(reason), &job),
                None => self.ledger.submit(ticket, job),
            },
            Input::Answer(answer) => self.take_answer(answer),
            Input::Worker(sign) => {
                if let Some(text) = self.staff.heard(sign) {
                    self.shelf.warn(text);
                }
                self.shelf.set_threads(self.staff.threads(&self.quarantined));
            }
            Input::Dropped(reason) => {
                self.dropped += 1;
                self.shelf.warn(format!("a message was dropped: {reason}"));
            }
            Input::Delayed(reason) => {
                // What waits is not lost.
                self.last_answer = Instant::now();
                if send::is_time_to_complain(&self.complained) {
                    self.shelf.warn(format!("a result has to wait, trying again: {reason}"));
                }
            }
            Input::Sent(number, time, reference) => {
                self.ledger.bundling.came_back(time.as_secs_f64());
                if let Some(reference) = reference {
                    self.parcels.insert(number, reference);
                }
            }
            Input::Truth(dispute, truth) => self.judge(&dispute, truth),
            Input::NothingThere => {
                let jobs = self.ledger.send_all_again();
                if jobs > 0 {
                    self.shelf.warn(format!("{jobs} jobs were lost on their way and go out again"));
                }
                for number in self.verification.open() {
                    self.compare_again(number);
                }
            }
            Input::Stop => {}
        }
    }

    fn take_answer(&mut self, answer: Answer) {
        if answer.epoch != self.epoch {
            return;
        }
        let is_check = Verification::is_check(answer.bundle);
        let is_trusted = !self.quarantined.contains(&answer.worker);
        if is_check && (answer.jobs.is_empty() || !is_trusted) {
            return self.compare_again(answer.bundle);
        }
        if !is_trusted {
            return;
        }
        self.last_answer = Instant::now();
        self.clear_parcel(answer.bundle);
        if is_check {
            if let Some(dispute) = self.verification.answered(&answer) {
                self.find_out(dispute);
            }
            return;
        }
        let (worker, name) = (answer.worker.clone(), answer.name.clone());
        for outcome in self.ledger.answered(answer) {
            match outcome {
                Outcome::Done { ticket, job, result, seconds } => {
                    if self.staff.others(&worker, &self.quarantined)
                        && let Some(number) = self.verification.begin(ticket, &job, &result, (&worker, &name))
                    {
                        self.dispatch(number, Some(&worker), &[(ticket, Arc::clone(&job))]);
                    }
                    let done = Done { ticket, result: Ok(result), seconds };
                    self.shelf.put(Item { done, worker: worker.clone(), job });
                }
                Outcome::Poison { ticket, job, reason } => self.poisoned(ticket, &job, &reason),
                Outcome::MissingFile(reference) => self.post.forget_file(&reference),
            }
        }
    }

    /// Takes the content of a bundle from the object store, if it is there.
    fn clear_parcel(&mut self, number: u64) {
        if let Some(reference) = self.parcels.remove(&number) {
            let files = self.files.clone();
            tokio::spawn(async move { files.remove(&reference).await });
        }
    }

    /// Sends a comparison out again that nobody has made, unless it was in vain too often or nobody is there who could make it.
    fn compare_again(&mut self, number: u64) {
        self.clear_parcel(number);
        let Some(check) = self.verification.take_back(number) else { return };
        if self.staff.others(&check.worker, &self.quarantined) {
            let (worker, job) = (check.worker.clone(), (check.ticket, Arc::clone(&check.job)));
            let number = self.verification.send(check);
            self.dispatch(number, Some(&worker), &[job]);
        }
    }

    fn poisoned(&mut self, ticket: u64, job: &Arc<Job>, reason: &str) {
        let skipped = match &job.work {
            Work::Decisions(work) if self.request.on_poison == OnPoison::Skip => work.positions.len(),
            _ => {
                let cannot =
                    if self.request.on_poison == OnPoison::Skip { "; only decisions can be skipped" } else { "" };
                let text = format!("a job failed three times: {reason}{cannot}");
                return self.shelf.fail(ticket, JobError::Elsewhere(text), job);
            }
        };
        self.shelf
            .warn(format!("{skipped} positions are left without an answer, their job failed three times: {reason}"));
        let row = DecisionRow { mv: String::new(), score: None, depth: 0, nodes: 0, seconds: 0.0 };
        let done = Done { ticket, result: Ok(JobResult::Decisions(vec![row; skipped])), seconds: 0.0 };
        self.shelf.put(Item { done, worker: String::new(), job: Arc::clone(job) });
    }

    /// Does a job here that two workers disagree about.
    fn find_out(&self, dispute: Dispute) {
        let (blobs, cancel, inputs) = (Arc::clone(&self.blobs), self.cancel.clone(), self.inputs.clone());
        tokio::task::spawn_blocking(move || {
            let truth = attempt(&dispute.job, &blobs, &cancel).ok();
            let _ = inputs.send(Input::Truth(dispute, truth.as_ref().map(verification::hash)));
        });
    }

    /// Whose result was wrong works for this run no more; what it gave is done again, or the run stops if that is too late.
    fn judge(&mut self, dispute: &Dispute, truth: Option<blake3::Hash>) {
        let Some(truth) = truth else { return };
        for (worker, name, hash) in &dispute.claims {
            if *hash == truth || !self.quarantined.insert(worker.clone()) {
                continue;
            }
            self.quarantined_names.push(name.clone());
            let (recalled, fetched) = self.shelf.recall(worker);
            let again = recalled.len();
            for item in recalled {
                self.ledger.submit(item.done.ticket, item.job);
            }
            let what = format!("worker {name} ({worker}) gave a wrong result and is in quarantine");
            self.shelf.warn(format!("{what}; {again} of its results are done again"));
            if fetched > 0 {
                let text = format!(
                    "{what}; {fetched} of its results are already part of the run and cannot be told from others: \
                     the run stops without them as far as they are not written; fork it from before that worker \
                     joined, or begin again"
                );
                self.shelf.deviate(text.clone());
                // Between rounds no job is open: then the run hears of it from the empty shelf, or with a result that waits for it.
                if let Some(ticket) = self.ledger.open_ticket() {
                    self.shelf.fail(ticket, JobError::Deviation(text), &dispute.job);
                }
            }
        }
        self.shelf.set_threads(self.staff.threads(&self.quarantined));
    }

    /// Sends bundles until enough are out for all workers.
    fn send_more(&mut self) {
        let threads = self.staff.threads(&self.quarantined).max(1);
        // One at work, one at hand and one on the stream for each thread.
        while self.post.has_room()
            && let Some((number, jobs)) = self.ledger.next_bundle(threads, 3 * threads + 2)
        {
            self.dispatch(number, None, &jobs);
        }
    }

    fn dispatch(&mut self, number: u64, not_by: Option<&str>, jobs: &[Ticketed]) {
        let borrowed = jobs.iter().map(|(ticket, job)| (*ticket, job.as_ref())).collect();
        let sending = Sending { epoch: &self.epoch, number, not_by, jobs: borrowed };
        match encode(&sending) {
            Ok(bytes) => {
                let references = jobs.iter().flat_map(|(_, job)| job.references()).collect();
                self.post.send(Parcel { number, bytes, references });
            }
            Err(error) => {
                for (ticket, job) in jobs {
                    self.shelf.fail(*ticket, JobError::Elsewhere(format!("a job cannot be sent: {error}")), job);
                }
            }
        }
    }

    async fn tick(&mut self, over: bool) {
        if let Some(text) = self.staff.look(over) {
            self.shelf.warn(text);
        }
        self.shelf.set_threads(self.staff.threads(&self.quarantined));
        // A comparison takes as long as its job, and waits until somebody has time for it. What is lost must make room some time.
        self.verification.forget(COMPARED.max(self.request.patience.saturating_mul(COMPARED_PATIENCE)));
        let silent = self.last_answer.elapsed().min(self.last_look.elapsed()) > self.request.patience;
        if silent && (self.ledger.out() > 0 || !self.verification.open().is_empty()) {
            self.last_look = Instant::now();
            receive::look(&self.connection, &self.request, &self.compatibility, self.inputs.clone());
        }
        let sign = RunSign {
            key: self.request.key.clone(),
            epoch: self.epoch.clone(),
            title: self.request.title.clone(),
            program: self.request.identity.program.clone(),
            signature: self.request.identity.signature.clone(),
            compatibility: self.compatibility.clone(),
            queued: self.ledger.waiting() as u64,
            out: self.ledger.out() as u64,
            done: self.ledger.done,
            verified: self.verification.verified,
            dropped: self.dropped,
            quarantined: self.quarantined.iter().cloned().collect(),
            quarantined_names: self.quarantined_names.clone(),
            patience: self.request.patience.as_secs_f64(),
            over,
        };
        signs::show(&self.connection, sign_subject(RUN_SIGNS, &self.request.key), &sign).await;
    }

    /// Tells workers that it is over, and leaves nothing behind.
    async fn leave(mut self) {
        let farewell = async {
            self.tick(true).await;
            streams::sweep(&self.connection.context, &self.compatibility, &self.request.key, true).await;
            for reference in self.parcels.values() {
                self.files.remove(reference).await;
            }
            let _ = self.connection.client.flush().await;
        };
        // Without a server there is nothing to clear away; what stays there goes by its age.
        let _ = tokio::time::timeout(FAREWELL, farewell).await;
    }
}
