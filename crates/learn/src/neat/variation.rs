//! How networks change and mix.

use std::cmp::Ordering;

use lanista_core::RandomStream;

use super::genome::{Connection, GraphGenome, Node, NodeKind};
use super::innovation::Innovations;
use super::settings::NeatSettings;

/// A new connection is looked for so often; a network that has all of them stays as it is.
const TRIES: u32 = 20;

/// Changes weights, then perhaps adds a connection, then perhaps a node.
pub(super) fn mutate(
    genome: &mut GraphGenome,
    settings: &NeatSettings,
    innovations: &mut Innovations,
    stream: &mut RandomStream,
) {
    if stream.unit() < settings.mutate_weights {
        mutate_weights(genome, settings, stream);
    }
    if stream.unit() < settings.add_connection {
        add_connection(genome, settings, innovations, stream);
    }
    if stream.unit() < settings.add_node {
        add_node(genome, innovations, stream);
    }
}

/// A weight between plus and minus the range.
pub(super) fn fresh_weight(settings: &NeatSettings, stream: &mut RandomStream) -> f32 {
    (settings.range.min(settings.largest) * (2.0 * stream.unit() - 1.0)) as f32
}

fn mutate_weights(genome: &mut GraphGenome, settings: &NeatSettings, stream: &mut RandomStream) {
    for connection in &mut genome.connections {
        connection.weight = if stream.unit() < settings.perturb {
            let moved = f64::from(connection.weight) + settings.step * (2.0 * stream.unit() - 1.0);
            moved.clamp(-settings.largest, settings.largest) as f32
        } else {
            fresh_weight(settings, stream)
        };
    }
}

fn add_connection(
    genome: &mut GraphGenome,
    settings: &NeatSettings,
    innovations: &mut Innovations,
    stream: &mut RandomStream,
) {
    for _ in 0..TRIES {
        let [from, to] = [(); 2].map(|()| genome.nodes[stream.below(genome.nodes.len() as u32) as usize]);
        let is_there = genome.connections.iter().any(|one| (one.from, one.to) == (from.id, to.id));
        // Outputs lead nowhere: nothing in a game waits for them.
        let is_wrong = from.kind == NodeKind::Output || matches!(to.kind, NodeKind::Input | NodeKind::Bias);
        if !is_there && !is_wrong && !genome.leads(to.id, from.id) {
            let innovation = innovations.connection(from.id, to.id);
            let weight = fresh_weight(settings, stream);
            insert(genome, Connection { innovation, from: from.id, to: to.id, weight, enabled: true });
            return;
        }
    }
}

/// Splits a connection that is in use: 1 into the new node, the old weight out of it, so that little changes at first.
fn add_node(genome: &mut GraphGenome, innovations: &mut Innovations, stream: &mut RandomStream) {
    let used: Vec<usize> = (0..genome.connections.len()).filter(|&index| genome.connections[index].enabled).collect();
    if used.is_empty() {
        return;
    }
    let index = used[stream.below(used.len() as u32) as usize];
    let old = genome.connections[index];
    let split = innovations.split(old.innovation);
    if genome.nodes.iter().any(|node| node.id == split.node) {
        return;
    }
    genome.connections[index].enabled = false;
    genome.nodes.push(Node { id: split.node, kind: NodeKind::Hidden });
    sort_nodes(genome);
    let connection = |innovation, from, to, weight| Connection { innovation, from, to, weight, enabled: true };
    insert(genome, connection(split.into, old.from, split.node, 1.0));
    insert(genome, connection(split.out, split.node, old.to, old.weight));
}

fn insert(genome: &mut GraphGenome, connection: Connection) {
    let place = genome.connections.partition_point(|one| one.innovation < connection.innovation);
    genome.connections.insert(place, connection);
}

/// Hidden nodes behind the others, in the order of their numbers.
fn sort_nodes(genome: &mut GraphGenome) {
    genome.nodes.sort_by_key(|node| (node.kind == NodeKind::Hidden, node.id));
}

