//! Who may think now. There are more thinkers than cores, so they take turns: whoever has used up its slice of time goes to the
//! end of the queue if somebody waits.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use super::Stop;

/// How long a turn lasts while others wait.
const SLICE: Duration = Duration::from_millis(25);
/// A thread that waits looks up this often; usually it is woken before.
const LOOK_UP: Duration = Duration::from_secs(1);

/// The places at the cores and the queue for them.
#[derive(Debug)]
pub struct Turns {
    room: Mutex<Room>,
    /// Whether anybody waits, for those who only want to know that.
    crowded: AtomicBool,
}

#[derive(Debug)]
struct Room {
    free: usize,
    queue: VecDeque<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    thread: Thread,
    called: Arc<AtomicBool>,
}

/// A turn at a core. It ends when it is dropped.
pub struct Turn {
    turns: Arc<Turns>,
    stop: Stop,
    began: Instant,
    holds: bool,
}

impl Turns {
    /// So many may think at a time.
    pub fn new(places: usize) -> Turns {
        Turns {
            room: Mutex::new(Room { free: places.max(1), queue: VecDeque::new() }),
            crowded: AtomicBool::new(false),
        }
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a turn, behind all who came before. `None` if somebody wishes to stop meanwhile.
    pub fn enter(self: &Arc<Turns>, stop: &Stop) -> Option<Turn> {
        stop.wake_me();
        let mut turn = Turn { turns: Arc::clone(self), stop: stop.clone(), began: Instant::now(), holds: false };
        turn.take().then_some(turn)
    }

    /// Gives a place to whoever has waited longest.
    fn give_back(&self) {
        let mut room = self.room();
        match room.queue.pop_front() {
            Some(next) => {
                next.called.store(true, Ordering::Release);
                next.thread.unpark();
            }
            None => room.free += 1,
        }
        self.crowded.store(!room.queue.is_empty(), Ordering::Relaxed);
    }
}

impl Turn {
    /// Waits for a place. `false` if somebody wishes to stop meanwhile.
    fn take(&mut self) -> bool {
        let called = Arc::new(AtomicBool::new(false));
        {
            let mut room = self.turns.room();
            if room.free > 0 {
                room.free -= 1;
                called.store(true, Ordering::Release);
            } else {
                room.queue.push_back(Waiting { thread: thread::current(), called: Arc::clone(&called) });
                self.turns.crowded.store(true, Ordering::Relaxed);
            }
        }
        while !called.load(Ordering::Acquire) {
            if self.stop.is_wished() {
                let mut room = self.turns.room();
                room.queue.retain(|waiting| !Arc::ptr_eq(&waiting.called, &called));
                self.turns.crowded.store(!room.queue.is_empty(), Ordering::Relaxed);
                drop(room);
                // Perhaps it was called just now: then the place goes on to the next.
                if called.load(Ordering::Acquire) {
                    self.turns.give_back();
                }
                return false;
            }
            thread::park_timeout(LOOK_UP);
        }
        self.holds = true;
        self.began = Instant::now();
        true
    }

    /// Lets others think if they wait and this turn has lasted long enough. `false` if somebody wishes to stop.
    pub fn share(&mut self) -> bool {
        if self.holds && self.turns.crowded.load(Ordering::Relaxed) && self.began.elapsed() >= SLICE {
            self.holds = false;
            self.turns.give_back();
            self.take();
        }
        !self.stop.is_wished()
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if self.holds {
            self.turns.give_back();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;

    /// Ten thinkers at two places: after a while each has had about its share.
    #[test]
    fn everybody_gets_a_share() {
        let turns = Arc::new(Turns::new(2));
        let stop: Vec<Stop> = (0..10).map(|_| Stop::default()).collect();
        let slices: Vec<AtomicU64> = (0..10).map(|_| AtomicU64::new(0)).collect();
        thread::scope(|scope| {
            for (stop, slices) in stop.iter().zip(&slices) {
                let turns = &turns;
                scope.spawn(move || {
                    let Some(mut turn) = turns.enter(stop) else { return };
                    let mut began = turn.began;
                    slices.fetch_add(1, Ordering::Relaxed);
                    while turn.share() {
                        if turn.began != began {
                            began = turn.began;
                            slices.fetch_add(1, Ordering::Relaxed);
                        }
                        std::hint::spin_loop();
                    }
                });
            }
            while slices.iter().any(|slices| slices.load(Ordering::Relaxed) < 4) {
                thread::yield_now();
            }
            stop.iter().for_each(Stop::wish);
        });
        let counts: Vec<u64> = slices.iter().map(|slices| slices.load(Ordering::Relaxed)).collect();
        let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
        assert!(most - least <= 2, "{counts:?}");
        assert_eq!(turns.room().free, 2);
    }
}
