//! All sessions: bounded in number, the oldest idle ones leave.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Session;
use crate::error::ApiError;

/// The sessions of a server.
pub struct Sessions {
    most: usize,
    all: Mutex<BTreeMap<String, Arc<Session>>>,
}

impl Sessions {
    /// Room for so many.
    pub fn new(most: usize) -> Sessions {
        Sessions { most, all: Mutex::new(BTreeMap::new()) }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Session>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a session in; the one that was idle for longest leaves if there is no room.
    pub fn add(&self, session: Arc<Session>) -> Result<(), ApiError> {
        let mut all = self.lock();
        if all.len() >= self.most {
            let idle = all.values().filter_map(|session| Some((session.idle_since()?, session.id.clone())));
            let Some((_, oldest)) = idle.min() else {
                return Err(ApiError::busy(format!("{} games are being played; end one first", all.len())));
            };
            if let Some(gone) = all.remove(&oldest) {
                gone.close();
            }
        }
        all.insert(session.id.clone(), session);
        Ok(())
    }

    /// The session of that id.
    pub fn find(&self, id: &str) -> Result<Arc<Session>, ApiError> {
        let missing = || ApiError::missing("there is no such game any more; begin a new one");
        self.lock().get(id).cloned().ok_or_else(missing)
    }

    /// Ends a session.
    pub fn remove(&self, id: &str) -> Result<(), ApiError> {
        let session = self.find(id)?;
        self.lock().remove(id);
        session.close();
        Ok(())
    }

    /// All of them.
    pub fn all(&self) -> Vec<Arc<Session>> {
        self.lock().values().cloned().collect()
    }
}