/// A child. Genes that both have come from either at random; the others from the fitter parent, or from both at random if
/// neither is fitter (`fitter` compares `a` with `b`).
pub(super) fn cross(
    a: &GraphGenome,
    b: &GraphGenome,
    fitter: Ordering,
    settings: &NeatSettings,
    stream: &mut RandomStream,
) -> GraphGenome {
    let fixed = a.nodes.iter().copied().filter(|node| node.kind != NodeKind::Hidden);
    let mut child = GraphGenome { nodes: fixed.collect(), connections: Vec::new() };
    for (of_a, of_b) in aligned(a, b) {
        let from_a = match (of_a, of_b) {
            (Some(_), Some(_)) => Some(stream.below(2) == 0),
            (Some(_), None) => choice(fitter, stream).then_some(true),
            (None, _) => choice(fitter.reverse(), stream).then_some(false),
        };
        let Some(from_a) = from_a else { continue };
        let (own, other) = if from_a { (of_a, of_b) } else { (of_b, of_a) };
        let Some(mut gene) = own.copied() else { continue };
        if !gene.enabled || other.is_some_and(|other| !other.enabled) {
            gene.enabled = stream.unit() >= settings.stay_disabled;
        }
        // Only a mixture of genes that not both have can meet itself, or invent a connection a second time.
        let is_there = child.connections.iter().any(|one| (one.from, one.to) == (gene.from, gene.to));
        if fitter == Ordering::Equal && (is_there || child.leads(gene.to, gene.from)) {
            continue;
        }
        child.connections.push(gene);
        for end in [gene.from, gene.to] {
            if !child.nodes.iter().any(|node| node.id == end) {
                child.nodes.push(Node { id: end, kind: NodeKind::Hidden });
            }
        }
    }
    sort_nodes(&mut child);
    child
}

/// Whether a gene that only one parent has is inherited, if that parent compares so with the other.
fn choice(fitter: Ordering, stream: &mut RandomStream) -> bool {
    match fitter {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => stream.below(2) == 0,
    }
}

type Pair<'a> = (Option<&'a Connection>, Option<&'a Connection>);

/// The genes of two genomes side by side, in the order of their innovation numbers.
pub(super) fn aligned<'a>(a: &'a GraphGenome, b: &'a GraphGenome) -> Vec<Pair<'a>> {
    let (mut a, mut b) = (a.connections.iter().peekable(), b.connections.iter().peekable());
    let mut pairs = Vec::new();
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.innovation.cmp(&y.innovation),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return pairs,
        };
        pairs.push(match order {
            Ordering::Less => (a.next(), None),
            Ordering::Greater => (None, b.next()),
            Ordering::Equal => (a.next(), b.next()),
        });
    }
}

#[cfg(test)]
mod tests {
    use lanista_core::Seed;

    use super::*;

    fn gene(innovation: u32, from: u32, to: u32, weight: f32) -> Connection {
        Connection { innovation, from, to, weight, enabled: true }
    }

    /// Two inputs, a bias and an output, with a hidden node 4 and, in one of them, a node 5.
    fn parents() -> (GraphGenome, GraphGenome) {
        let mut a = GraphGenome::minimal(2, 1);
        a.nodes.push(Node { id: 4, kind: NodeKind::Hidden });
        a.connections.extend([gene(3, 0, 4, 1.0), gene(4, 4, 3, 1.0)]);
        let mut b = a.clone();
        b.nodes.push(Node { id: 5, kind: NodeKind::Hidden });
        b.connections.extend([gene(5, 4, 5, 2.0), gene(6, 5, 3, 2.0)]);
        a.connections.push(gene(8, 1, 4, 1.0));
        b.connections.iter_mut().for_each(|one| one.weight = 2.0);
        a.connections.iter_mut().for_each(|one| one.weight = 1.0);
        (a, b)
    }

