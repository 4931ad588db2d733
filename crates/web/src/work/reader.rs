//! What a run has come to, read again and again for those who follow it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lanista_lab::store::Store;

use super::Workshop;
use super::feed::{Feed, LiveEvent, RunEvent};
use super::spectators::Spectators;
use crate::events::line;

/// New figures are looked for this often.
const POINTS_EVERY: Duration = Duration::from_millis(500);
/// Games under way are looked at this often while somebody looks.
const GAMES_EVERY: Duration = Duration::from_millis(250);
/// Boards and tables are made anew this often while somebody looks.
const BOARDS_EVERY: Duration = Duration::from_secs(2);
/// The most figures of one event.
const MOST_POINTS: usize = 2000;

/// Looks at what a run has written, for those who follow it.
pub struct Reader<'a> {
    run: i64,
    feed: Arc<Feed>,
    store: Store,
    after: i64,
    looked: Instant,
    drawn: Instant,
    spectators: Option<Spectators<'a>>,
    watched: Instant,
}

impl<'a> Reader<'a> {
    /// Follows a run from now on.
    pub fn new(run: i64, feed: Arc<Feed>, store: Store, spectators: Option<Spectators<'a>>) -> Reader<'a> {
        let now = Instant::now();
        // Pages have fetched what is there already.
        let after = store.last_measurement().unwrap_or(0);
        // The first table is there as soon as the first figures.
        let drawn = now.checked_sub(BOARDS_EVERY - POINTS_EVERY).unwrap_or(now);
        Reader { run, feed, store, after, looked: now, drawn, spectators, watched: now }
    }

    /// Tells an event.
    pub fn tell(&self, event: &RunEvent) {
        self.feed.tell(event);
    }

    /// Tells what is new, as far as it is time for it.
    pub fn look(&mut self, workshop: &Workshop) {
        if self.looked.elapsed() >= POINTS_EVERY {
            self.looked = Instant::now();
            self.tell_points();
        }
        if self.drawn.elapsed() >= BOARDS_EVERY {
            workshop.tell_boards(self.run);
            self.drawn = Instant::now();
        }
        if self.watched.elapsed() >= GAMES_EVERY {
            self.watched = Instant::now();
            self.tell_games();
        }
    }

    /// Tells which games are under way, if somebody looks.
    fn tell_games(&mut self) {
        if self.feed.under_way.receiver_count() == 0 {
            return self.leave();
        }
        if let Some(games) = self.spectators.as_mut().and_then(Spectators::look) {
            self.feed.under_way.send_replace(Some(line(&LiveEvent::UnderWay { games })));
        }
    }

    /// No game is under way any more, or nobody looks.
    pub fn leave(&mut self) {
        if let Some(spectators) = &mut self.spectators {
            spectators.leave();
            let nothing =
                (self.feed.under_way.receiver_count() > 0).then(|| line(&LiveEvent::UnderWay { games: Vec::new() }));
            self.feed.under_way.send_replace(nothing);
        }
    }

    /// Tells the figures that were measured since the last time.
    pub fn tell_points(&mut self) {
        while let Ok((last, figures)) = self.store.measurements_after(self.run, self.after, MOST_POINTS) {
            self.after = last;
            let count = figures.len();
            if count > 0 {
                self.feed.tell(&RunEvent::Points { points: figures.into_iter().map(Into::into).collect() });
            }
            if count < MOST_POINTS {
                break;
            }
        }
    }
}
