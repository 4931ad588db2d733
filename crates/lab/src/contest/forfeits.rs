//! Games that players lost by breaking down: counted by reason, and told without saying the same again and again.

/// Different reasons that are remembered of a meeting; what comes after is counted together.
const MOST_REASONS: usize = 20;

/// Games of a meeting that a player lost by breaking down or against the rules, for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeits {
    /// The number of the meeting.
    pub meeting: usize,
    /// The player's place in the list.
    pub player: usize,
    /// How many games.
    pub games: u64,
    /// Why.
    pub reason: String,
}

/// Counts a forfeit. Returns under which reason, and how many there are of it now.
///
/// Reasons begin with the text of the player, as jobs tell them.
pub(super) fn count<'a>(counts: &'a mut Vec<(u64, String)>, players: [&str; 2], reason: &str) -> (u64, &'a str) {
    let others = || format!("{}: other reasons", players[player_of(players, reason)]);
    let reason = match counts.iter().any(|(_, known)| known == reason) || counts.len() < MOST_REASONS {
        true => reason.to_string(),
        false => others(),
    };
    let place = counts.iter().position(|(_, known)| *known == reason).unwrap_or_else(|| {
        counts.push((0, reason));
        counts.len() - 1
    });
    let (games, reason) = &mut counts[place];
    *games += 1;
    (*games, reason.as_str())
}

/// Whether this many forfeits for one reason are worth a warning: the first, the tenth, the hundredth, …
pub(super) fn is_told(games: u64) -> bool {
    games > 0 && 10u64.pow(games.ilog10()) == games
}

/// Which of two players a reason is about, and what it says of it.
pub(super) fn told_of<'a>(players: [&str; 2], reason: &'a str) -> (usize, &'a str) {
    let player = player_of(players, reason);
    (player, reason.strip_prefix(players[player]).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(reason))
}

/// Of two players of which one's text begins with the other's, the longer is meant.
fn player_of(players: [&str; 2], reason: &str) -> usize {
    let is_about =
        |player: usize| reason.strip_prefix(players[player]).is_some_and(|rest: &str| rest.starts_with(": "));
    usize::from(is_about(1) && !(is_about(0) && players[0].len() >= players[1].len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_and_few() {
        let players = ["engine:a", "engine:a: b"];
        let mut counts = Vec::new();
        for game in 0..1000 {
            assert_eq!(count(&mut counts, players, "engine:a: no such program").0, game + 1);
            count(&mut counts, players, &format!("engine:a: b: move {game}"));
        }
        assert_eq!(counts.len(), MOST_REASONS + 1);
        assert_eq!(counts.iter().map(|(games, _)| games).sum::<u64>(), 2000);
        assert_eq!(counts[MOST_REASONS].1, "engine:a: b: other reasons");
        assert_eq!(told_of(players, &counts[0].1), (0, "no such program"));
        assert_eq!(told_of(players, &counts[MOST_REASONS].1), (1, "other reasons"));
        assert_eq!((0..=1000).filter(|&games| is_told(games)).collect::<Vec<_>>(), [1, 10, 100, 1000]);
    }
}
