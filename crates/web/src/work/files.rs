//! Files by their content: weights that pages name in players' texts.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use lanista_lab::blobs::{Blob, Blobs};
use lanista_lab::store::Store;

use crate::error::ApiError;

/// So much is remembered of what pages were shown.
const MOST_BYTES: usize = 64 << 20;

/// Content that pages were shown and may ask for again, and behind it the files of the store.
pub struct Files {
    store: PathBuf,
    shown: Mutex<VecDeque<(String, Arc<[u8]>)>>,
}

impl Files {
    /// Files with a store behind them.
    pub fn new(store: PathBuf) -> Files {
        Files { store, shown: Mutex::new(VecDeque::new()) }
    }

    /// Remembers some content, and returns its reference. The oldest is forgotten when there is too much.
    pub fn remember(&self, content: Vec<u8>) -> String {
        let reference = Blobs::reference(&content);
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.retain(|(other, _)| *other != reference);
        shown.push_back((reference.clone(), content.into()));
        while shown.len() > 1 && shown.iter().map(|(_, content)| content.len()).sum::<usize>() > MOST_BYTES {
            shown.pop_front();
        }
        reference
    }

    fn find(&self, reference: &str) -> Result<Option<Arc<[u8]>>, ApiError> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, content)) = shown.iter().find(|(other, _)| other == reference) {
            return Ok(Some(Arc::clone(content)));
        }
        drop(shown);
        if !self.store.exists() {
            return Ok(None);
        }
        Ok(Store::open(&self.store)?.file(reference)?.map(|blob| blob.content))
    }

    /// The files that some texts name by their content, and those that the program carries. Nothing else can be had from them: no
    /// file of this machine, no other program.
    pub fn for_texts(&self, texts: &[&str]) -> Result<Arc<Blobs>, ApiError> {
        let blobs = Blobs::shipped();
        for text in texts {
            for word in text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-') {
                if Blobs::is_reference(word)
                    && let Some(content) = self.find(word)?
                {
                    blobs.put(Blob { reference: word.to_string(), name: String::new(), content });
                }
            }
        }
        Ok(Arc::new(blobs))
    }
}
