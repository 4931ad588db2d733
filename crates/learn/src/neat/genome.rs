//! Networks that carry their own shape: genes for nodes and for connections.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeKind {
    /// It has the value of an input.
    Input,
    /// It is always 1.
    Bias,
    /// It sums and bends, and is seen by others only.
    Hidden,
    /// It sums and bends, and is the result.
    Output,
}

/// A node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its number; the same number is the same node in all genomes of a population.
    pub id: u32,
    /// What it does.
    pub kind: NodeKind,
}

/// A connection.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Connection {
    /// When it was invented: the same number is the same connection in all genomes of a population.
    pub innovation: u32,
    /// The node it comes from.
    pub from: u32,
    /// The node it goes to.
    pub to: u32,
    /// Its weight.
    pub weight: f32,
    /// Whether it is used. A connection that was split stays, switched off.
    pub enabled: bool,
}

/// A network without cycles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphGenome {
    /// Inputs first, then the bias, then the outputs, then hidden nodes in the order of their numbers.
    pub nodes: Vec<Node>,
    /// In the order of their innovation numbers.
    pub connections: Vec<Connection>,
}

impl GraphGenome {
    /// The smallest start: every input and the bias connected with every output, all weights 0.
    pub fn minimal(inputs: u32, outputs: u32) -> GraphGenome {
        let mut nodes: Vec<Node> = (0..inputs).map(|id| Node { id, kind: NodeKind::Input }).collect();
        nodes.push(Node { id: inputs, kind: NodeKind::Bias });
        nodes.extend((0..outputs).map(|output| Node { id: inputs + 1 + output, kind: NodeKind::Output }));
        let connection = |innovation: u32| Connection {
            innovation,
            from: innovation / outputs,
            to: inputs + 1 + innovation % outputs,
            weight: 0.0,
            enabled: true,
        };
        GraphGenome { nodes, connections: (0..(inputs + 1) * outputs).map(connection).collect() }
    }

    /// How many hidden nodes it has.
    pub fn hidden(&self) -> usize {
        self.nodes.iter().filter(|node| node.kind == NodeKind::Hidden).count()
    }

