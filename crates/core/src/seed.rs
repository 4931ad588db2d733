//! Randomness that repeats: seeds by path, streams by seed.

use std::fmt;
use std::str::FromStr;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::{ParseError, mix64};

/// A point in the tree of seeds: experiment, replicate, generation, job, player.
///
/// Every random decision hangs on the path that led to it and on nothing else, so it does not matter
/// which thread or machine takes it, or in what order.
///
/// ```
/// use lanista_core::Seed;
/// let job = Seed::new(42).child(3).child(17);
/// assert_eq!(job, Seed::new(42).child(3).child(17));
/// assert_ne!(job, Seed::new(42).child(17).child(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seed(u64);

impl Seed {
    /// The root of a tree of seeds.
    pub const fn new(root: u64) -> Seed {
        Seed(mix64(root))
    }

    /// The `index`-th branch below this point.
    #[inline]
    pub const fn child(self, index: u64) -> Seed {
        // Without a constant that roots do not have, `new(x).child(x)` would be the same point for every x.
        const BRANCH: u64 = 0x6272_616e_6368_6573;
        Seed(mix64(self.0 ^ mix64(index ^ BRANCH)))
    }

    /// What streams are seeded with.
    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// The stream of random numbers of this point.
    #[inline]
    pub fn stream(self) -> RandomStream {
        RandomStream(Xoshiro256PlusPlus::seed_from_u64(self.0))
    }
}

/// 16 hexadecimal digits: JSON numbers would lose bits.
impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Seed {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Seed, ParseError> {
        if text.len() != 16 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(ParseError::new(1, format!("seed {text:?}: expected 16 hexadecimal digits")));
        }
        u64::from_str_radix(text, 16).map(Seed).map_err(|error| ParseError::new(1, error.to_string()))
    }
}

/// A stream of random numbers, the same on every platform (xoshiro256++).
#[derive(Clone, Debug)]
pub struct RandomStream(Xoshiro256PlusPlus);

impl RandomStream {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`, each equally likely up to a bias below `bound` / 2⁶⁴.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }

    /// A number in `[0, 1)`, a multiple of 2⁻⁵³.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored experiments depend on these numbers. They were computed from the published definitions of SplitMix64 and
    /// xoshiro256++ by a program of a few lines that shares nothing with this one.
    #[test]
    fn values_never_change() {
        assert_eq!(mix64(0), 0xe220_a839_7b1d_cdaf, "the first output of SplitMix64 from seed 0, as published");
        let seed = Seed::new(1).child(2);
        assert_eq!([Seed::new(1), seed].map(|seed| seed.to_string()), ["910a2dec89025cc1", "54094e874c2a8c28"]);
        let mut stream = seed.stream();
        let bits = [0x02ed_27ce_086d_489b, 0x3748_55d8_dfec_030d, 0x70a0_906b_6029_e3a7];
        assert_eq!([(); 3].map(|()| stream.bits()), bits);
        let mut stream = seed.stream();
        assert_eq!([(); 8].map(|()| stream.below(1000)), [11, 215, 439, 592, 266, 304, 489, 192]);
        let mut stream = seed.stream();
        assert_eq!([(); 2].map(|()| stream.unit()), [0.011_431_205_559_735_536, 0.215_947_499_702_380_7]);
    }

    #[test]
    fn paths_do_not_meet() {
        let mut seeds = Vec::new();
        for root in (0..30).map(Seed::new) {
            seeds.push(root);
            for child in (0..30).map(|index| root.child(index)) {
                seeds.push(child);
                seeds.extend((0..30).map(|index| child.child(index)));
            }
        }
        let distinct: std::collections::HashSet<Seed> = seeds.iter().copied().collect();
        assert_eq!(distinct.len(), seeds.len());
    }

    #[test]
    fn below_is_even_and_in_range() {
        let mut stream = Seed::new(7).stream();
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        // Six standard deviations of a binomial(70000, 1/7).
        assert!(counts.iter().all(|&count| (9_444..=10_556).contains(&count)), "{counts:?}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&stream.unit())));
    }

    #[test]
    fn text_round_trip() {
        let seed = Seed::new(99).child(1);
        assert_eq!(seed.to_string().parse(), Ok(seed));
        assert!("xyz".parse::<Seed>().is_err());
        assert!("+123456789abcdef".parse::<Seed>().is_err());
    }
}
