//! Small networks: forward, incremental forward, backward; weight files.
//!
//! A [`Shape`] says how a network is built, a [`Network`] has weights as well. [`NetworkEvaluator`] follows a search and
//! pays only for what a move changes. [`Gradient`] and [`Optimiser`] train. [`NetworkFile`] is what lies on a disk.
//! [`GraphNetwork`] has no layers at all, for learners that invent the wiring.
//!
//! The same weights and inputs give the same bits on every processor: sums have a fixed order, and nothing here calls a
//! mathematical library.
//!
//! This crate does no input or output, starts no threads and reads no clock.

mod activation;
mod backward;
mod evaluator;
mod file;
mod folded;
mod graph;
mod graph_file;
mod lanes;
mod layer;
mod network;
mod optimiser;
mod order;
mod room;
mod shape;
mod start;
mod view;

pub use activation::{Activation, SCORE_UNIT};
pub use backward::Gradient;
pub use evaluator::NetworkEvaluator;
pub use file::{FileError, NetworkFile};
pub use folded::{FoldError, Folded};
pub use graph::{Edge, Graph, GraphError, GraphEvaluator, GraphNetwork, Node};
pub use graph_file::GraphFile;
pub use network::{Network, NetworkError};
pub use optimiser::{Method, Optimiser};
pub use order::{Arrangement, Order, OrderError, Square};
pub use room::Room;
pub use shape::{Layer, MAX_LAYERS, MAX_SIZE, Shape, ShapeError};
pub use start::Start;
pub use view::View;