    /// Whether there is a way from one node to another, over any connections, used or not.
    pub fn leads(&self, from: u32, to: u32) -> bool {
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&node) = reached.get(next) {
            if node == to {
                return true;
            }
            for connection in self.connections.iter().filter(|connection| connection.from == node) {
                if !reached.contains(&connection.to) {
                    reached.push(connection.to);
                }
            }
            next += 1;
        }
        false
    }

    /// The indices of the nodes in an order in which all connections lead forwards; `None` if there is a cycle.
    pub fn forward_order(&self) -> Option<Vec<usize>> {
        let index: HashMap<u32, usize> = self.nodes.iter().enumerate().map(|(index, node)| (node.id, index)).collect();
        let mut open = vec![0u32; self.nodes.len()];
        for connection in &self.connections {
            open[*index.get(&connection.to)?] += 1;
        }
        let mut order: Vec<usize> = (0..self.nodes.len()).filter(|&node| open[node] == 0).collect();
        let mut next = 0;
        while next < order.len() {
            let id = self.nodes[order[next]].id;
            for connection in self.connections.iter().filter(|connection| connection.from == id) {
                let to = *index.get(&connection.to)?;
                open[to] -= 1;
                if open[to] == 0 {
                    order.push(to);
                }
            }
            next += 1;
        }
        (order.len() == self.nodes.len()).then_some(order)
    }

    /// The outputs for some inputs; missing inputs are 0. `bend` is what hidden nodes and outputs do with their sum. Plain and
    /// slow: it says what the genes mean, and is not for games. Nothing if there is a cycle.
    pub fn outputs(&self, inputs: &[f64], bend: impl Fn(f64) -> f64) -> Vec<f64> {
        let Some(order) = self.forward_order() else { return Vec::new() };
        let mut values: HashMap<u32, f64> = HashMap::new();
        let mut input = inputs.iter().copied();
        for node in self.nodes.iter().filter(|node| node.kind == NodeKind::Input) {
            values.insert(node.id, input.next().unwrap_or(0.0));
        }
        for node in order.into_iter().map(|index| self.nodes[index]) {
            match node.kind {
                NodeKind::Input => {}
                NodeKind::Bias => {
                    values.insert(node.id, 1.0);
                }
                NodeKind::Hidden | NodeKind::Output => {
                    let into =
                        self.connections.iter().filter(|connection| connection.to == node.id && connection.enabled);
                    let value = |from: u32| values.get(&from).copied().unwrap_or(0.0);
                    let sum = into.map(|connection| f64::from(connection.weight) * value(connection.from)).sum();
                    values.insert(node.id, bend(sum));
                }
            }
        }
        let outputs = self.nodes.iter().filter(|node| node.kind == NodeKind::Output);
        outputs.map(|node| values.get(&node.id).copied().unwrap_or(0.0)).collect()
    }

    /// Whether it is a network: every node once, every connection between nodes and once, in order, no cycles. For genomes that
    /// come from outside. An error says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let mut kinds = HashMap::new();
        for node in &self.nodes {
            if kinds.insert(node.id, node.kind).is_some() {
                return Err(format!("node {} is there twice", node.id));
            }
        }
        if self.connections.windows(2).any(|pair| pair[0].innovation >= pair[1].innovation) {
            return Err("connections are not in the order of their innovation numbers".into());
        }
        let mut ends = std::collections::HashSet::new();
        for connection in &self.connections {
            let Connection { innovation, from, to, weight, .. } = *connection;
            let (Some(_), Some(kind)) = (kinds.get(&from), kinds.get(&to)) else {
                return Err(format!("connection {innovation} has no node at one end"));
            };
            if matches!(kind, NodeKind::Input | NodeKind::Bias) || !weight.is_finite() || !ends.insert((from, to)) {
                return Err(format!("connection {innovation} leads into an input, is there twice or has no weight"));
            }
        }
        self.forward_order().map(|_| ()).ok_or_else(|| "there is a cycle".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_start() {
        let mut genome = GraphGenome::minimal(2, 2);
        assert_eq!((genome.nodes.len(), genome.connections.len(), genome.hidden()), (5, 6, 0));
        assert_eq!(genome.check(), Ok(()));
        for (number, connection) in genome.connections.iter_mut().enumerate() {
            connection.weight = number as f32;
        }
        // Output 0: 0·x + 2·y + 4, output 1: 1·x + 3·y + 5.
        assert_eq!(genome.outputs(&[10.0, 100.0], |sum| sum), [204.0, 315.0]);
        genome.connections[2].enabled = false;
        assert_eq!(genome.outputs(&[10.0, 100.0], |sum| sum), [4.0, 315.0]);
        assert!(genome.leads(0, 3) && !genome.leads(3, 0));
    }

    #[test]
    fn broken_genomes_are_named() {
        let good = GraphGenome::minimal(1, 1);
        let mut cycle = good.clone();
        cycle.nodes.push(Node { id: 3, kind: NodeKind::Hidden });
        let connection = |innovation, from, to| Connection { innovation, from, to, weight: 1.0, enabled: true };
        cycle.connections.extend([connection(2, 2, 3), connection(3, 3, 2)]);
        assert!(cycle.check().unwrap_err().contains("cycle"));
        assert!(cycle.outputs(&[1.0], |sum| sum).is_empty());
        let mut lost = good.clone();
        lost.connections.push(connection(2, 9, 2));
        assert!(lost.check().is_err() && lost.outputs(&[1.0], |sum| sum).len() <= 1);
        let mut twice = good.clone();
        twice.nodes.push(twice.nodes[0]);
        assert!(twice.check().is_err());
        let mut into_input = good;
        into_input.connections.push(connection(2, 2, 0));
        assert!(into_input.check().is_err());
    }
}
