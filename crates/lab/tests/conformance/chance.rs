//! Chance: random moves are fair, random games are games.

use lanista_core::{Ending, Game, MoveList, Outcome, RandomGame, Reason, Referee, Rules, Seed};

use crate::walks::{self, legal};

/// Draws for each legal move; enough to notice that one of thirty is drawn a tenth too often.
const DRAWS_A_MOVE: u32 = 3_000;

/// Every legal move is drawn equally often and nothing else ever is: a chi-square test at a fixed seed, on some
/// positions of random games and on those with the fewest moves, where a game's short cuts may fail.
pub fn is_uniform<G: Game>(rules: &Rules<G>) {
    let mut positions = walks::sample(rules, 20, 1);
    positions.retain(|position| position.outcome().is_none());
    let some = positions.iter().copied().step_by(positions.len().div_ceil(4));
    let mut few = positions.clone();
    few.sort_by_key(|position| legal(position).len());
    few.dedup_by_key(|position| legal(position).len());
    let mut room = MoveList::new();
    for (index, position) in some.chain(few.into_iter().take(6)).enumerate() {
        let moves = legal(&position);
        let mut counts = vec![0u32; moves.len()];
        let mut random = Seed::new(index as u64).stream();
        for _ in 0..DRAWS_A_MOVE * moves.len() as u32 {
            let mv = position.random_move(&mut random, &mut room);
            let drawn = moves.iter().position(|&legal| legal == mv);
            counts[drawn.unwrap_or_else(|| panic!("{}: {position}: {mv} is not legal", G::ID))] += 1;
        }
        let expected = f64::from(DRAWS_A_MOVE);
        let distance: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
        // Mean and standard deviation of the chi-square distribution; a fair game gets that far once in 10⁵ tries.
        let freedom = (moves.len() - 1) as f64;
        assert!(distance <= freedom + 5.0 * (2.0 * freedom).sqrt() + 10.0, "{}: {position}: {counts:?}", G::ID);
    }
}

/// A random game without checks ends when and how the referee says.
pub fn random_games_follow_the_rules<G: Game>(rules: &Rules<G>) {
    let mut fast = RandomGame::new(rules);
    let mut room = MoveList::new();
    for game in 0..30 {
        let mut random = Seed::new(game).stream();
        let mut same = random.clone();
        let (ending, plies) = fast.play(rules.start, &mut random);
        let mut referee = Referee::new(rules);
        while referee.ending().is_none() {
            let mv = referee.position().random_move(&mut same, &mut room);
            referee.play(mv).unwrap_or_else(|error| panic!("{}: {error}", G::ID));
        }
        assert_eq!(Some(ending), referee.ending(), "{} {}: game {game}", G::ID, rules.name);
        assert_eq!(plies as usize, referee.moves().len(), "{} {}: game {game}", G::ID, rules.name);
        assert_eq!(random.bits(), same.bits(), "{} {}: both drew equally often", G::ID, rules.name);
    }
}

/// Games played side by side are the games that their seeds give one after another.
pub fn many_random_games_are_the_same<G: Game>(rules: &Rules<G>) {
    let seed = Seed::new(11);
    let mut room = RandomGame::new(rules);
    for count in [0, 1, 7, 60] {
        let one_by_one: Vec<_> =
            (5..5 + count).map(|game| room.play(rules.start, &mut seed.child(game).stream())).collect();
        let nothing = (Ending { outcome: Outcome::Draw, reason: Reason::Agreement }, 0);
        let mut together = vec![nothing; count as usize];
        room.play_all(rules.start, seed, 5, &mut together);
        assert_eq!(together, one_by_one, "{} {}", G::ID, rules.name);
    }
}
