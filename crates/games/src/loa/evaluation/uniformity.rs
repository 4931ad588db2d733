//! How much room a side takes: no piece should be left far behind (Winands et al., section 3.8).

/// The area in squares of the smallest rectangle around the pieces.
#[inline]
pub fn uniformity(pieces: u64) -> i32 {
    let mut files = pieces | pieces >> 32;
    files |= files >> 16;
    files |= files >> 8;
    let files = files as u8;
    let width = 8 - files.leading_zeros() - files.trailing_zeros();
    let height = 8 - pieces.leading_zeros() / 8 - pieces.trailing_zeros() / 8;
    (width * height) as i32
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    #[test]
    fn area_of_the_rectangle() {
        let [black, white] = drawn(&[
            ". . b . . .", //
            "w . . . . .",
            ". . . b . .",
            ". . . . . .",
            ". b . . . .",
            ". . . . . .",
        ]);
        // Files b to d, ranks 2 to 6.
        assert_eq!(uniformity(black), 3 * 5);
        assert_eq!(uniformity(white), 1);
    }
}
