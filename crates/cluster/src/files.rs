//! Files by content in the object store of the server.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::object_store::{GetErrorKind, ObjectMetadata, ObjectStore};
use bytes::Bytes;
use lanista_lab::blobs::Blobs;
use tokio::io::AsyncReadExt;
use tokio::sync::Mutex;

use crate::connection::{Connection, ConnectionError};
use crate::streams;
use crate::wire::{self, LARGEST_MESSAGE, WireError};

/// What fits into a message less than this is left for headers.
const ROOM_FOR_HEADERS: usize = 4096;
/// Larger messages go into the object store whatever the server allows: streams should stay small.
const LONGEST_INLINE: usize = 512 << 10;
/// Files travel in pieces of this size at most.
const PIECE: usize = 128 << 10;
/// One file is fetched in this time, or the attempt has failed.
const FETCH_TIME: Duration = Duration::from_secs(60);

/// The object store.
#[derive(Clone)]
pub struct Files {
    connection: Connection,
    /// Asked for once: whoever reads a file would ask for it every time otherwise.
    store: Arc<Mutex<Option<ObjectStore>>>,
}

impl Files {
    /// The object store behind a connection.
    pub fn new(connection: &Connection) -> Files {
        Files { connection: connection.clone(), store: Arc::default() }
    }

    async fn store(&self) -> Result<ObjectStore, ConnectionError> {
        let mut store = self.store.lock().await;
        if let Some(store) = &*store {
            return Ok(store.clone());
        }
        let found = streams::files(&self.connection.context).await?;
        *store = Some(found.clone());
        Ok(found)
    }

    /// Puts content there, unless it is there. Returns its reference.
    pub async fn put(&self, content: &[u8]) -> Result<String, String> {
        let reference = Blobs::reference(content);
        let store = self.store().await.map_err(|error| error.to_string())?;
        let there = store.info(&reference).await.is_ok_and(|info| !info.deleted && info.size == content.len());
        if !there {
            let mut rest = content;
            // Pieces must fit into messages, too.
            let piece = self.connection.client.max_payload().saturating_sub(ROOM_FOR_HEADERS).clamp(1024, PIECE);
            let object =
                ObjectMetadata { name: reference.clone(), chunk_size: Some(piece), ..ObjectMetadata::default() };
            store.put(object, &mut rest).await.map_err(|error| format!("{reference}: {error}"))?;
        }
        Ok(reference)
    }

    /// The content of a reference; `None` if it is not there, or is something else. An error says nothing about it: the store may give
    /// it later.
    pub async fn get(&self, reference: &str) -> Result<Option<Vec<u8>>, WireError> {
        let failed = |reason: &dyn Display| WireError::Store(reference.to_string(), reason.to_string());
        let fetch = async {
            let store = self.store().await.map_err(|error| failed(&error))?;
            let mut object = match store.get(reference).await {
                Ok(object) => object,
                Err(error) if matches!(error.kind(), GetErrorKind::NotFound | GetErrorKind::BucketLink) => {
                    return Ok(None);
                }
                Err(error) => return Err(failed(&error)),
            };
            let size = object.info().size;
            if size > LARGEST_MESSAGE {
                return Ok(None);
            }
            let mut content = Vec::with_capacity(size.min(1 << 20));
            match object.read_to_end(&mut content).await {
                Ok(_) => Ok((Blobs::reference(&content) == reference).then_some(content)),
                // The store itself says that this is not what was put there.
                Err(error) if error.kind() == ErrorKind::InvalidData => Ok(None),
                Err(error) => Err(failed(&error)),
            }
        };
        let in_time = tokio::time::timeout(FETCH_TIME, fetch).await;
        in_time.unwrap_or_else(|_| Err(failed(&format!("nothing came for {} s", FETCH_TIME.as_secs()))))
    }

    /// Takes something away that nobody needs any more.
    pub async fn remove(&self, reference: &str) {
        if let Ok(store) = self.store().await {
            // It goes by its age at the latest.
            let _ = store.delete(reference).await;
        }
    }

    /// The bytes to send for a message: itself, or where it is if it is too long.
    pub async fn shortened(&self, message: Bytes) -> Result<Bytes, String> {
        let allowed = self.connection.client.max_payload().saturating_sub(ROOM_FOR_HEADERS);
        if message.len() <= allowed.min(LONGEST_INLINE) {
            return Ok(message);
        }
        Ok(wire::pointer(&self.put(&message).await?))
    }

    /// The message that some bytes stand for, and the reference if they only said where it is.
    pub async fn whole(&self, bytes: Bytes) -> Result<(Bytes, Option<String>), WireError> {
        let Some(reference) = wire::pointed(&bytes).map(str::to_string) else { return Ok((bytes, None)) };
        match self.get(&reference).await? {
            Some(content) => Ok((content.into(), Some(reference))),
            None => Err(WireError::Content(format!("{reference} is not in the object store"))),
        }
    }
}

/// Content that was fetched, with what was used last kept longest.
#[derive(Debug)]
pub(crate) struct Cache {
    blobs: Arc<Blobs>,
    most: usize,
    held: usize,
    turn: u64,
    /// Size and last use.
    entries: BTreeMap<String, (usize, u64)>,
}

impl Cache {
    /// A cache in front of `blobs` of so many bytes at most.
    pub fn new(blobs: Arc<Blobs>, most: usize) -> Cache {
        Cache { blobs, most, held: 0, turn: 0, entries: BTreeMap::new() }
    }

    /// Whether it is there. If so, it has been used now.
    pub fn touch(&mut self, reference: &str) -> bool {
        self.turn += 1;
        let entry = self.entries.get_mut(reference);
        entry.map(|entry| entry.1 = self.turn).is_some()
    }

    /// Keeps content; lets go of what was not used for longest, but never of what is new.
    pub fn keep(&mut self, content: Vec<u8>) {
        let size = content.len();
        self.turn += 1;
        let reference = self.blobs.add(content);
        if self.entries.insert(reference.clone(), (size, self.turn)).is_none() {
            self.held += size;
        }
        while self.held > self.most && self.entries.len() > 1 {
            let oldest = self.entries.iter().filter(|(other, _)| **other != reference).min_by_key(|(_, entry)| entry.1);
            let Some(oldest) = oldest.map(|(oldest, _)| oldest.clone()) else { break };
            self.held -= self.entries.remove(&oldest).map_or(0, |entry| entry.0);
            self.blobs.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let blobs = Arc::new(Blobs::sealed());
        let mut cache = Cache::new(Arc::clone(&blobs), 25);
        let file = |letter: u8| vec![letter; 10];
        let reference = |letter: u8| Blobs::reference(&file(letter));
        cache.keep(file(b'a'));
        cache.keep(file(b'b'));
        assert!(cache.touch(&reference(b'a')));
        cache.keep(file(b'c'));
        assert!(cache.touch(&reference(b'a')) && cache.touch(&reference(b'c')) && !cache.touch(&reference(b'b')));
        assert!(blobs.get(&reference(b'b')).is_none() && blobs.get(&reference(b'a')).is_some());
        // One file larger than all room is kept while it is the newest.
        cache.keep(vec![0; 100]);
        assert!(blobs.get(&Blobs::reference(&[0; 100])).is_some());
    }
}
