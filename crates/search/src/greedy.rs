//! The player that looks one move ahead: it plays to the position that its evaluator likes best. So choose the
//! networks of Box's Connect Four study and of TD learning.

use lanista_core::{Budget, Decision, Evaluator, MoveList, Player, Position, RandomStream, Referee};

use crate::parameters::{Kind, Parameter, PlayerInfo, Settings};
use crate::ranking::{EVAL, TIES};
use crate::walk::{Judged, Walk};

/// The greedy player.
pub const GREEDY: PlayerInfo = PlayerInfo {
    name: "greedy",
    about: "looks one ply ahead: the move to the position that the evaluator likes best",
    parameters: &[EVAL, TIES, ENDS],
};

/// Who judges moves that end the game.
const ENDS: Parameter = Parameter {
    name: "ends",
    kind: Kind::Choice(&["rules", "evaluator"]),
    default: "rules",
    about: "whether a move that ends the game is worth what the rules say, or what the evaluator thinks (Box's networks)",
};

/// Plays to the position that its evaluator likes best.
pub struct Greedy<P: Position> {
    random_ties: bool,
    evaluator: Box<dyn Evaluator<P>>,
    moves: MoveList<P::Move>,
    judged: Judged<P>,
}

impl<P: Position> Greedy<P> {
    /// The player with these settings.
    pub fn new(settings: &Settings, evaluator: Box<dyn Evaluator<P>>) -> Greedy<P> {
        let mut judged = Judged::default();
        judged.ends_by_evaluator = settings.text("ends") == "evaluator";
        Greedy { random_ties: settings.text("ties") == "random", evaluator, moves: MoveList::new(), judged }
    }
}

impl<P: Position> Player<P> for Greedy<P> {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(&mut self, game: &Referee<P>, _budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let mut walk = Walk::new(game, self.evaluator.as_mut());
        game.position().legal_moves(&mut self.moves);
        walk.judge(game.position(), &self.moves, 0, &mut self.judged);
        let best = self.judged.values.iter().copied().max()?;
        let mut equals = self.moves.iter().zip(&self.judged.values).filter(|(_, value)| **value == best);
        let count = equals.clone().count() as u32;
        let chosen = if self.random_ties && count > 1 { random.below(count) } else { 0 };
        let (&mv, _) = equals.nth(chosen as usize)?;
        // Every move was looked at, so a best one that wins or loses is proved to.
        Some(Decision { mv, score: Some(best), depth: 1, nodes: self.moves.len() as u64, line: vec![mv] })
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, Score, Seed};

    use super::*;
    use crate::twigs::{To, Twig, Written};

    #[test]
    fn plays_to_what_it_likes_best() {
        let settings = Settings::parse(&GREEDY, "", 1).unwrap();
        let game = Referee::new(&Twig::presets()[0]);
        let mut player = Greedy::new(&settings, Box::new(Written));
        let decision = player.choose(&game, &Budget::default(), &mut Seed::new(1).stream()).unwrap();
        assert_eq!((decision.mv, decision.score, decision.nodes), (To(1), Some(Score(60)), 3));
    }
}
