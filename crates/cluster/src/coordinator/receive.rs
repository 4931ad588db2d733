//! What comes to a coordinator: results, and signs of life.

use std::time::Duration;

use async_nats::jetstream::AckKind;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;
use tokio::sync::mpsc::UnboundedSender;

use super::Input;
use crate::connection::{Connection, ConnectionError};
use crate::executor::RunRequest;
use crate::files::Files;
use crate::signs::{self, WORKER_SIGNS};
use crate::streams;
use crate::wire::{Answer, WireError, decode};

/// Results come in batches of at most this many.
const BATCH: usize = 500;
/// How long the server waits for results before it says that there are none.
const EXPIRES: Duration = Duration::from_secs(2);
/// A server that does not even say that has forgotten us.
const OVERDUE: Duration = Duration::from_secs(3);
/// A pause after something went wrong.
const PAUSE: Duration = Duration::from_millis(300);
/// A result that the object store does not give comes again after so long.
const LATER: Duration = Duration::from_secs(1);

/// Fetches the results of a run as long as somebody wants them.
pub(super) fn results(connection: &Connection, files: &Files, run: &str, inputs: UnboundedSender<Input>) {
    let (connection, files, run) = (connection.clone(), files.clone(), run.to_string());
    tokio::spawn(async move {
        while !inputs.is_closed() {
            // Made again if the server lost it.
            match streams::make_result_consumer(&connection.context, &run).await {
                Ok(consumer) => fetch(&consumer, &files, &inputs).await,
                Err(_) => {
                    // A server that lost everything needs its streams again.
                    let _ = streams::prepare(&connection.context).await;
                }
            }
            tokio::time::sleep(PAUSE).await;
        }
    });
}

/// Hands results on until the consumer fails.
async fn fetch(consumer: &PullConsumer, files: &Files, inputs: &UnboundedSender<Input>) {
    while let Ok(mut messages) = consumer.batch().max_messages(BATCH).expires(EXPIRES).messages().await {
        loop {
            let message = match tokio::time::timeout(EXPIRES + OVERDUE, messages.next()).await {
                Ok(Some(Ok(message))) => message,
                Ok(None) => break,
                Ok(Some(Err(_))) | Err(_) => return,
            };
            let opened = async {
                let (bytes, reference) = files.whole(message.payload.clone()).await?;
                decode::<Answer>(&bytes).map(|answer| (answer, reference))
            };
            let input = match opened.await {
                Ok((answer, reference)) => {
                    if let Some(reference) = reference {
                        let files = files.clone();
                        tokio::spawn(async move { files.remove(&reference).await });
                    }
                    Input::Answer(answer)
                }
                Err(error @ WireError::Store(..)) => {
                    let _ = message.ack_with(AckKind::Nak(Some(LATER))).await;
                    let _ = inputs.send(Input::Delayed(error.to_string()));
                    continue;
                }
                Err(error) => Input::Dropped(error.to_string()),
            };
            if inputs.send(input).is_err() {
                return;
            }
            // What is acknowledged in vain comes again and is recognised.
            let _ = message.ack().await;
        }
    }
}

/// Listens to workers.
pub(super) async fn signs(connection: &Connection, inputs: UnboundedSender<Input>) -> Result<(), ConnectionError> {
    let subscribed = connection.client.subscribe(format!("{WORKER_SIGNS}.*")).await;
    let mut signs = subscribed.map_err(|error| ConnectionError::Stream(WORKER_SIGNS.into(), error.to_string()))?;
    tokio::spawn(async move {
        while let Some(message) = signs.next().await {
            if let Some(sign) = signs::read(&message.payload)
                && inputs.send(Input::Worker(sign)).is_err()
            {
                break;
            }
        }
    });
    Ok(())
}

/// Looks whether the server still has jobs of ours, after a silence. Says so if it has none twice in a row.
pub(super) fn look(connection: &Connection, request: &RunRequest, compatibility: &str, inputs: UnboundedSender<Input>) {
    let (connection, key, patience) = (connection.clone(), request.key.clone(), request.patience);
    let compatibility = compatibility.to_string();
    tokio::spawn(async move {
        for _ in 0..2 {
            let found = streams::make_job_consumer(&connection.context, &compatibility, &key, patience).await;
            let Ok(consumer) = found else {
                let _ = streams::prepare(&connection.context).await;
                return;
            };
            match consumer.get_info().await {
                Ok(info) if info.num_pending == 0 && info.num_ack_pending == 0 => {}
                _ => return,
            }
            tokio::time::sleep(PAUSE).await;
        }
        let _ = inputs.send(Input::NothingThere);
    });
}
