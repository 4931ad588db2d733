//! What a coordinator sends: bundles, and before them the files that their jobs need.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use bytes::Bytes;
use lanista_lab::blobs::Blobs;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OnceCell, Semaphore};

use super::Input;
use crate::connection::Connection;
use crate::executor::RunRequest;
use crate::files::Files;
use crate::shelf::Shelf;
use crate::{streams, wire};

/// So many bundles may be on their way to the stream.
const MOST_ON_THE_WAY: usize = 256;
/// The longest pause between attempts to send.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// What fails all the time is spoken of so often.
const COMPLAIN_EVERY: Duration = Duration::from_secs(30);

/// A bundle as bytes, and the files that its jobs need.
pub(super) struct Parcel {
    pub number: u64,
    pub bytes: Bytes,
    pub references: BTreeSet<String>,
}

/// The way from a coordinator to the stream.
pub(super) struct Route {
    pub connection: Connection,
    pub files: Files,
    pub blobs: Arc<Blobs>,
    pub epoch: String,
    pub request: RunRequest,
    pub compatibility: String,
    pub shelf: Arc<Shelf>,
    pub inputs: UnboundedSender<Input>,
}

/// Sends parcels, several at a time, each until it has arrived.
pub(super) struct Post {
    route: Arc<Route>,
    permits: Arc<Semaphore>,
    /// Files that are in the object store, or on their way.
    there: HashMap<String, Arc<OnceCell<()>>>,
    complained: Arc<Mutex<Option<Instant>>>,
}

impl Post {
    pub fn new(route: Route) -> Post {
        let permits = Arc::new(Semaphore::new(MOST_ON_THE_WAY));
        Post { route: Arc::new(route), permits, there: HashMap::new(), complained: Arc::default() }
    }

    /// Whether more can be sent now.
    pub fn has_room(&self) -> bool {
        self.permits.available_permits() > 0
    }

    /// A worker misses a file: it goes there again before the next bundle that needs it.
    pub fn forget_file(&mut self, reference: &str) {
        self.there.remove(reference);
    }

    /// Sends a parcel, however long it takes.
    pub fn send(&mut self, parcel: Parcel) {
        let cell =
            |reference: &String| (reference.clone(), Arc::clone(self.there.entry(reference.clone()).or_default()));
        let files: Vec<(String, Arc<OnceCell<()>>)> = parcel.references.iter().map(cell).collect();
        let (route, permits, complained) =
            (Arc::clone(&self.route), Arc::clone(&self.permits), Arc::clone(&self.complained));
        tokio::spawn(async move {
            let Ok(_permit) = permits.acquire_owned().await else { return };
            let mut pause = Duration::from_millis(50);
            while let Err(reason) = route.deliver(&parcel, &files).await {
                if is_time_to_complain(&complained) {
                    route.shelf.warn(format!("NATS does not take jobs, trying again: {reason}"));
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        });
    }
}

/// Whether it is long enough since the last complaint; then this is the next one.
pub(super) fn is_time_to_complain(complained: &Mutex<Option<Instant>>) -> bool {
    let mut complained = complained.lock().unwrap_or_else(PoisonError::into_inner);
    let now = complained.is_none_or(|last| last.elapsed() > COMPLAIN_EVERY);
    if now {
        *complained = Some(Instant::now());
    }
    now
}

impl Route {
    async fn deliver(&self, parcel: &Parcel, files: &[(String, Arc<OnceCell<()>>)]) -> Result<(), String> {
        for (reference, cell) in files {
            let put = async {
                let content =
                    self.blobs.get(reference).ok_or_else(|| format!("{reference}: its content is not here"))?;
                self.files.put(&content).await.map(drop)
            };
            cell.get_or_try_init(|| put).await?;
        }
        let payload = self.files.shortened(parcel.bytes.clone()).await?;
        let reference = wire::pointed(&payload).map(str::to_string);
        let id = format!("{}-{}", self.epoch, parcel.number);
        let message = PublishMessage::build().payload(payload).message_id(id);
        let began = Instant::now();
        let subject = streams::jobs_subject(&self.compatibility, &self.request.key);
        let sent = match self.connection.context.send_publish(subject, message).await {
            Ok(acknowledged) => acknowledged.await,
            Err(error) => Err(error),
        };
        match sent {
            Ok(_) => {
                let _ = self.inputs.send(Input::Sent(parcel.number, began.elapsed(), reference));
                Ok(())
            }
            Err(error) => {
                if error.kind() == PublishErrorKind::StreamNotFound {
                    // A server that lost everything needs its streams again.
                    let _ = streams::prepare(&self.connection.context).await;
                    let (key, patience) = (&self.request.key, self.request.patience);
                    let context = &self.connection.context;
                    let _ = streams::make_job_consumer(context, &self.compatibility, key, patience).await;
                }
                Err(error.to_string())
            }
        }
    }
}
