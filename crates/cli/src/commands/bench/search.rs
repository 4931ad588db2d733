//! The engine on a fixed set of positions: speed, time to a depth, and nodes to a depth with each technique off.

use std::time::{Duration, Instant};

use lanista_core::{Budget, Player, Referee, Seed, mix64};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::RegisteredGame;

use super::{Entry, Quantity};

/// The switches of the engine that are measured one by one.
const TECHNIQUES: [&str; 10] =
    ["etc", "null-move", "multi-cut", "killers", "history", "urgency", "quiescence", "aspiration", "reductions", "iir"];

/// The engine's entries for each game.
pub fn entries() -> Vec<Entry> {
    let mut entries = Vec::new();
    add::<Loa<8>>(&mut entries, 7, 10);
    add::<Draughts>(&mut entries, 12, 18);
    add::<ConnectFour>(&mut entries, 12, 16);
    entries
}

/// `depth` for the set of positions, `deep` for the start of the game.
fn add<G: RegisteredGame>(entries: &mut Vec<Entry>, depth: u32, deep: u32) {
    let game = G::ID;
    let everything = format!("pvs:depth={depth}");
    let start = format!("pvs:depth={deep},table=64");
    let speed = everything.clone();
    entries.push(Entry::new(format!("search/{game}/speed"), Quantity::Rate("nodes/s"), move || {
        think::<G>(&speed, &positions())
    }));
    entries.push(Entry::new(format!("search/{game}/start-to-depth-{deep}"), Quantity::Seconds, move || {
        think::<G>(&start, &[Referee::new(&G::presets()[0])])
    }));
    entries.push(Entry::new(
        format!("search/{game}/latest-stop"),
        Quantity::Count("µs after the deadline"),
        latest_stop::<G>,
    ));
    let nodes = Quantity::Count("nodes");
    let name = format!("search/{game}/nodes-to-depth-{depth}");
    let spec = everything.clone();
    entries.push(Entry::new(name.clone(), nodes, move || think::<G>(&spec, &positions())));
    for technique in TECHNIQUES {
        let spec = format!("{everything},{technique}=false");
        entries.push(Entry::new(format!("{name}/without-{technique}"), nodes, move || think::<G>(&spec, &positions())));
    }
}

/// The start and positions after 8, 16 and 24 random plies.
fn positions<G: RegisteredGame>() -> Vec<Referee<G>> {
    let rules = &G::presets()[0];
    let after = |plies: u32| {
        (0..)
            .map(|attempt| {
                let mut random = Seed::new(plies.into()).child(attempt).stream();
                let mut game = Referee::new(rules);
                game.play_random(plies, &mut random);
                game
            })
            .find(|game| game.ending().is_none())
    };
    [0, 8, 16, 24].into_iter().filter_map(after).collect()
}

/// How late the latest of twenty decisions with a time limit came, in microseconds. Making the player is no part of it.
fn latest_stop<G: RegisteredGame>() -> (u64, u64) {
    const LIMIT: Duration = Duration::from_millis(30);
    let budget = Budget { time: Some(LIMIT), ..Budget::default() };
    let late = |game: &Referee<G>| {
        let mut player = player::<G>("pvs");
        let began = Instant::now();
        player.choose(game, &budget, &mut Seed::new(0).stream());
        began.elapsed().saturating_sub(LIMIT)
    };
    let latest = positions::<G>().iter().cycle().take(20).map(late).max().unwrap_or_default();
    (latest.as_micros() as u64, 0)
}

/// Nodes and a hash of moves and scores.
fn think<G: RegisteredGame>(spec: &str, games: &[Referee<G>]) -> (u64, u64) {
    let (mut nodes, mut hash) = (0, 0);
    for game in games {
        if let Some(decision) = player::<G>(spec).choose(game, &Budget::default(), &mut Seed::new(0).stream()) {
            nodes += decision.nodes;
            let score = decision.score.map_or(0, |score| i64::from(score.0));
            hash = mix64(hash ^ decision.nodes ^ mix64(score as u64));
        }
    }
    (nodes, hash)
}

/// The player of a spec in this file; a wrong one is a defect that the tests show.
fn player<G: RegisteredGame>(spec: &str) -> Box<dyn Player<G>> {
    match PlayerSpec::parse(spec).map(|spec| spec.build::<G>(&Default::default())) {
        Ok(Ok(player)) => player,
        _ => unreachable!("{spec} is a good player"),
    }
}
