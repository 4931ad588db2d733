//! Which store a command works on.

use std::path::PathBuf;

use clap::Args;
use lanista_lab::store::{Store, StoreError};

/// A store.
#[derive(Args, Clone)]
pub struct StoreRequest {
    /// The file that keeps all runs.
    #[arg(long, value_name = "FILE", env = "LANISTA_STORE", default_value = "lanista.db")]
    pub store: PathBuf,
}

impl StoreRequest {
    /// Opens it to read.
    pub fn open(&self) -> Result<Store, StoreError> {
        Store::open(&self.store)
    }

    /// Opens it to write; makes it if it is not there.
    pub fn open_to_write(&self) -> Result<Store, StoreError> {
        Store::open_to_write(&self.store)
    }

    /// Opens it to go on with what is in it.
    pub fn open_existing_to_write(&self) -> Result<Store, StoreError> {
        Store::open_existing_to_write(&self.store)
    }
}
