//! Several random streams drawn from at the same time.

use crate::{Seed, mix64};

/// Streams side by side: lane by lane the numbers of [`Seed::stream`], computed by the same instructions for all lanes
/// at once. (xoshiro256++ once more, word by word across the lanes, because a generator with private state cannot be.)
#[derive(Clone, Debug)]
pub struct StreamLanes<const LANES: usize>([[u64; LANES]; 4]);

impl<const LANES: usize> StreamLanes<LANES> {
    /// The streams of these seeds.
    pub fn new(seeds: [Seed; LANES]) -> StreamLanes<LANES> {
        let mut lanes = StreamLanes([[0; LANES]; 4]);
        for (lane, seed) in seeds.into_iter().enumerate() {
            lanes.restart(lane, seed);
        }
        lanes
    }

    /// From now on this lane gives the stream of another seed.
    #[inline]
    pub fn restart(&mut self, lane: usize, seed: Seed) {
        for (word, state) in (0u64..).zip(&mut self.0) {
            // SplitMix64, as xoshiro is seeded.
            state[lane] = mix64(seed.bits().wrapping_add(word.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        }
    }

    /// 64 random bits of a lane. Called in a loop over all lanes it becomes vector code.
    #[inline(always)]
    pub fn bits(&mut self, lane: usize) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let bits = a[lane].wrapping_add(d[lane]).rotate_left(23).wrapping_add(a[lane]);
        let shifted = b[lane] << 17;
        c[lane] ^= a[lane];
        d[lane] ^= b[lane];
        b[lane] ^= c[lane];
        a[lane] ^= d[lane];
        c[lane] ^= shifted;
        d[lane] = d[lane].rotate_left(45);
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lane_is_the_stream_of_its_seed() {
        let seeds = [1, 2, 3].map(|index| Seed::new(9).child(index));
        let mut lanes = StreamLanes::new(seeds);
        let mut streams = seeds.map(Seed::stream);
        for draw in 0..100 {
            for (lane, stream) in streams.iter_mut().enumerate() {
                assert_eq!(lanes.bits(lane), stream.bits(), "draw {draw}");
            }
            if draw % 7 == 0 {
                let seed = Seed::new(draw);
                lanes.restart(1, seed);
                streams[1] = seed.stream();
            }
        }
    }
}
