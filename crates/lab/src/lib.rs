//! The laboratory: everything that plays many games goes through here.

pub mod registry;