    #[test]
    fn crossover_follows_the_fitter_parent() {
        let (a, b) = parents();
        let settings = NeatSettings::default();
        let numbers = |genome: &GraphGenome| genome.connections.iter().map(|one| one.innovation).collect::<Vec<_>>();
        let mut mixed = 0;
        let mut sizes = std::collections::HashSet::new();
        for seed in 0..200 {
            let child = |fitter| cross(&a, &b, fitter, &settings, &mut Seed::new(seed).stream());
            let of_a = child(Ordering::Greater);
            assert_eq!((numbers(&of_a), of_a.nodes.len()), (numbers(&a), 5));
            let of_b = child(Ordering::Less);
            assert_eq!((numbers(&of_b), of_b.nodes.len()), (numbers(&b), 6));
            assert_eq!(of_b.connections[6].weight, 2.0, "genes that only one has keep their weight");
            mixed += of_a.connections[..5].iter().filter(|one| one.weight == 2.0).count();
            let either = child(Ordering::Equal);
            assert_eq!(either.check(), Ok(()));
            sizes.insert(numbers(&either));
        }
        assert!((410..590).contains(&mixed), "matching genes come from both: {mixed} of 1000");
        assert_eq!(sizes.len(), 8, "three genes that only one has, each in or out");
    }

    #[test]
    fn mixtures_never_have_cycles() {
        let mut a = GraphGenome::minimal(1, 1);
        a.nodes.extend([Node { id: 3, kind: NodeKind::Hidden }, Node { id: 4, kind: NodeKind::Hidden }]);
        let mut b = a.clone();
        a.connections.push(gene(5, 3, 4, 1.0));
        b.connections.push(gene(6, 4, 3, 1.0));
        for seed in 0..50 {
            let child = cross(&a, &b, Ordering::Equal, &NeatSettings::default(), &mut Seed::new(seed).stream());
            assert_eq!(child.check(), Ok(()));
        }
    }

    #[test]
    fn disabled_genes_mostly_stay_so() {
        let (mut a, b) = parents();
        a.connections[0].enabled = false;
        let child = |seed| cross(&a, &b, Ordering::Greater, &NeatSettings::default(), &mut Seed::new(seed).stream());
        let off = (0..4_000).filter(|&seed| !child(seed).connections[0].enabled).count();
        assert!((2_830..3_170).contains(&off), "three quarters of 4000: {off}");
    }

    #[test]
    fn a_new_node_splits_a_connection() {
        let mut genome = GraphGenome::minimal(1, 1);
        genome.connections[0].weight = 0.5;
        genome.connections[1].enabled = false;
        let before = genome.outputs(&[3.0], |sum| sum);
        let mut innovations = Innovations::new(2, 3);
        add_node(&mut genome, &mut innovations, &mut Seed::new(1).stream());
        assert!(!genome.connections[0].enabled);
        assert_eq!(genome.connections[2..], [gene(2, 0, 3, 1.0), gene(3, 3, 2, 0.5)]);
        assert_eq!(genome.outputs(&[3.0], |sum| sum), before);
        assert_eq!(genome.check(), Ok(()));
    }

    #[test]
    fn growth_stays_forward() {
        let settings = NeatSettings { add_node: 0.5, add_connection: 0.8, ..NeatSettings::default() };
        let mut innovations = Innovations::new(4, 5);
        let mut genome = GraphGenome::minimal(3, 1);
        let mut stream = Seed::new(4).stream();
        for _ in 0..60 {
            mutate(&mut genome, &settings, &mut innovations, &mut stream);
            // Every child begins a generation of its own here.
            innovations = Innovations::new(innovations.next_connection, innovations.next_node);
            assert_eq!(genome.check(), Ok(()));
        }
        assert!(genome.hidden() > 15 && genome.connections.len() > 60);
    }
}
