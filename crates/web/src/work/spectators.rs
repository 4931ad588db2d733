//! Games under way, for those who watch a run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use lanista_core::Game;
use lanista_lab::contest::Entrant;
use lanista_lab::experiment::Plan;
use lanista_lab::jobs::{Demonstration, ShownGame, decode};
use lanista_lab::registry::{self, GameVisitor, RegisteredGame};
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::{PositionView, watched_view};
use crate::routes::runs::MOST_TABLES;

/// So many boards are shown at a time.
const MOST_BOARDS: usize = 4;
/// Games that are over before anybody could look at them are not shown.
const TOO_SHORT: Duration = Duration::from_millis(400);
/// The end of a game stays so long when the next one is over too soon.
const STAYS: Duration = Duration::from_secs(2);

/// A game under way.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ShownGameView {
    /// The board that shows it, from 0. The next game of the same thread takes its place.
    pub board: usize,
    /// The id of the game.
    pub game: String,
    /// Who opened, and who answers, as tables call them.
    pub names: Vec<String>,
    /// How many of the moves are the opening.
    pub opening: usize,
    /// The position, without its legal moves.
    pub position: PositionView,
}

/// Looks at the boards of an executor for those who watch.
pub struct Spectators<'a> {
    demonstration: Arc<Demonstration>,
    plan: &'a Plan,
    file: &'a str,
    /// Known once somebody watches.
    entrants: Option<Vec<Entrant>>,
    /// What each board showed when it was last worth a look, and when that was.
    seen: Vec<Option<(ShownGame, Instant)>>,
    told: Option<Vec<ShownGame>>,
}

impl<'a> Spectators<'a> {
    /// Nobody watches yet.
    pub fn new(demonstration: &Arc<Demonstration>, plan: &'a Plan, file: &'a str) -> Spectators<'a> {
        let demonstration = Arc::clone(demonstration);
        Spectators { demonstration, plan, file, entrants: None, seen: Vec::new(), told: None }
    }

    /// Nobody watches any more.
    pub fn leave(&mut self) {
        self.demonstration.watch(false);
        self.seen.clear();
        self.told = None;
    }

    /// What the boards show, if it is something else than the last time.
    pub fn look(&mut self) -> Option<Vec<ShownGameView>> {
        self.demonstration.watch(true);
        let now = Instant::now();
        let games = self.demonstration.games();
        self.seen.resize(games.len(), None);
        for (seen, game) in self.seen.iter_mut().zip(games) {
            match game {
                Some(game) if now.duration_since(game.since) >= TOO_SHORT => *seen = Some((game, now)),
                _ => *seen = seen.take().filter(|(_, last)| now.duration_since(*last) < STAYS),
            }
        }
        let shown = self.seen.iter().enumerate().filter_map(|(board, seen)| Some((board, &seen.as_ref()?.0)));
        let shown: Vec<(usize, ShownGame)> =
            shown.take(MOST_BOARDS).map(|(board, game)| (board, game.clone())).collect();
        let games: Vec<ShownGame> = shown.iter().map(|(_, game)| game.clone()).collect();
        if self.told.as_ref() == Some(&games) {
            return None;
        }
        self.told = Some(games);
        Some(shown.iter().filter_map(|(board, game)| self.view(*board, game)).collect())
    }

    fn view(&mut self, board: usize, game: &ShownGame) -> Option<ShownGameView> {
        let (plan, file) = (self.plan, self.file);
        let entrants = self.entrants.get_or_insert_with(|| {
            let trials = 0..plan.trials.len().min(MOST_TABLES);
            trials.flat_map(|trial| plan.entrants(trial, file).unwrap_or_default()).collect()
        });
        let name = |seat: usize| {
            let (player, limit) = (&game.players[seat], game.limits[seat]);
            let found = entrants.iter().find(|entrant| entrant.player == *player && entrant.limit == limit);
            found.map_or(player, |entrant| &entrant.name).clone()
        };
        Some(ShownGameView {
            board,
            game: game.game.to_string(),
            names: vec![name(0), name(1)],
            opening: game.opening,
            position: registry::visit(game.game, Position(game)).ok()??,
        })
    }
}

struct Position<'a>(&'a ShownGame);

impl GameVisitor for Position<'_> {
    type Output = Option<PositionView>;

    fn visit<G: RegisteredGame>(self) -> Option<PositionView> {
        let rules = <G as Game>::rules(&self.0.rules).ok()?;
        let game = decode(&rules, &self.0.codes).ok()?;
        Some(watched_view(&rules, &game))
    }
}
