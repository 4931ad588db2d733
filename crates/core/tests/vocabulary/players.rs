//! Whole games between players, well-behaved and not.

use lanista_core::{
    Budget, Decision, Ending, Game, MoveList, Outcome, Player, Position, RandomGame, RandomStream, Reason, Record,
    Referee, Seed, Side, play_game,
};

use crate::ratchet::{Act, Ratchet};

/// Plays its moves in order, then gives up.
struct Script(Vec<Act>);

impl Player<Ratchet> for Script {
    fn choose(&mut self, game: &Referee<Ratchet>, _: &Budget, _: &mut RandomStream) -> Option<Decision<Act>> {
        self.0.get(game.moves().len() / 2).copied().map(Decision::blind)
    }
}

/// Draws its move from its stream.
struct Dice;

impl Player<Ratchet> for Dice {
    fn choose(&mut self, game: &Referee<Ratchet>, _: &Budget, random: &mut RandomStream) -> Option<Decision<Act>> {
        let mut moves = MoveList::new();
        game.position().legal_moves(&mut moves);
        Some(Decision::blind(moves[random.below(moves.len() as u32) as usize]))
    }
}

/// Turns the left lamp on and off, and checks what it may spend.
struct Thrifty(u64);

impl Player<Ratchet> for Thrifty {
    fn choose(&mut self, _: &Referee<Ratchet>, budget: &Budget, _: &mut RandomStream) -> Option<Decision<Act>> {
        assert_eq!(budget.nodes, Some(self.0));
        Some(Decision::blind(Act::LEFT))
    }
}

fn play(rules: &str, mut first: impl Player<Ratchet>, mut second: impl Player<Ratchet>, seed: Seed) -> Record<Ratchet> {
    let budgets = [1, 2].map(|nodes| Budget { nodes: Some(nodes), ..Budget::default() });
    let rules = Ratchet::rules(rules).expect("rules");
    play_game(&rules, [&mut first, &mut second], [&budgets[0], &budgets[1]], seed)
}

#[test]
fn who_answers_with_an_illegal_move_forfeits() {
    let record = play("", Script(vec![Act::LEFT, Act::TURN]), Script(vec![Act::TAKE]), Seed::new(1));
    assert_eq!(record.ending, Some(Ending { outcome: Outcome::Win(Side::First), reason: Reason::Forfeit }));
    assert_eq!(record.moves, [Act::LEFT], "the illegal move is not part of the game");
    let record = play("", Script(vec![Act::TURN]), Script(vec![]), Seed::new(1));
    assert_eq!(record.ending, Some(Ending { outcome: Outcome::Win(Side::Second), reason: Reason::Forfeit }));
    assert_eq!(record.moves, []);
}

#[test]
fn who_does_not_answer_resigns() {
    let record = play("", Script(vec![Act::LEFT, Act::TURN]), Script(vec![Act::TURN]), Seed::new(1));
    assert_eq!(record.ending, Some(Ending { outcome: Outcome::Win(Side::First), reason: Reason::Resignation }));
    assert_eq!(record.moves, [Act::LEFT, Act::TURN, Act::TURN]);
}

#[test]
fn each_player_has_its_own_budget() {
    let record = play("ply-cap=4,repetition=none", Thrifty(1), Thrifty(2), Seed::new(1));
    assert_eq!(record.ending, Some(Ending { outcome: Outcome::Draw, reason: Reason::PlyCap }));
    assert_eq!(record.moves.len(), 4);
}

/// Both players draw from the stream of the seed, as [`Record`] promises.
#[test]
fn a_record_follows_from_its_seed() {
    let seed = Seed::new(7).child(3);
    let record = play("greedy", Dice, Dice, seed);
    assert_eq!(record.seed, Some(seed));
    assert_eq!(play("greedy", Dice, Dice, seed), record);
    let mut stream = seed.stream();
    let mut position = record.start;
    let mut moves = MoveList::new();
    for (ply, &mv) in record.moves.iter().enumerate() {
        position.legal_moves(&mut moves);
        assert_eq!(mv, moves[stream.below(moves.len() as u32) as usize], "ply {ply}");
        position.play(mv);
    }
    assert!(record.moves.len() > 4, "{record:?}");
}

/// One room for many games: what an earlier game left behind does not matter.
#[test]
fn random_games_do_not_depend_on_earlier_ones() {
    for name in ["standard", "quick", "greedy", "endless"] {
        let rules = Ratchet::rules(name).expect("rules");
        let mut used = RandomGame::new(&rules);
        let mut lengths = std::collections::BTreeSet::new();
        for game in 0..50 {
            let seed = Seed::new(game);
            let fresh = RandomGame::new(&rules).play(rules.start, &mut seed.stream());
            assert_eq!(used.play(rules.start, &mut seed.stream()), fresh, "{name}: game {game}");
            lengths.insert(fresh.1);
        }
        assert!(lengths.len() > 3, "{name}: {lengths:?}");
    }
}
