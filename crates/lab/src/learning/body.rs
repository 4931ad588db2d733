//! What learners make players of: weights, and what they are the weights of.

use std::collections::HashMap;
use std::sync::Arc;

use lanista_core::{Evaluator, Evaluators, Inputs, Linear};
use lanista_learn::Genome;
use lanista_learn::neat::{GraphGenome, NodeKind};
use lanista_nn::{
    Activation, Edge, Folded, Graph, GraphEvaluator, GraphFile, GraphNetwork, Network, NetworkEvaluator, NetworkFile,
    Node, Shape, View,
};
use serde::{Deserialize, Serialize};

/// The name that stands for the learner's own evaluator in a player's text: `greedy:eval=genome`.
pub const GENOME: &str = "genome";

/// What the numbers of a genome belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// The weights of a network over a game's inputs.
    Network {
        /// Its layers.
        shape: Shape,
        /// The groups of inputs, in order.
        groups: Vec<String>,
        /// Whose view the inputs take.
        view: View,
    },
    /// The weights of one of the game's evaluators.
    Linear {
        /// Its name.
        evaluator: String,
    },
    /// A network that carries its own connections.
    Graph {
        /// The groups of inputs, in order.
        groups: Vec<String>,
    },
    /// One of several networks: the first number of a genome says which, from 0, the others are its weights.
    #[serde(deserialize_with = "flat_choice")]
    OneOf(Vec<Body>),
}

/// Reads the bodies of a choice, none of which is a choice itself: nothing that comes from outside nests without end.
fn flat_choice<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<Body>, D::Error> {
    thread_local! {
        static INSIDE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
    }
    if INSIDE.replace(true) {
        return Err(serde::de::Error::custom("a choice of bodies inside another one"));
    }
    let bodies = Vec::deserialize(deserializer);
    INSIDE.set(false);
    bodies
}

/// A genome that was made ready to judge positions of a game: evaluators can be had as often as needed.
pub enum Mind<G: Evaluators> {
    /// A network.
    Network(Arc<Folded<G>>),
    /// An evaluator of the game, and the content of its file.
    Linear(String, Vec<u8>),
    /// A grown network.
    Graph(Arc<GraphNetwork>, Arc<dyn Inputs<G>>),
}

impl<G: Evaluators> Mind<G> {
    /// A fresh evaluator.
    pub fn evaluator(&self) -> Result<Box<dyn Evaluator<G>>, String> {
        match self {
            Mind::Network(folded) => Ok(Box::new(NetworkEvaluator::new(Arc::clone(folded)))),
            Mind::Linear(name, file) => {
                G::evaluator(name, Some(file))?.ok_or_else(|| format!("{} has no evaluator {name:?}", G::ID))
            }
            Mind::Graph(network, inputs) => {
                let evaluator = GraphEvaluator::new(Arc::clone(network), Arc::clone(inputs));
                Ok(Box::new(evaluator.map_err(|error| error.to_string())?))
            }
        }
    }
}

impl Body {
    /// How many numbers a genome of this body has; an error says why the game has no such body.
    pub fn weights<G: Evaluators>(&self) -> Result<usize, String> {
        match self {
            Body::Network { shape, groups, .. } => {
                let inputs = G::inputs(groups)?.size();
                shape.check().map_err(|error| error.to_string())?;
                if inputs != shape.inputs {
                    return Err(format!("the inputs are {inputs} numbers, the network takes {}", shape.inputs));
                }
                Ok(shape.weights())
            }
            Body::Linear { evaluator } => Ok(linear::<G>(evaluator)?.weights().len()),
            Body::Graph { groups } => Ok(G::inputs(groups)?.size()),
            Body::OneOf(bodies) => bodies.iter().try_fold(0, |most, body| Ok(most.max(1 + body.weights::<G>()?))),
        }
    }

    /// A genome that knows nothing, to see whether a player can be made of it.
    pub fn zero<G: Evaluators>(&self) -> Result<Genome, String> {
        match self {
            Body::Network { shape, .. } => Ok(Genome::Weights(vec![0.0; shape.weights()])),
            Body::Linear { evaluator } => Ok(Genome::Weights(linear::<G>(evaluator)?.weights())),
            Body::Graph { groups } => Ok(Genome::Graph(GraphGenome::minimal(G::inputs(groups)?.size() as u32, 1))),
            Body::OneOf(bodies) => match bodies.first().ok_or("no body to choose")?.zero::<G>()? {
                Genome::Weights(weights) => Ok(Body::one_of(0, &weights)),
                other => Ok(other),
            },
        }
    }

