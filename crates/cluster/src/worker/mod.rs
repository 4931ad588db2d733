//! A worker: takes jobs of any run that fits, does them, sends the results. It keeps nothing.

mod desk;
mod pull;
mod reply;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::AckKind;
use async_nats::jetstream::message::Acker;
use futures_util::StreamExt;
use lanista_lab::blobs::Blobs;
use lanista_lab::jobs::{Bounds, Cancel};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::connection::{Access, Connection, ConnectionError, Say};
use crate::files::{Cache, Files};
use crate::identity::Identity;
use crate::signs::{self, RUN_SIGNS, RunSign, WORKER_SIGNS, WorkerSign, sign_subject};
use desk::{Desk, Finished};
use pull::Puller;

/// A sign of life goes out so often.
const SIGN_EVERY: Duration = Duration::from_secs(1);
/// So often it is looked which bundles the server must hear of: well within the shortest patience of a run, a second.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// The patience of a run that does not say how much it has.
const USUAL_PATIENCE: Duration = Duration::from_secs(10);
/// A run without a sign of life for so long is taken for dead; its jobs would be for nothing.
const SILENCE: Duration = Duration::from_secs(30);
/// What a worker does is told so often.
const TELL_EVERY: Duration = Duration::from_secs(30);
/// Results on their way may take so much longer than the jobs themselves when a worker leaves.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// With `once`, a worker leaves when there was no run for so long.
const NOTHING_TO_DO: Duration = Duration::from_secs(2);

/// What a worker is asked to do.
#[derive(Clone)]
pub struct WorkerRequest {
    /// The server.
    pub access: Access,
    /// The name, for people.
    pub name: String,
    /// How many jobs at a time.
    pub threads: usize,
    /// Whether it leaves when the runs that it found are over.
    pub once: bool,
    /// How long jobs under way may go on when it is told to stop.
    pub grace: Duration,
    /// Bytes of files that are kept.
    pub cache: usize,
    /// What jobs may ask for.
    pub bounds: Bounds,
    /// The program as others see it.
    pub identity: Identity,
    /// Who hears what it does.
    pub say: Say,
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Jobs done.
    pub jobs: u64,
    /// Jobs that failed.
    pub failures: u64,
    /// Seconds that its threads worked, all together.
    pub worked: f64,
}

/// Why a worker left before it was told to.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// No connection.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// It cannot start.
    #[error("cannot start threads: {0}")]
    Threads(#[from] std::io::Error),
    /// Its results were wrong.
    #[error(
        "a result of this worker was wrong, and the run {0:?} put it into quarantine: check this machine's memory and processor"
    )]
    Quarantined(String),
}

/// Works until it is told to stop: once to finish or hand back what it has, twice to drop everything.
pub fn work(request: WorkerRequest, stop: UnboundedReceiver<()>) -> Result<Summary, WorkerError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let result = runtime.block_on(serve(request, stop));
    runtime.shutdown_timeout(Duration::from_millis(100));
    result
}

/// The wishes of the operating system that a process stop, as `work` takes them.
pub fn stop_signals() -> UnboundedReceiver<()> {
    let (wish, wishes) = unbounded_channel();
    // Without a handler the process ends at once, and its jobs are handed out again after a while.
    let _ = std::thread::Builder::new().name("signals".into()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            loop {
                next_signal().await;
                if wish.send(()).is_err() {
                    break;
                }
            }
        });
    });
    wishes
}

#[cfg(unix)]
async fn next_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return std::future::pending().await };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(not(unix))]
async fn next_signal() {
    let _ = tokio::signal::ctrl_c().await;
}

/// What the parts of a worker share.
struct Shop {
    request: WorkerRequest,
    id: String,
    connection: Connection,
    files: Files,
    cache: tokio::sync::Mutex<Cache>,
    /// Who holds this fetches a file.
    fetching: tokio::sync::Mutex<()>,
    desk: Arc<Desk>,
    events: UnboundedSender<Event>,
}

/// What a worker hears of.
enum Event {
    /// A bundle was fetched: keep it alive under this number.
    Held { id: u64, run: String, epoch: String, acker: Arc<Acker> },
    /// A bundle was answered, or given up.
    Settled(u64),
}

