//! 3×3 windows of the board (AFIT thesis on evolved networks, 2010, "nonads").

/// The own pieces in the 3×3 window whose lower left square is bit 0: 1.0 for its middle, 0.8 for each side, 0.75 for each
/// corner.
pub(super) fn nonad(pieces: u64) -> f32 {
    let count = |mask: u64| (pieces & mask).count_ones() as f32;
    count(0x000200) + 0.8 * count(0x020502) + 0.75 * count(0x050005)
}
