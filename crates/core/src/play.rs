//! Whole games: between two players, and between two dice.

use crate::{
    Budget, DrawRules, Ending, History, MoveList, Outcome, Player, Position, RandomStream, Reason, Record, Referee,
    Rules, Seed,
};

/// Plays one game. The players' streams are children 0 and 1 of `seed`.
/// A player that answers with an illegal move forfeits.
pub fn play_game<P: Position>(
    rules: &Rules<P>,
    players: [&mut dyn Player<P>; 2],
    budgets: [&Budget; 2],
    seed: Seed,
) -> Record<P> {
    play_on(Referee::new(rules), players, budgets, seed)
}

/// Plays a game that has begun to its end, as [`play_game`] does.
pub fn play_on<P: Position>(
    mut game: Referee<P>,
    players: [&mut dyn Player<P>; 2],
    budgets: [&Budget; 2],
    seed: Seed,
) -> Record<P> {
    let mut streams = [seed.child(0).stream(), seed.child(1).stream()];
    while game.ending().is_none() {
        let side = game.position().side_to_move();
        let seat = side.index();
        let reason = match players[seat].choose(&game, budgets[seat], &mut streams[seat]) {
            None => Reason::Resignation,
            Some(decision) if game.play(decision.mv).is_ok() => continue,
            Some(_) => Reason::Forfeit,
        };
        game.end(Ending { outcome: Outcome::Win(!side), reason });
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
