//! Weight files.
//!
//! A file is in the format *safetensors*, which Python and most frameworks read directly: the length of a header, the
//! header as JSON, the numbers. Layer `n`'s weights are `layern.weight`, one row a unit, its biases `layern.bias`. The
//! header's metadata, all of them texts:
//!
//! | key | value |
//! |---|---|
//! | `lanista.format` | `1` |
//! | `architecture` | the [`Shape`] as JSON |
//! | `inputs` | the input groups, with commas between them |
//! | `game` | the game's id |
//! | `made` | how it was made, in any words |
//!
//! The same content gives the same bytes, so that files can be known by a hash of their content. The safetensors crate
//! writes metadata in random order; so headers are written here and read by the crate.

use std::collections::BTreeMap;

use safetensors::Dtype;
use safetensors::tensor::Metadata;
use serde::Serialize;
use thiserror::Error;

use crate::{Network, NetworkError, Shape, View};

const FORMAT_KEY: &str = "lanista.format";
const FORMAT: &str = "1";

/// A network with what is needed to use it.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkFile {
    /// The network.
    pub network: Network,
    /// The id of the game that it plays.
    pub game: String,
    /// The groups of inputs that it sees, in order.
    pub groups: Vec<String>,
    /// Whose view they take.
    pub view: View,
    /// How it was made, for people.
    pub made: String,
}

