//! Values of one side's pieces, remembered (Winands et al., section 3.10).
//!
//! Most features look at one side alone, and most moves leave one side as it was, so such values are asked for again
//! and again. The table holds the last answer for each slot; a slot is used only if its pieces are the same, so that
//! it never changes a value. Both colours share it.

/// Slots: 256 KiB in all, which stays near the processor.
const BITS: u32 = 14;

/// The table.
pub(super) struct SideCache(Box<[Slot; 1 << BITS]>);

#[derive(Clone, Copy)]
struct Slot {
    pieces: u64,
    value: i32,
}

impl SideCache {
    /// An empty table.
    pub(super) fn new() -> SideCache {
        // No side is without pieces, so empty slots are never taken for an answer.
        let slots = vec![Slot { pieces: 0, value: 0 }; 1 << BITS].into_boxed_slice();
        SideCache(slots.try_into().unwrap_or_else(|_| unreachable!("made of that length")))
    }

    /// The value of the pieces: remembered, or computed and remembered.
    #[inline]
    pub(super) fn value(&mut self, pieces: u64, compute: impl FnOnce(u64) -> i32) -> i32 {
        // Multiplying by an odd constant near the golden ratio spreads neighbouring sets over the slots.
        let slot = &mut self.0[(pieces.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize];
        if slot.pieces != pieces {
            *slot = Slot { pieces, value: compute(pieces) };
        }
        slot.value
    }
}
