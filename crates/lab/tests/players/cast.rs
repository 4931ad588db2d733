//! Players and games under way, for the tests.

use lanista_core::{Evaluator, Game, MoveList, Player, Position, Referee, Score, Tactics};
use lanista_search::ants::{ANTS, Ants};
use lanista_search::best_three::{BEST_THREE, BestThree};
use lanista_search::greedy::{GREEDY, Greedy};
use lanista_search::lookahead::{LOOKAHEAD, Lookahead};
use lanista_search::mcts::{MCTS, Mcts};
use lanista_search::parameters::{PlayerInfo, Settings};
use lanista_search::stochastic::{STOCHASTIC, Stochastic};
use lanista_search::win_block::WinBlock;

/// What the pieces count, a hundred each.
pub struct Material;

impl<P: Position> Evaluator<P> for Material {
    fn value(&mut self, position: &P) -> Score {
        let side = position.side_to_move();
        Score(100 * (position.material(side) as i32 - position.material(!side) as i32))
    }
}

fn settings(info: &'static PlayerInfo, text: &str) -> Settings {
    Settings::parse(info, text, 1).unwrap_or_else(|error| panic!("{}:{text}: {error}", info.name))
}

/// A player of this name, judging by material.
pub fn player<P: Tactics>(name: &str, text: &str) -> Box<dyn Player<P>> {
    match name {
        "mcts" => Box::new(Mcts::new(&settings(&MCTS, text), Box::new(Material))),
        "ants" => Box::new(Ants::new(&settings(&ANTS, text), Box::new(Material))),
        "greedy" => Box::new(Greedy::new(&settings(&GREEDY, text), Box::new(Material))),
        "lookahead" => Box::new(Lookahead::new(&settings(&LOOKAHEAD, text), Box::new(Material))),
        "stochastic" => Box::new(Stochastic::new(&settings(&STOCHASTIC, text))),
        "best-three" => Box::new(BestThree::new(&settings(&BEST_THREE, text), Box::new(Material))),
        "best-three of stochastic" => {
            let judge = player("stochastic", "depth=1");
            Box::new(BestThree::of(&settings(&BEST_THREE, text), judge))
        }
        "win-block" => Box::new(WinBlock),
        _ => panic!("no player is called {name}"),
    }
}

/// The game after these moves from the start.
pub fn game_after<G: Game>(moves: &[&str]) -> Referee<G> {
    let mut game = Referee::new(&G::presets()[0]);
    for mv in moves {
        game.play_text(mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
    }
    game
}

/// Whether the side to move wins (`Some(true)`) or loses by force within that many plies, by trying everything.
pub fn forced<G: Game>(game: &Referee<G>, plies: u32) -> Option<bool> {
    if let Some(ending) = game.ending() {
        let side = game.position().side_to_move();
        return match ending.outcome.points(side) {
            1.0 => Some(true),
            0.0 => Some(false),
            _ => None,
        };
    }
    if plies == 0 {
        return None;
    }
    let mut moves = MoveList::new();
    game.position().legal_moves(&mut moves);
    let mut all_lose = true;
    for &mv in moves.iter() {
        let mut next = game.clone();
        next.play(mv).expect("a legal move");
        match forced(&next, plies - 1) {
            Some(false) => return Some(true),
            Some(true) => {}
            None => all_lose = false,
        }
    }
    all_lose.then_some(false)
}
