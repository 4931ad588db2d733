//! Sending results, until they have arrived.

use std::time::Duration;

use async_nats::jetstream::message::{Acker, PublishMessage};

use super::Shop;
use crate::streams::{self, results_subject};
use crate::wire::{Answer, JobAnswer, encode};

/// The longest pause between attempts to send.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// A stream that takes nothing is spoken of after so many attempts.
const COMPLAIN_AFTER: u32 = 3;

/// Sends the answer to a bundle and then acknowledges the bundle.
pub(super) async fn send(shop: &Shop, run: &str, bundle: (String, u64), jobs: Vec<JobAnswer>, acker: &Acker) {
    let (epoch, number) = bundle;
    let id = format!("{epoch}-{number}");
    let answer = Answer { epoch, bundle: number, worker: shop.id.clone(), name: shop.request.name.clone(), jobs };
    let bytes = match encode(&answer) {
        Ok(bytes) => bytes,
        Err(error) => return (shop.request.say)(format!("a result cannot be sent: {error}")),
    };
    let mut pause = Duration::from_millis(50);
    for attempt in 1.. {
        let sent = async {
            let payload = shop.files.shortened(bytes.clone()).await?;
            let message = PublishMessage::build().payload(payload).message_id(&id);
            let context = &shop.connection.context;
            let sent = context.send_publish(results_subject(run), message).await.map_err(|error| error.to_string())?;
            sent.await.map_err(|error| error.to_string())
        };
        match sent.await {
            Ok(_) => break,
            Err(error) => {
                if attempt == COMPLAIN_AFTER {
                    (shop.request.say)(format!("NATS does not take a result, trying again: {error}"));
                    // A server that lost everything needs its streams again.
                    let _ = streams::prepare(&shop.connection.context).await;
                }
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
    // If this is lost the bundle comes again, and its second result is recognised.
    let _ = acker.ack().await;
}
