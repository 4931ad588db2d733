//! A list of moves that never allocates.

use std::ops::Deref;

/// More moves than any position of any game here has.
/// Lines of Action has at most 96; for draughts a test counts the worst case.
pub const MAX_MOVES: usize = 256;

/// The legal moves of one position. Keep one a ply and reuse it: creating it writes the whole array.
#[derive(Clone)]
pub struct MoveList<M> {
    moves: [M; MAX_MOVES],
    len: usize,
}

impl<M: Copy + Default> Default for MoveList<M> {
    fn default() -> Self {
        MoveList { moves: [M::default(); MAX_MOVES], len: 0 }
    }
}

impl<M: Copy + Default> MoveList<M> {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, mv: M) {
        self.moves[self.len] = mv;
        self.len += 1;
    }

    /// Appends many moves; faster than [`MoveList::push`], because the length stays in a register.
    #[inline]
    pub fn write(&mut self, generate: impl FnOnce(&mut MoveWriter<'_, M>)) {
        let mut writer = MoveWriter { moves: &mut self.moves, len: self.len };
        generate(&mut writer);
        self.len = writer.len;
    }

    /// Keeps the moves that `keep` wants, in their order.
    #[inline]
    pub fn retain(&mut self, keep: impl Fn(M) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let mv = self.moves[index];
            self.moves[kept] = mv;
            kept += usize::from(keep(mv));
        }
        self.len = kept;
    }

    /// The moves, to reorder.
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [M] {
        &mut self.moves[..self.len]
    }
}

/// The open end of a list of moves.
pub struct MoveWriter<'a, M> {
    moves: &'a mut [M; MAX_MOVES],
    len: usize,
}

impl<M> MoveWriter<'_, M> {
    /// Appends a move.
    #[inline]
    pub fn push(&mut self, mv: M) {
        self.push_if(mv, true);
    }

    /// Appends a move if `keep` holds, without a branch for the processor to mispredict.
    #[inline]
    pub fn push_if(&mut self, mv: M, keep: bool) {
        self.moves[self.len] = mv;
        self.len += keep as usize;
    }
}

impl<M> Deref for MoveList<M> {
    type Target = [M];

    #[inline]
    fn deref(&self) -> &[M] {
        &self.moves[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appends_in_order_and_forgets() {
        let mut list = MoveList::new();
        list.push(3);
        list.write(|moves| {
            moves.push(1);
            moves.push_if(9, false);
            moves.push_if(2, true);
        });
        list.push(7);
        assert_eq!(list.to_vec(), [3, 1, 2, 7]);
        list.as_mut_slice().sort();
        assert_eq!(list.to_vec(), [1, 2, 3, 7]);
        list.clear();
        assert!(list.is_empty());
    }

    #[test]
    fn holds_as_many_as_it_says() {
        let mut list = MoveList::new();
        list.write(|moves| (0..MAX_MOVES).for_each(|index| moves.push(index)));
        assert!(list.len() == MAX_MOVES && list.iter().copied().eq(0..MAX_MOVES));
    }
}
