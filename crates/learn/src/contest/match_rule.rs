//! Who wins a match of a few games (plogann).

use std::cmp::Ordering;

use lanista_core::Seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::round::{Played, Points};

/// Who wins a match when both won as often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// Who needed fewer plies for its wins; the older one if that is the same, or if nobody won. (plogann.)
    #[default]
    FasterThenOlder,
    /// A coin.
    Coin,
}

/// How a match ended for its first player: who won more games, and if both won as often, who needed fewer plies for it.
pub fn outcome(played: &[Played]) -> Ordering {
    let ((wins, plies), (losses, their_plies)) = (won(played, Points::Win), won(played, Points::Loss));
    wins.cmp(&losses).then(their_plies.cmp(&plies))
}

/// Games that ended so, and the plies they took.
fn won(played: &[Played], result: Points) -> (u32, u64) {
    let games = played.iter().filter(|game| game.result == result);
    games.fold((0, 0), |(wins, plies), game| (wins + 1, plies + u64::from(game.plies)))
}

/// Whether the first player of a match, the older one, wins it. The coin is tossed from `seed`.
pub fn first_wins(played: &[Played], tie: Tie, seed: Seed) -> bool {
    match tie {
        Tie::FasterThenOlder => outcome(played).is_ge(),
        Tie::Coin => match won(played, Points::Win).0.cmp(&won(played, Points::Loss).0) {
            Ordering::Equal => seed.stream().below(2) == 0,
            other => other.is_gt(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::Points::{Draw, Loss, Win};
    use super::*;

    fn match_of(games: [(Points, u32); 2]) -> bool {
        let played = games.map(|(result, plies)| Played { result, plies });
        first_wins(&played, Tie::FasterThenOlder, Seed::new(0))
    }

    /// All cases of two games. Lengths matter only where each won once.
    #[test]
    fn plogann_match_rule() {
        for (games, first) in [
            ([(Win, 90), (Win, 90)], true),
            ([(Win, 90), (Draw, 10)], true),
            ([(Draw, 10), (Win, 90)], true),
            ([(Loss, 90), (Loss, 90)], false),
            ([(Loss, 90), (Draw, 10)], false),
            ([(Draw, 10), (Loss, 90)], false),
            ([(Win, 30), (Loss, 31)], true),
            ([(Win, 31), (Loss, 30)], false),
            ([(Loss, 30), (Win, 31)], false),
            ([(Loss, 31), (Win, 30)], true),
            ([(Win, 30), (Loss, 30)], true),
            ([(Loss, 30), (Win, 30)], true),
            ([(Draw, 100), (Draw, 100)], true),
        ] {
            assert_eq!(match_of(games), first, "{games:?}");
        }
        let tied = |games: [(Points, u32); 2]| outcome(&games.map(|(result, plies)| Played { result, plies })).is_eq();
        assert!(tied([(Draw, 100), (Draw, 7)]) && tied([(Loss, 30), (Win, 30)]) && !tied([(Win, 30), (Loss, 31)]));
    }

    #[test]
    fn coins_are_fair_and_only_for_ties() {
        let tied = [Played { result: Draw, plies: 5 }; 2];
        let heads = (0..10_000).filter(|&seed| first_wins(&tied, Tie::Coin, Seed::new(seed))).count();
        assert!((4_700..5_300).contains(&heads), "{heads}");
        let won = [Played { result: Win, plies: 5 }, tied[0]];
        assert!((0..100).all(|seed| first_wins(&won, Tie::Coin, Seed::new(seed))));
    }
}
