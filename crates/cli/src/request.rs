//! What most commands are asked about: a game, its rules, a position.

use anyhow::Context;
use clap::Args;
use lanista_core::{Game, Rules, Side};

/// A game with its rules.
#[derive(Args, Clone)]
pub struct GameRequest {
    /// The game: see `lanista games`.
    pub game: String,
    /// The rules: a preset of the game, with changes if need be, as in `mia,ply-cap=100`.
    #[arg(long, value_name = "RULES", default_value = "")]
    pub rules: String,
}

impl GameRequest {
    /// The rules asked for.
    pub fn rules<G: Game>(&self) -> anyhow::Result<Rules<G>> {
        G::rules(&self.rules).with_context(|| format!("--rules {:?}", self.rules))
    }
}

/// A game at a position.
#[derive(Args, Clone)]
pub struct PositionRequest {
    #[command(flatten)]
    pub game: GameRequest,
    /// The position in the game's notation; the start of the game if not given.
    #[arg(long, value_name = "POSITION")]
    pub position: Option<String>,
}

impl PositionRequest {
    /// The rules asked for, with the position asked for as their start.
    pub fn rules<G: Game>(&self) -> anyhow::Result<Rules<G>> {
        let mut rules = self.game.rules::<G>()?;
        if let Some(text) = &self.position {
            rules.start = G::position(text, &rules).with_context(|| format!("--position {text:?}"))?;
        }
        Ok(rules)
    }
}

/// `first` or `second`, for JSON.
pub fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}
