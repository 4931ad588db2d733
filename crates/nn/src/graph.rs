//! Networks without layers, for learners that invent the wiring.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::sync::Arc;

use lanista_core::{Evaluator, Inputs, Position, Score};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Activation, FoldError};

/// Graphs have at most this many inputs, nodes and edges each.
const MAX_PARTS: usize = 1 << 20;

/// A unit: what it adds to its sum, and what it makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// What it makes of its sum.
    pub activation: Activation,
    /// What is added whatever comes in.
    pub bias: f32,
}

/// A connection. Places are numbered: inputs first, from 0, then nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edge {
    /// The place that it comes from.
    pub from: usize,
    /// The place that it leads to, a node.
    pub to: usize,
    /// What goes through is multiplied by this.
    pub weight: f32,
}

/// The parts of a network of any wiring; [`GraphNetwork`] has checked them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graph {
    /// How many inputs there are.
    pub inputs: usize,
    /// How many outputs there are: the first nodes.
    pub outputs: usize,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
}

/// Why parts make no network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GraphError {
    /// No inputs, no outputs, or fewer nodes than outputs.
    #[error(
        "{inputs} inputs, {outputs} outputs, {nodes} nodes: at least one input and a node for each output are needed"
    )]
    Sizes {
        /// How many inputs there are.
        inputs: usize,
        /// How many outputs there are.
        outputs: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Too many of something.
    #[error("more than {MAX_PARTS} inputs, nodes or edges")]
    TooMany,
    /// An edge begins nowhere, or ends at something that is no node.
    #[error("edge {from}-{to}: no such places")]
    Place {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
    },
    /// An edge is there twice.
    #[error("edge {from}-{to} is there twice")]
    Twice {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
    },
    /// A bias or a weight is no finite number.
    #[error("place {0} has a bias or an incoming weight that is not a finite number")]
    NotFinite(usize),
    /// A node depends on itself.
    #[error("place {0} depends on itself")]
    Cycle(usize),
}

/// A feed-forward network of any wiring.
///
/// Nodes are computed in one fixed order: each as soon as all that it depends on is there, the lowest number first.
/// Each adds to its bias what comes in, in the order of the places that it comes from. So the order in which edges are
/// listed does not matter, and the same graph gives the same bits everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Graph", into = "Graph")]
pub struct GraphNetwork {
    graph: Graph,
    /// The nodes' places, in the order in which they are computed.
    order: Vec<usize>,
    /// For each node in that order the incoming edges: where the last of them ends in `incoming`.
    ends: Vec<usize>,
    /// Place and weight.
    incoming: Vec<(usize, f32)>,
}

impl GraphNetwork {
    /// A network of these parts, if they are sound.
    pub fn new(graph: Graph) -> Result<GraphNetwork, GraphError> {
        check(&graph)?;
        let places = graph.inputs + graph.nodes.len();
        let mut edges = graph.edges.clone();
        edges.sort_unstable_by_key(|edge| (edge.to, edge.from));
        let mut leading: Vec<Vec<usize>> = vec![Vec::new(); places];
        let mut waiting = vec![0usize; places];
        for edge in edges.iter().filter(|edge| edge.from >= graph.inputs) {
            leading[edge.from].push(edge.to);
            waiting[edge.to] += 1;
        }
        let mut ready: BinaryHeap<Reverse<usize>> =
            (graph.inputs..places).filter(|&place| waiting[place] == 0).map(Reverse).collect();
        let mut order = Vec::with_capacity(graph.nodes.len());
        while let Some(Reverse(place)) = ready.pop() {
            order.push(place);
            for &to in &leading[place] {
                waiting[to] -= 1;
                if waiting[to] == 0 {
                    ready.push(Reverse(to));
                }
            }
        }
        if let Some(place) = (graph.inputs..places).find(|&place| waiting[place] > 0) {
            return Err(GraphError::Cycle(place));
        }
        let (mut ends, mut incoming) = (Vec::with_capacity(order.len()), Vec::with_capacity(edges.len()));
        for &place in &order {
            let begin = edges.partition_point(|edge| edge.to < place);
            incoming
                .extend(edges[begin..].iter().take_while(|edge| edge.to == place).map(|edge| (edge.from, edge.weight)));
            ends.push(incoming.len());
        }
        Ok(GraphNetwork { graph, order, ends, incoming })
    }

