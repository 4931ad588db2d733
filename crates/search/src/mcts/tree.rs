//! The tree: nodes side by side in one piece of memory, the children of a node together.

use lanista_core::{Outcome, Score, Side};

/// What is known for certain of a position, for the side to move there. Distances are in plies and at most so long:
/// the search stops at the first proof, not at the shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// Nothing.
    Open,
    /// It is won.
    Win(u16),
    /// It is lost.
    Loss(u16),
    /// It is drawn.
    Draw,
}

impl Proof {
    /// An ended game, as `side` sees it, who would be to move.
    pub fn of_outcome(outcome: Outcome, side: Side) -> Proof {
        match outcome {
            Outcome::Win(winner) if winner == side => Proof::Win(0),
            Outcome::Win(_) => Proof::Loss(0),
            Outcome::Draw => Proof::Draw,
        }
    }

    /// The share of the point for the side to move.
    pub fn points(self) -> Option<f64> {
        match self {
            Proof::Open => None,
            Proof::Win(_) => Some(1.0),
            Proof::Loss(_) => Some(0.0),
            Proof::Draw => Some(0.5),
        }
    }

    /// The score for the side to move.
    pub fn score(self) -> Option<Score> {
        match self {
            Proof::Open => None,
            Proof::Win(plies) => Some(Score::win_in(plies.into())),
            Proof::Loss(plies) => Some(Score::loss_in(plies.into())),
            Proof::Draw => Some(Score::DRAW),
        }
    }
}

/// A position that a move leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// What its parent's mover got out of it, all visits together.
    pub points: f64,
    pub visits: u32,
    /// Where its children begin.
    first: u32,
    count: u16,
    pub mv: M,
    pub proof: Proof,
}

impl<M> Node<M> {
    fn new(mv: M, proof: Proof) -> Node<M> {
        Node { points: 0.0, visits: 0, first: 0, count: 0, mv, proof }
    }

    /// What its parent's mover gets out of it on average; a proof knows better than any average.
    pub fn mean(&self) -> f64 {
        match self.proof.points() {
            Some(points) => 1.0 - points,
            None => self.points / f64::from(self.visits.max(1)),
        }
    }

    /// The children's places.
    pub fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

/// The place of the root.
pub(super) const ROOT: usize = 0;

pub(super) struct Tree<M> {
    nodes: Vec<Node<M>>,
    most: usize,
}

impl<M: Copy + Default> Tree<M> {
    /// A tree of at most so many megabytes (2²⁰ bytes).
    pub fn new(megabytes: usize) -> Tree<M> {
        let most = ((megabytes << 20) / size_of::<Node<M>>()).min(u32::MAX as usize);
        Tree { nodes: Vec::new(), most }
    }

    /// Forgets everything but the root.
    pub fn restart(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(M::default(), Proof::Open));
    }

    pub fn get(&self, index: usize) -> &Node<M> {
        &self.nodes[index]
    }

    pub fn slice(&self, range: std::ops::Range<usize>) -> &[Node<M>] {
        &self.nodes[range]
    }

    /// Whether a node with that many children can still be expanded.
    pub fn has_room(&self, children: usize) -> bool {
        self.nodes.len() + children <= self.most
    }

    /// Gives a node its children and what follows from theirs.
    pub fn expand(&mut self, index: usize, children: impl Iterator<Item = (M, Proof)>) {
        let first = self.nodes.len();
        self.nodes.extend(children.map(|(mv, proof)| Node::new(mv, proof)));
        self.nodes[index].first = first as u32;
        self.nodes[index].count = (self.nodes.len() - first) as u16;
        self.prove(index);
    }

    /// Notes a visit that was worth `points` to the side to move at the node.
    pub fn visit(&mut self, index: usize, points: f64) {
        let node = &mut self.nodes[index];
        node.visits = node.visits.saturating_add(1);
        node.points += 1.0 - points;
    }

