//! A search asks for memory when it starts, and never again, however many positions it visits.

use lanista_core::{Budget, Seed};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::RegisteredGame;

use crate::oracle::random_game;

/// Allocations and nodes of decisions on random positions.
fn cost<G: RegisteredGame>(positions: u64, depth: u32) -> (u64, u64) {
    let rules = &G::presets()[0];
    let spec = PlayerSpec::parse(&format!("pvs:depth={depth},table=1")).expect("a good player");
    let mut player = spec.build::<G>().expect("a good player");
    let (mut allocations, mut nodes) = (0, 0);
    for index in 0..positions {
        let game = random_game(rules, Seed::new(index), index as u32 % 30);
        let info = allocation_counter::measure(|| {
            let decision = player.choose(&game, &Budget::default(), &mut Seed::new(0).stream());
            nodes += decision.expect("it does not resign").nodes;
        });
        allocations += info.count_total;
    }
    (allocations, nodes)
}

fn constant<G: RegisteredGame>(positions: u64) {
    let (few, few_nodes) = cost::<G>(positions, 2);
    let (many, many_nodes) = cost::<G>(positions, 5);
    assert!(many_nodes > 3 * few_nodes, "{}: the deeper search visits more", G::ID);
    // Three more plies need three more frames of two buffers each; nothing depends on the nodes.
    let more = many.saturating_sub(few);
    assert!(more <= 10 * positions, "{}: {more} more allocations for {} more nodes", G::ID, many_nodes - few_nodes);
}

#[test]
fn nothing_is_allocated_per_node() {
    constant::<Loa<8>>(300);
    constant::<Draughts>(1000);
    constant::<ConnectFour>(1000);
}
