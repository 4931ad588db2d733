//! Fetching the bundles of one run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use lanista_lab::jobs::Cancel;

use super::desk::Task;
use super::{Event, Shop, reply};
use crate::streams::{self, JOBS_STREAM, run_consumer};
use crate::wire::{Bundle, Failure, JobAnswer, decode};

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
/// And goes when it came back so often.
const MOST_REFUSALS: i64 = 40;
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
            loop {
                match tokio::time::timeout(EXPIRES + OVERDUE, messages.next()).await {
                    Ok(Some(Ok(message))) => self.accept(message).await,
                    Ok(None) => break,
                    Ok(Some(Err(_))) | Err(_) => return,
                }
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

    /// Puts a bundle on the desk, or answers it at once if it cannot be done here.
    async fn accept(&self, message: Message) {
        let delivered = message.info().map_or(1, |info| info.delivered);
        let (message, acker) = message.split();
        let acker = Arc::new(acker);
        let bundle = match self.shop.files.whole(message.payload).await {
            Ok((bytes, _)) => decode::<Bundle>(&bytes),
            Err(error) => Err(error),
        };
        let bundle = match bundle {
            Ok(bundle) if bundle.jobs.len() <= MOST_JOBS => bundle,
            Ok(bundle) => {
                (self.shop.request.say)(format!("a bundle of {} jobs was dropped", bundle.jobs.len()));
                return drop(acker.ack_with(AckKind::Term).await);
            }
            Err(error) => {
                (self.shop.request.say)(format!("a message was dropped: {error}"));
                return drop(acker.ack_with(AckKind::Term).await);
            }
        };
        if bundle.epoch != self.epoch {
            // Left over from an earlier start: nobody waits for it.
            return drop(acker.ack_with(AckKind::Term).await);
        }
        if bundle.not_by.as_deref() == Some(&self.shop.id) {
            // After a while it is clear that nobody else is there.
            let kind = if delivered < MOST_REFUSALS { AckKind::Nak(Some(FOR_OTHERS)) } else { AckKind::Term };
            return drop(acker.ack_with(kind).await);
        }
        let id = NEXT_TASK.fetch_add(1, Ordering::Relaxed);
        let _ = self.shop.events.send(Event::Held(id, self.run.clone(), Arc::clone(&acker)));
        if delivered > MOST_DELIVERIES && bundle.not_by.is_none() {
            let failed =
                |&(ticket, _): &(u64, _)| JobAnswer { ticket, result: Err(Failure::Lost(delivered - 1)), seconds: 0.0 };
            let answers = bundle.jobs.iter().map(failed).collect();
            reply::send(&self.shop, &self.run, (bundle.epoch, bundle.number), answers, &acker).await;
            let _ = self.shop.events.send(Event::Settled(id));
            return;
        }
        self.fetch_files(&bundle).await;
        self.shop.desk.put(Task { id, run: self.run.clone(), bundle, cancel: self.cancel.clone() });
    }

    /// Fetches the files that jobs name and that are not here. What cannot be had is found missing by the job.
    async fn fetch_files(&self, bundle: &Bundle) {
        for reference in bundle.jobs.iter().flat_map(|(_, job)| job.references()) {
            let mut cache = self.shop.cache.lock().await;
            if !cache.touch(&reference)
                && let Some(content) = self.shop.files.get(&reference).await
            {
                cache.keep(content);
            }
        }
    }
}
