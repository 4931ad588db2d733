//! The ants at work.

use lanista_core::{Budget, Decision, Evaluator, MAX_MOVES, Observer, RandomStream, Referee, Score, Tactics};

use super::Instincts;
use super::graph::Graph;
use super::trails::Trails;
use crate::chance::opinion;
use crate::path::{Allowance, Path};
use crate::power::power;

pub(super) struct Colony<'a, P: Tactics> {
    instincts: Instincts,
    root: P,
    nest: u32,
    path: Path,
    evaluator: &'a mut dyn Evaluator<P>,
    graph: Graph<P>,
    trails: Trails,
    /// The edges of the present walk.
    route: Vec<usize>,
}

impl<'a, P: Tactics> Colony<'a, P> {
    pub fn new(game: &Referee<P>, evaluator: &'a mut dyn Evaluator<P>, instincts: Instincts) -> Colony<'a, P> {
        let kinds = if instincts.per_move { P::HISTORY_SLOTS } else { 0 };
        let mut trails = Trails::new(instincts.alpha, instincts.rho, kinds);
        let mut graph = Graph::new(instincts.memory);
        let root = *game.position();
        let nest = graph.find_or_add(&root, &mut trails, evaluator, &instincts).unwrap_or(0);
        Colony { instincts, root, nest, path: Path::new(game), evaluator, graph, trails, route: Vec::new() }
    }

    /// All forages, or as many as the budget allows. One that is broken off counts as far as it went.
    pub fn forage(&mut self, budget: &Budget, random: &mut RandomStream, observer: Option<&dyn Observer<P::Move>>) {
        let allowance = Allowance::new(budget);
        for _ in 0..self.instincts.forages {
            for _ in 0..self.instincts.ants {
                self.walk(random);
                if allowance.is_spent(self.nodes()) || observer.is_some_and(Observer::wants_decision) {
                    self.trails.end_forage();
                    return;
                }
            }
            self.trails.end_forage();
            if let Some(observer) = observer {
                observer.progress(&self.decision());
            }
        }
    }

    fn nodes(&self) -> u64 {
        self.path.nodes + self.graph.nodes
    }

    /// One ant's walk from the nest to the depth or to the end of the game, and the pheromone for it.
    fn walk(&mut self, random: &mut RandomStream) {
        let mut position = self.root;
        let mut state = self.nest;
        self.route.clear();
        let (value, over) = loop {
            let taken = self.choose_edge(state, random);
            self.route.push(taken);
            let edge = self.graph.edge(taken);
            let (value, ends) = (edge.value, edge.ends);
            let next = self.path.enter(&position, edge.mv);
            if ends {
                break (value, true);
            }
            if let Some(ending) = self.path.history.ending(&next) {
                break (ending.outcome.score(position.side_to_move(), 0), true);
            }
            if self.route.len() as u32 == self.instincts.depth {
                break (value, false);
            }
            match self.graph.follow(taken, &next, &mut self.trails, self.evaluator, &self.instincts) {
                Some(child) => state = child,
                None => break (value, false),
            }
            position = next;
        };
        self.path.leave(self.route.len());
        self.lay_trail(value, over);
    }

    /// Lays pheromone on the way back. The value is for the side that made the last move.
    fn lay_trail(&mut self, value: Score, over: bool) {
        let mut chance = self.instincts.chances.of(value);
        let length = self.route.len() as f64;
        let weight = if over { power(f64::from(self.instincts.depth) / length, self.instincts.nu) } else { 1.0 };
        for &edge in self.route.iter().rev() {
            self.trails.lay(self.graph.edge(edge).trail, chance * weight);
            chance = 1.0 - chance;
        }
    }

    /// An edge of a state, each with a probability proportional to τᵅ·ηᵝ.
    fn choose_edge(&self, state: u32, random: &mut RandomStream) -> usize {
        let (first, edges) = self.graph.edges(state);
        let mut sums = [0.0; MAX_MOVES];
        let mut total = 0.0;
        for (edge, sum) in edges.iter().zip(&mut sums) {
            total += self.trails.strength(edge.trail) * edge.pull;
            *sum = total;
        }
        let draw = random.unit() * total;
        let place = sums[..edges.len()].iter().position(|&sum| draw < sum);
        // Rounding may leave the draw at the very end.
        first + place.unwrap_or(edges.len() - 1)
    }

    /// The root edge with the most pheromone. The line follows the strongest trails from there; its end gives the
    /// score, which is an opinion, except for a win at once.
    pub fn decision(&self) -> Decision<P::Move> {
        let mut line = Vec::new();
        let mut state = Some(self.nest);
        let mut score = Score::DRAW;
        while let Some(here) = state.filter(|_| line.len() < self.instincts.depth as usize) {
            let (first, edges) = self.graph.edges(here);
            let mut best = 0;
            let rank = |place: usize| (self.trails.pheromone(edges[place].trail), edges[place].pull);
            for place in 1..edges.len() {
                if rank(place) > rank(best) {
                    best = place;
                }
            }
            let edge = &edges[best];
            score = if line.len().is_multiple_of(2) { edge.value } else { -edge.value };
            line.push(edge.mv);
            state = self.graph.child(first + best);
        }
        let score = if line.len() == 1 && score == Score::WIN { Score::win_in(1) } else { opinion(score) };
        Decision { mv: line[0], score: Some(score), depth: self.instincts.depth, nodes: self.nodes(), line }
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::{Game, Seed};

    use super::*;
    use crate::ants::{ANTS, Ants};
    use crate::parameters::Settings;
    use crate::twigs::{To, Twig, Written};

    fn instincts(settings: &str) -> Instincts {
        Ants::<Twig>::new(&Settings::parse(&ANTS, settings, 1).unwrap(), Box::new(Written)).instincts
    }

    /// The places on the route of the last walk.
    fn places(colony: &Colony<'_, Twig>) -> Vec<u8> {
        colony.route.iter().map(|&edge| colony.graph.edge(edge).mv.0).collect()
    }

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9
    }

    /// Values 60, 40 and -30 at a scale of 100 are chances of 0.6875, 0.642857 and 0.384615; to the power 0.8 they are
    /// 0.74097, 0.70229 and 0.46564, which is 38.82, 36.79 and 24.39 per cent.
    #[test]
    fn edges_are_taken_in_proportion() {
        let (game, mut written) = (Referee::new(&Twig::presets()[0]), Written);
        let colony = Colony::new(&game, &mut written, instincts(""));
        let mut random = Seed::new(3).stream();
        let mut counts = [0u32; 3];
        for _ in 0..100_000 {
            counts[colony.choose_edge(colony.nest, &mut random)] += 1;
        }
        for (count, expected) in counts.iter().zip([38_820u32, 36_790, 24_390]) {
            assert!(count.abs_diff(expected) < 6 * 155, "{counts:?}");
        }
    }

    /// One ant, one forage: after evaporation to 0.8 the edges of its route carry what it found, each side its own.
    /// The chance of a value v for the last mover is ½ + ½·v/(100 + |v|).
    #[test]
    fn trails_as_computed_by_hand() {
        let (game, mut written) = (Referee::new(&Twig::presets()[0]), Written);
        for model in ["state", "move"] {
            let mut seen = Vec::new();
            for seed in 0..60 {
                let instincts = instincts(&format!("ants=1,forages=1,depth=2,per={model}"));
                let mut colony = Colony::new(&game, &mut written, instincts);
                colony.forage(&Budget::default(), &mut Seed::new(seed).stream(), None);
                let route = places(&colony);
                let last = match route[..] {
                    [1, 4] => 0.125,
                    [1, 5] => 0.75,
                    [2, 8] => 0.5 - 0.5 * 90.0 / 190.0,
                    [3, 10] => 0.5 + 0.5 * 1e6 / 1_000_100.0,
                    [3, 11] => 0.5,
                    _ => continue,
                };
                let pheromone = |step: usize| colony.trails.pheromone(colony.graph.edge(colony.route[step]).trail);
                assert!(close(pheromone(1), 0.8 + last), "{route:?}: {}", pheromone(1));
                assert!(close(pheromone(0), 0.8 + (1.0 - last)), "{route:?}: {}", pheromone(0));
                let (first, edges) = colony.graph.edges(colony.nest);
                for (place, edge) in edges.iter().enumerate().filter(|&(place, _)| first + place != colony.route[0]) {
                    assert!(close(colony.trails.pheromone(edge.trail), 0.8), "{place}");
                }
                seen.push(route);
            }
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), 5, "{seen:?}");
        }
    }

    /// A game that ends after 2 of 8 plies counts (8/2)^ν: four times for ν = 1, twice for ν = ½, once for 0.
    #[test]
    fn short_paths_weigh_more() {
        let (game, mut written) = (Referee::new(&Twig::presets()[0]), Written);
        for (nu, weight) in [("1", 4.0), ("0.5", 2.0), ("0", 1.0)] {
            let instincts = instincts(&format!("depth=8,nu={nu}"));
            let mut colony = Colony::new(&game, &mut written, instincts);
            let mut random = Seed::new(1).stream();
            for _ in 0..1000 {
                // No forage ends before the walk that is waited for, and it is the first on its last edge.
                colony.walk(&mut random);
                if places(&colony) == [3, 11] {
                    break;
                }
            }
            assert_eq!(places(&colony), [3, 11]);
            let edge = colony.graph.edge(colony.route[1]).trail;
            colony.trails.end_forage();
            let found = colony.trails.pheromone(edge);
            assert!(close(found, 0.8 + 0.5 * weight), "nu {nu}: {found}");
        }
    }

    #[test]
    fn the_strongest_trail_is_played() {
        let (game, mut written) = (Referee::new(&Twig::presets()[0]), Written);
        for model in ["state", "move"] {
            let mut colony = Colony::new(&game, &mut written, instincts(&format!("depth=3,per={model}")));
            colony.forage(&Budget::default(), &mut Seed::new(1).stream(), None);
            let decision = colony.decision();
            let (_, edges) = colony.graph.edges(colony.nest);
            let pheromone = |mv: To| {
                let edge = edges.iter().find(|edge| edge.mv == mv).unwrap();
                colony.trails.pheromone(edge.trail)
            };
            assert!(edges.iter().all(|edge| pheromone(edge.mv) <= pheromone(decision.mv)));
            assert_ne!(decision.mv, To(3), "there the opponent wins at once");
        }
    }

    /// With room for nothing but the root, ants turn back after one step and still bring something home.
    #[test]
    fn memory_is_bounded() {
        let (game, mut written) = (Referee::new(&Twig::presets()[0]), Written);
        let mut colony = Colony::new(&game, &mut written, Instincts { memory: 0, ..instincts("") });
        colony.forage(&Budget::default(), &mut Seed::new(1).stream(), None);
        assert_eq!(colony.graph.nodes, 3, "the root's moves and no others");
        assert_eq!(colony.decision().line.len(), 1);
    }
}
