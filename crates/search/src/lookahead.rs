//! Look-ahead with pruning, as in the TD study of Lines of Action: the three own moves that the evaluator likes best,
//! the best reply to each, the best own move after that; the move whose line ends best is played. To look deeper,
//! the thesis says, repeat the last two steps.

use lanista_core::{Budget, Decision, Evaluator, Player, Position, RandomStream, Referee, Score};

use crate::chance::opinion;
use crate::parameters::{Depth, Kind, Parameter, PlayerInfo, Settings};
use crate::ranking::{EVAL, Ranked, TIES, ranked};
use crate::walk::Walk;

/// The look-ahead player.
pub const LOOKAHEAD: PlayerInfo = PlayerInfo {
    name: "lookahead",
    about: "follows its few best moves, with the best reply to each move, and plays the one whose line ends best (TD study of Lines of Action)",
    parameters: &[
        Parameter {
            name: "depth",
            kind: Kind::Whole { least: 1, most: 100 },
            default: "3",
            about: "plies of each line; the thesis: 3",
        },
        Parameter {
            name: "width",
            kind: Kind::Whole { least: 1, most: 256 },
            default: "3",
            about: "own moves to follow at the root; the thesis: 3",
        },
        EVAL,
        TIES,
    ],
};

/// Follows its best few moves.
pub struct Lookahead<P> {
    depth: Depth,
    width: usize,
    random_ties: bool,
    evaluator: Box<dyn Evaluator<P>>,
}

impl<P: Position> Lookahead<P> {
    /// The player with these settings.
    pub fn new(settings: &Settings, evaluator: Box<dyn Evaluator<P>>) -> Lookahead<P> {
        Lookahead {
            depth: settings.depth(),
            width: settings.whole("width").unwrap_or(3) as usize,
            random_ties: settings.text("ties") == "random",
            evaluator,
        }
    }
}

impl<P: Position> Player<P> for Lookahead<P> {
    fn is_always_fresh(&self) -> bool {
        true
    }

    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let depth = self.depth.within(budget);
        let mut walk = Walk::new(game, self.evaluator.as_mut());
        let mut all = ranked(&mut walk, game.position(), 0, self.random_ties.then_some(&mut *random));
        all.truncate(self.width);
        let lines = followed(&mut walk, game.position(), all, depth);
        let best = lines.into_iter().next()?;
        // Moves were left out, so only a win at once is proved.
        let score = if best.value == Score::win_in(1) { best.value } else { opinion(best.value) };
        Some(Decision { mv: best.moves[0], score: Some(score), depth, nodes: walk.nodes, line: best.moves })
    }
}

/// A line from the root, with the value of its end for the side that begins.
pub(crate) struct Line<M> {
    pub moves: Vec<M>,
    pub value: Score,
}

/// Follows each of these root moves to the depth: every further move is the one that its mover's evaluator likes best.
/// The lines come back best first; equal ones stay in order.
pub(crate) fn followed<P: Position>(
    walk: &mut Walk<'_, P>,
    root: &P,
    moves: Vec<Ranked<P::Move>>,
    depth: u32,
) -> Vec<Line<P::Move>> {
    let mut lines: Vec<Line<P::Move>> = moves
        .into_iter()
        .map(|first| {
            let mut line = Line { moves: vec![first.mv], value: first.value };
            let mut position = walk.enter(root, first.mv);
            for ply in 1..depth {
                if walk.final_score(&position, ply).is_some() {
                    break;
                }
                let Some(best) = ranked(walk, &position, ply, None).first().copied() else { break };
                line.value = if ply.is_multiple_of(2) { best.value } else { -best.value };
                line.moves.push(best.mv);
                position = walk.enter(&position, best.mv);
            }
            for _ in &line.moves {
                walk.leave();
            }
            line
        })
        .collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.value));
    lines
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, Seed};

    use super::*;
    use crate::twigs::{To, Twig, Written};

    fn decision(settings: &str) -> (Vec<u8>, Option<Score>) {
        let settings = Settings::parse(&LOOKAHEAD, settings, 1).unwrap();
        let game = Referee::new(&Twig::presets()[0]);
        let mut player = Lookahead::new(&settings, Box::new(Written));
        let decision = player.choose(&game, &Budget::default(), &mut Seed::new(1).stream()).unwrap();
        assert_eq!(decision.mv, decision.line[0]);
        (decision.line.iter().map(|&To(place)| place).collect(), decision.score)
    }

    #[test]
    fn lines_as_followed_by_hand() {
        assert_eq!(decision("depth=1"), (vec![1], Some(Score(60))), "like the greedy player");
        // After 1 the best reply leads to -100, after 2 to 90, after 3 the second side wins.
        assert_eq!(decision("depth=2"), (vec![2, 8], Some(Score(90))));
        // The line after 2 ends with a win, which is not proved: the opponent was not asked about 7.
        assert_eq!(decision(""), (vec![2, 8, 12], Some(Score(Score::PROVED.0 - 1))));
        assert_eq!(decision("depth=9"), (vec![2, 8, 12], Some(Score(Score::PROVED.0 - 1))));
        // With nothing but its favourite to follow it cannot change its mind.
        assert_eq!(decision("width=1"), (vec![1, 5, 5], Some(Score(100))));
    }
}
