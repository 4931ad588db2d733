//! What the search remembers: two tables.
//!
//! The large one holds a bound in four bytes. Keys have 49 bits and are mixed by a function that loses nothing; some of
//! the bits choose the entry, the others are kept in it, so a hit is never a mistake. (The idea of keeping only what the
//! index does not tell is Pascal Pons'.) The small one fits the processor's cache and serves positions late in the game,
//! which are many, soon forgotten and not worth a walk to memory.

use super::board::KEY_BITS;

const KEY_MASK: u64 = (1 << KEY_BITS) - 1;
/// 25 bits of the key and 7 of the bound fit in an entry, so the index must have 24 or more.
const MIN_BITS: u32 = 24;
/// 16 GiB.
const MAX_BITS: u32 = 32;
/// Entries of the small table: 256 KiB, half of a usual second-level cache. Half or twice as many were slower.
const NEAR_BITS: u32 = 15;
/// Lower bounds are stored above all upper bounds. Zero is an empty entry.
const UPPER: i32 = 19;
const LOWER: i32 = 56;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    Nothing,
    AtMost(i32),
    AtLeast(i32),
}

impl Bound {
    #[inline]
    fn unpack(bits: u32) -> Bound {
        let bits = bits as i32;
        match bits {
            0 => Bound::Nothing,
            1..=37 => Bound::AtMost(bits - UPPER),
            _ => Bound::AtLeast(bits - LOWER),
        }
    }

    /// Scores lie from −18 to 18: 74 different bounds, 7 bits.
    #[inline]
    fn pack(self) -> u32 {
        match self {
            Bound::Nothing => 0,
            Bound::AtMost(score) => (score + UPPER) as u32,
            Bound::AtLeast(score) => (score + LOWER) as u32,
        }
    }
}

/// Where a position lives in the large table, and what the entry keeps of its key.
#[derive(Clone, Copy)]
pub(super) struct Place {
    index: usize,
    rest: u32,
}

/// The large table.
pub(super) struct Table {
    entries: Vec<u32>,
    /// Bits of the key that an entry keeps.
    rest_bits: u32,
}

impl Table {
    /// A table of this size, or the next smaller power of two; of 64 MiB at least.
    pub fn new(bytes: usize) -> Table {
        let bits = (bytes / size_of::<u32>()).max(1).ilog2().clamp(MIN_BITS, MAX_BITS);
        Table { entries: vec![0; 1 << bits], rest_bits: KEY_BITS - bits }
    }

    pub fn clear(&mut self) {
        self.entries.fill(0);
    }

    #[inline]
    pub fn place(&self, key: u64) -> Place {
        let mixed = mix(key);
        let rest = mixed & ((1 << self.rest_bits) - 1);
        Place { index: (mixed >> self.rest_bits) as usize, rest: (rest as u32) << 7 }
    }

    #[inline]
    pub fn get(&self, place: Place) -> Bound {
        let entry = self.entries[place.index];
        if entry & !0x7f == place.rest { Bound::unpack(entry & 0x7f) } else { Bound::Nothing }
    }

    #[inline]
    pub fn put(&mut self, place: Place, bound: Bound) {
        self.entries[place.index] = place.rest | bound.pack();
    }
}

/// A bijection on 49 bits: each step can be undone.
#[inline]
fn mix(key: u64) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let key = key.wrapping_mul(ODD) & KEY_MASK;
    let key = key ^ key >> 25;
    key.wrapping_mul(ODD) & KEY_MASK
}

/// The small table: whole keys, always the latest.
pub(super) struct NearTable(Box<[u64; 1 << NEAR_BITS]>);

impl NearTable {
    pub fn new() -> NearTable {
        NearTable(Box::new([0; 1 << NEAR_BITS]))
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    #[inline]
    fn index(key: u64) -> usize {
        (mix(key) >> (KEY_BITS - NEAR_BITS)) as usize
    }

    #[inline]
    pub fn get(&self, key: u64) -> Bound {
        let entry = self.0[NearTable::index(key)];
        if entry >> 8 == key { Bound::unpack((entry & 0x7f) as u32) } else { Bound::Nothing }
    }

    #[inline]
    pub fn put(&mut self, key: u64, bound: Bound) {
        self.0[NearTable::index(key)] = key << 8 | u64::from(bound.pack());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_survive_packing() {
        for score in -18..=18 {
            for bound in [Bound::AtMost(score), Bound::AtLeast(score), Bound::Nothing] {
                assert_eq!(Bound::unpack(bound.pack()), bound);
                assert!(bound.pack() < 128);
            }
        }
    }

    /// The mixing can be undone, so two keys never share an entry and its rest.
    #[test]
    fn no_two_keys_are_mistaken() {
        let inverse = |odd: u64| (0..6).fold(odd, |x: u64, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        let back = inverse(0x9e37_79b9_7f4a_7c15);
        let mut key = 1u64;
        for _ in 0..10_000 {
            key = key.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1) & KEY_MASK;
            let last = mix(key).wrapping_mul(back) & KEY_MASK;
            let first = (last ^ last >> 25).wrapping_mul(back) & KEY_MASK;
            assert_eq!(first, key);
        }
    }
}
