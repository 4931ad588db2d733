//! Every exact search returns the value of plain negamax, whatever is switched on, under an evaluator
//! that no guess can anticipate.

use lanista_core::{Budget, Evaluator, History, MoveList, Outcome, Player, Position, Referee, Score, Seed, Tactics};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use lanista_search::evaluators::HashRandom;
use lanista_search::parameters::Settings;
use lanista_search::plain::{ALPHABETA, Order, Plain};
use lanista_search::pvs::{PVS, Pvs};

use crate::under_way::random_game;

/// Plain negamax, written here and nowhere else. Returns the value and visits everything.
pub fn negamax<P: Position>(position: &P, history: &mut History, lookback: bool, depth: u32, ply: u32) -> Score {
    let ended = match position.outcome() {
        None if lookback && ply > 0 => history.ending(position).map(|ending| ending.outcome),
        outcome => outcome,
    };
    match ended {
        Some(Outcome::Draw) => return Score(0),
        Some(Outcome::Win(side)) if side == position.side_to_move() => return Score(1_000_000 - ply as i32),
        Some(Outcome::Win(_)) => return Score(ply as i32 - 1_000_000),
        None if depth == 0 => return HashRandom::default().value(position),
        None => {}
    }
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let value = |&mv: &P::Move| {
        let mut next = *position;
        let progress = position.progress(mv);
        next.play(mv);
        history.push(progress, &next);
        let value = -negamax(&next, history, lookback, depth - 1, ply + 1);
        history.pop();
        value
    };
    moves.iter().map(value).max().expect("an unfinished position has moves")
}

pub fn engine<P: Tactics>(settings: &str) -> Pvs<P> {
    let settings = Settings::parse(&PVS, settings, 1).expect("good settings");
    Pvs::new(&settings, || Box::new(HashRandom::default()))
}

fn score<P: Position>(player: &mut dyn Player<P>, game: &Referee<P>) -> Score {
    let decision = player.choose(game, &Budget::default(), &mut Seed::new(0).stream()).expect("it does not resign");
    decision.score.expect("it has an opinion")
}

fn agree<G: Tactics>(positions: u64, plies: u32, depth: u32) {
    let rules = &G::presets()[0];
    for index in 0..positions {
        let game = random_game(rules, Seed::new(index), index as u32 % plies);
        for depth in 1..=depth {
            for lookback in [false, true] {
                let mut history = game.history().clone();
                let expected = negamax(game.position(), &mut history, lookback, depth, 0);
                // Values from a table forget the path that led to them, so rules that look back go without it.
                let tables: &[u32] = if lookback { &[0] } else { &[0, 1] };
                for (table, switches) in tables.iter().flat_map(|&table| (0..32).map(move |set| (table, set))) {
                    let on = |bit: u32| switches >> bit & 1 == 1;
                    let settings = format!(
                        "exact=true,depth={depth},table={table},lookback={lookback},etc={},killers={},history={},urgency={},aspiration={}",
                        on(0),
                        on(1),
                        on(2),
                        on(3),
                        on(4)
                    );
                    assert_eq!(
                        score(&mut engine::<G>(&settings), &game),
                        expected,
                        "{}: {settings}: {}",
                        G::ID,
                        game.position()
                    );
                }
                if !lookback {
                    continue;
                }
                for order in
                    [None, Some(Order::Natural), Some(Order::Random), Some(Order::Heuristic), Some(Order::Quick)]
                {
                    let settings = Settings::parse(&ALPHABETA, &format!("depth={depth}"), 1).expect("good settings");
                    let mut player = Plain::new(order, &settings, Box::new(HashRandom::default()));
                    assert_eq!(
                        score(&mut player, &game),
                        expected,
                        "{}: {order:?}, depth {depth}: {}",
                        G::ID,
                        game.position()
                    );
                }
            }
        }
    }
}

#[test]
fn lines_of_action() {
    agree::<Loa<8>>(6, 60, 3);
    agree::<Loa<5>>(20, 20, 4);
    agree::<Loa<4>>(30, 12, 5);
}

#[test]
fn connect_four() {
    agree::<ConnectFour>(30, 30, 5);
}

#[test]
fn draughts() {
    agree::<Draughts>(30, 60, 5);
}
