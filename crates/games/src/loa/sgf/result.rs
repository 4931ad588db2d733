//! The `RE` property: who won, and why.

use lanista_core::{Ending, Outcome, Reason, Side};

use crate::files::FileGame;

/// What `RE` claims: `B+`, `W+Resign`, `Draw`, `0`, `Won by …` and their like. Anything else is no claim.
pub(super) fn claimed_ending(game: &FileGame) -> Option<Ending> {
    let text = game.tag("RE")?.trim().to_ascii_lowercase();
    if matches!(text.as_str(), "0" | "draw" | "drawn" | "1/2" | "1/2-1/2") {
        return Some(Ending { outcome: Outcome::Draw, reason: Reason::Agreement });
    }
    if let Some((winner, how)) = text.split_once('+') {
        let reason = match how {
            "f" | "forfeit" | "t" | "time" => Reason::Forfeit,
            _ => Reason::Resignation,
        };
        return side(game, winner).map(|winner| Ending { outcome: Outcome::Win(winner), reason });
    }
    let winner = match text.split_once("won by ") {
        Some((_, winner)) => winner,
        None => text.split_once(" w").map_or(text.as_str(), |(winner, _)| winner),
    };
    side(game, winner).map(|winner| Ending { outcome: Outcome::Win(winner), reason: Reason::Resignation })
}

/// The side that a colour or a player's name stands for.
fn side(game: &FileGame, name: &str) -> Option<Side> {
    let is_player = |tag: &str| game.tag(tag).is_some_and(|player| player.eq_ignore_ascii_case(name));
    match name {
        "b" | "black" => Some(Side::First),
        "w" | "white" => Some(Side::Second),
        _ if is_player("PB") == is_player("PW") => None,
        _ => Some(if is_player("PB") { Side::First } else { Side::Second }),
    }
}

/// The value of `RE` for an ending.
pub(super) fn result_text(ending: Option<Ending>) -> String {
    let Some(Ending { outcome, reason }) = ending else {
        return "?".into();
    };
    let how = match reason {
        Reason::Resignation => "Resign",
        Reason::Forfeit => "Forfeit",
        _ => "",
    };
    match outcome {
        Outcome::Draw => "Draw".into(),
        Outcome::Win(Side::First) => format!("B+{how}"),
        Outcome::Win(Side::Second) => format!("W+{how}"),
    }
}
