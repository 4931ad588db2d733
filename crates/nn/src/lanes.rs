//! Sums in an order that vector instructions like.
//!
//! Everything is laid out in groups of eight, and inner loops run over arrays of eight. Two instructions of four or one
//! of eight then do the same additions in the same order, so the width of the processor's vectors does not matter.

/// How many numbers a group has.
pub(crate) const LANES: usize = 8;

/// The next multiple of [`LANES`].
pub(crate) const fn padded(count: usize) -> usize {
    count.next_multiple_of(LANES)
}

/// The sum of products. Place `i` adds to partial sum `i % 8`, in order; then partial sum `j` takes in `j + 4` for `j`
/// in 0..4, then `j + 2` for `j` in 0..2, then the two left are added. Both slices have one length, a multiple of 8.
#[inline]
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    total(products(left, right))
}

/// The partial sums of [`dot`], added up.
#[inline]
pub(crate) fn total(sums: [f32; LANES]) -> f32 {
    let sums: [f32; 4] = std::array::from_fn(|lane| sums[lane] + sums[lane + 4]);
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// A function of its own: seen together with [`total`], the compiler would run the loop in pairs.
#[inline(never)]
fn products(left: &[f32], right: &[f32]) -> [f32; LANES] {
    let mut sums = [0.0f32; LANES];
    for (left, right) in left.as_chunks::<LANES>().0.iter().zip(right.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += left[lane] * right[lane];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_has_the_order_it_says() {
        let left: Vec<f32> = (0..24).map(|index| 1.0 / (index as f32 + 3.0)).collect();
        let right: Vec<f32> = (0..24).map(|index| (index as f32 - 11.0) * 1.7).collect();
        let partial = |lane: usize| {
            let product = |index: usize| left[index] * right[index];
            (product(lane) + product(lane + 8)) + product(lane + 16)
        };
        let quarter = |lane: usize| partial(lane) + partial(lane + 4);
        assert_eq!(dot(&left, &right), (quarter(0) + quarter(2)) + (quarter(1) + quarter(3)));
        assert_eq!([padded(1), padded(8), padded(9)], [8, 8, 16]);
    }
}
