//! What all requests share.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use lanista_cluster::ClusterUse;
use lanista_games::connect_four::solver::Solver;
use lanista_lab::blobs::Blobs;
use lanista_lab::store::Store;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::ApiError;
use crate::guard::Guard;
use crate::play::{Memory, Sessions, Turns};
use crate::work::{Files, Staff, Workshop};

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The store with all runs.
    pub store: PathBuf,
    /// Threads of runs; 0 for as many as there are cores.
    pub threads: usize,
    /// What an experiment from a page may cost, in seconds on this machine as estimated.
    pub max_cost: f64,
    /// The memory that thinking players share, in MB.
    pub memory: u64,
    /// Games that are played at a time.
    pub sessions: usize,
    /// Streams of live data that are open at a time.
    pub streams: usize,
    /// The program, as runs remember it.
    pub program: String,
    /// The cluster that does the jobs of runs; threads of this machine if there is none.
    pub cluster: Option<ClusterUse>,
}

impl Settings {
    /// The usual settings with a store.
    pub fn new(store: PathBuf, program: &str) -> Settings {
        Settings {
            store,
            threads: 0,
            max_cost: 86_400.0,
            memory: 1024,
            sessions: 200,
            streams: 1024,
            program: program.to_string(),
            cluster: None,
        }
    }
}

/// What all requests share, cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// What all requests share.
pub struct Shared {
    /// How the server is set up.
    pub settings: Settings,
    /// Who may ask.
    pub guard: Guard,
    /// Games that people play.
    pub sessions: Sessions,
    /// Who may think now.
    pub turns: Arc<Turns>,
    /// What thinkers may use.
    pub memory: Arc<Memory>,
    /// Files by their content.
    pub files: Files,
    /// Runs, one at a time.
    pub workshop: Arc<Workshop>,
    /// What is heard of the cluster, if there is one.
    pub staff: Option<Arc<Staff>>,
    /// Solves Connect Four; made when it is first asked for.
    pub solver: Mutex<Option<Solver>>,
    streams: Arc<Semaphore>,
    blocking: Arc<Semaphore>,
    thinking: Arc<Semaphore>,
    solving: Arc<Semaphore>,
}

impl Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

/// Work on the store and on files at a time; more wait.
const BLOCKING: usize = 32;
/// Hints and evaluations at a time: they wait for a turn at the cores, and nobody else should wait for them.
const THINKING: usize = 16;
/// Threads for all of them: those that work, those that think, the one that solves, and some for the server itself.
pub const BLOCKING_THREADS: usize = BLOCKING + THINKING + 16;

impl App {
    /// A server's state.
    pub fn new(settings: Settings, guard: Guard) -> App {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        App(Arc::new(Shared {
            guard,
            sessions: Sessions::new(settings.sessions),
            turns: Arc::new(Turns::new(cores)),
            memory: Arc::new(Memory::new(settings.memory)),
            files: Files::new(settings.store.clone()),
            workshop: Workshop::new(settings.clone()),
            // Without a thread to listen nothing is heard, and runs go on.
            staff: settings.cluster.as_ref().and_then(|cluster| Staff::listen(cluster.access.clone()).ok()),
            solver: Mutex::new(None),
            streams: Arc::new(Semaphore::new(settings.streams)),
            blocking: Arc::new(Semaphore::new(BLOCKING)),
            thinking: Arc::new(Semaphore::new(THINKING)),
            solving: Arc::new(Semaphore::new(1)),
            settings,
        }))
    }

    /// Does work that waits for disks or computes for a while, away from the threads that answer requests.
    pub async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.at_a_place(&self.blocking, work).await
    }

    /// Lets players think, who take turns at the cores: nothing else waits for them.
    pub async fn thinking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.at_a_place(&self.thinking, work).await
    }

    /// Uses the solver, one request at a time. Who leaves while waiting is not waited for.
    pub async fn solving<T: Send + 'static>(
        &self,
        work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        self.at_a_place(&self.solving, work).await
    }

    /// Waits for a place, then works on a thread of its own. The place is taken until the work is done, even if nobody waits for it
    /// any more.
    async fn at_a_place<T: Send + 'static>(
        &self,
        places: &Arc<Semaphore>,
        work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let stopping = |_| ApiError::busy("the server is stopping");
        let place = Arc::clone(places).acquire_owned().await.map_err(stopping)?;
        let app = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            work(&app)
        });
        done.await.unwrap_or_else(|_| Err(ApiError::failed("the server broke down over this request")))
    }

    /// A place for a stream of live data.
    pub fn stream_place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let most = self.settings.streams;
        Arc::clone(&self.streams)
            .try_acquire_owned()
            .map_err(|_| ApiError::busy(format!("{most} pages follow live data already; close one and try again")))
    }

    /// The store, to read from it.
    pub fn store(&self) -> Result<Store, ApiError> {
        Ok(Store::open(&self.settings.store)?)
    }

    /// The files that some players' texts name by their content.
    pub fn blobs_for(&self, texts: &[&str]) -> Result<Arc<Blobs>, ApiError> {
        self.files.for_texts(texts)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn app() -> App {
        let store = std::env::temp_dir().join(format!("lanista-web-state-{}.db", std::process::id()));
        App::new(Settings::new(store, "lanista test"), Guard::new("127.0.0.1", 1).unwrap())
    }

    /// Whoever waits for the solver or for a turn keeps nobody from the store.
    #[tokio::test]
    async fn waiting_for_the_solver_holds_nothing_up() {
        let app = app();
        let solver = Arc::clone(&app.solving).acquire_owned().await.unwrap();
        let thinkers = Arc::clone(&app.thinking).acquire_many_owned(THINKING as u32).await.unwrap();
        let waiting = |_| {
            let app = app.clone();
            tokio::spawn(async move {
                let _ = app.solving(|_| Ok(())).await;
                let _ = app.thinking(|_| Ok(())).await;
            })
        };
        let tasks: Vec<_> = (0..2 * BLOCKING).map(waiting).collect();
        tokio::task::yield_now().await;
        let answer = tokio::time::timeout(Duration::from_secs(60), app.blocking(|_| Ok(7))).await;
        assert_eq!(answer.expect("in time").unwrap(), 7);
        // Those who leave are forgotten.
        tasks.iter().for_each(tokio::task::JoinHandle::abort);
        drop((solver, thinkers));
        assert_eq!(app.solving(|_| Ok(8)).await.unwrap(), 8);
    }
}
