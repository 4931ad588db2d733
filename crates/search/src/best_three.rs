//! Variety without nonsense, as in the test games of the TD study of Lines of Action: the best three moves are played
//! with 60, 30 and 10 per cent.
//!
//! What is best the evaluator says, one ply ahead; or the look-ahead of the same study, at `depth` 3; or any other
//! player that has opinions, which is asked about the position after each move.

use std::sync::Arc;

use lanista_core::{Budget, Decision, Evaluator, MoveList, Observer, Player, Position, RandomStream, Referee, Score};

use crate::chance::opinion;
use crate::lookahead::{Line, followed};
use crate::parameters::{Depth, Kind, Parameter, PlayerInfo, Settings};
use crate::ranking::{EVAL, TIES, ranked, shuffled};
use crate::walk::Walk;

const fn share(name: &'static str, default: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Whole { least: 0, most: 1_000_000 }, default, about }
}

/// The player of the best three moves.
pub const BEST_THREE: PlayerInfo = PlayerInfo {
    name: "best-three",
    about: "plays one of the best three moves, the better the likelier (TD study of Lines of Action)",
    parameters: &[
        share("first", "60", "share of the best move; the thesis: 60 per cent"),
        share("second", "30", "share of the second; the thesis: 30"),
        share("third", "10", "share of the third; the thesis: 10"),
        Parameter {
            name: "depth",
            kind: Kind::Whole { least: 1, most: 100 },
            default: "1",
            about: "plies of look-ahead that put the three in order; 3 is the look-ahead of the thesis",
        },
        EVAL,
        TIES,
        Parameter {
            name: "of",
            kind: Kind::Player,
            default: "",
            about: "a player that is asked about the position after each move, instead of evaluator and depth",
        },
    ],
};

/// Plays one of the best three moves.
pub struct BestThree<P: Position> {
    shares: [u32; 3],
    depth: Depth,
    random_ties: bool,
    judge: Judge<P>,
    observer: Option<Arc<dyn Observer<P::Move>>>,
}

enum Judge<P> {
    Evaluator(Box<dyn Evaluator<P>>),
    Player(Box<dyn Player<P>>),
}

impl<P: Position> BestThree<P> {
    /// The player with these settings, whose moves an evaluator ranks.
    pub fn new(settings: &Settings, evaluator: Box<dyn Evaluator<P>>) -> BestThree<P> {
        BestThree::judged(settings, Judge::Evaluator(evaluator))
    }

    /// The player with these settings, whose moves another player ranks by its scores.
    pub fn of(settings: &Settings, player: Box<dyn Player<P>>) -> BestThree<P> {
        BestThree::judged(settings, Judge::Player(player))
    }

    fn judged(settings: &Settings, judge: Judge<P>) -> BestThree<P> {
        BestThree {
            shares: ["first", "second", "third"].map(|name| settings.whole(name).unwrap_or(0) as u32),
            depth: settings.depth(),
            random_ties: settings.text("ties") == "random",
            judge,
            observer: None,
        }
    }

    /// Which of `count` moves to play. With fewer than three the shares of those that there are decide.
    fn drawn(&self, count: usize, random: &mut RandomStream) -> usize {
        let shares = &self.shares[..count.min(3)];
        let mut draw = random.below(shares.iter().sum());
        for (index, &share) in shares.iter().enumerate() {
            if draw < share {
                return index;
            }
            draw -= share;
        }
        0
    }
}

impl<P: Position> Player<P> for BestThree<P> {
    fn is_always_fresh(&self) -> bool {
        match &self.judge {
            Judge::Evaluator(_) => true,
            Judge::Player(player) => player.is_always_fresh(),
        }
    }

    fn choose(&mut self, game: &Referee<P>, budget: &Budget, random: &mut RandomStream) -> Option<Decision<P::Move>> {
        let random_ties = self.random_ties;
        let (mut lines, nodes) = match &mut self.judge {
            Judge::Evaluator(evaluator) => {
                let mut walk = Walk::new(game, evaluator.as_mut());
                let mut all = ranked(&mut walk, game.position(), 0, random_ties.then_some(&mut *random));
                all.truncate(3);
                let depth = self.depth.within(budget);
                (followed(&mut walk, game.position(), all, depth), walk.nodes)
            }
            Judge::Player(player) => {
                asked(player.as_mut(), game, budget, random_ties, random, self.observer.as_deref())?
            }
        };
        lines.truncate(3);
        let line = lines.swap_remove(self.drawn(lines.len(), random));
        let score = if line.value == Score::win_in(1) { line.value } else { opinion(line.value) };
        let depth = line.moves.len() as u32;
        Some(Decision { mv: line.moves[0], score: Some(score), depth, nodes, line: line.moves })
    }

