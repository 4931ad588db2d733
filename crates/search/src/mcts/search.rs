//! One decision: walks down the tree, each with a new leaf and its result carried back up.

use lanista_core::{Budget, Decision, Evaluator, MoveList, Observer, Outcome, Position, RandomStream, Referee};

use super::Habits;
use super::tree::{Proof, ROOT, Tree};
use crate::path::{Allowance, Path};
use crate::power::ln;
use crate::ranking::shuffled;

/// An observer is asked after so many simulations, and told after some of those.
const LOOK_UP_EVERY: u64 = 64;
const TELL_EVERY: u64 = 2048;

pub(super) struct Search<'a, P: Position> {
    root: P,
    path: Path,
    tree: &'a mut Tree<P::Move>,
    evaluator: &'a mut dyn Evaluator<P>,
    habits: Habits,
    random: &'a mut RandomStream,
    moves: MoveList<P::Move>,
    /// The nodes from the root to the leaf.
    route: Vec<usize>,
    /// The longest route so far.
    deepest: usize,
}

impl<'a, P: Position> Search<'a, P> {
    pub fn new(
        game: &Referee<P>,
        tree: &'a mut Tree<P::Move>,
        evaluator: &'a mut dyn Evaluator<P>,
        habits: Habits,
        random: &'a mut RandomStream,
    ) -> Search<'a, P> {
        tree.restart();
        Search {
            root: *game.position(),
            path: Path::new(game),
            tree,
            evaluator,
            habits,
            random,
            moves: MoveList::new(),
            route: Vec::new(),
            deepest: 0,
        }
    }

    /// Simulates until a limit is reached or the game is decided; at least once.
    pub fn decide(
        mut self,
        budget: &Budget,
        simulations: u64,
        observer: Option<&dyn Observer<P::Move>>,
    ) -> Decision<P::Move> {
        let allowance = Allowance::new(budget);
        let depth = budget.depth.unwrap_or(u32::MAX).max(1) as usize;
        for done in 1..=simulations {
            self.simulate(depth);
            if self.tree.get(ROOT).proof != Proof::Open || allowance.is_spent(self.path.nodes) {
                break;
            }
            if let Some(observer) = observer.filter(|_| done.is_multiple_of(LOOK_UP_EVERY)) {
                if done.is_multiple_of(TELL_EVERY) {
                    observer.progress(&self.decision());
                }
                if observer.wants_decision() {
                    break;
                }
            }
        }
        self.decision()
    }

    fn simulate(&mut self, depth: usize) {
        // 1. Down the tree to a leaf.
        let mut position = self.root;
        let mut index = ROOT;
        self.route.clear();
        self.route.push(ROOT);
        while self.tree.get(index).proof == Proof::Open {
            if self.tree.get(index).children().is_empty() {
                let new = self.tree.get(index).visits == 0 && index != ROOT;
                if new || self.route.len() > depth || !self.expand(index, &position) {
                    break;
                }
                continue;
            }
            index = self.select(index);
            position = self.path.enter(&position, self.tree.get(index).mv);
            self.route.push(index);
        }
        self.deepest = self.deepest.max(self.route.len() - 1);

        // 2. What the leaf is worth to the side to move there.
        let mut points = match self.tree.get(index).proof.points() {
            Some(points) => points,
            None => self.leaf_value(&position),
        };

        // 3. Back up, turning it round at every step; what has become certain replaces what was played out.
        self.path.leave(self.route.len() - 1);
        let mut proved = self.tree.get(index).proof != Proof::Open;
        for (height, &node) in self.route.iter().rev().enumerate() {
            if height > 0 {
                points = 1.0 - points;
                proved = proved && self.tree.prove(node);
                if let Some(certain) = self.tree.get(node).proof.points() {
                    points = certain;
                }
            }
            self.tree.visit(node, points);
        }
    }

    /// Gives a node its children in random order, so that which of them is tried first is a matter of luck.
    /// `false` if there is no room.
    fn expand(&mut self, index: usize, position: &P) -> bool {
        position.legal_moves(&mut self.moves);
        // The root is expanded in any case: a decision needs it.
        if !self.tree.has_room(self.moves.len()) && index != ROOT {
            return false;
        }
        shuffled(self.moves.as_mut_slice(), self.random);
        let path = &mut self.path;
        let children = self.moves.iter().map(|&mv| {
            let next = path.enter(position, mv);
            let proof = path.outcome(&next).map_or(Proof::Open, |end| Proof::of_outcome(end, next.side_to_move()));
            path.leave(1);
            (mv, proof)
        });
        self.tree.expand(index, children);
        true
    }

    /// The child with the highest upper confidence bound; children without a visit go first, lost ones never.
    fn select(&self, index: usize) -> usize {
        let parent = self.tree.get(index);
        let range = parent.children();
        let log = ln(f64::from(parent.visits.max(1)));
        let mut best = range.start;
        let mut best_bound = f64::NEG_INFINITY;
        for (place, child) in range.clone().zip(self.tree.slice(range)) {
            if matches!(child.proof, Proof::Win(_)) {
                continue;
            }
            if child.visits == 0 {
                return place;
            }
            let bound = child.mean() + self.habits.exploration * (log / f64::from(child.visits)).sqrt();
            if bound > best_bound {
                (best, best_bound) = (place, bound);
            }
        }
        best
    }

    /// Random moves to the end, or to the longest playout; what is not over then the evaluator judges.
    fn leaf_value(&mut self, leaf: &P) -> f64 {
        let side = leaf.side_to_move();
        let mut position = *leaf;
        let mut plies = 0;
        let outcome = loop {
            if plies == self.habits.playout_plies {
                break None;
            }
            let mv = position.random_move(self.random, &mut self.moves);
            position = self.path.enter(&position, mv);
            plies += 1;
            if let Some(outcome) = self.path.outcome(&position) {
                break Some(outcome);
            }
        };
        self.path.leave(plies as usize);
        match outcome {
            Some(outcome) => Outcome::points(outcome, side),
            None => {
                self.evaluator.reset(&position);
                let chance = self.habits.chances.of(self.evaluator.value(&position));
                if position.side_to_move() == side { chance } else { 1.0 - chance }
            }
        }
    }

    fn decision(&self) -> Decision<P::Move> {
        let mut line = Vec::new();
        let mut index = ROOT;
        while let Some(best) = self.tree.best_child(index) {
            let child = self.tree.get(best);
            if !line.is_empty() && child.visits == 0 && child.proof == Proof::Open {
                break;
            }
            line.push(child.mv);
            index = best;
        }
        let root = self.tree.get(ROOT);
        let chosen = self.tree.best_child(ROOT).map_or(0.5, |best| self.tree.get(best).mean());
        let score = root.proof.score().unwrap_or_else(|| self.habits.chances.score(chosen));
        Decision { mv: line[0], score: Some(score), depth: self.deepest as u32, nodes: self.path.nodes, line }
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, Player, Score, Seed};

    use super::*;
    use crate::mcts::{MCTS, Mcts};
    use crate::parameters::Settings;
    use crate::twigs::{To, Twig, Written};

    fn decision(settings: &str, moves: &[u8], budget: &Budget) -> Decision<To> {
        let settings = Settings::parse(&MCTS, settings, 1).unwrap();
        let mut game = Referee::new(&Twig::presets()[0]);
        moves.iter().for_each(|&place| game.play(To(place)).unwrap());
        Mcts::new(&settings, Box::new(Written)).choose(&game, budget, &mut Seed::new(1).stream()).unwrap()
    }

    #[test]
    fn proves_what_is_near() {
        for leaf in ["playout", "eval"] {
            let settings = format!("leaf={leaf},playout-plies=20,simulations=300");
            let after_three = decision(&settings, &[3], &Budget::default());
            assert_eq!((after_three.mv, after_three.score), (To(10), Some(Score::win_in(1))));
            let after_eight = decision(&settings, &[2, 8], &Budget::default());
            assert_eq!((after_eight.mv, after_eight.score), (To(12), Some(Score::win_in(1))));
            let root = decision(&settings, &[], &Budget::default());
            assert_eq!(root.score.unwrap().plies_to_end(), None);
            assert_ne!(root.mv, To(3));
        }
    }

    /// Playing on from 1 the second side chooses among 4, 5 and 6, where the first side's values are 300, -100 and 50.
    #[test]
    fn the_evaluator_guides() {
        let decision = decision("leaf=eval,simulations=500", &[1], &Budget { depth: Some(1), ..Budget::default() });
        assert_eq!((decision.mv, decision.score), (To(5), Some(Score(100))));
    }

    #[test]
    fn limits_are_kept() {
        let nodes = |settings: &str, budget: Budget| decision(settings, &[], &budget).nodes;
        // Three children of the root, one step.
        assert_eq!(nodes("leaf=eval,simulations=1", Budget::default()), 4);
        assert!(nodes("leaf=eval", Budget { nodes: Some(50), ..Budget::default() }) < 60);
        let shallow = decision("leaf=eval,simulations=300", &[], &Budget { depth: Some(1), ..Budget::default() });
        assert_eq!((shallow.depth, shallow.line.len()), (1, 1));
        assert_eq!(shallow.mv, To(1), "one ply deep it is the greedy player");
    }
}