    /// The parts.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The outputs for `inputs`; `room` is any list to work in.
    ///
    /// # Panics
    ///
    /// If there are not as many inputs as the graph has.
    pub fn forward<'room>(&self, inputs: &[f32], room: &'room mut Vec<f32>) -> &'room [f32] {
        let first = self.graph.inputs;
        room.resize(first + self.graph.nodes.len(), 0.0);
        room[..first].copy_from_slice(inputs);
        let mut begin = 0;
        for (&place, &end) in self.order.iter().zip(&self.ends) {
            let node = self.graph.nodes[place - first];
            let incoming = self.incoming[begin..end].iter();
            let mut value = [incoming.fold(node.bias, |sum, &(from, weight)| sum + room[from] * weight)];
            node.activation.apply(&mut value);
            room[place] = value[0];
            begin = end;
        }
        &room[first..first + self.graph.outputs]
    }
}

impl TryFrom<Graph> for GraphNetwork {
    type Error = GraphError;

    fn try_from(graph: Graph) -> Result<GraphNetwork, GraphError> {
        GraphNetwork::new(graph)
    }
}

impl From<GraphNetwork> for Graph {
    fn from(network: GraphNetwork) -> Graph {
        network.graph
    }
}

/// An evaluator that computes the whole network for every position.
pub struct GraphEvaluator<P> {
    network: Arc<GraphNetwork>,
    inputs: Arc<dyn Inputs<P>>,
    seen: Vec<f32>,
    room: Vec<f32>,
}

impl<P: Position> GraphEvaluator<P> {
    /// An evaluator of a network and the inputs that it sees.
    pub fn new(network: Arc<GraphNetwork>, inputs: Arc<dyn Inputs<P>>) -> Result<GraphEvaluator<P>, FoldError> {
        if network.graph.inputs != inputs.size() {
            return Err(FoldError::Size { network: network.graph.inputs, groups: inputs.size() });
        }
        Ok(GraphEvaluator { seen: vec![0.0; inputs.size()], network, inputs, room: Vec::new() })
    }
}

impl<P: Position> Evaluator<P> for GraphEvaluator<P> {
    fn value(&mut self, position: &P) -> Score {
        self.inputs.write(position, position.side_to_move(), &mut self.seen);
        let output = self.network.forward(&self.seen, &mut self.room)[0];
        self.network.graph.nodes[0].activation.score(output)
    }
}

/// All but cycles.
fn check(graph: &Graph) -> Result<(), GraphError> {
    let Graph { inputs, outputs, ref nodes, ref edges } = *graph;
    if inputs == 0 || outputs == 0 || nodes.len() < outputs {
        return Err(GraphError::Sizes { inputs, outputs, nodes: nodes.len() });
    }
    if [inputs, nodes.len(), edges.len()].into_iter().any(|count| count > MAX_PARTS) {
        return Err(GraphError::TooMany);
    }
    if let Some(node) = nodes.iter().position(|node| !node.bias.is_finite()) {
        return Err(GraphError::NotFinite(inputs + node));
    }
    let mut known = HashSet::with_capacity(edges.len());
    for &Edge { from, to, weight } in edges {
        if from >= inputs + nodes.len() || !(inputs..inputs + nodes.len()).contains(&to) {
            return Err(GraphError::Place { from, to });
        }
        if !weight.is_finite() {
            return Err(GraphError::NotFinite(to));
        }
        if !known.insert((from, to)) {
            return Err(GraphError::Twice { from, to });
        }
    }
    Ok(())
}
