//! What players from the browser may be: no other programs, no files but by their content, one thread, and memory within what
//! the server has to give.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lanista_lab::players::PlayerSpec;

use crate::error::ApiError;

/// The table of a player that asks for none in particular, in MB.
const USUAL_TABLE: u64 = 8;
/// What one player may have, in MB.
const MOST_EACH: u64 = 256;
/// What players without a table are reckoned to need, in MB.
const LEAST: u64 = 1;

/// The memory that thinking players share, in MB.
#[derive(Debug)]
pub struct Memory {
    free: AtomicU64,
}

/// Memory of a player; it goes back when this is dropped.
#[derive(Debug)]
pub struct Reserved {
    memory: Arc<Memory>,
    size: u64,
}

impl Memory {
    /// So many MB in all.
    pub fn new(size: u64) -> Memory {
        Memory { free: AtomicU64::new(size) }
    }

    /// Takes some, or says that there is none left.
    pub fn reserve(self: &Arc<Memory>, size: u64) -> Result<Reserved, ApiError> {
        let taken = self.free.fetch_update(Ordering::AcqRel, Ordering::Acquire, |free| free.checked_sub(size));
        match taken {
            Ok(_) => Ok(Reserved { memory: Arc::clone(self), size }),
            Err(free) => Err(ApiError::busy(format!(
                "too many players think at the moment ({free} MB are left, {size} are needed); close one and try again"
            ))),
        }
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.memory.free.fetch_add(self.size, Ordering::AcqRel);
    }
}

/// A player's text with what the server adds to it, and the memory that it needs, in MB.
pub fn checked_player(text: &str) -> Result<(String, u64), ApiError> {
    let spec = filled_in(PlayerSpec::parse(text)?)?;
    let wrong = |reason: String| ApiError::wrong("player", format!("player {text:?}: {reason}"));
    if spec.with_inner().any(PlayerSpec::is_engine) {
        return Err(ApiError::wrong("player", "engine: players start other programs, so a page may not ask for them"));
    }
    if spec.with_inner().any(|spec| spec.threads() != 1) {
        return Err(wrong("threads: here a player has one thread".into()));
    }
    let size: u64 = spec.with_inner().map(PlayerSpec::megabytes).sum();
    if size > MOST_EACH {
        return Err(wrong(format!("{size} MB, expected at most {MOST_EACH} here")));
    }
    Ok((spec.text().to_string(), size.max(LEAST)))
}

/// A player that says nothing of its memory gets the usual table. One that stands inside another keeps its default.
fn filled_in(spec: PlayerSpec) -> Result<PlayerSpec, ApiError> {
    let text = spec.text();
    let (name, values) = text.split_once(':').unwrap_or((text, ""));
    let field = match name {
        "pvs" => "table=",
        "mcts" | "ants" => "memory=",
        _ => return Ok(spec),
    };
    if values.split(',').any(|value| value.starts_with(field)) {
        return Ok(spec);
    }
    let mark = if values.is_empty() { "" } else { "," };
    Ok(PlayerSpec::parse(&format!("{name}:{values}{mark}{field}{USUAL_TABLE}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_get_what_they_need_and_no_more() {
        assert_eq!(checked_player("pvs").unwrap(), ("pvs:table=8".into(), 8));
        assert_eq!(checked_player("pvs:depth=4").unwrap(), ("pvs:depth=4,table=8".into(), 8));
        assert_eq!(checked_player("pvs:table=32").unwrap(), ("pvs:table=32".into(), 32));
        assert_eq!(checked_player("random").unwrap(), ("random".into(), 1));
        assert_eq!(checked_player("mcts:").unwrap(), ("mcts:memory=8".into(), 8));
        for wrong in ["pvs:table=4096", "pvs:threads=4", "engine:ls", "best-three:of=(engine:ls)", "nobody"] {
            assert!(checked_player(wrong).is_err(), "{wrong}");
        }
    }

    /// What stands inside is counted with its default, however deep it stands.
    #[test]
    fn players_inside_players_are_counted() {
        for (text, size) in [
            ("best-three:of=(mcts)", 64),
            ("best-three:of=(pvs:table=3)", 3),
            ("best-three:of=(best-three:of=(ants:memory=20))", 20),
            ("best-three:of=(best-three:of=pvs)", 16),
        ] {
            assert_eq!(checked_player(text).unwrap(), (text.to_string(), size));
        }
        for wrong in ["best-three:of=(mcts:memory=300)", "best-three:of=(best-three:of=pvs:threads=2)"] {
            assert!(checked_player(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn memory_comes_back() {
        let memory = Arc::new(Memory::new(10));
        let taken = memory.reserve(8).unwrap();
        assert!(memory.reserve(3).is_err());
        drop(taken);
        assert!(memory.reserve(10).is_ok());
    }
}
