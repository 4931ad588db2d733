//! Weight files: what is written is read, the same content has the same bytes, and nothing makes the reader panic.

use lanista_core::Seed;
use lanista_nn::{
    Activation, Edge, FileError, Graph, GraphError, GraphFile, GraphNetwork, Layer, Network, NetworkFile, Node, Room,
    Shape, Start, View,
};
use safetensors::SafeTensors;

fn file() -> NetworkFile {
    let layer = |size, activation, bias| Layer { size, activation, bias };
    let layers = vec![layer(6, Activation::Sigmoid, true), layer(2, Activation::Tanh, false)];
    let network = Network::random(Shape { inputs: 5, layers }, Start::Xavier, &mut Seed::new(1).stream());
    NetworkFile {
        network: network.expect("a good shape"),
        game: "loa".into(),
        groups: vec!["board=0.75/0.25/0.5".into(), "nonads".into()],
        view: View::Mover,
        made: "by hand, with \"quotes\" and ünïcode".into(),
    }
}

#[test]
fn round_trip() {
    let bytes = file().write().expect("finite weights");
    assert_eq!(NetworkFile::read(&bytes), Ok(file()));
    for _ in 0..20 {
        assert_eq!(file().write().expect("finite weights"), bytes, "the same content, the same bytes");
    }
    let none = NetworkFile { groups: Vec::new(), ..file() };
    assert_eq!(NetworkFile::read(&none.write().expect("finite weights")), Ok(none));
}

/// Stored files are known by their hash.
#[test]
fn bytes_never_change() {
    let shape = Shape::uniform(2, &[1], Activation::Tanh);
    let network = Network::from_weights(shape, &[0.5, -2.0, 1.0]).expect("three weights");
    let file = NetworkFile {
        network,
        game: "toy".into(),
        groups: vec!["board".into()],
        view: View::Waiting,
        made: "here".into(),
    };
    let header = concat!(
        r#"{"__metadata__":{"architecture":"{\"inputs\":2,\"layers\":[{\"size\":1,\"activation\":\"tanh\",\"bias\":true}]}","#,
        r#""game":"toy","inputs":"board","lanista.format":"1","made":"here","view":"waiting"},"#,
        r#""layer0.bias":{"dtype":"F32","shape":[1],"data_offsets":[8,12]},"#,
        r#""layer0.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}"#,
    );
    let padded = format!("{header:<width$}", width = header.len().next_multiple_of(8));
    let numbers = [0.5f32, -2.0, 1.0].map(f32::to_le_bytes).concat();
    let expected = [&(padded.len() as u64).to_le_bytes()[..], padded.as_bytes(), &numbers].concat();
    assert_eq!(file.write(), Ok(expected));
}

#[test]
fn other_readers_understand_it() {
    let bytes = file().write().expect("finite weights");
    let tensors = SafeTensors::deserialize(&bytes).expect("a safetensors file");
    let weight = tensors.tensor("layer0.weight").expect("the first layer");
    assert_eq!((weight.dtype(), weight.shape()), (safetensors::Dtype::F32, &[6, 5][..]));
    // The second unit's first weight: behind five weights and a bias in the chromosome, behind five weights here.
    let first = f32::from_le_bytes(weight.data()[20..24].try_into().expect("four bytes"));
    assert_eq!(first, file().network.weights()[6]);
    assert_eq!(tensors.tensor("layer0.bias").expect("its biases").shape(), [6]);
    assert!(tensors.tensor("layer1.bias").is_err());
}

#[test]
fn bad_bytes_are_refused() {
    let bytes = file().write().expect("finite weights");
    for length in 0..bytes.len() {
        assert!(NetworkFile::read(&bytes[..length]).is_err(), "cut off at {length}");
    }
    assert!(NetworkFile::read(&[&bytes[..], &[0]].concat()).is_err());
    let mut random = Seed::new(2).stream();
    for _ in 0..20_000 {
        let mut changed = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let place = random.below(changed.len() as u32) as usize;
            changed[place] = random.bits() as u8;
        }
        // It may be read; if so, it can be used and written.
        if let Ok(file) = NetworkFile::read(&changed) {
            let inputs = vec![1.0; file.network.shape().inputs];
            file.network.forward(&inputs, &mut Room::new());
            assert!(file.write().is_ok());
        }
    }
}

#[test]
fn messages() {
    let bytes = file().write().expect("finite weights");
    let replaced = |from: &str, to: &str| {
        let end = bytes.len() - 6 * 5 * 4 - 6 * 4 - 2 * 6 * 4;
        let header = std::str::from_utf8(&bytes[8..end]).expect("a text").trim_end().replacen(from, to, 1);
        let changed = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &bytes[end..]].concat();
        NetworkFile::read(&changed).map_err(|error| error.to_string())
    };
    assert_eq!(replaced("x", "x"), Ok(file()));
    let refused = |from, to, message: &str| assert_eq!(replaced(from, to), Err(message.to_string()));
    refused("lanista.format\":\"1", "lanista.format\":\"2", "weight file of format \"2\": only format 1 is known");
    refused("lanista.format", "format", "no \"lanista.format\" in the metadata: not a weight file of Lanista");
    refused("\\\"inputs\\\":5", "\\\"inputs\\\":0", "0 inputs: a network has 1 to 4096");
    let message = "layer0.weight: expected 24 numbers of type F32 in the shape that the architecture gives";
    refused("\\\"inputs\\\":5", "\\\"inputs\\\":4", message);
    let huge = "{\"__metadata__\":{},\"a\":{\"dtype\":\"U8\",\"shape\":[2305843009213693951],\"data_offsets\":[0,2305843009213693951]}}";
    let huge = [&(huge.len() as u64).to_le_bytes()[..], huge.as_bytes()].concat();
    assert!(matches!(NetworkFile::read(&huge), Err(FileError::Container(_))));
    let mut infinite = bytes.clone();
    let place = infinite.len() - 4;
    infinite[place..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    let message = NetworkFile::read(&infinite).map_err(|error| error.to_string());
    assert_eq!(message, Err("weight 47 is not a finite number".into()));
    let comma = NetworkFile { groups: vec!["a,b".into()], ..file() };
    assert_eq!(comma.write(), Err(FileError::Group("a,b".into())));
}

