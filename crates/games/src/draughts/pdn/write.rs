//! Writing PDN.

use std::io::{self, Write};

use lanista_core::{Position, Record, Side};

use super::Draughts;
use crate::files::{Tag, Wrapped};

/// The game type of English draughts: Black begins, 8×8, numbers from Black's bottom right.
const GAME_TYPE: &str = "21,B,8,8,N1,0";
/// The tags that every game has, and what stands for a value that nobody knows.
const ROSTER: [(&str, &str); 6] =
    [("Event", "?"), ("Site", "?"), ("Date", "????.??.??"), ("Round", "?"), ("Black", "?"), ("White", "?")];
/// The tags that the record tells.
const OWN_TAGS: [&str; 4] = ["Result", "GameType", "SetUp", "FEN"];

/// Writes one game and an empty line.
pub(super) fn write_game(out: &mut dyn Write, tags: &[Tag], record: &Record<Draughts>) -> io::Result<()> {
    let given = |wanted: &str| tags.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    for (name, unknown) in ROSTER {
        write_tag(out, name, given(name).map_or(unknown, |(_, value)| value))?;
    }
    let result = record.ending.map_or("*".to_owned(), |ending| ending.outcome.to_string());
    write_tag(out, "Result", &result)?;
    write_tag(out, "GameType", GAME_TYPE)?;
    if record.start != Draughts::default() {
        write_tag(out, "SetUp", "1")?;
        write_tag(out, "FEN", &record.start.to_string())?;
    }
    let written = |name: &str| {
        let mut written = ROSTER.iter().map(|&(name, _)| name).chain(OWN_TAGS);
        written.any(|known| known.eq_ignore_ascii_case(name))
    };
    for (name, value) in tags {
        if is_name(name) && !written(name) {
            write_tag(out, name, value)?;
        }
    }
    writeln!(out)?;
    let mut lines = Wrapped::new(out, " ");
    let black_begins = record.start.side_to_move() == Side::First;
    for (index, mv) in record.moves.iter().enumerate() {
        // Counted as if White's first move from a set-up followed a move of Black.
        let ply = index + usize::from(!black_begins);
        if ply.is_multiple_of(2) {
            lines.word(&format!("{}.", ply / 2 + 1))?;
        } else if index == 0 {
            lines.word("1...")?;
        }
        lines.word(&mv.to_string())?;
    }
    lines.word(&result)?;
    lines.end_line()?;
    writeln!(out)
}

fn is_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn write_tag(out: &mut dyn Write, name: &str, value: &str) -> io::Result<()> {
    let value = value.replace(char::is_control, " ").replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(out, "[{name} \"{value}\"]")
}
