//! Files of networks without layers: JSON, as learners of wirings are slow and people like to look.

use serde::{Deserialize, Serialize};

use crate::{FileError, GraphNetwork};

const FORMAT: u32 = 1;

/// A network of any wiring with what is needed to use it.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphFile {
    /// The network.
    pub network: GraphNetwork,
    /// The id of the game that it plays.
    pub game: String,
    /// The groups of inputs that it sees, in order.
    pub groups: Vec<String>,
    /// How it was made, for people.
    pub made: String,
}

impl GraphFile {
    /// Reads a file's bytes. Any bytes: what is wrong is told.
    pub fn read(bytes: &[u8]) -> Result<GraphFile, FileError> {
        let written: Written = serde_json::from_slice(bytes).map_err(|error| FileError::Graph(error.to_string()))?;
        if written.format != FORMAT {
            return Err(FileError::Format(written.format.to_string()));
        }
        let Written { game, inputs, made, network, .. } = written;
        Ok(GraphFile { network, game, groups: inputs, made })
    }

    /// The file's bytes, the same for the same content.
    pub fn write(&self) -> Result<Vec<u8>, FileError> {
        let written = Written {
            format: FORMAT,
            game: self.game.clone(),
            inputs: self.groups.clone(),
            made: self.made.clone(),
            network: self.network.clone(),
        };
        let mut bytes = serde_json::to_vec_pretty(&written).map_err(|error| FileError::Graph(error.to_string()))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "lanista.graph")]
    format: u32,
    game: String,
    inputs: Vec<String>,
    made: String,
    network: GraphNetwork,
}
