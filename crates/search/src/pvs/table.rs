//! The transposition table: two deep (Breuker et al. 1996), shared by all threads of a search.
//!
//! A bucket has two places: the first keeps the entry searched deepest, the second whatever came last. Entries are two
//! words, the key xored with the data, so that a torn write by another thread is a key that does not match.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use lanista_core::Score;

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the score.
    Exact,
    /// The score is at least this.
    Lower,
    /// The score is at most this.
    Upper,
}

/// What the table remembers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score, proved ones counted from the position itself.
    pub score: Score,
    /// Whether that is the score or a bound.
    pub bound: Bound,
    /// How deep it was searched.
    pub depth: u8,
    /// The best move, as its place in the list of legal moves.
    pub best: u8,
}

/// The table. Its size is fixed when it is made.
pub struct Table {
    buckets: Vec<[Slot; 2]>,
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

impl Table {
    /// A table of that many megabytes (2²⁰ bytes), rounded down to a power of two.
    pub fn new(megabytes: usize) -> Table {
        let bytes = (megabytes << 20).max(1 << 12);
        let count = 1usize << (bytes / size_of::<[Slot; 2]>()).ilog2();
        Table { buckets: std::iter::repeat_with(Default::default).take(count).collect() }
    }

    /// What is known of a position.
    #[inline]
    pub fn find(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| slot.load(key))
    }

    /// Remembers what was found.
    #[inline]
    pub fn store(&self, key: u64, entry: Entry) {
        let [deep, recent] = self.bucket(key);
        let (old_key, old) = deep.content();
        if old_key == key || u64::from(entry.depth) >= (old >> 40 & 0xff) {
            if old_key != key {
                // The deeper entry moves aside instead of being lost.
                recent.write(old_key, old);
            }
            deep.write(key, pack(entry));
        } else {
            recent.write(key, pack(entry));
        }
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot; 2] {
        // The number of buckets is a power of two.
        &self.buckets[key as usize & (self.buckets.len() - 1)]
    }
}

impl Slot {
    #[inline]
    fn content(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (self.check.load(Relaxed) ^ data, data)
    }

    #[inline]
    fn load(&self, key: u64) -> Option<Entry> {
        let (found, data) = self.content();
        // An empty slot has no data; a real entry always has its lowest bit set.
        (found == key && data & OCCUPIED != 0).then(|| unpack(data))
    }

    #[inline]
    fn write(&self, key: u64, data: u64) {
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

const OCCUPIED: u64 = 1 << 63;

/// Score in the low 32 bits, then best (8), depth (8), bound (2).
#[inline]
fn pack(entry: Entry) -> u64 {
    u64::from(entry.score.0 as u32)
        | u64::from(entry.best) << 32
        | u64::from(entry.depth) << 40
        | (entry.bound as u64) << 48
        | OCCUPIED
}

#[inline]
fn unpack(data: u64) -> Entry {
    Entry {
        score: Score(data as u32 as i32),
        best: (data >> 32) as u8,
        depth: (data >> 40) as u8,
        bound: match data >> 48 & 3 {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i32, depth: u8) -> Entry {
        Entry { score: Score(score), bound: Bound::Lower, depth, best: 7 }
    }

    #[test]
    fn remembers_the_deepest_and_the_latest() {
        let table = Table::new(0);
        let size = table.buckets.len() as u64;
        let [a, b, c] = [3, 3 + size, 3 + 2 * size];
        assert_eq!(table.find(a), None);
        table.store(a, entry(-5, 9));
        table.store(b, entry(6, 2));
        table.store(c, entry(7, 1));
        assert_eq!((table.find(a), table.find(b), table.find(c)), (Some(entry(-5, 9)), None, Some(entry(7, 1))));
        // A deeper one takes the first place; the one before it moves to the second.
        table.store(b, entry(8, 10));
        assert_eq!((table.find(a), table.find(b), table.find(c)), (Some(entry(-5, 9)), Some(entry(8, 10)), None));
        // The same position is replaced whatever its depth: the search wants its latest result.
        table.store(b, entry(9, 4));
        assert_eq!(table.find(b), Some(entry(9, 4)));
    }

    #[test]
    fn keys_of_zero_are_keys_like_others() {
        let table = Table::new(0);
        assert_eq!(table.find(0), None);
        table.store(0, entry(1, 1));
        assert_eq!(table.find(0), Some(entry(1, 1)));
    }
}
