//! Pieces near the centre are worth more than pieces at the edge (Winands et al., section 3.2).
//!
//! The average over the pieces is taken, not the sum, lest captures of own pieces look bad and captures of enemy
//! pieces good.

/// The value of a piece by its square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareValues {
    /// On a corner.
    pub corner: i32,
    /// By the distance from the edge: on the edge (no corner), one away, two, three.
    pub rings: [i32; 4],
}

/// The average value of the pieces, in thousandths.
#[inline]
pub fn centralisation<const N: usize>(pieces: u64, values: &SquareValues) -> i32 {
    let count = |mask: u64| (pieces & mask).count_ones() as i32;
    let inner = const { [ring(N, 0), ring(N, 1), ring(N, 2), ring(N, 3)] };
    let corners = const { corners(N) };
    let mut sum = values.corner * count(corners) + values.rings[0] * count(inner[0] & !corners);
    for (value, ring) in values.rings.iter().zip(inner).skip(1) {
        sum += value * count(ring);
    }
    1000 * sum / count(!0)
}

/// The squares so far from the edge of an N×N board.
pub(super) const fn ring(n: usize, distance: usize) -> u64 {
    let mut squares = 0;
    let mut square = 0;
    while square < 64 {
        let (file, rank) = (square % 8, square / 8);
        if file < n && rank < n {
            let across = if file < n - 1 - file { file } else { n - 1 - file };
            let along = if rank < n - 1 - rank { rank } else { n - 1 - rank };
            if distance == if across < along { across } else { along } {
                squares |= 1 << square;
            }
        }
        square += 1;
    }
    squares
}

/// The four corners.
pub(super) const fn corners(n: usize) -> u64 {
    1 | 1 << (n - 1) | 1 << (8 * (n - 1)) | 1 << (9 * (n - 1))
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    const VALUES: SquareValues = SquareValues { corner: -80, rings: [-50, 10, 20, 40] };

    #[test]
    fn average_of_the_squares() {
        let [black, white] = drawn(&[
            "b . . w . . . .", //
            ". . . . . . . .",
            ". . b . . . . .",
            ". . . . w . . .",
            ". . . . . . . .",
            ". . . . . . . .",
            ". . . . . . b .",
            ". . . . . . . .",
        ]);
        // Corner -80, c6 two from the edge 20, g2 one from the edge 10: -50 / 3.
        assert_eq!(centralisation::<8>(black, &VALUES), -16_666);
        // Edge -50, centre 40: -10 / 2.
        assert_eq!(centralisation::<8>(white, &VALUES), -5_000);
    }

    #[test]
    fn small_boards_have_fewer_rings() {
        assert_eq!([0, 1, 2, 3].map(|distance| ring(4, distance).count_ones()), [12, 4, 0, 0]);
        assert_eq!([0, 1, 2, 3].map(|distance| ring(7, distance).count_ones()), [24, 16, 8, 1]);
        assert_eq!(corners(5), 0x1100000011);
    }
}
