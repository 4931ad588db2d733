//! The player that looks one move ahead: it plays to the position that its evaluator likes best. So choose the
//! networks of Box's Connect Four study and of TD learning.

use lanista_core::{Budget, Decision, Evaluator, MoveList, Player, Position, RandomStream, Referee, Score};

use crate::parameters::{Kind, Parameter, PlayerInfo, Settings};
use crate::ranking::{EVAL, TIES};
use crate::walk::{Judged, Walk};

/// The greedy player.
pub const GREEDY: PlayerInfo = PlayerInfo {
    name: "greedy",
    about: "looks one ply ahead: the move to the position that the evaluator likes best",
    parameters: &[EVAL, TIES, ENDS, COMPARE],
};

/// Who judges moves that end the game.
const ENDS: Parameter = Parameter {
    name: "ends",
    kind: Kind::Choice(&["rules", "evaluator"]),
    default: "rules",
    about: "whether a move that ends the game is worth what the rules say, or what the evaluator thinks (Box's networks)",
};

/// What is compared.
const COMPARE: Parameter = Parameter {
    name: "compare",
    kind: Kind::Choice(&["scores", "opinions"]),
    default: "scores",
    about: "compare scores, or the evaluator's opinions in 64 bits before they are rounded to scores: for networks whose weights grow large (Box's)",
};

/// Plays to the position that its evaluator likes best.
pub struct Greedy<P: Position> {
    random_ties: bool,
    compares_opinions: bool,
    evaluator: Box<dyn Evaluator<P>>,
    moves: MoveList<P::Move>,
    judged: Judged<P>,
}

impl<P: Position> Greedy<P> {
    /// The player with these settings.
    pub fn new(settings: &Settings, evaluator: Box<dyn Evaluator<P>>) -> Greedy<P> {
        let mut judged = Judged::default();
        judged.ends_by_evaluator = settings.text("ends") == "evaluator";
        Greedy {
            random_ties: settings.text("ties") == "random",
            compares_opinions: settings.text("compare") == "opinions",
            evaluator,
            moves: MoveList::new(),
            judged,
        }
    }

    /// One of the best moves by what each of them is worth, and what that is.
    fn best<T: Copy + PartialOrd>(&self, worth: &[T], random: &mut RandomStream) -> Option<(P::Move, T)> {
        let best = worth.iter().copied().reduce(|best, other| if other > best { other } else { best })?;
        let mut equals = self.moves.iter().zip(worth).filter(|(_, value)| **value == best);
        let count = equals.clone().count() as u32;
        let chosen = if self.random_ties && count > 1 { random.below(count) } else { 0 };
        equals.nth(chosen as usize).map(|(&mv, _)| (mv, best))
    }
}

impl<P: Position> Player<P> for Greedy<P> {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(&mut self, game: &Referee<P>, _budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let mut walk = Walk::new(game, self.evaluator.as_mut());
        game.position().legal_moves(&mut self.moves);
        let (mv, score) = if self.compares_opinions {
            walk.judge_finely(game.position(), &self.moves, &mut self.judged);
            let (mv, opinion) = self.best(&self.judged.opinions, random)?;
            (mv, opinion.is_infinite().then(|| if opinion > 0.0 { Score::win_in(1) } else { Score::loss_in(1) }))
        } else {
            walk.judge(game.position(), &self.moves, 0, &mut self.judged);
            let (mv, best) = self.best(&self.judged.values, random)?;
            (mv, Some(best))
        };
        // Every move was looked at, so a best one that wins or loses is proved to.
        Some(Decision { mv, score, depth: 1, nodes: self.moves.len() as u64, line: vec![mv] })
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, Seed};

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

    /// Opinions of the usual tree that no score can tell apart.
    struct Finer;

    impl Evaluator<Twig> for Finer {
        fn value(&mut self, _position: &Twig) -> Score {
            Score::DRAW
        }

        fn opinions(&mut self, _before: &Twig, moves: &[To], _behind: &[Twig], opinions: &mut [f64]) {
            for (mv, opinion) in moves.iter().zip(opinions) {
                *opinion = f64::from(mv.0) * -1e-12;
            }
        }
    }

    #[test]
    fn opinions_tell_apart_what_scores_do_not() {
        let game = Referee::new(&Twig::presets()[0]);
        let mut moves = MoveList::new();
        game.position().legal_moves(&mut moves);
        let last = moves.iter().map(|mv| mv.0).max().unwrap();
        let choose = |text| {
            let mut player = Greedy::new(&Settings::parse(&GREEDY, text, 1).unwrap(), Box::new(Finer));
            player.choose(&game, &Budget::default(), &mut Seed::new(1).stream()).unwrap()
        };
        assert_eq!((choose("ties=first").mv, choose("ties=first").score), (moves[0], Some(Score::DRAW)));
        assert_eq!((choose("compare=opinions").mv, choose("compare=opinions").score), (To(last), None));
    }
}
