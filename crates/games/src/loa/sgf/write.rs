//! Writing SGF.

use std::io::{self, Write};

use lanista_core::{Position, Record, Side};

use super::result::result_text;
use crate::files::{Tag, Wrapped};
use crate::loa::Loa;
use crate::loa::notation::square_name;

/// The properties that the record tells, and those of the format itself.
const OWN_TAGS: [&str; 13] = ["FF", "GM", "CA", "AP", "SZ", "SU", "PL", "AB", "AW", "AE", "B", "W", "RE"];

/// Writes one game tree and an empty line.
pub(super) fn write_game<const N: usize>(out: &mut dyn Write, tags: &[Tag], record: &Record<Loa<N>>) -> io::Result<()> {
    let mut lines = Wrapped::new(out, "");
    lines.word("(;FF[4]GM[9]CA[UTF-8]AP[Lanista]")?;
    lines.word(&format!("SZ[{N}]"))?;
    for (name, value) in tags {
        if is_name(name) && !OWN_TAGS.contains(&name.as_str()) {
            lines.word(&format!("{name}[{}]", escaped(value)))?;
        }
    }
    lines.word(&format!("RE[{}]", result_text(record.ending)))?;
    write_start(&mut lines, &record.start)?;
    lines.end_line()?;
    let mut side = record.start.side_to_move();
    for mv in &record.moves {
        let colour = if side == Side::First { 'B' } else { 'W' };
        lines.word(&format!(";{colour}[{}]", mv.to_string().replace('x', ":")))?;
        side = !side;
    }
    lines.word(")")?;
    lines.end_line()?;
    lines.end_line()
}

/// A start that is not the usual one.
fn write_start<const N: usize>(lines: &mut Wrapped<'_>, start: &Loa<N>) -> io::Result<()> {
    let usual = Loa::<N>::start(start.rules());
    if Side::BOTH.iter().any(|&side| start.pieces(side) != usual.pieces(side)) {
        lines.word("SU[Custom]")?;
        for (side, name) in [(Side::First, "AB"), (Side::Second, "AW")] {
            let squares = (0..64).filter(|&square| start.pieces(side) >> square & 1 == 1);
            let squares: String = squares.map(|square| format!("[{}]", square_name(square))).collect();
            lines.word(&format!("{name}{squares}"))?;
        }
    }
    if start.side_to_move() == Side::Second {
        lines.word("PL[W]")?;
    }
    Ok(())
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn escaped(value: &str) -> String {
    value.replace(char::is_control, " ").replace('\\', "\\\\").replace(']', "\\]")
}
