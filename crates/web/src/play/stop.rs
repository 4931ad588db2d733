//! A wish to stop thinking, heeded at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

/// A wish to stop that wakes whoever waits.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    wished: AtomicBool,
    sleeper: Mutex<Option<Thread>>,
}

impl Stop {
    /// Wishes it.
    pub fn wish(&self) {
        self.0.wished.store(true, Ordering::Release);
        let sleeper = self.0.sleeper.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = sleeper.as_ref() {
            thread.unpark();
        }
    }

    /// Whether somebody wishes it.
    pub fn is_wished(&self) -> bool {
        self.0.wished.load(Ordering::Acquire)
    }

    /// The present thread is the one to wake from now on.
    pub fn wake_me(&self) {
        *self.0.sleeper.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread::current());
    }

    /// Waits that long, or until somebody wishes to stop. Returns whether somebody does.
    pub fn wait(&self, time: Duration) -> bool {
        let end = std::time::Instant::now() + time;
        self.wake_me();
        while !self.is_wished() {
            let left = end.saturating_duration_since(std::time::Instant::now());
            if left.is_zero() {
                return false;
            }
            thread::park_timeout(left);
        }
        true
    }
}

/// Wishes to stop when it is dropped: thinking ends when nobody looks any more.
pub struct StopOnDrop(pub Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.wish();
    }
}
