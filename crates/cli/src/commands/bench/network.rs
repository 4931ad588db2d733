//! Networks: whole, incremental in a search, and several positions at once.

use std::sync::Arc;

use lanista_core::{Evaluator, Evaluators, Inputs, MoveList, Position, Rules, Score, Seed, mix64};
use lanista_games::connect_four::ConnectFour;
use lanista_games::loa::Loa;
use lanista_nn::{Activation, Folded, Layer, Network, NetworkEvaluator, Room, Shape, Start, View};

use super::{Entry, Quantity};

/// Each network of the learners' presets in three ways.
pub fn entries() -> Vec<Entry> {
    let (tanh, sigmoid) = (Activation::Tanh, Activation::Sigmoid);
    let layer = |size, activation, bias| Layer { size, activation, bias };
    let mut entries =
        of::<Loa<8>>(&["board=0.75/0.5/0.5", "nonads"], vec![layer(20, tanh, true), layer(1, tanh, true)]);
    let box_layers = vec![layer(25, sigmoid, true), layer(1, sigmoid, false)];
    entries.extend(of::<ConnectFour>(&["board", "four", "threes"], box_layers));
    entries.extend(of::<Loa<8>>(&["board"], vec![layer(50, sigmoid, true), layer(1, tanh, true)]));
    entries
}

fn of<G: Evaluators>(groups: &[&str], layers: Vec<Layer>) -> Vec<Entry> {
    let groups: Vec<String> = groups.iter().map(ToString::to_string).collect();
    let Some(bench) = Bench::<G>::new(&groups, layers).map(Arc::new) else { return Vec::new() };
    let way = |name: &str, judge: fn(&Bench<G>) -> (u64, u64)| {
        let bench = Arc::clone(&bench);
        Entry::new(format!("network/{}/{name}", bench.name), Quantity::Rate("positions/s"), move || judge(&bench))
    };
    vec![way("whole", Bench::whole), way("incremental", Bench::incremental), way("at-once", Bench::at_once)]
}

/// A network, and positions with all that lie one move behind them.
struct Bench<G: Evaluators> {
    name: String,
    network: Network,
    inputs: Arc<dyn Inputs<G>>,
    folded: Arc<Folded<G>>,
    families: Vec<Family<G>>,
}

/// A position with moves that do not end the game, and what lies behind them.
struct Family<G: Position> {
    before: G,
    moves: Vec<G::Move>,
    behind: Vec<G>,
}

/// Every position is judged so often.
const ROUNDS: u32 = 40;

impl<G: Evaluators> Bench<G> {
    fn new(groups: &[String], layers: Vec<Layer>) -> Option<Bench<G>> {
        let inputs: Arc<dyn Inputs<G>> = G::inputs(groups).ok()?.into();
        let shape = Shape { inputs: inputs.size(), layers };
        let name = shape.layers.iter().fold(shape.inputs.to_string(), |name, layer| format!("{name}-{}", layer.size));
        let network = Network::random(shape, Start::Xavier, &mut Seed::new(3).stream()).ok()?;
        let folded = Arc::new(Folded::new(network.clone(), Arc::clone(&inputs), View::Mover).ok()?);
        Some(Bench { name, network, inputs, folded, families: families(&G::presets()[0]) })
    }

    /// Inputs written anew, the network computed from end to end.
    fn whole(&self) -> (u64, u64) {
        let (mut room, mut row) = (Room::new(), vec![0.0; self.inputs.size()]);
        self.judge(|_, _, after, hash| {
            self.inputs.write(after, after.side_to_move(), &mut row);
            *hash = mix64(*hash ^ u64::from(self.network.forward(&row, &mut room)[0].to_bits()));
        })
    }

    /// As a search asks: down a move, the value, up again.
    fn incremental(&self) -> (u64, u64) {
        let mut evaluator = NetworkEvaluator::new(Arc::clone(&self.folded));
        let mut root = None;
        self.judge(|before, mv, after, hash| {
            if root != Some(*before) {
                root = Some(*before);
                evaluator.reset(before);
            }
            evaluator.push(before, mv, after);
            *hash = mix64(*hash ^ evaluator.value(after).0 as u64);
            evaluator.pop();
        })
    }

    /// As a search asks before its leaves: all positions behind one at once.
    fn at_once(&self) -> (u64, u64) {
        let mut evaluator = NetworkEvaluator::new(Arc::clone(&self.folded));
        let mut values = Vec::new();
        let (mut count, mut hash) = (0, 0);
        for _ in 0..ROUNDS {
            for Family { before, moves, behind } in &self.families {
                evaluator.reset(before);
                let size = evaluator.at_once();
                for (moves, behind) in moves.chunks(size).zip(behind.chunks(size)) {
                    values.resize(behind.len(), Score::DRAW);
                    evaluator.values(before, moves, behind, &mut values);
                    hash = values.iter().fold(hash, |hash, value| mix64(hash ^ value.0 as u64));
                    count += behind.len() as u64;
                }
            }
        }
        (count, hash)
    }

    fn judge(&self, mut one: impl FnMut(&G, G::Move, &G, &mut u64)) -> (u64, u64) {
        let (mut count, mut hash) = (0, 0);
        for _ in 0..ROUNDS {
            for Family { before, moves, behind } in &self.families {
                moves.iter().zip(behind).for_each(|(&mv, after)| one(before, mv, after, &mut hash));
                count += behind.len() as u64;
            }
        }
        (count, hash)
    }
}

/// The positions of some random games, each with what lies one move behind it and does not end the game.
fn families<G: Evaluators>(rules: &Rules<G>) -> Vec<Family<G>> {
    let (mut moves, mut families) = (MoveList::new(), Vec::new());
    for game in 0..20 {
        let mut random = Seed::new(game).stream();
        let mut position = rules.start;
        for _ in 0..30 {
            if position.outcome().is_some() {
                break;
            }
            position.legal_moves(&mut moves);
            let played = |mv: G::Move| {
                let mut after = position;
                after.play(mv);
                (mv, after)
            };
            let goes_on = |(_, after): &(_, G)| after.outcome().is_none();
            let (open, behind) = moves.iter().map(|&mv| played(mv)).filter(goes_on).unzip();
            families.push(Family { before: position, moves: open, behind });
            let mv = position.random_move(&mut random, &mut moves);
            position.play(mv);
        }
    }
    families
}