    /// Draws the conclusion from what is proved of the children: one lost for the opponent wins; if all are decided,
    /// one drawn draws, and else all is lost. Returns whether the node is decided.
    pub fn prove(&mut self, index: usize) -> bool {
        if self.nodes[index].proof != Proof::Open {
            return true;
        }
        let (mut shortest_win, mut longest_loss, mut open, mut draw) = (None::<u16>, 0, false, false);
        for child in &self.nodes[self.nodes[index].children()] {
            match child.proof {
                Proof::Loss(plies) => {
                    shortest_win = Some(shortest_win.map_or(plies + 1, |shortest| shortest.min(plies + 1)));
                }
                Proof::Win(plies) => longest_loss = longest_loss.max(plies + 1),
                Proof::Draw => draw = true,
                Proof::Open => open = true,
            }
        }
        self.nodes[index].proof = match shortest_win {
            Some(plies) => Proof::Win(plies),
            None if open || self.nodes[index].count == 0 => Proof::Open,
            None if draw => Proof::Draw,
            None => Proof::Loss(longest_loss),
        };
        self.nodes[index].proof != Proof::Open
    }

    /// The child to play: a proved win, the nearest; else of those not proved lost the one visited most; else the
    /// one that holds out longest. Of equal ones the one with the better results.
    pub fn best_child(&self, index: usize) -> Option<usize> {
        let rank = |child: &Node<M>| match child.proof {
            Proof::Loss(plies) => (2, u64::from(u16::MAX - plies)),
            Proof::Open | Proof::Draw => (1, u64::from(child.visits)),
            Proof::Win(plies) => (0, u64::from(plies)),
        };
        let mut best: Option<usize> = None;
        for place in self.nodes[index].children() {
            let child = &self.nodes[place];
            let better = best.is_none_or(|best| {
                let best = &self.nodes[best];
                rank(child) > rank(best) || rank(child) == rank(best) && child.mean() > best.mean()
            });
            if better {
                best = Some(place);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proved(children: &[Proof]) -> Proof {
        let mut tree = Tree::new(1);
        tree.restart();
        tree.expand(ROOT, children.iter().map(|&proof| (0u8, proof)));
        tree.get(ROOT).proof
    }

    #[test]
    fn proofs_follow_from_proofs() {
        use Proof::{Draw, Loss, Open, Win};
        assert_eq!(proved(&[Open, Win(3)]), Open);
        assert_eq!(proved(&[Win(3), Loss(4), Loss(2), Open]), Win(3), "the nearest win");
        assert_eq!(proved(&[Win(3), Win(5), Win(1)]), Loss(6), "the longest way to lose");
        assert_eq!(proved(&[Win(3), Draw]), Draw);
        assert_eq!(proved(&[Draw, Open]), Open, "there may be better than a draw");
    }

    #[test]
    fn the_best_child_wins_soonest_or_loses_latest() {
        use Proof::{Draw, Loss, Open, Win};
        let best = |children: &[(Proof, u32)]| {
            let mut tree = Tree::new(1);
            tree.restart();
            tree.expand(ROOT, children.iter().map(|&(proof, _)| (0u8, proof)));
            for (child, &(_, visits)) in children.iter().enumerate() {
                (0..visits).for_each(|_| tree.visit(ROOT + 1 + child, 0.5));
            }
            tree.best_child(ROOT).map(|place| place - 1)
        };
        assert_eq!(best(&[(Open, 90), (Loss(4), 1), (Loss(2), 0)]), Some(2));
        assert_eq!(best(&[(Win(2), 90), (Open, 5), (Draw, 7)]), Some(2));
        assert_eq!(best(&[(Win(2), 90), (Win(6), 1)]), Some(1));
    }

    #[test]
    fn memory_is_bounded() {
        let mut tree = Tree::<u8>::new(1);
        tree.restart();
        let most = (1 << 20) / size_of::<Node<u8>>();
        assert!(tree.has_room(most - 1) && !tree.has_room(most));
    }
}