    fn failure(&self) -> Option<&str> {
        match &self.judge {
            Judge::Evaluator(_) => None,
            Judge::Player(player) => player.failure(),
        }
    }

    fn observe(&mut self, observer: Arc<dyn Observer<P::Move>>) {
        if let Judge::Player(player) = &mut self.judge {
            player.observe(Arc::new(WishesOnly(Arc::clone(&observer))));
        }
        self.observer = Some(observer);
    }
}

/// Hears nothing of what a player thinks of the positions after the moves: that is no decision of ours.
struct WishesOnly<M>(Arc<dyn Observer<M>>);

impl<M> Observer<M> for WishesOnly<M> {
    fn wants_decision(&self) -> bool {
        self.0.wants_decision()
    }

    fn progress(&self, _: &Decision<M>) {}
}

/// All moves, the best first, as another player sees them: it decides for the other side after each, and what it
/// thinks of that side's game is, turned round, what the move is worth. A player without opinion calls it even, one that resigns
/// lost; from one that breaks down there is nothing to learn. Each move has the same share of the time; whoever wants a decision
/// before the last one gets it from those that were looked at.
fn asked<P: Position>(
    player: &mut dyn Player<P>,
    game: &Referee<P>,
    budget: &Budget,
    random_ties: bool,
    random: &mut RandomStream,
    observer: Option<&dyn Observer<P::Move>>,
) -> Option<(Vec<Line<P::Move>>, u64)> {
    let mut moves = MoveList::new();
    game.position().legal_moves(&mut moves);
    if random_ties {
        shuffled(moves.as_mut_slice(), random);
    }
    let side = game.position().side_to_move();
    let share = budget.time.map(|time| time / moves.len().max(1) as u32);
    let budget = &Budget { time: share, ..*budget };
    let mut nodes = 0;
    let mut lines: Vec<Line<P::Move>> = Vec::with_capacity(moves.len());
    for &mv in moves.iter() {
        if !lines.is_empty() && observer.is_some_and(Observer::wants_decision) {
            break;
        }
        let mut next = game.clone();
        if next.play(mv).is_err() {
            continue;
        }
        nodes += 1;
        let mut line = Line { moves: vec![mv], value: Score::DRAW };
        if let Some(ending) = next.ending() {
            line.value = ending.outcome.score(side, 1);
        } else if let Some(reply) = player.choose(&next, budget, random) {
            nodes += reply.nodes;
            line.value = opinion(-reply.score.unwrap_or(Score::DRAW));
            line.moves.extend(reply.line);
        } else if player.failure().is_none() {
            line.value = opinion(Score::WIN);
        } else {
            return None;
        }
        lines.push(line);
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.value));
    Some((lines, nodes))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use lanista_core::{Game, Seed};

    use super::*;
    use crate::greedy::{GREEDY, Greedy};
    use crate::twigs::{To, Twig, Written};

    /// How often each of the three root moves is played in 10,000 decisions.
    fn frequencies(mut player: BestThree<Twig>) -> [u32; 3] {
        let game = Referee::new(&Twig::presets()[0]);
        let mut random = Seed::new(5).stream();
        let mut counts = [0; 3];
        for _ in 0..10_000 {
            let To(place) = player.choose(&game, &Budget::default(), &mut random).unwrap().mv;
            counts[usize::from(place) - 1] += 1;
        }
        counts
    }

    /// Within six standard deviations, which are at most 50.
    fn near(counts: [u32; 3], expected: [u32; 3]) -> bool {
        counts.iter().zip(expected).all(|(count, expected)| count.abs_diff(expected) < 300)
    }

    fn settings(text: &str) -> Settings {
        Settings::parse(&BEST_THREE, text, 1).unwrap()
    }

    #[test]
    fn sixty_thirty_ten() {
        let counts = frequencies(BestThree::new(&settings(""), Box::new(Written)));
        assert!(near(counts, [6000, 3000, 1000]), "{counts:?}");
        let counts = frequencies(BestThree::new(&settings("first=1,second=0,third=3"), Box::new(Written)));
        assert!(near(counts, [2500, 0, 7500]) && counts[1] == 0, "{counts:?}");
    }

    #[test]
    fn look_ahead_puts_them_in_another_order() {
        let counts = frequencies(BestThree::new(&settings("depth=3"), Box::new(Written)));
        assert!(near(counts, [3000, 6000, 1000]), "{counts:?}");
    }

    /// Asked about the replies, the greedy player finds 2 best (90) and 3, where it loses, worst.
    #[test]
    fn another_player_puts_them_in_order() {
        let greedy = Greedy::new(&Settings::parse(&GREEDY, "", 1).unwrap(), Box::new(Written));
        let counts = frequencies(BestThree::of(&settings(""), Box::new(greedy)));
        assert!(near(counts, [3000, 6000, 1000]), "{counts:?}");
    }

    /// Resigns behind the move 3, or breaks down there.
    struct Quitter {
        breaks_down: bool,
        is_broken: bool,
    }

    impl Player<Twig> for Quitter {
        fn choose(&mut self, game: &Referee<Twig>, _: &Budget, _: &mut RandomStream) -> Option<Decision<To>> {
            let mut moves = MoveList::new();
            game.position().legal_moves(&mut moves);
            let goes_on = game.moves() != [To(3)];
            self.is_broken |= self.breaks_down && !goes_on;
            goes_on.then(|| Decision::blind(moves[0]))
        }

        fn failure(&self) -> Option<&str> {
            self.is_broken.then_some("broken")
        }
    }

    #[test]
    fn a_player_that_resigns_calls_the_move_a_win_and_one_that_breaks_down_calls_nothing() {
        let only_the_best = settings("second=0,third=0");
        let game = Referee::new(&Twig::presets()[0]);
        let choose = |breaks_down| {
            let quitter = Quitter { breaks_down, is_broken: false };
            let mut player = BestThree::of(&only_the_best, Box::new(quitter));
            let decision = player.choose(&game, &Budget::default(), &mut Seed::new(5).stream());
            (decision.map(|decision| decision.mv), player.failure().is_some())
        };
        assert_eq!((choose(false), choose(true)), ((Some(To(3)), false), (None, true)));
    }

    /// The time that a player was given, and whether somebody wanted a decision.
    type Given = Vec<(Option<Duration>, bool)>;

    /// Writes down what it is given.
    struct Clerk {
        given: Arc<Mutex<Given>>,
        observer: Option<Arc<dyn Observer<To>>>,
    }

    #[derive(Default)]
    struct Hurry {
        is_wanted: AtomicBool,
        is_told: AtomicBool,
    }

    impl Observer<To> for Hurry {
        fn wants_decision(&self) -> bool {
            self.is_wanted.load(Ordering::Relaxed)
        }

        fn progress(&self, _: &Decision<To>) {
            self.is_told.store(true, Ordering::Relaxed);
        }
    }

    impl Player<Twig> for Clerk {
        fn choose(&mut self, game: &Referee<Twig>, budget: &Budget, _: &mut RandomStream) -> Option<Decision<To>> {
            let is_wanted = self.observer.as_ref().is_some_and(|observer| observer.wants_decision());
            self.given.lock().unwrap().push((budget.time, is_wanted));
            let mut moves = MoveList::new();
            game.position().legal_moves(&mut moves);
            let decision = Decision::blind(moves[0]);
            if let Some(observer) = &self.observer {
                observer.progress(&decision);
            }
            Some(decision)
        }

        fn observe(&mut self, observer: Arc<dyn Observer<To>>) {
            self.observer = Some(observer);
        }
    }

    #[test]
    fn the_other_player_shares_the_time_and_hears_who_wants_a_decision() {
        let (given, hurry) = (Arc::<Mutex<Given>>::default(), Arc::new(Hurry::default()));
        let clerk = Clerk { given: Arc::clone(&given), observer: None };
        let mut player = BestThree::of(&settings(""), Box::new(clerk));
        let game = Referee::new(&Twig::presets()[0]);
        let budget = Budget { time: Some(Duration::from_millis(300)), ..Budget::default() };
        let mut random = Seed::new(5).stream();
        player.choose(&game, &budget, &mut random).unwrap();
        let share = Some(Duration::from_millis(100));
        assert_eq!(*given.lock().unwrap(), [(share, false); 3]);
        given.lock().unwrap().clear();
        player.observe(Arc::clone(&hurry) as Arc<dyn Observer<To>>);
        hurry.is_wanted.store(true, Ordering::Relaxed);
        player.choose(&game, &budget, &mut random).unwrap();
        assert_eq!(*given.lock().unwrap(), [(share, true)], "one move must be looked at, and no other");
        assert!(!hurry.is_told.load(Ordering::Relaxed), "thoughts about other positions are not told");
    }
}
