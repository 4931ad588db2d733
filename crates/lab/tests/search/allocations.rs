//! A search asks for memory when it starts, and never again, however many positions it visits; and it needs little stack.
//! 10,000 random positions in all. How late a search stops after a deadline is a figure of `lanista bench search`.

use lanista_core::{Budget, Seed};
use lanista_games::connect_four::ConnectFour;
use lanista_games::draughts::Draughts;
use lanista_games::loa::Loa;
use lanista_lab::players::PlayerSpec;
use lanista_lab::registry::RegisteredGame;

use crate::under_way::random_game;

/// Allocations and nodes of decisions on random positions.
fn cost<G: RegisteredGame>(positions: u64, depth: u32) -> (u64, u64) {
    let rules = &G::presets()[0];
    let spec = PlayerSpec::parse(&format!("pvs:depth={depth},table=1")).expect("a good player");
    let mut player = spec.build::<G>(&Default::default()).expect("a good player");
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

/// An eighth of what a thread has by default. A search that overflows it ends the whole test.
const STACK: usize = 256 << 10;

fn constant<G: RegisteredGame>(positions: u64) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || compare::<G>(positions));
    if let Err(panic) = thread.expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

fn compare<G: RegisteredGame>(positions: u64) {
    let (few, few_nodes) = cost::<G>(positions, 2);
    let (many, many_nodes) = cost::<G>(positions, 5);
    assert!(many_nodes > 3 * few_nodes, "{}: the deeper search visits more", G::ID);
    // Three more plies need three more frames of two buffers each; nothing depends on the nodes.
    let more = many.saturating_sub(few);
    assert!(more <= 10 * positions, "{}: {more} more allocations for {} more nodes", G::ID, many_nodes - few_nodes);
}

#[test]
fn lines_of_action() {
    constant::<Loa<8>>(2000);
    constant::<Loa<6>>(1000);
    constant::<Loa<5>>(1000);
}

#[test]
fn connect_four() {
    constant::<ConnectFour>(3000);
}

#[test]
fn draughts() {
    constant::<Draughts>(3000);
}
