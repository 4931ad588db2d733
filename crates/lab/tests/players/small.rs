//! What the small players must see.

use std::collections::BTreeSet;

use lanista_core::{Budget, Game, MoveList, Outcome, Position, Referee, Score, Seed, Side, Tactics};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use lanista_search::win_block::wins_or_blocks_by_trying;

use crate::cast::{forced, game_after, player};
use crate::under_way::random_game;

/// The moves that a player makes with many seeds.
fn repertoire<G: Tactics>(name: &str, settings: &str, game: &Referee<G>, seeds: u64) -> BTreeSet<String> {
    let decide = |seed| player::<G>(name, settings).choose(game, &Budget::default(), &mut Seed::new(seed).stream());
    (0..seeds).map(|seed| decide(seed).expect("it does not resign").mv.to_string()).collect()
}

fn wins<G: Position>(position: &G, mv: G::Move) -> bool {
    let mut next = *position;
    next.play(mv);
    next.outcome() == Some(Outcome::Win(position.side_to_move()))
}

fn moves<G: Position>(position: &G) -> Vec<G::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.to_vec()
}

#[test]
fn wins_if_it_can() {
    fn check<G: Tactics>(positions: u64, plies: u32) {
        let mut found = 0;
        for index in 0..positions {
            let game = random_game(&G::presets()[0], Seed::new(index), index as u32 % plies);
            let winning: BTreeSet<String> = moves(game.position())
                .iter()
                .filter(|&&mv| wins(game.position(), mv))
                .map(ToString::to_string)
                .collect();
            if !winning.is_empty() {
                found += 1;
                assert!(repertoire("win-block", "", &game, 20).is_subset(&winning), "{}: {}", G::ID, game.position());
            }
        }
        assert!(found >= 10, "{}: only {found} positions with a winning move", G::ID);
    }
    check::<Loa<8>>(2000, 120);
    check::<Loa<5>>(200, 40);
    check::<ConnectFour>(200, 30);
    check::<Draughts>(2000, 150);
}

/// What Connect Four reads from its board is what trying the moves finds.
#[test]
fn wins_or_blocks_by_the_board_as_by_trying() {
    let [mut by_board, mut by_trying] = [MoveList::new(), MoveList::new()];
    let mut kinds = BTreeSet::new();
    for index in 0..3000 {
        let game = random_game(&ConnectFour::presets()[0], Seed::new(index), index as u32 % 42);
        if game.ending().is_some() {
            continue;
        }
        let wins = game.position().wins_or_blocks(&mut by_board).expect("the game tells");
        let (tried, _) = wins_or_blocks_by_trying(&game, &mut by_trying);
        assert_eq!((wins, by_board.to_vec()), (tried, by_trying.to_vec()), "{}", game.position());
        kinds.insert((wins, by_board.len() == moves(game.position()).len()));
    }
    assert!(kinds.len() >= 3, "wins, blocks and neither: {kinds:?}");
}

/// A greedy player may leave the end of the game to its evaluator, as Box's networks do.
#[test]
fn greed_by_rules_or_by_evaluator() {
    // x wins in column 4; an evaluator that counts stones likes all columns alike.
    let game: Referee<ConnectFour> = game_after(&["1", "1", "2", "2", "3", "3"]);
    assert_eq!(repertoire("greedy", "", &game, 20), BTreeSet::from(["4".to_string()]));
    let all = repertoire("greedy", "ends=evaluator", &game, 200);
    assert_eq!(all.len(), 7);
}

/// Where the opponent could win after some moves and not after others, the agent plays one of the others.
#[test]
fn leaves_no_win_if_it_can() {
    fn check<G: Tactics>(positions: u64, plies: u32) {
        let mut found = 0;
        for index in 0..positions {
            let game = random_game(&G::presets()[0], Seed::new(index), index as u32 % plies);
            let position = game.position();
            let safe = |&&mv: &&G::Move| {
                let mut next = *position;
                next.play(mv);
                let lost = next.outcome() == Some(Outcome::Win(next.side_to_move()));
                !lost && !moves(&next).iter().any(|&reply| wins(&next, reply))
            };
            let all = moves(position);
            let safe: BTreeSet<String> = all.iter().filter(safe).map(ToString::to_string).collect();
            if safe.is_empty() || safe.len() == all.len() || all.iter().any(|&mv| wins(position, mv)) {
                continue;
            }
            found += 1;
            assert!(repertoire("win-block", "", &game, 20).is_subset(&safe), "{}: {position}", G::ID);
        }
        assert!(found >= 10, "{}: only {found} positions with something to block", G::ID);
    }
    check::<Loa<8>>(2000, 120);
    check::<Loa<5>>(300, 40);
}

