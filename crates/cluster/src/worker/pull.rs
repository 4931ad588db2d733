//! Fetching the bundles of one run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use lanista_lab::jobs::Cancel;

use super::desk::Task;
use super::{Event, Shop, reply};
use crate::streams::{self, JOBS_STREAM, run_consumer};
use crate::wire::{Bundle, Failure, JobAnswer, WireError, decode};

/// How long the server waits for jobs before it says that there are none.
const EXPIRES: Duration = Duration::from_secs(4);
/// A server that does not even say that has forgotten us.
const OVERDUE: Duration = Duration::from_secs(1);
/// A pause after something went wrong.
const PAUSE: Duration = Duration::from_millis(300);
/// A bundle that was handed out so often without an answer is refused: it may be what its workers died of.
const MOST_DELIVERIES: i64 = 5;
/// A bundle that somebody else has to do comes back after so long.
const FOR_OTHERS: Duration = Duration::from_millis(250);
/// And goes back to its run when it came back so often: the run knows whether others are there.
const MOST_REFUSALS: i64 = 40;
/// An object store that fails is asked again for so long.
const ASKED: Duration = Duration::from_secs(60);
/// A bundle whose content could not be had comes back after so long.
const LATER: Duration = Duration::from_secs(1);
/// No bundle has more jobs.
const MOST_JOBS: usize = 4096;

static NEXT_TASK: AtomicU64 = AtomicU64::new(0);

/// Fetches the bundles of one run.
pub(super) struct Puller {
    pub shop: Arc<Shop>,
    pub run: String,
    pub epoch: String,
    pub compatibility: String,
    pub cancel: Cancel,
}

