//! Rules that end a game for the number of its plies, together with the engine's table: what was found with many plies left
//! says nothing with few. Repetitions, which a table forgets, are out of force here.

use lanista_core::{Budget, Decision, Game, Player, Referee, Score, Seed, Tactics};
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use lanista_search::pvs::Pvs;

use crate::oracle::{engine, negamax};
use crate::under_way::random_game;

fn decide<G: Tactics>(engine: &mut Pvs<G>, game: &Referee<G>) -> Decision<G::Move> {
    engine.choose(game, &Budget::default(), &mut Seed::new(0).stream()).expect("it does not resign")
}

fn truth<G: Tactics>(game: &Referee<G>, depth: u32) -> Score {
    negamax(game.position(), &mut game.history().clone(), true, depth, 0)
}

/// Goes through random games with one engine for each, whose table remembers the earlier decisions.
fn near_the_end<G: Game + Tactics>(rules: &str, games: u64, plies: u32, depth: u32) {
    let rules = G::rules(rules).expect("good rules");
    let (mut decisions, mut cut_short, mut claims) = (0, 0, 0);
    for index in 0..games {
        let mut game = random_game(&rules, Seed::new(index), index as u32 % plies);
        let mut exact = engine::<G>(&format!("exact=true,depth={depth},table=1"));
        let mut bold = engine::<G>(&format!("depth={},table=1", depth + 1));
        let mut random = Seed::new(index).child(1).stream();
        while game.ending().is_none() {
            let place = || format!("{}: game {index}: {:?}", G::ID, game.moves());
            let expected = truth(&game, depth);
            assert_eq!(decide(&mut exact, &game).score, Some(expected), "{}", place());
            decisions += 1;
            let without = negamax(game.position(), &mut game.history().clone(), false, depth, 0);
            cut_short += u32::from(without != expected);
            let claimed = decide(&mut bold, &game).score.expect("it has an opinion");
            if let Some(plies) = claimed.plies_to_end().filter(|&plies| plies <= depth + 2) {
                claims += 1;
                let truth = truth(&game, plies);
                let near = truth.plies_to_end().is_some_and(|found| found <= plies);
                assert!(near && (truth > Score::DRAW) == (claimed > Score::DRAW), "{}: {claimed}, {truth}", place());
            }
            game.play_random(1, &mut random);
        }
    }
    let counts = (decisions, cut_short, claims);
    assert!(cut_short >= 20 && claims >= 20, "{}: {counts:?}: the test shows little", G::ID);
}

#[test]
fn the_length_of_a_game() {
    near_the_end::<Loa<4>>("mia,repetition=none,ply-cap=12", 60, 10, 4);
    near_the_end::<Loa<5>>("mia,repetition=none,ply-cap=16", 60, 15, 3);
}

#[test]
fn want_of_progress() {
    near_the_end::<Draughts>("english,repetition=none,no-progress=6", 20, 60, 5);
    // Who is ahead wins then.
    near_the_end::<Draughts>("allsop,repetition=none,no-progress=6,ply-cap=90", 20, 60, 5);
}

/// A shuffle in which the first side threatens to win and has no time left for it.
#[test]
fn no_win_in_three_with_two_plies_left() {
    let rules = <Loa<4> as Game>::rules("mia,ply-cap=6").expect("good rules");
    let mut game = Referee::new(&rules);
    let mut player = engine::<Loa<4>>("depth=5");
    for mv in ["c1-c3", "d2-b2", "c3-c1", "b2-d2"] {
        decide(&mut player, &game);
        let mv = lanista_core::Position::parse_move(game.position(), mv).expect("a legal move");
        game.play(mv).expect("a legal move");
    }
    let score = decide(&mut player, &game).score.expect("it has an opinion");
    assert_eq!(score.plies_to_end(), None, "{score}");
}
