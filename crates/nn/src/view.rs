//! Whose eyes a network has.

use lanista_core::Side;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose view a network's inputs take, and whose value its output is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// That of the side to move.
    #[default]
    Mover,
    /// That of the side that has just moved: networks that learnt the worth of positions behind their own moves.
    Waiting,
}

impl View {
    /// The side that looks, where `mover` is to move.
    #[inline]
    pub fn of(self, mover: Side) -> Side {
        match self {
            View::Mover => mover,
            View::Waiting => !mover,
        }
    }

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            View::Mover => "mover",
            View::Waiting => "waiting",
        }
    }

    /// The view of that name.
    pub fn named(name: &str) -> Option<View> {
        [View::Mover, View::Waiting].into_iter().find(|view| view.name() == name)
    }
}