fn graph() -> Graph {
    let node = |bias| Node { activation: Activation::Tanh, bias };
    let edge = |from, to, weight| Edge { from, to, weight };
    // Inputs 0 and 1; output 2; node 3 sees the inputs, node 4 sees 3.
    let edges = vec![edge(4, 2, 1.5), edge(0, 3, 0.1), edge(1, 3, -0.7), edge(3, 4, 2.0), edge(0, 2, 0.3)];
    Graph { inputs: 2, outputs: 1, nodes: vec![node(0.1), node(-0.2), node(0.0)], edges }
}

#[test]
fn graphs_are_computed_in_order() {
    let network = GraphNetwork::new(graph()).expect("no cycles");
    let inputs = [0.4f32, -0.9];
    let [a, b] = inputs.map(f64::from);
    let third = (-0.2 + 0.1 * a - 0.7 * b).tanh();
    let exact = (0.1 + 0.3 * a + 1.5 * (2.0 * third).tanh()).tanh();
    let mut room = Vec::new();
    let found = network.forward(&inputs, &mut room)[0];
    assert!((f64::from(found) - exact).abs() < 1e-6);
    let mut shuffled = graph();
    shuffled.edges.reverse();
    let other = GraphNetwork::new(shuffled).expect("no cycles");
    assert_eq!(other.forward(&inputs, &mut Vec::new())[0].to_bits(), found.to_bits(), "whatever the list's order");
}

#[test]
fn unsound_graphs_are_refused() {
    let refused = |change: &dyn Fn(&mut Graph)| {
        let mut graph = graph();
        change(&mut graph);
        GraphNetwork::new(graph).err()
    };
    let edge = |from, to| Edge { from, to, weight: 1.0 };
    assert_eq!(refused(&|graph| graph.edges.push(edge(4, 3))), Some(GraphError::Cycle(2)));
    assert_eq!(refused(&|graph| graph.edges.push(edge(4, 4))), Some(GraphError::Cycle(2)));
    assert_eq!(refused(&|graph| graph.edges.push(edge(0, 1))), Some(GraphError::Place { from: 0, to: 1 }));
    assert_eq!(refused(&|graph| graph.edges.push(edge(5, 2))), Some(GraphError::Place { from: 5, to: 2 }));
    assert_eq!(refused(&|graph| graph.edges.push(edge(0, 2))), Some(GraphError::Twice { from: 0, to: 2 }));
    assert_eq!(refused(&|graph| graph.edges[0].weight = f32::NAN), Some(GraphError::NotFinite(2)));
    assert_eq!(refused(&|graph| graph.nodes[1].bias = f32::INFINITY), Some(GraphError::NotFinite(3)));
    let sizes = GraphError::Sizes { inputs: 2, outputs: 4, nodes: 3 };
    assert_eq!(refused(&|graph| graph.outputs = 4), Some(sizes));
    assert_eq!(refused(&|_| {}), None);
}

#[test]
fn graph_files() {
    let mut random = Seed::new(3).stream();
    let mut graph = graph();
    let file = |graph: Graph| GraphFile {
        network: GraphNetwork::new(graph).expect("no cycles"),
        game: "connect-four".into(),
        groups: vec!["board".into()],
        made: "by hand".into(),
    };
    for _ in 0..500 {
        graph.edges.iter_mut().for_each(|edge| edge.weight = (random.unit() * 9.0 - 4.0) as f32);
        let file = file(graph.clone());
        let bytes = file.write().expect("plain data");
        assert_eq!(GraphFile::read(&bytes), Ok(file), "weights come back to the bit");
    }
    let bytes = file(graph).write().expect("plain data");
    for length in 0..bytes.len() - 1 {
        assert!(GraphFile::read(&bytes[..length]).is_err());
    }
    for _ in 0..5000 {
        let mut changed = bytes.clone();
        let place = random.below(changed.len() as u32) as usize;
        changed[place] = random.bits() as u8;
        if let Ok(file) = GraphFile::read(&changed) {
            assert!(file.write().is_ok());
        }
    }
    let cycle = String::from_utf8(bytes).expect("a text").replace("\"from\": 0", "\"from\": 2");
    let message = GraphFile::read(cycle.as_bytes()).map_err(|error| error.to_string());
    assert!(message.is_err_and(|message| message.starts_with("graph: place")));
}
