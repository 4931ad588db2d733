//! Streams of live data: server-sent events with JSON in them.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio_stream::Stream;

/// A stream of values as events. It keeps its place until the page leaves.
pub struct Events<S, G> {
    stream: Pin<Box<S>>,
    _place: OwnedSemaphorePermit,
    _guard: G,
}

impl<S, G> Events<S, G>
where
    S: Stream + Send + 'static,
    S::Item: Serialize,
    G: Send + Unpin + 'static,
{
    /// An answer that sends every value of a stream. `guard` is dropped when the page leaves.
    pub fn answer(
        stream: S,
        place: OwnedSemaphorePermit,
        guard: G,
    ) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
        let events = Events { stream: Box::pin(stream), _place: place, _guard: guard };
        Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
    }
}

impl<S, G> Stream for Events<S, G>
where
    S: Stream,
    S::Item: Serialize,
    G: Unpin,
{
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.stream.as_mut().poll_next(context).map(|value| {
            // Our own types always become JSON.
            value.map(|value| Ok(Event::default().json_data(&value).unwrap_or_default()))
        })
    }
}