/// A run under way.
struct Run {
    epoch: String,
    title: String,
    heard: Instant,
    /// After so long without a word of a bundle the server hands it to others.
    patience: Duration,
    kept_alive: Instant,
    cancel: Cancel,
    puller: JoinHandle<()>,
}

async fn serve(request: WorkerRequest, mut stop: UnboundedReceiver<()>) -> Result<Summary, WorkerError> {
    let id = nuid::next().to_string();
    let name = format!("lanista worker {}", request.name);
    let joined = tokio::select! {
        joined = request.access.join(&name, true, Arc::clone(&request.say)) => joined,
        _ = stop.recv() => return Ok(Summary::default()),
    };
    let connection = joined?;
    let subscribed = connection.client.subscribe(format!("{RUN_SIGNS}.*")).await;
    let mut run_signs = subscribed.map_err(|error| ConnectionError::Stream(RUN_SIGNS.into(), error.to_string()))?;
    let blobs = Arc::new(Blobs::sealed());
    let desk = Arc::new(Desk::new(request.threads));
    let (report, mut finished) = unbounded_channel::<Finished>();
    let (events, mut happened) = unbounded_channel();
    let threads = desk::start(&desk, &blobs, request.bounds, &report)?;
    drop(report);
    (request.say)(format!(
        "{}: {} thread{} for {}, signature {}",
        request.name,
        request.threads,
        if request.threads == 1 { "" } else { "s" },
        request.identity.program,
        request.identity.signature
    ));
    let cache = tokio::sync::Mutex::new(Cache::new(Arc::clone(&blobs), request.cache));
    let files = Files::new(&connection);
    let fetching = tokio::sync::Mutex::default();
    let shop = Arc::new(Shop { request, id, connection, files, cache, fetching, desk, events });
    let mut floor = Floor::new(Arc::clone(&shop));
    let mut tick = tokio::time::interval(SIGN_EVERY);
    let mut look = tokio::time::interval(LOOK_EVERY);
    let mut leaving: Option<Instant> = None;
    loop {
        tokio::select! {
            sign = run_signs.next() => {
                if let Some(sign) = sign.and_then(|message| signs::read::<RunSign>(&message.payload)) {
                    floor.heard(sign).await?;
                }
            }
            Some(event) = happened.recv() => floor.take(event),
            Some(done) = finished.recv() => {
                // It was held before it was done.
                while let Ok(event) = happened.try_recv() {
                    floor.take(event);
                }
                floor.finished(done);
            }
            _ = tick.tick() => floor.tick(leaving.is_some()).await,
            _ = look.tick() => floor.keep_alive().await,
            wish = stop.recv(), if wish_is_open(&stop) => {
                if wish.is_some() && leaving.is_some() {
                    floor.give_up();
                } else if wish.is_some() {
                    leaving = Some(Instant::now());
                    floor.hand_back().await;
                }
            }
        }
        if leaving.is_none() && shop.request.once && floor.has_nothing_to_do() {
            leaving = Some(Instant::now());
            floor.hand_back().await;
        }
        if let Some(since) = leaving {
            let fetched_all = floor.has_fetched_all();
            while let Ok(event) = happened.try_recv() {
                floor.take(event);
            }
            if fetched_all {
                floor.release_idle().await;
            }
            if since.elapsed() > shop.request.grace {
                floor.give_up();
            }
            // A server that takes no result now gets the jobs back by the worker's silence.
            if (fetched_all && floor.is_empty()) || since.elapsed() > shop.request.grace + LAST_WORDS {
                break;
            }
        }
    }
    floor.farewell().await;
    for thread in threads {
        let _ = thread.join();
    }
    let totals = shop.desk.totals();
    Ok(Summary { jobs: totals.jobs, failures: totals.failures, worked: totals.worked })
}

fn wish_is_open(stop: &UnboundedReceiver<()>) -> bool {
    !stop.is_closed()
}

/// Runs and bundles as they are now.
struct Floor {
    shop: Arc<Shop>,
    runs: HashMap<String, Run>,
    /// Bundles that the server must hear of while they are here.
    held: HashMap<u64, (String, Arc<Acker>)>,
    /// Results on their way.
    replies: HashSet<u64>,
    strangers: HashSet<String>,
    told: Instant,
    told_jobs: u64,
    /// When the last run ended, if there was one.
    idle_since: Option<Instant>,
}

