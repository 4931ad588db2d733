//! SGF, the smart game format (<https://www.red-bean.com/sgf>), for Lines of Action: `FF[4]`, `GM[9]`.
//!
//! Reading takes what real files hold: moves like `B[D1-B3]` in either case, with `-`, `:`, `x`, a space or nothing
//! between the squares (whether a move captures is seen on the board), marks like `++` and `!` after them,
//! `Resign` and `Forfeit` as moves, empty nodes, names of properties with small letters as in older versions.
//! Of a game tree the main line is read, always the first child; comments (`C`, `GC`) are skipped. All other
//! properties up to the first move are kept as tags.
//!
//! **Refused by name:** other games (`GM`), other board sizes (`SZ`), set-ups other than `SU[Standard]` and
//! `SU[Custom]` (the board is what `AB` and `AW` put on it), stones put or taken in the middle of a game.
//! After an unreadable game tree the reader goes on with the next.

mod read;
mod result;
mod write;

use super::Loa;
use crate::files::{Format, GameFiles};

impl<const N: usize> GameFiles for Loa<N> {
    const NAME_TAG: &'static str = "GN";
    const OPENING_BOOK: &'static str = if N == 8 { include_str!("../data/openings.txt") } else { "" };

    fn formats() -> Vec<Format<Self>> {
        let about = "Smart Game Format, FF[4] GM[9]";
        vec![Format { id: "sgf", about, read: read::read_game::<N>, write: write::write_game }, Self::text_lines()]
    }
}
