//! How much is too much: no memory holds what slips of the pen ask for.

/// Individuals of a generation.
const MOST_INDIVIDUALS: u64 = 100_000;
/// Games of a round.
const MOST_GAMES: u64 = 100_000_000;

/// Whether a generation may be that large. An error names the field `what`.
pub fn check_individuals(what: &str, count: u64) -> Result<(), String> {
    match count <= MOST_INDIVIDUALS {
        true => Ok(()),
        false => Err(format!("{what}: {count} individuals a generation, expected at most {MOST_INDIVIDUALS}")),
    }
}

/// Whether a round may have as many games as the factors come to. An error names the table `what`.
pub fn check_games(what: &str, factors: [u64; 3]) -> Result<(), String> {
    match factors.into_iter().fold(1u64, u64::saturating_mul) {
        0..=MOST_GAMES => Ok(()),
        count => Err(format!("{what}: {count} games a round, expected at most {MOST_GAMES}")),
    }
}