impl Floor {
    fn new(shop: Arc<Shop>) -> Floor {
        let now = Instant::now();
        Floor {
            shop,
            runs: HashMap::new(),
            held: HashMap::new(),
            replies: HashSet::new(),
            strangers: HashSet::new(),
            told: now,
            told_jobs: 0,
            idle_since: None,
        }
    }

    fn say(&self, text: String) {
        (self.shop.request.say)(text);
    }

    /// Takes a run's sign of life in.
    async fn heard(&mut self, sign: RunSign) -> Result<(), WorkerError> {
        let identity = &self.shop.request.identity;
        if sign.compatibility != identity.compatibility() {
            if self.strangers.insert(sign.epoch.clone()) {
                let why = identity.difference(&sign.program, &sign.signature);
                self.say(format!("no work for the run {:?}: {why}", sign.title));
            }
            return Ok(());
        }
        if sign.quarantined.contains(&self.shop.id) {
            self.hand_back().await;
            self.give_up();
            self.farewell().await;
            return Err(WorkerError::Quarantined(sign.title));
        }
        let known = self.runs.get(&sign.key).map(|run| run.epoch.clone());
        if known.as_ref().is_some_and(|epoch| sign.over && *epoch == sign.epoch) {
            self.end(&sign.key, "is over");
            return Ok(());
        }
        if sign.over {
            return Ok(());
        }
        match known {
            Some(epoch) if epoch == sign.epoch => {
                if let Some(run) = self.runs.get_mut(&sign.key) {
                    run.heard = Instant::now();
                }
            }
            before => {
                if before.is_some() {
                    self.end(&sign.key, "was started again");
                }
                self.begin(&sign);
                // Whoever begins wants to know who is there.
                self.sign(false).await;
            }
        }
        Ok(())
    }

    fn begin(&mut self, sign: &RunSign) {
        self.say(format!("works for the run {:?}", sign.title));
        let cancel = Cancel::default();
        let puller = Puller {
            shop: Arc::clone(&self.shop),
            run: sign.key.clone(),
            epoch: sign.epoch.clone(),
            compatibility: sign.compatibility.clone(),
            cancel: cancel.clone(),
        };
        let run = Run {
            epoch: sign.epoch.clone(),
            title: sign.title.clone(),
            heard: Instant::now(),
            patience: Duration::try_from_secs_f64(sign.patience.clamp(1.0, 600.0)).unwrap_or(USUAL_PATIENCE),
            kept_alive: Instant::now(),
            cancel,
            puller: tokio::spawn(puller.run()),
        };
        self.runs.insert(sign.key.clone(), run);
        self.idle_since = None;
    }

    /// Ends all work for a run: nobody wants its results.
    fn end(&mut self, key: &str, why: &str) {
        let Some(run) = self.runs.remove(key) else { return };
        run.cancel.cancel();
        run.puller.abort();
        self.shop.desk.clear(Some(key));
        self.held.retain(|id, (run, _)| run != key || self.replies.contains(id));
        self.say(format!("the run {:?} {why}", run.title));
        if self.runs.is_empty() {
            self.idle_since = Some(Instant::now());
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Held { id, run, epoch, acker } => {
                // Nobody would settle what a run fetched that has ended meanwhile.
                if self.runs.get(&run).is_some_and(|known| known.epoch == epoch) {
                    self.held.insert(id, (run, acker));
                }
            }
            Event::Settled(id) => {
                self.held.remove(&id);
                self.replies.remove(&id);
            }
        }
    }

    /// Sends the answer to a bundle, or gives it back.
    fn finished(&mut self, done: Finished) {
        let Some((run, acker)) = self.held.get(&done.id) else { return };
        let (run, acker) = (run.clone(), Arc::clone(acker));
        self.replies.insert(done.id);
        let shop = Arc::clone(&self.shop);
        tokio::spawn(async move {
            match done.answers {
                Some(answers) => reply::send(&shop, &run, done.bundle, answers, &acker).await,
                // The next worker gets it at once.
                None => drop(acker.ack_with(AckKind::Nak(None)).await),
            }
            let _ = shop.events.send(Event::Settled(done.id));
        });
    }

