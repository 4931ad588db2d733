//! Whole games: between two players, and between two dice.

use crate::{
    Budget, Decision, DrawRules, Ending, History, MoveList, Outcome, Player, Position, RandomStream, Reason, Record,
    Referee, Rules, Seed, Side,
};

/// Who sits beside a game, sees every decision, and may break the game off.
pub trait Umpire<P: Position> {
    /// Told of each decision before it is played. An ending ends the game there.
    fn decided(&mut self, _game: &Referee<P>, _decision: &Decision<P::Move>) -> Option<Ending> {
        None
    }

    /// Told why a side forfeits.
    fn failed(&mut self, _side: Side, _reason: &str) {}
}

/// Nobody sits there.
impl<P: Position> Umpire<P> for () {}

/// Plays one game. Both players draw from the stream of `seed`. (A stream each would make random games of Connect Four
/// take almost twice as long.)
/// A player that answers with an illegal move forfeits.
pub fn play_game<P: Position>(
    rules: &Rules<P>,
    players: [&mut dyn Player<P>; 2],
    budgets: [&Budget; 2],
    seed: Seed,
) -> Record<P> {
    play_on(Referee::new(rules), players, budgets, seed, &mut ())
}

/// Plays a game that has begun to its end, as [`play_game`] does, before an umpire.
pub fn play_on<P: Position>(
    mut game: Referee<P>,
    players: [&mut dyn Player<P>; 2],
    budgets: [&Budget; 2],
    seed: Seed,
    umpire: &mut dyn Umpire<P>,
) -> Record<P> {
    let mut random = seed.stream();
    while game.ending().is_none() {
        let side = game.position().side_to_move();
        let seat = side.index();
        let ending = match players[seat].choose(&game, budgets[seat], &mut random) {
            Some(decision) => match umpire.decided(&game, &decision) {
                Some(ending) => ending,
                None => match game.play(decision.mv) {
                    Ok(()) => continue,
                    Err(error) => {
                        umpire.failed(side, &error.to_string());
                        Ending { outcome: Outcome::Win(!side), reason: Reason::Forfeit }
                    }
                },
            },
            None => match players[seat].failure() {
                Some(reason) => {
                    umpire.failed(side, reason);
                    Ending { outcome: Outcome::Win(!side), reason: Reason::Forfeit }
                }
                None => Ending { outcome: Outcome::Win(!side), reason: Reason::Resignation },
            },
        };
        game.end(ending);
    }
    game.record(Some(seed))
}

/// Games of random moves, without checks, records or allocations: for playouts and for speed.
pub struct RandomGame<P: Position> {
    history: History,
    moves: MoveList<P::Move>,
}

impl<P: Position> RandomGame<P> {
    /// Room to play games under these rules.
    pub fn new(rules: &Rules<P>) -> RandomGame<P> {
        RandomGame { history: History::new(rules.draws, &rules.start), moves: MoveList::new() }
    }

    /// Plays random moves from `start` to the end. Returns the end and the number of plies.
    #[inline]
    pub fn play(&mut self, start: P, random: &mut RandomStream) -> (Ending, u32) {
        if *self.history.rules() == DrawRules::default() {
            return self.play_to_board_end(start, random);
        }
        let mut position = start;
        self.history.restart(&start);
        loop {
            if let Some(outcome) = position.outcome() {
                return (Ending { outcome, reason: Reason::Board }, self.history.plies());
            }
            if let Some(ending) = self.history.ending(&position) {
                return (ending, self.history.plies());
            }
            let mv = position.random_move(random, &mut self.moves);
            let progress = position.progress(mv);
            position.play(mv);
            self.history.push(progress, &position);
        }
    }

    /// Plays a game for every place in `ends`, game `i` with the stream of `seed.child(first + i)`: side by side where
    /// only the board ends games and the game knows how, else one after another.
    pub fn play_all(&mut self, start: P, seed: Seed, first: u64, ends: &mut [(Ending, u32)]) {
        if *self.history.rules() == DrawRules::default() && start.random_games(seed, first, ends) {
            return;
        }
        for (game, end) in (first..).zip(ends) {
            *end = self.play(start, &mut seed.child(game).stream());
        }
    }

    /// The same where only the board ends games. Connect Four games are so short that the checks would show.
    #[inline]
    fn play_to_board_end(&mut self, start: P, random: &mut RandomStream) -> (Ending, u32) {
        let mut position = start;
        let mut plies = 0;
        loop {
            if let Some(outcome) = position.outcome() {
                return (Ending { outcome, reason: Reason::Board }, plies);
            }
            position.play(position.random_move(random, &mut self.moves));
            plies += 1;
        }
    }
}
