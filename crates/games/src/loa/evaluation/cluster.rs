//! The biggest group of a side (Groningen thesis on temporal-difference learning, section 3.7).

use super::super::connection::with_neighbours;

/// The number of pieces in the biggest group.
pub fn biggest_group(pieces: u64) -> u32 {
    let mut rest = pieces;
    let mut biggest = 0;
    while rest != 0 {
        let mut group = rest & rest.wrapping_neg();
        loop {
            let grown = with_neighbours(group) & pieces;
            if grown == group {
                break;
            }
            group = grown;
        }
        rest &= !group;
        biggest = biggest.max(group.count_ones());
    }
    biggest
}

#[cfg(test)]
mod tests {
    use super::super::drawn;
    use super::*;

    #[test]
    fn groups_by_hand() {
        let [black, white] = drawn(&[
            "b . w . .", //
            ". b . w .",
            ". . . w .",
            "b . . . .",
            "b b . . w",
        ]);
        assert_eq!(biggest_group(black), 3, "a1, b1, a2 against a5, b4");
        assert_eq!(biggest_group(white), 3, "c5, d4, d3; e1 is apart");
    }
}