/// Why bytes are no weight file, or a network cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileError {
    /// The container is broken.
    #[error("not a safetensors file: {0}")]
    Container(String),
    /// It is a safetensors file, but not one of these.
    #[error("no {key:?} in the metadata: not a weight file of Lanista")]
    Missing {
        /// What is not there.
        key: &'static str,
    },
    /// It was written by a later version.
    #[error("weight file of format {0:?}: only format {FORMAT} is known")]
    Format(String),
    /// The text that describes the network cannot be read.
    #[error("architecture: {0}")]
    Architecture(String),
    /// A file of a network without layers cannot be read.
    #[error("graph: {0}")]
    Graph(String),
    /// A list of numbers is not there or not as the architecture says.
    #[error("{name}: expected {expected} numbers of type F32 in the shape that the architecture gives")]
    Tensor {
        /// Its name.
        name: String,
        /// How many numbers it should have.
        expected: usize,
    },
    /// There is no such view.
    #[error("view {0:?}: expected mover or waiting")]
    View(String),
    /// A group's name has a comma or is empty.
    #[error("input group {0:?}: a name without commas is needed")]
    Group(String),
    /// The network itself is no good.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl NetworkFile {
    /// Reads a file's bytes. Any bytes: what is wrong is told.
    pub fn read(bytes: &[u8]) -> Result<NetworkFile, FileError> {
        let (header, data) = split(bytes).ok_or_else(|| FileError::Container("the header is cut off".into()))?;
        let header: Metadata =
            serde_json::from_slice(header).map_err(|error| FileError::Container(error.to_string()))?;
        if header.data_len() != data.len() {
            let text = format!("{} bytes of numbers where the header says {}", data.len(), header.data_len());
            return Err(FileError::Container(text));
        }
        let texts = header.metadata().as_ref();
        let text = |key| texts.and_then(|texts| texts.get(key)).ok_or(FileError::Missing { key });
        let format = text(FORMAT_KEY)?;
        if format != FORMAT {
            return Err(FileError::Format(format.clone()));
        }
        let shape: Shape =
            serde_json::from_str(text("architecture")?).map_err(|error| FileError::Architecture(error.to_string()))?;
        shape.check().map_err(|error| FileError::Network(error.into()))?;
        let tensor = |name: String, sizes: &[usize]| {
            let info = header.info(&name).filter(|info| info.dtype == Dtype::F32 && info.shape == sizes);
            let bytes = info.and_then(|info| data.get(info.data_offsets.0..info.data_offsets.1));
            let bytes = bytes.ok_or_else(|| FileError::Tensor { name, expected: sizes.iter().product() })?;
            Ok::<_, FileError>(bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)))
        };
        let mut weights = Vec::new();
        for (number, (fan, layer)) in shape.fans().zip(&shape.layers).enumerate() {
            let rows: Vec<f32> = tensor(weight_name(number), &[layer.size, fan])?.collect();
            let mut biases = layer.bias.then(|| tensor(bias_name(number), &[layer.size])).transpose()?;
            for row in rows.chunks_exact(fan) {
                weights.extend_from_slice(row);
                weights.extend(biases.as_mut().and_then(Iterator::next));
            }
        }
        let groups = text("inputs")?;
        Ok(NetworkFile {
            network: Network::from_weights(shape, &weights)?,
            game: text("game")?.clone(),
            groups: groups.split(',').filter(|group| !group.is_empty()).map(String::from).collect(),
            view: text("view").and_then(|name| View::named(name).ok_or_else(|| FileError::View(name.clone())))?,
            made: text("made")?.clone(),
        })
    }

    /// The file's bytes, the same for the same content. Refuses weights that are no finite numbers.
    pub fn write(&self) -> Result<Vec<u8>, FileError> {
        if let Some(place) = self.network.not_finite() {
            return Err(NetworkError::NotFinite(place).into());
        }
        if let Some(group) = self.groups.iter().find(|group| group.is_empty() || group.contains(',')) {
            return Err(FileError::Group(group.clone()));
        }
        let shape = self.network.shape();
        let json = |error: serde_json::Error| FileError::Architecture(error.to_string());
        let texts = BTreeMap::from([
            (FORMAT_KEY, FORMAT.to_string()),
            ("architecture", serde_json::to_string(shape).map_err(json)?),
            ("inputs", self.groups.join(",")),
            ("game", self.game.clone()),
            ("view", self.view.name().to_string()),
            ("made", self.made.clone()),
        ]);
        let mut tensors = BTreeMap::new();
        let mut data = Vec::new();
        let mut add = |name: String, shape: Vec<usize>, numbers: &mut dyn Iterator<Item = f32>| {
            let begin = data.len();
            numbers.for_each(|number| data.extend(number.to_le_bytes()));
            tensors.insert(name, Tensor { dtype: "F32", shape, data_offsets: [begin, data.len()] });
        };
        let weights = self.network.weights();
        let mut rest = weights.as_slice();
        for (number, (fan, layer)) in shape.fans().zip(&shape.layers).enumerate() {
            let stride = fan + usize::from(layer.bias);
            let (own, behind) = rest.split_at(layer.size * stride);
            rest = behind;
            let units = || own.chunks_exact(stride);
            add(weight_name(number), vec![layer.size, fan], &mut units().flat_map(|unit| &unit[..fan]).copied());
            if layer.bias {
                add(bias_name(number), vec![layer.size], &mut units().map(|unit| unit[fan]));
            }
        }
        let mut header = serde_json::to_vec(&Header { texts, tensors }).map_err(json)?;
        // Numbers begin at a multiple of eight.
        header.resize(header.len().next_multiple_of(8), b' ');
        let length = (header.len() as u64).to_le_bytes();
        Ok([&length[..], &header, &data].concat())
    }
}

#[derive(Serialize)]
struct Header {
    #[serde(rename = "__metadata__")]
    texts: BTreeMap<&'static str, String>,
    #[serde(flatten)]
    tensors: BTreeMap<String, Tensor>,
}

#[derive(Serialize)]
struct Tensor {
    dtype: &'static str,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// Header and numbers. The crate's own function for this adds offsets without a look at overflow.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u64::from_le_bytes(*length).try_into().ok()?)
}

fn weight_name(layer: usize) -> String {
    format!("layer{layer}.weight")
}

fn bias_name(layer: usize) -> String {
    format!("layer{layer}.bias")
}
