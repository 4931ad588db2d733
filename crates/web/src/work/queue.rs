//! The queue of runs. One runs at a time; a thread of its own does it, and the store is held for writing only while there is
//! work.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use lanista_cluster::NatsExecutor;
use lanista_lab::executor::{Executor, Threads};
use lanista_lab::experiment::Plan;
use lanista_lab::extend::{ExtendError, extended};
use lanista_lab::jobs::Cancel;
use lanista_lab::run::{Recorder, RunError, Runner};
use lanista_lab::store::{NewRun, RunRow, Store};
use serde::Serialize;
use utoipa::ToSchema;

use super::feed::{Feed, RunEvent};
use super::reader::Reader;
use super::spectators::Spectators;
use crate::error::ApiError;
use crate::events::line;
use crate::routes::{live::boards, runs::summary};
use crate::state::Settings;

/// The most runs that wait.
const MOST_WAITING: usize = 100;

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// It runs.
    Running,
    /// It waits for the runs before it.
    Queued,
    /// It was broken off, and can go on.
    Resumable,
    /// It is done.
    Finished,
}

/// The runs of a server.
pub struct Workshop {
    settings: Settings,
    inner: Mutex<Inner>,
    idle: Condvar,
}

#[derive(Default)]
struct Inner {
    /// Held while there is work.
    writer: Option<Store>,
    waiting: VecDeque<i64>,
    current: Option<(i64, Cancel)>,
    is_working: bool,
    is_stopping: bool,
    feeds: BTreeMap<i64, Arc<Feed>>,
    failures: BTreeMap<i64, String>,
}

impl Inner {
    fn is_busy_with(&self, run: i64) -> bool {
        self.waiting.contains(&run) || self.current.as_ref().is_some_and(|(current, _)| *current == run)
    }
}