    async fn tick(&mut self, leaving: bool) {
        let silent = |run: &Run| run.heard.elapsed() > SILENCE;
        let dead: Vec<String> = self.runs.iter().filter(|(_, run)| silent(run)).map(|(key, _)| key.clone()).collect();
        for key in dead {
            self.end(&key, "is silent");
        }
        self.sign(leaving).await;
        if self.told.elapsed() >= TELL_EVERY {
            let totals = self.shop.desk.totals();
            let rate = (totals.jobs - self.told_jobs) as f64 / self.told.elapsed().as_secs_f64();
            let titles: Vec<&str> = self.runs.values().map(|run| run.title.as_str()).collect();
            let what = if titles.is_empty() { "waits for a run".to_string() } else { titles.join(", ") };
            let failures = if totals.failures > 0 { format!(", {} failed", totals.failures) } else { String::new() };
            self.say(format!("{what}: {} jobs{failures}, {rate:.1} jobs/s", totals.jobs));
            (self.told, self.told_jobs) = (Instant::now(), totals.jobs);
        }
    }

    /// Tells the server of bundles that are still here, for each run as often as its patience asks for.
    async fn keep_alive(&mut self) {
        if !self.shop.connection.is_up() {
            return;
        }
        for (key, run) in &mut self.runs {
            if run.kept_alive.elapsed() < run.patience / 3 {
                continue;
            }
            run.kept_alive = Instant::now();
            for (_, acker) in self.held.values().filter(|(of, _)| of == key) {
                // If this is lost another worker does the same, and one of the results is dropped.
                let _ = acker.ack_with(AckKind::Progress).await;
            }
        }
    }

    async fn sign(&self, leaving: bool) {
        let (request, totals) = (&self.shop.request, self.shop.desk.totals());
        let sign = WorkerSign {
            id: self.shop.id.clone(),
            name: request.name.clone(),
            program: request.identity.program.clone(),
            signature: request.identity.signature.clone(),
            compatibility: request.identity.compatibility(),
            threads: request.threads,
            busy: totals.busy,
            jobs: totals.jobs,
            failures: totals.failures,
            worked: totals.worked,
            leaving,
        };
        let subject = sign_subject(WORKER_SIGNS, &self.shop.id);
        signs::show(&self.shop.connection, subject, &sign).await;
    }

    /// Asks for nothing more. What was asked for still comes in; it is given back when all of it is there, since this worker would
    /// get it again before.
    async fn hand_back(&mut self) {
        self.sign(true).await;
        self.shop.desk.close();
        self.shop.desk.clear(None);
        let busy = self.shop.desk.totals().busy;
        self.say(format!("leaves; {busy} bundles under way"));
    }

    /// Whether nothing can be on its way here: every request for bundles has come to its end.
    fn has_fetched_all(&self) -> bool {
        self.runs.values().all(|run| run.puller.is_finished())
    }

    /// Gives back what nobody here works at.
    async fn release_idle(&mut self) {
        let running = self.shop.desk.running();
        let idle = |id: &&u64| !running.contains(*id) && !self.replies.contains(*id);
        let ids: Vec<u64> = self.held.keys().filter(idle).copied().collect();
        for id in ids {
            // Without a server they go to others by our silence.
            if let Some((_, acker)) = self.held.remove(&id)
                && self.shop.connection.is_up()
            {
                let _ = acker.ack_with(AckKind::Nak(None)).await;
            }
        }
    }

    /// Breaks off what is under way. It is given back as its threads notice.
    fn give_up(&mut self) {
        for run in self.runs.values() {
            run.cancel.cancel();
        }
    }

    fn is_empty(&self) -> bool {
        self.shop.desk.totals().busy == 0 && self.replies.is_empty() && self.held.is_empty()
    }

    fn has_nothing_to_do(&self) -> bool {
        self.idle_since.is_some_and(|since| since.elapsed() > NOTHING_TO_DO)
    }

    async fn farewell(&self) {
        self.sign(true).await;
        let _ = tokio::time::timeout(Duration::from_secs(2), self.shop.connection.client.flush()).await;
    }
}