/// Box's agent as one would write it for Connect Four alone, on stones: the columns that it may choose.
fn box_agent(game: &Referee<ConnectFour>) -> BTreeSet<String> {
    let position = game.position();
    let has_four = |stones: u64| {
        let line = |step: u32| stones & stones >> step & stones >> (2 * step) & stones >> (3 * step);
        [1, 6, 7, 8].into_iter().any(|step| line(step) != 0)
    };
    let all = position.stones(Side::First) | position.stones(Side::Second);
    let drop_wins = |side: Side, column: &usize| {
        let height = (all >> (7 * column) & 0x3f).count_ones();
        has_four(position.stones(side) | 1 << (7 * *column as u32 + height))
    };
    let open: Vec<usize> = (0..7).filter(|column| all >> (7 * column + 5) & 1 == 0).collect();
    let side = position.side_to_move();
    let of = |side| open.iter().copied().filter(|column| drop_wins(side, column)).collect::<Vec<usize>>();
    let chosen = [of(side), of(!side), open.clone()].into_iter().find(|columns| !columns.is_empty());
    chosen.expect("an open column").into_iter().map(|column| (column + 1).to_string()).collect()
}

/// The general rule is Box's agent in Connect Four, column by column, also where two threats cannot both be met, where
/// blocking only helps for a ply, and where a careless stone gives the win away.
#[test]
fn is_the_agent_of_the_study_in_connect_four() {
    let (mut blocks, mut doubles) = (0, 0);
    for index in 0..600 {
        let game = random_game(&ConnectFour::presets()[0], Seed::new(index), index as u32 % 40);
        let expected = box_agent(&game);
        assert_eq!(repertoire("win-block", "", &game, 150), expected, "{}", game.position());
        let threatened = !moves(game.position()).iter().any(|&mv| wins(game.position(), mv)) && expected.len() < 3;
        blocks += u32::from(threatened && expected.len() == 1);
        doubles += u32::from(threatened && expected.len() == 2);
    }
    assert!(blocks > 50 && doubles > 5, "{blocks} blocks, {doubles} double threats: the test shows little");
}

/// A win within its depth is never missed, and a loss only where there is no way out.
#[test]
fn stochastic_sees_to_its_depth() {
    fn check<G: Tactics>(positions: u64, plies: u32, depth: u32) {
        let mut seen = 0;
        for index in 0..positions {
            let game = random_game(&G::presets()[0], Seed::new(index), index as u32 % plies);
            let decision = player::<G>("stochastic", &format!("depth={depth}"))
                .choose(&game, &Budget::default(), &mut Seed::new(index).stream())
                .expect("it does not resign");
            let truth = forced(&game, depth);
            let claim = decision.score.map(|score| score > Score::DRAW);
            assert_eq!(claim, truth, "{}: {}", G::ID, game.position());
            let mut next = game.clone();
            next.play(decision.mv).expect("legal");
            if truth == Some(true) {
                seen += 1;
                assert_eq!(forced(&next, depth - 1), Some(false), "{}: {}", G::ID, game.position());
            } else if truth.is_none() {
                assert_ne!(forced(&next, depth - 1), Some(true), "{}: {}", G::ID, game.position());
            }
        }
        assert!(seen >= 10, "{}: only {seen} wins to see", G::ID);
    }
    check::<Loa<4>>(60, 12, 3);
    check::<Loa<5>>(60, 40, 3);
    check::<ConnectFour>(100, 30, 3);
    check::<Draughts>(600, 150, 3);
}

/// Different decisions draw different values: the player is not the same every time.
#[test]
fn stochastic_is_stochastic() {
    let game = game_after::<Draughts>(&[]);
    assert!(repertoire("stochastic", "", &game, 40).len() > 3);
}

/// The ants find a win at once and block one, in both models.
#[test]
fn ants_see_what_is_near() {
    for model in ["state", "move"] {
        let settings = format!("depth=3,per={model}");
        let win = game_after::<ConnectFour>(&["1", "1", "2", "2", "3", "3"]);
        assert_eq!(repertoire("ants", &settings, &win, 5), BTreeSet::from(["4".to_string()]), "{model}");
        let block = game_after::<ConnectFour>(&["1", "1", "2", "2", "3"]);
        assert_eq!(repertoire("ants", &settings, &block, 5), BTreeSet::from(["4".to_string()]), "{model}");
    }
}
