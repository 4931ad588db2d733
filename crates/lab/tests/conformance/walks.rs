//! Ways through a game, to look at the positions on them.

use std::collections::HashSet;

use lanista_core::{Game, MoveList, RandomStream, Referee, Rules, SIDE_KEY, Seed};

/// How a walk chooses its moves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// Any legal move.
    Random,
    /// Back to a board that was there before wherever a move leads to one, every other time:
    /// random games seldom repeat themselves.
    Homing,
}

/// No game is followed for longer: some rules do not end games.
const MOST_PLIES: usize = 300;

/// Plays games and shows each of their positions, the last ones too. The seed depends on nothing but the game's name,
/// so that a failure repeats.
pub fn play<G: Game>(rules: &Rules<G>, walk: Walk, games: u64, mut show: impl FnMut(&Referee<G>, &mut RandomStream)) {
    let name = G::ID.bytes().fold(Seed::new(games), |seed, byte| seed.child(byte.into()));
    for game in 0..games {
        let mut random = name.child(game).stream();
        let mut referee = Referee::new(rules);
        let mut boards = HashSet::from([board(&rules.start)]);
        for _ in 0..MOST_PLIES {
            show(&referee, &mut random);
            if referee.ending().is_some() {
                break;
            }
            let mv = choose(referee.position(), walk, &boards, &mut random);
            referee.play(mv).unwrap_or_else(|error| panic!("{}: {}: {error}", G::ID, referee.position()));
            boards.insert(board(referee.position()));
        }
    }
}

/// Positions from random games, `step` plies apart, finished ones included.
pub fn sample<G: Game>(rules: &Rules<G>, games: u64, step: usize) -> Vec<G> {
    let mut positions = Vec::new();
    play(rules, Walk::Random, games, |referee, _| {
        if referee.moves().len() % step == 0 || referee.ending().is_some() {
            positions.push(*referee.position());
        }
    });
    positions
}

/// The legal moves.
pub fn legal<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    moves.to_vec()
}

/// The position after a move.
pub fn after<G: Game>(position: &G, mv: G::Move) -> G {
    let mut next = *position;
    next.play(mv);
    next
}

fn choose<G: Game>(position: &G, walk: Walk, boards: &HashSet<u64>, random: &mut RandomStream) -> G::Move {
    let moves = legal(position);
    if walk == Walk::Homing && random.below(2) == 0 {
        let home: Vec<G::Move> =
            moves.iter().copied().filter(|&mv| boards.contains(&board(&after(position, mv)))).collect();
        if !home.is_empty() {
            return home[random.below(home.len() as u32) as usize];
        }
    }
    moves[random.below(moves.len() as u32) as usize]
}

/// A number for the board alone, without the side to move.
fn board<G: Game>(position: &G) -> u64 {
    let key = position.key();
    key.min(key ^ SIDE_KEY)
}
