//! The games, one folder each. Games know neither players nor each other.

pub mod connect_four;
pub mod draughts;
pub mod files;
pub mod inputs;
pub mod loa;
mod weights_text;
