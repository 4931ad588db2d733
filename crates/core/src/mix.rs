//! Two small mixing functions, used for keys and seeds. Their values are part of the file formats.

/// What separates the key of a position with the second side to move from the
/// key of the same board with the first side to move. See [`crate::Position::key`].
pub const SIDE_KEY: u64 = 0x9d39_247e_3377_6d41;

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection that spreads every input bit.
#[inline]
pub const fn mix64(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The two halves of the 128-bit product, xored: a fast hash of two words (the core of wyhash).
#[inline]
pub const fn folded_multiply(a: u64, b: u64) -> u64 {
    let product = (a ^ 0xa076_1d64_78bd_642f) as u128 * (b ^ 0xe703_7ed1_a0b4_28db) as u128;
    (product as u64) ^ ((product >> 64) as u64)
}