    /// The genome of [`Body::OneOf`] for one of its bodies.
    pub fn one_of(body: usize, weights: &[f32]) -> Genome {
        Genome::Weights(std::iter::once(body as f32).chain(weights.iter().copied()).collect())
    }

    /// The body that a genome chooses, and the weights for it.
    fn chosen<'a>(bodies: &'a [Body], genome: &Genome) -> Result<(&'a Body, Genome), String> {
        let Genome::Weights(numbers) = genome else { return Err("the genome does not fit its body".into()) };
        let (first, weights) = numbers.split_first().ok_or("a genome without numbers")?;
        let body = bodies.iter().enumerate().find(|(index, _)| *index as f32 == *first);
        let (_, body) = body.ok_or_else(|| format!("there is no body {first} among {}", bodies.len()))?;
        Ok((body, Genome::Weights(weights.to_vec())))
    }

    /// Makes a genome ready to judge.
    pub fn mind<G: Evaluators>(&self, genome: &Genome) -> Result<Mind<G>, String> {
        let mut minds = self.minds(std::slice::from_ref(genome))?;
        minds.pop().ok_or_else(|| "no genome".to_string())
    }

    /// Makes several genomes ready to judge. Networks share their inputs.
    pub fn minds<G: Evaluators>(&self, genomes: &[Genome]) -> Result<Vec<Mind<G>>, String> {
        let Body::Network { shape, groups, view } = self else {
            return genomes.iter().map(|genome| self.other_mind(genome)).collect();
        };
        let inputs: Arc<dyn Inputs<G>> = G::inputs(groups)?.into();
        let mind = |genome: &Genome| {
            let Genome::Weights(weights) = genome else { return Err("the genome does not fit its body".to_string()) };
            let network = Network::from_weights(shape.clone(), weights).map_err(|error| error.to_string())?;
            Ok(Mind::Network(folded(network, Arc::clone(&inputs), *view)?))
        };
        genomes.iter().map(mind).collect()
    }

    fn other_mind<G: Evaluators>(&self, genome: &Genome) -> Result<Mind<G>, String> {
        match (self, genome) {
            (Body::Linear { evaluator }, Genome::Weights(weights)) => {
                Ok(Mind::Linear(evaluator.clone(), linear::<G>(evaluator)?.file(weights)))
            }
            (Body::Graph { groups }, Genome::Graph(graph)) => {
                let inputs: Arc<dyn Inputs<G>> = G::inputs(groups)?.into();
                Ok(Mind::Graph(Arc::new(graph_network(graph, inputs.size())?), inputs))
            }
            (Body::OneOf(bodies), genome) => {
                let (body, genome) = Body::chosen(bodies, genome)?;
                body.mind(&genome)
            }
            _ => Err("the genome does not fit its body".to_string()),
        }
    }

    /// The genome as a file: its ending and its content. `made` tells how it was made.
    pub fn file<G: Evaluators>(&self, genome: &Genome, made: &str) -> Result<(&'static str, Vec<u8>), String> {
        match (self, genome) {
            (Body::Network { shape, groups, view }, Genome::Weights(weights)) => {
                let network = Network::from_weights(shape.clone(), weights).map_err(|error| error.to_string())?;
                let file = NetworkFile {
                    network,
                    game: G::ID.to_string(),
                    groups: groups.clone(),
                    view: *view,
                    made: made.to_string(),
                };
                Ok(("safetensors", file.write().map_err(|error| error.to_string())?))
            }
            (Body::Linear { evaluator }, Genome::Weights(weights)) => {
                Ok(("txt", linear::<G>(evaluator)?.file(weights)))
            }
            (Body::Graph { groups }, Genome::Graph(graph)) => {
                let network = graph_network(graph, G::inputs(groups)?.size())?;
                let file =
                    GraphFile { network, game: G::ID.to_string(), groups: groups.clone(), made: made.to_string() };
                Ok(("json", file.write().map_err(|error| error.to_string())?))
            }
            (Body::OneOf(bodies), genome) => {
                let (body, genome) = Body::chosen(bodies, genome)?;
                body.file::<G>(&genome, made)
            }
            _ => Err("the genome does not fit its body".to_string()),
        }
    }
}

/// An evaluator whose weights can be learnt.
pub fn linear<G: Evaluators>(name: &str) -> Result<Box<dyn Linear<G>>, String> {
    G::linear(name).ok_or_else(|| {
        let known: Vec<&str> =
            G::evaluators().iter().map(|info| info.name).filter(|name| G::linear(name).is_some()).collect();
        format!(
            "{} has no evaluator {name:?} whose weights can be learnt, expected one of: {}",
            G::ID,
            known.join(", ")
        )
    })
}