impl Puller {
    /// Fetches until it is aborted or the desk is closed.
    pub async fn run(self) {
        while !self.shop.desk.is_closed() {
            let name = run_consumer(&self.compatibility, &self.run);
            let stream = streams::stream(&self.shop.connection.context, JOBS_STREAM).await;
            if let Ok(stream) = stream
                && let Ok(consumer) = stream.get_consumer(&name).await
            {
                self.fetch(&consumer).await;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Fetches until the consumer fails or the desk is closed.
    async fn fetch(&self, consumer: &PullConsumer) {
        while let Some(wanted) = self.wanted().await {
            let asked = consumer.batch().max_messages(wanted).expires(EXPIRES).messages().await;
            let Ok(mut messages) = asked else { return };
            // Each is taken up as it comes. One that waits for the object store must not hold up others: the server would take their
            // worker for dead.
            let mut accepting = FuturesUnordered::new();
            let has_failed = loop {
                tokio::select! {
                    message = tokio::time::timeout(EXPIRES + OVERDUE, messages.next()) => match message {
                        Ok(Some(Ok(message))) => accepting.push(self.accept(message)),
                        Ok(None) => break false,
                        Ok(Some(Err(_))) | Err(_) => break true,
                    },
                    Some(()) = accepting.next() => {}
                }
            };
            while accepting.next().await.is_some() {}
            if has_failed {
                return;
            }
        }
    }

    /// Waits until more bundles are of use. Returns how many; none ever again once the desk is closed.
    async fn wanted(&self) -> Option<usize> {
        loop {
            let changed = self.shop.desk.changed.notified();
            let wanted = self.shop.desk.wanted(&self.run);
            if wanted > 0 {
                return Some(wanted);
            }
            if self.shop.desk.is_closed() {
                return None;
            }
            // A change between the two lines above is made up for by looking again.
            let _ = tokio::time::timeout(Duration::from_millis(20), changed).await;
        }
    }

    /// Puts a bundle on the desk, or settles it at once if it cannot be done here.
    async fn accept(&self, message: Message) {
        let delivered = message.info().map_or(1, |info| info.delivered);
        let (message, acker) = message.split();
        let acker = Arc::new(acker);
        let id = NEXT_TASK.fetch_add(1, Ordering::Relaxed);
        // Kept alive from here on: what belongs to it may be long in coming.
        let (run, epoch) = (self.run.clone(), self.epoch.clone());
        let _ = self.shop.events.send(Event::Held { id, run, epoch, acker: Arc::clone(&acker) });
        match self.open(message.payload, delivered).await {
            Ok(bundle) if self.must_not_do(&bundle) => {
                reply::send(&self.shop, &self.run, (bundle.epoch, bundle.number), Vec::new(), &acker).await;
            }
            Ok(bundle) if delivered > MOST_DELIVERIES && bundle.not_by.is_none() => {
                let failure = Failure::Lost(delivered - 1);
                let failed = |&(ticket, _): &(u64, _)| JobAnswer { ticket, result: Err(failure.clone()), seconds: 0.0 };
                let answers = bundle.jobs.iter().map(failed).collect();
                reply::send(&self.shop, &self.run, (bundle.epoch, bundle.number), answers, &acker).await;
            }
            Ok(bundle) => match self.fetch_files(&bundle).await {
                Ok(()) => {
                    return self.shop.desk.put(Task { id, run: self.run.clone(), bundle, cancel: self.cancel.clone() });
                }
                Err(error) => {
                    self.tell_of_giving_back(&error);
                    // Its run sends it again: if the server handed it out again, that would count as a worker's death.
                    reply::send(&self.shop, &self.run, (bundle.epoch, bundle.number), Vec::new(), &acker).await;
                }
            },
            Err(kind) => drop(acker.ack_with(kind).await),
        }
        let _ = self.shop.events.send(Event::Settled(id));
    }

    /// The bundle in a message, or what the server hears instead.
    async fn open(&self, payload: Bytes, delivered: i64) -> Result<Bundle, AckKind> {
        let dropped = |reason: String| {
            (self.shop.request.say)(reason);
            AckKind::Term
        };
        let whole = self.patiently(|| self.shop.files.whole(payload.clone())).await;
        let bundle: Bundle = match whole.and_then(|(bytes, _)| decode(&bytes)) {
            Ok(bundle) => bundle,
            Err(error @ WireError::Store(..)) => {
                self.tell_of_giving_back(&error);
                return Err(AckKind::Nak(Some(LATER)));
            }
            Err(error) => return Err(dropped(format!("a message was dropped: {error}"))),
        };
        if bundle.jobs.len() > MOST_JOBS {
            return Err(dropped(format!("a bundle of {} jobs was dropped", bundle.jobs.len())));
        }
        if bundle.epoch != self.epoch {
            // Left over from an earlier start: nobody waits for it.
            return Err(AckKind::Term);
        }
        if self.must_not_do(&bundle) && delivered < MOST_REFUSALS {
            return Err(AckKind::Nak(Some(FOR_OTHERS)));
        }
        Ok(bundle)
    }

    fn must_not_do(&self, bundle: &Bundle) -> bool {
        bundle.not_by.as_deref() == Some(&self.shop.id)
    }

    /// Fetches the files that jobs name and that are not here. What is not there is found missing by the job.
    async fn fetch_files(&self, bundle: &Bundle) -> Result<(), WireError> {
        for reference in bundle.jobs.iter().flat_map(|(_, job)| job.references()) {
            self.patiently(|| self.fetch_file(&reference)).await?;
        }
        Ok(())
    }

    /// Fetches a file unless it is here. Nobody else waits for that whose files are here.
    async fn fetch_file(&self, reference: &str) -> Result<(), WireError> {
        if self.shop.cache.lock().await.touch(reference) {
            return Ok(());
        }
        // Bundles that need the same file come together: the first fetches it for all.
        let _fetching = self.shop.fetching.lock().await;
        if self.shop.cache.lock().await.touch(reference) {
            return Ok(());
        }
        if let Some(content) = self.shop.files.get(reference).await? {
            self.shop.cache.lock().await.keep(content);
        }
        Ok(())
    }

    /// Asks an object store that fails again. The bundle stays here meanwhile: it would not come back more than a few times.
    async fn patiently<T, F>(&self, ask: impl Fn() -> F) -> Result<T, WireError>
    where
        F: Future<Output = Result<T, WireError>>,
    {
        let began = Instant::now();
        let mut told = false;
        loop {
            match ask().await {
                Err(error @ WireError::Store(..)) if began.elapsed() < ASKED && !self.shop.desk.is_closed() => {
                    if !std::mem::replace(&mut told, true) {
                        (self.shop.request.say)(format!("{error}; trying again"));
                    }
                    tokio::time::sleep(PAUSE).await;
                }
                answer => return answer,
            }
        }
    }

    /// A bundle cannot be had here now, but perhaps elsewhere, or later.
    fn tell_of_giving_back(&self, error: &WireError) {
        (self.shop.request.say)(format!("a bundle is given back: {error}"));
    }
}