impl Workshop {
    /// A workshop without work.
    pub fn new(settings: Settings) -> Arc<Workshop> {
        Arc::new(Workshop { settings, inner: Mutex::default(), idle: Condvar::new() })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a run is doing.
    pub fn status(&self, row: &RunRow) -> RunStatus {
        let inner = self.lock();
        match () {
            () if inner.current.as_ref().is_some_and(|(run, _)| *run == row.run) => RunStatus::Running,
            () if inner.waiting.contains(&row.run) => RunStatus::Queued,
            () if row.status == "finished" => RunStatus::Finished,
            () => RunStatus::Resumable,
        }
    }

    /// Why a run stopped, if it failed while this server runs.
    pub fn failure(&self, run: i64) -> Option<String> {
        self.lock().failures.get(&run).cloned()
    }

    /// Where a run's events go.
    pub fn feed(&self, run: i64) -> Arc<Feed> {
        let mut inner = self.lock();
        let busy: Vec<i64> = inner.waiting.iter().copied().chain(inner.current.as_ref().map(|(run, _)| *run)).collect();
        inner.feeds.retain(|run, feed| busy.contains(run) || Arc::strong_count(feed) > 1 || !feed.is_idle());
        Arc::clone(inner.feeds.entry(run).or_default())
    }

    /// Begins a run of a plan. Returns its number at once.
    pub fn begin(self: &Arc<Workshop>, plan: &Plan, file: &str) -> Result<i64, ApiError> {
        let mut inner = self.lock();
        let program = self.settings.program.as_str();
        let begun = self.writer(&mut inner)?.begin(NewRun { plan, file, program });
        let run = begun.inspect_err(|_| self.rest(&mut inner))?;
        self.enqueue(inner, run)?;
        Ok(run)
    }

    /// Goes on with a run that was broken off.
    pub fn resume(self: &Arc<Workshop>, run: i64) -> Result<(), ApiError> {
        let mut inner = self.lock();
        if inner.is_busy_with(run) {
            return Err(ApiError::conflict(format!("run {run} is under way already")));
        }
        let found = self.writer(&mut inner)?.find_run(&run.to_string());
        let row = found.inspect_err(|_| self.rest(&mut inner))?;
        if row.status == "finished" {
            self.rest(&mut inner);
            return Err(ApiError::conflict(format!("run {run} is finished; make it longer to go on with it")));
        }
        self.enqueue(inner, run)
    }

    /// Makes a run longer and goes on with it.
    pub fn extend(self: &Arc<Workshop>, run: i64, changes: &[String]) -> Result<(), ApiError> {
        let mut inner = self.lock();
        if inner.is_busy_with(run) {
            return Err(ApiError::conflict(format!("run {run} is under way; wait for it, or cancel it first")));
        }
        let store = self.writer(&mut inner)?;
        let extend = |store: &mut Store| -> Result<(), ExtendError> {
            let row = store.find_run(&run.to_string())?;
            let plan = extended(&row, changes, store)?;
            Ok(store.extend(run, &plan)?)
        };
        let done = extend(store).map_err(ApiError::from);
        if let Err(error) = done {
            self.rest(&mut inner);
            return Err(error);
        }
        self.enqueue(inner, run)
    }

    /// Stops a run that is under way or waits. It can go on later.
    pub fn cancel(&self, run: i64) -> Result<(), ApiError> {
        let mut inner = self.lock();
        if let Some(place) = inner.waiting.iter().position(|waiting| *waiting == run) {
            inner.waiting.remove(place);
            drop(inner);
            self.tell_state(run);
            return Ok(());
        }
        match &inner.current {
            Some((current, cancel)) if *current == run => {
                cancel.cancel();
                Ok(())
            }
            _ => Err(ApiError::conflict(format!("run {run} is not under way"))),
        }
    }

    /// Removes a run for good.
    pub fn delete(&self, run: i64) -> Result<(), ApiError> {
        let mut inner = self.lock();
        if inner.is_working {
            return Err(ApiError::conflict("a run is under way; wait for it, or cancel it, before you delete one"));
        }
        let store = self.writer(&mut inner)?;
        let deleted = store.find_run(&run.to_string()).and_then(|_| store.delete(run));
        self.rest(&mut inner);
        inner.failures.remove(&run);
        Ok(deleted?)
    }

    /// Stops all work and waits until everything is written down. Runs can go on later.
    pub fn stop(&self) {
        let mut inner = self.lock();
        inner.is_stopping = true;
        inner.waiting.clear();
        if let Some((_, cancel)) = &inner.current {
            cancel.cancel();
        }
        while inner.is_working {
            inner = self.idle.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The store, open for writing.
    fn writer<'a>(&self, inner: &'a mut Inner) -> Result<&'a mut Store, ApiError> {
        if inner.is_stopping {
            return Err(ApiError::busy("the server is stopping"));
        }
        let opened = match inner.writer.take() {
            Some(store) => store,
            None => Store::open_to_write(&self.settings.store)?,
        };
        Ok(inner.writer.insert(opened))
    }

    /// Lets go of the store if there is no work.
    fn rest(&self, inner: &mut Inner) {
        if !inner.is_working {
            inner.writer = None;
        }
    }

    fn enqueue(self: &Arc<Workshop>, mut inner: MutexGuard<'_, Inner>, run: i64) -> Result<(), ApiError> {
        if inner.waiting.len() >= MOST_WAITING {
            return Err(ApiError::busy(format!("{MOST_WAITING} runs wait already; the run is kept, resume it later")));
        }
        inner.failures.remove(&run);
        inner.waiting.push_back(run);
        inner.feeds.entry(run).or_default();
        if !inner.is_working {
            let workshop = Arc::clone(self);
            let thread = std::thread::Builder::new().name("runs".into());
            if let Err(error) = thread.spawn(move || workshop.work()) {
                inner.waiting.clear();
                self.rest(&mut inner);
                return Err(ApiError::busy(format!("no thread for the run: {error}")));
            }
            inner.is_working = true;
        }
        drop(inner);
        self.tell_state(run);
        Ok(())
    }

    fn work(self: Arc<Workshop>) {
        loop {
            let mut inner = self.lock();
            let Some(run) = inner.waiting.pop_front() else {
                inner.is_working = false;
                inner.writer = None;
                self.idle.notify_all();
                return;
            };
            let cancel = Cancel::default();
            inner.current = Some((run, cancel.clone()));
            let store = inner.writer.as_ref().map(Store::another);
            drop(inner);
            self.tell_state(run);
            let failed = match store {
                Some(Ok(store)) => unbroken(|| self.run(run, store, &cancel)).err(),
                Some(Err(error)) => Some(error.into()),
                None => Some(ApiError::failed("the store is not open")),
            };
            let mut inner = self.lock();
            inner.current = None;
            if let Some(error) = failed {
                inner.failures.insert(run, error.text().to_string());
            }
            drop(inner);
            self.tell_state(run);
            self.tell_boards(run);
        }
    }

    fn run(&self, run: i64, store: Store, cancel: &Cancel) -> Result<(), ApiError> {
        let row = store.find_run(&run.to_string())?;
        let plan = Plan::read_alone(&row.experiment, &row.file, Arc::new(store.blobs(run)?))?;
        let starts = store.starts(run)?;
        if starts.len() != plan.trials.len() {
            let (stored, told) = (starts.len(), plan.trials.len());
            return Err(ApiError::failed(format!(
                "run {run} has {stored} trials in the store and {told} in its experiment; was it begun by another version?"
            )));
        }
        let mut executor = self.executor(&plan, run, cancel)?;
        let spectators = executor.demonstration().map(|boards| Spectators::new(boards, &plan, &row.file));
        let mut reader = Reader::new(run, self.feed(run), store.another()?, spectators);
        let mut listen = |event: &_| {
            if let Some(event) = RunEvent::of(event) {
                reader.tell(&event);
            }
            reader.look(self);
        };
        let runner = Runner::new(&plan, &row.file, executor.as_mut(), Recorder::new(store, run), starts, &mut listen);
        let done = runner.run();
        reader.tell_points();
        reader.leave();
        match done {
            Ok(_) | Err(RunError::Stopped) => Ok(()),
            Err(error) => Err(ApiError::failed(error.to_string())),
        }
    }

    /// Who does the jobs of a run.
    fn executor(&self, plan: &Plan, run: i64, cancel: &Cancel) -> Result<Box<dyn Executor>, ApiError> {
        let Some(cluster) = &self.settings.cluster else {
            let threads = Threads::new(self.settings.threads, &plan.blobs, cancel);
            return match threads {
                Ok(threads) => Ok(Box::new(threads)),
                Err(error) => Err(ApiError::failed(format!("no threads for the run: {error}"))),
            };
        };
        let request = cluster.request(&plan.experiment.title, &self.settings.store, run);
        match NatsExecutor::connect(request, &plan.blobs, cancel) {
            Ok(executor) => Ok(Box::new(executor)),
            Err(error) => Err(ApiError::failed(error.to_string())),
        }
    }

    /// Tells what a run looks like now.
    fn tell_state(&self, run: i64) {
        let feed = self.feed(run);
        let row = Store::open(&self.settings.store).and_then(|store| store.find_run(&run.to_string()));
        if let Ok(row) = row {
            feed.tell(&RunEvent::State { run: Box::new(summary(self, row)) });
        }
    }

    /// Makes the boards of a run anew if somebody looks at them.
    pub fn tell_boards(&self, run: i64) {
        let feed = self.feed(run);
        if feed.live.receiver_count() == 0 {
            return;
        }
        let store = Store::open(&self.settings.store).map_err(ApiError::from);
        // A page that looks at boards keeps the last ones if new ones cannot be had.
        if let Ok(event) = store.and_then(|store| boards(self, &store, run)) {
            feed.live.send_replace(Some(line(&event)));
        }
    }
}

/// Does some work; if that breaks down, it has failed like any other.
fn unbroken(work: impl FnOnce() -> Result<(), ApiError>) -> Result<(), ApiError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        Err(ApiError::failed(format!("the run broke down: {}", text.unwrap_or("for no known reason"))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_breaks_down_has_failed() {
        let number = 7;
        let failed = unbroken(|| panic!("trial {number}")).unwrap_err();
        assert_eq!(failed.text(), "the run broke down: trial 7");
        assert!(unbroken(|| Ok(())).is_ok());
    }

    /// After a request that failed the store is free for other programs.
    #[test]
    fn nobody_keeps_the_store_without_work() {
        let path = std::env::temp_dir().join(format!("lanista-web-queue-{}.db", std::process::id()));
        let workshop = Workshop::new(Settings::new(path.clone(), "lanista test"));
        assert!(workshop.resume(99).is_err());
        assert!(workshop.lock().writer.is_none());
        assert!(Store::open_to_write(&path).is_ok());
        for ending in ["db", "db-wal", "db-shm", "db.lock"] {
            let _ = std::fs::remove_file(path.with_extension(ending));
        }
    }
}