fn folded<G: Evaluators>(network: Network, inputs: Arc<dyn Inputs<G>>, view: View) -> Result<Arc<Folded<G>>, String> {
    let folded = Folded::new(network, inputs, view);
    folded.map(Arc::new).map_err(|error| error.to_string())
}

/// The network in a weight file, for `eval=mlp@FILE`.
pub fn network<G: Evaluators>(data: Option<&[u8]>) -> Result<Mind<G>, String> {
    let data = data.ok_or_else(|| "expected a file of weights: eval=mlp@FILE".to_string())?;
    let file = NetworkFile::read(data).map_err(|error| error.to_string())?;
    is_of_game::<G>(&file.game)?;
    Ok(Mind::Network(folded(file.network, G::inputs(&file.groups)?.into(), file.view)?))
}

/// The network in a file of a grown network, for `eval=neat@FILE`.
pub fn grown<G: Evaluators>(data: Option<&[u8]>) -> Result<Mind<G>, String> {
    let data = data.ok_or_else(|| "expected a file of a grown network: eval=neat@FILE".to_string())?;
    let file = GraphFile::read(data).map_err(|error| error.to_string())?;
    is_of_game::<G>(&file.game)?;
    Ok(Mind::Graph(Arc::new(file.network), G::inputs(&file.groups)?.into()))
}

fn is_of_game<G: Evaluators>(game: &str) -> Result<(), String> {
    if game == G::ID { Ok(()) } else { Err(format!("it was made for {game}, not for {}", G::ID)) }
}

/// The steepness of NEAT's sigmoid (Stanley and Miikkulainen, 2002).
const STEEPNESS: f32 = 4.9;

/// A grown genome as a network: outputs first, then hidden nodes; what comes from the bias node is added to each sum.
fn graph_network(genome: &GraphGenome, inputs: usize) -> Result<GraphNetwork, String> {
    let number = |kind: NodeKind| genome.nodes.iter().filter(move |node| node.kind == kind);
    if number(NodeKind::Input).count() != inputs {
        return Err(format!("the grown network has {} inputs, expected {inputs}", number(NodeKind::Input).count()));
    }
    let order = number(NodeKind::Input).chain(number(NodeKind::Output)).chain(number(NodeKind::Hidden));
    let places: HashMap<u32, usize> = order.enumerate().map(|(place, node)| (node.id, place)).collect();
    let mut nodes = vec![Node { activation: Activation::Sigmoid, bias: 0.0 }; places.len() - inputs];
    let mut edges = Vec::new();
    for connection in genome.connections.iter().filter(|connection| connection.enabled) {
        let to = *places.get(&connection.to).ok_or("a connection leads nowhere")?;
        let weight = STEEPNESS * connection.weight;
        match places.get(&connection.from) {
            Some(&from) => edges.push(Edge { from, to, weight }),
            // Only the bias has no place.
            None => nodes[to - inputs].bias += weight,
        }
    }
    let outputs = number(NodeKind::Output).count();
    GraphNetwork::new(Graph { inputs, outputs, nodes, edges }).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use lanista_games::loa::Loa;

    use super::*;

    #[test]
    fn genomes_choose_among_bodies() {
        let network = |sizes: &[usize]| Body::Network {
            shape: Shape::uniform(25, sizes, Activation::Tanh),
            groups: vec!["board".into()],
            view: View::Mover,
        };
        let both = Body::OneOf(vec![network(&[2, 1]), network(&[1])]);
        assert_eq!(both.weights::<Loa<5>>(), Ok(1 + 25 * 2 + 2 + 2 + 1));
        let genome = Body::one_of(1, &[0.5; 26]);
        let (ending, content) = both.file::<Loa<5>>(&genome, "by hand").expect("a file");
        let read = NetworkFile::read(&content).expect("what was written");
        assert_eq!((ending, read.network.shape().to_string().as_str()), ("safetensors", "25-1 tanh"));
        assert!(both.mind::<Loa<5>>(&genome).is_ok());
        assert!(both.mind::<Loa<5>>(&Body::one_of(2, &[0.5; 26])).is_err());
        assert!(both.mind::<Loa<5>>(&Body::one_of(0, &[0.5; 26])).is_err());
        assert!(both.mind::<Loa<5>>(&both.zero::<Loa<5>>().expect("zeros")).is_ok());
    }
}
