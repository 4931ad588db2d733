//! The eight symmetries of a square board.

/// Where a square goes. Index bits: 1 mirrors the files, 2 mirrors the ranks, 4 exchanges files and ranks (first).
pub(super) fn square<const N: usize>(square: u32, index: usize) -> u32 {
    let (mut file, mut rank) = (square % 8, square / 8);
    if index & 4 != 0 {
        (file, rank) = (rank, file);
    }
    if index & 1 != 0 {
        file = N as u32 - 1 - file;
    }
    if index & 2 != 0 {
        rank = N as u32 - 1 - rank;
    }
    rank * 8 + file
}

/// Where a set of squares goes.
pub(super) fn squares<const N: usize>(mut set: u64, index: usize) -> u64 {
    let mut turned = 0;
    while set != 0 {
        turned |= 1 << square::<N>(set.trailing_zeros(), index);
        set &= set - 1;
    }
    turned
}
