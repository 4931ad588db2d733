//! Every exact search returns the value of plain negamax, on trees that are written down and on random ones.

use lanista_core::{Budget, Decision, DrawRules, Evaluator, Outcome, Player, Position, Referee, Rules, Score, Seed};

use crate::evaluators::HashRandom;
use crate::parameters::Settings;
use crate::plain::{ALPHABETA, Order, Plain};
use crate::pvs::{PVS, Pvs};
use crate::twigs::{Place, To, Tree, Twig};

/// Trees with what they are worth when searched to the bottom: `None` where the evaluator decides.
const WRITTEN: [(&str, Option<Score>); 14] = [
    // One move, one after the other.
    ("((((+))))", Some(Score::win_in(4))),
    ("((((-))))", Some(Score::loss_in(4))),
    ("(((.)))", None),
    // The near win, whichever comes first.
    ("(((+)) + ((((+)))))", Some(Score::win_in(1))),
    ("(((((+)))) ((+)))", Some(Score::win_in(3))),
    // The far loss, whichever comes first.
    ("(((((-)))) ((-)) -)", Some(Score::loss_in(5))),
    ("((-) (((-))))", Some(Score::loss_in(4))),
    // A draw rather than a loss, and ties of draws.
    ("(- = -)", Some(Score::DRAW)),
    ("((= =) (= (=)) =)", Some(Score::DRAW)),
    // The other side has the choice: it takes its win, or the draw, or puts its loss off.
    ("((+ -) (+ =))", Some(Score::DRAW)),
    ("((+ ((+))) (+ ((((+))))))", Some(Score::win_in(4))),
    // Ties of wins at the same distance, ends beside open places.
    ("(((+ .) (+ -)) ((. +) (= +)))", Some(Score::win_in(3))),
    ("((. (. (+ .) -)) (= (. . (- .))) (((. -) .) .))", None),
    ("((. . .) (. (+)) (. - =))", None),
];

fn game(tree: Tree) -> Referee<Twig> {
    let start = Twig::root(tree);
    Referee::new(&Rules { name: "twigs".into(), about: "", start, draws: DrawRules::default() })
}

/// Plain negamax on what is written.
fn negamax(position: Twig, opinion: HashRandom, depth: u32, ply: i32) -> Score {
    let side = position.side_to_move();
    match &position.tree.0[position.place as usize] {
        Place::End(Outcome::Draw) => Score(0),
        Place::End(Outcome::Win(winner)) if *winner == side => Score(1_000_000 - ply),
        Place::End(Outcome::Win(_)) => Score(ply - 1_000_000),
        Place::Branch(_) if depth == 0 => { opinion }.value(&position),
        Place::Branch(children) => {
            let value = |&place: &u8| {
                let mut next = position;
                next.play(To(place));
                -negamax(next, opinion, depth - 1, ply + 1)
            };
            children.iter().map(value).max().expect("a branch has places")
        }
    }
}

fn decision(player: &mut dyn Player<Twig>, game: &Referee<Twig>) -> Decision<To> {
    player.choose(game, &Budget::default(), &mut Seed::new(0).stream()).expect("it does not resign")
}

/// How many combinations the engine's sound switches have.
const COMBINATIONS: u32 = 128;

/// A search, with the settings that make it.
type Search = (String, Box<dyn Player<Twig>>);

/// The exact searches of that depth, the engine with these combinations of its switches.
fn searches(depth: u32, opinion: HashRandom, combinations: impl Iterator<Item = u32>) -> Vec<Search> {
    let mut searches: Vec<Search> = Vec::new();
    for order in [None, Some(Order::Natural), Some(Order::Random), Some(Order::Heuristic), Some(Order::Quick)] {
        let settings = Settings::parse(&ALPHABETA, &format!("depth={depth}"), 1).expect("good settings");
        let player = Plain::new(order, &settings, Box::new(opinion));
        searches.push((format!("{order:?}, depth {depth}"), Box::new(player)));
    }
    for switches in combinations {
        let on = |bit: u32| switches >> bit & 1 == 1;
        let text = format!(
            "exact=true,depth={depth},table={},lookback={},etc={},killers={},history={},urgency={},aspiration={}",
            u32::from(on(0)),
            on(1),
            on(2),
            on(3),
            on(4),
            on(5),
            on(6)
        );
        let settings = Settings::parse(&PVS, &text, 1).expect("good settings");
        searches.push((text, Box::new(Pvs::new(&settings, || Box::new(opinion)))));
    }
    searches
}

/// The value of a position to that depth, after checking that all searches find it.
fn agreed(name: &str, game: &Referee<Twig>, opinion: HashRandom, depth: u32, searches: &mut [Search]) -> Score {
    let expected = negamax(*game.position(), opinion, depth, 0);
    for (settings, player) in searches {
        let found = decision(player.as_mut(), game).score;
        assert_eq!(found, Some(expected), "{settings}: {} of {name}", game.position());
    }
    expected
}

#[test]
fn trees_written_down() {
    let opinion = HashRandom::default();
    for (text, worth) in WRITTEN {
        let game = game(Tree::written(text));
        for depth in 1..=6 {
            let value = agreed(text, &game, opinion, depth, &mut searches(depth, opinion, 0..COMBINATIONS));
            assert!(depth < 6 || worth.is_none_or(|worth| value == worth), "{text}: {value}");
        }
    }
}

/// Along the best line of each tree, so that tables hold what was found a move ago. A part of the combinations for each
/// tree, all of them many times over.
#[test]
fn random_trees() {
    let mut decided = [0; 2];
    for seed in 0..2000 {
        let opinion = HashRandom { seed };
        let mut random = Seed::new(seed).stream();
        let mut game = game(Tree::random(&mut random));
        let depth = 1 + random.below(7);
        let combinations = (seed as u32 % 16..COMBINATIONS).step_by(16);
        let mut searches = searches(depth, opinion, combinations);
        for _ in 0..5 {
            let name = format!("{:?}", game.position().tree);
            let value = agreed(&name, &game, opinion, depth, &mut searches);
            decided[usize::from(value.plies_to_end().is_some())] += 1;
            game.play(decision(searches[0].1.as_mut(), &game).mv).expect("legal");
            if game.ending().is_some() {
                break;
            }
        }
    }
    assert!(decided.iter().all(|&count| count >= 1000), "{decided:?}: the test shows little");
}
