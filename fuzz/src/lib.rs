//! The laws of the parsers, shared with the mutation run of the ordinary tests.

#[path = "../../crates/games/tests/mutations/laws.rs"]
pub mod laws;
