//! The interface: one file a subject. Every route is described where it is, and the description is made from that.

pub mod analysis;
pub mod cluster;
pub mod downloads;
pub mod experiments;
pub mod game_files;
pub mod games;
pub mod generations;
pub mod live;
pub mod metrics;
pub mod players;
pub mod positions;
pub mod run_games;
pub mod runs;
pub mod sessions;

use axum::Json;
use axum::Router;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::state::App;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Lanista",
        description = "A laboratory for players of abstract strategy games: play, watch, analyse, experiment.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
        contact()
    ),
    tags(
        (name = "games", description = "Games, players and positions"),
        (name = "play", description = "Games that people play"),
        (name = "analysis", description = "What players think of positions, and what is true of them"),
        (name = "experiments", description = "Experiments as files"),
        (name = "runs", description = "Experiments that run or ran"),
        (name = "generations", description = "Populations of learners"),
        (name = "archive", description = "Stored games and game files"),
        (name = "cluster", description = "Workers elsewhere")
    )
)]
struct Description;

fn described() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(games::list_games))
        .routes(routes!(players::list_players))
        .routes(routes!(positions::look_at_position))
        .routes(routes!(positions::check_position))
        .routes(routes!(sessions::begin_session))
        .routes(routes!(sessions::show_session, sessions::end_session))
        .routes(routes!(sessions::play_move))
        .routes(routes!(sessions::undo_move))
        .routes(routes!(sessions::redo_move))
        .routes(routes!(sessions::resign))
        .routes(routes!(sessions::hint))
        .routes(routes!(sessions::follow_session))
        .routes(routes!(analysis::analyse))
        .routes(routes!(analysis::evaluate))
        .routes(routes!(analysis::solve))
        .routes(routes!(experiments::list_experiments))
        .routes(routes!(experiments::check_experiment))
        .routes(routes!(runs::list_runs, runs::start_run))
        .routes(routes!(runs::show_run, runs::delete_run))
        .routes(routes!(runs::show_standings))
        .routes(routes!(runs::cancel_run))
        .routes(routes!(runs::resume_run))
        .routes(routes!(runs::extend_run))
        .routes(routes!(runs::follow_run))
        .routes(routes!(live::watch_run))
        .routes(routes!(metrics::run_metrics))
        .routes(routes!(metrics::compare_runs))
        .routes(routes!(downloads::run_report))
        .routes(routes!(downloads::export_run))
        .routes(routes!(generations::list_generations))
        .routes(routes!(generations::list_individuals))
        .routes(routes!(generations::show_individual))
        .routes(routes!(generations::download_individual))
        .routes(routes!(run_games::search_games))
        .routes(routes!(run_games::list_run_games))
        .routes(routes!(run_games::show_game))
        .routes(routes!(run_games::download_game))
        .routes(routes!(game_files::check_game_file))
        .routes(routes!(game_files::write_game_file))
        .routes(routes!(cluster::show_cluster))
}

/// The description of the interface, as JSON.
pub fn description() -> String {
    let (_, description) = described().split_for_parts();
    // Our own description always becomes JSON.
    description.to_pretty_json().unwrap_or_default() + "\n"
}

/// All routes, and the one that describes them.
pub fn router() -> Router<App> {
    let (router, description) = described().split_for_parts();
    router.route("/api/openapi.json", axum::routing::get(move || async move { Json(description) }))
}
