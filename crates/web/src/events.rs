//! Streams of live data: server-sent events with JSON in them.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio_stream::Stream;

/// An event as it is sent: JSON that is written once, however many pages follow.
pub type Line = Arc<str>;

/// An event as it is sent.
pub fn line(event: &impl Serialize) -> Line {
    // Our own types always become JSON.
    serde_json::to_string(event).unwrap_or_default().into()
}

/// A stream of events. It keeps its place until the page leaves.
struct Events<S, G> {
    stream: Pin<Box<S>>,
    _place: OwnedSemaphorePermit,
    _guard: G,
}

/// An answer that sends every event of a stream. `guard` is dropped when the page leaves.
pub fn events<S, G>(
    stream: S,
    place: OwnedSemaphorePermit,
    guard: G,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<S, G>>
where
    S: Stream<Item = Line> + Send + 'static,
    G: Send + Unpin + 'static,
{
    let events = Events { stream: Box::pin(stream), _place: place, _guard: guard };
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}

impl<S: Stream<Item = Line>, G: Unpin> Stream for Events<S, G> {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.stream.as_mut().poll_next(context);
        next.map(|line| line.map(|line| Ok(Event::default().data(line.as_ref()))))
    }
}
