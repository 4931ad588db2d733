//! The games that this program knows, one line each.

use lanista_core::{Evaluators, Game, Tactics};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::files::GameFiles;
use lanista_games::loa::Loa;

/// All that a registered game offers.
pub trait RegisteredGame: GameFiles + Tactics + Evaluators {}
impl<G: GameFiles + Tactics + Evaluators> RegisteredGame for G {}

/// Code that works for every game. A function cannot be handed over with its type left open; this can.
pub trait GameVisitor {
    /// What it makes of a game.
    type Output;

    /// Does it for one game.
    fn visit<G: RegisteredGame>(self) -> Self::Output;
}

/// A name that no game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown game {name:?}, expected one of: {known}")]
pub struct UnknownGame {
    /// What was asked for.
    pub name: String,
    /// What there is.
    pub known: String,
}

macro_rules! registry {
    ($($game:ty,)+) => {
        /// The ids of all games, in order.
        pub fn ids() -> Vec<&'static str> {
            vec![$(<$game as Game>::ID),+]
        }

        /// Visits the game of that id or alias.
        pub fn visit<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Output, UnknownGame> {
            $(if is_called::<$game>(name) {
                return Ok(visitor.visit::<$game>());
            })+
            Err(UnknownGame { name: name.chars().take(40).collect(), known: ids().join(", ") })
        }

        /// Visits all games, in order.
        pub fn visit_all<V: GameVisitor + Clone>(visitor: &V) -> Vec<V::Output> {
            vec![$(visitor.clone().visit::<$game>()),+]
        }
    };
}

registry! {
    Loa<8>,
    Loa<4>,
    Loa<5>,
    Loa<6>,
    Loa<7>,
    ConnectFour,
    Draughts,
}

fn is_called<G: Game>(name: &str) -> bool {
    G::ID == name || G::ALIASES.contains(&name)
}
