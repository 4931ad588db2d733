//! Boards and tables of contests while they are played.

use axum::extract::State;
use axum::response::IntoResponse;
use lanista_lab::store::{GameFilter, Store};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::WatchStream;

use super::run_games::game_view;
use super::runs::{MOST_TABLES, find_run, stored_plan};
use crate::error::{ApiError, ErrorBody};
use crate::events::{events, line};
use crate::extract::Path;
use crate::state::App;
use crate::work::{LiveEvent, RunStatus, Workshop, standings};

/// So many boards are shown at a time.
const BOARDS: usize = 3;
/// The most games of the latest batch that are looked at to find the newest.
const LOOKED_AT: usize = 400;

/// The tables and the latest games of a run.
pub fn boards(workshop: &Workshop, store: &Store, run: i64) -> Result<LiveEvent, ApiError> {
    let row = store.find_run(&run.to_string())?;
    let plan = stored_plan(store, &row)?;
    let standings = standings(store, run, &plan, &row.file, MOST_TABLES)?;
    let mut kept = match store.latest_games(run)? {
        Some(place) => store.games(run, &GameFilter::default(), Some(place), LOOKED_AT)?,
        None => Vec::new(),
    };
    let newest = kept.split_off(kept.len().saturating_sub(BOARDS));
    let games = newest.iter().rev().map(|game| game_view(&row, game)).collect::<Result<_, _>>()?;
    let is_running = matches!(workshop.status(&row), RunStatus::Running | RunStatus::Queued);
    Ok(LiveEvent::Boards { standings, games, is_running })
}

/// The games under way, the latest games and the tables of a run, as server-sent events.
#[utoipa::path(get, path = "/api/runs/{run}/live", operation_id = "watch_run", tag = "runs", params(("run" = i64, Path)),
    responses((status = 200, body = LiveEvent, content_type = "text/event-stream"), (status = 404, body = ErrorBody)))]
pub async fn watch_run(State(app): State<App>, Path(run): Path<i64>) -> Result<impl IntoResponse, ApiError> {
    let place = app.stream_place()?;
    let feed = app.workshop.feed(run);
    let tables = WatchStream::from_changes(feed.live.subscribe());
    let games = WatchStream::new(feed.under_way.subscribe());
    let changes = tables.merge(games).filter_map(|event| event);
    let first = app.blocking(move |app| {
        let (store, _) = find_run(app, run)?;
        boards(&app.workshop, &store, run)
    });
    let first = tokio_stream::once(line(&first.await?));
    Ok(events(first.chain(changes), place, feed))
}
