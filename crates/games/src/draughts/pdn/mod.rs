//! PDN 3.0, the portable draughts notation (<https://pdn.fmjd.org>), for English draughts.
//!
//! Reading follows the liberal reading grammar of the standard and what real files hold; writing is strict, with
//! two liberties that older programs need: captures with every square that they touch, the result at the end.
//!
//! **Results.** The standard says which results there are, not who is meant. In the archives of English draughts and
//! in CheckerBoard, which most of them were made with, the first number belongs to Black, who moves first: `1-0` is
//! a win for Black. So it is here, whichever side moves first from a set-up. (Elsewhere, in chess and in
//! draughts where White begins, `1-0` is a win for White; the same rule, the first player first.) The board goes
//! before the claim: a game that the board ends has the board's result.
//! `2-0`, `0-2` and `1-1` are the same results in the score of the international game. `0-0`, lost for
//! both, and unknown results count as none; the tag keeps them. The `Result` tag goes before the result after
//! the moves.
//!
//! **Refused by name:** game types other than 21, squares with letters (`a3-b4`), set-ups in the middle of a game
//! (`/FEN …/`). After an unreadable game the reader goes on at the next tag section.

mod read;
mod write;

use lanista_core::{Outcome, Side};

use super::Draughts;
use crate::files::{Format, GameFiles};

impl GameFiles for Draughts {
    const NAME_TAG: &'static str = "Event";
    const OPENING_BOOK: &'static str = include_str!("../data/openings.txt");

    fn formats() -> Vec<Format<Self>> {
        let about = "Portable Draughts Notation 3.0";
        vec![Format { id: "pdn", about, read: read::read_game, write: write::write_game }, Self::text_lines()]
    }
}

/// What stands at the end of a game: `Some(None)` for an end without a winner or a draw.
fn result(text: &str) -> Option<Option<Outcome>> {
    match text {
        "1-0" | "2-0" => Some(Some(Outcome::Win(Side::First))),
        "0-1" | "0-2" => Some(Some(Outcome::Win(Side::Second))),
        "1/2-1/2" | "1-1" => Some(Some(Outcome::Draw)),
        "0-0" | "*" => Some(None),
        _ => None,
    }
}
