//! Endings: what the referee calls against the rules applied by hand to the whole game.

use lanista_core::{
    DrawRules, Ending, Game, NoProgress, Outcome, Picture, Progress, Reason, Repetition, Rules, Side, Verdict,
};

use crate::walks::{self, Walk};

/// The referee ends a game exactly when the rules do, for their reason, and counts occurrences right; also under rules
/// that the game's presets do not have.
pub fn follow_the_rules<G: Game>(rules: &Rules<G>) {
    let every_rule = |count, side_matters, plies, progress, verdict| DrawRules {
        repetition: Some(Repetition { count, side_matters }),
        no_progress: Some(NoProgress { plies, progress, verdict }),
        ply_cap: Some(60),
    };
    let variants = [
        rules.draws,
        every_rule(3, true, 10, Progress::Advance, Verdict::Material),
        every_rule(4, false, 25, Progress::Conversion, Verdict::Draw),
    ];
    for draws in variants {
        let rules = Rules { draws, ..rules.clone() };
        for walk in [Walk::Random, Walk::Homing] {
            check(&rules, walk);
        }
    }
}

fn check<G: Game>(rules: &Rules<G>, walk: Walk) {
    let mut past: Vec<Seen<G>> = Vec::new();
    let mut idle = 0;
    walks::play(rules, walk, 12, |referee, _| {
        let position = *referee.position();
        match (past.last(), referee.moves().last()) {
            (Some(before), Some(&mv)) => {
                let least = rules.draws.no_progress.map_or(Progress::Reversible, |rule| rule.progress);
                idle = if before.position.progress(mv) < least { idle + 1 } else { 0 };
            }
            _ => {
                past.clear();
                idle = 0;
            }
        }
        let history = referee.history();
        if let (Some(before), Some(&mv)) = (past.last(), referee.moves().last()) {
            // What a search asks before it makes a move.
            let mut earlier = history.clone();
            earlier.pop();
            let foreseen = earlier.ending_after(before.position.progress(mv), &position);
            assert_eq!(foreseen, history.ending(&position), "{}: {} after {:?}", G::ID, rules.draws, referee.moves());
        }
        past.push(Seen { position, picture: position.picture() });
        let expected = rules.draws.repetition.map_or(1, |rule| occurrences(rule, &past));
        assert_eq!(history.occurrences(), expected, "{}: {} after {:?}", G::ID, rules.draws, referee.moves());
        let expected = ending(&rules.draws, &past, idle);
        assert_eq!(referee.ending(), expected, "{}: {} after {:?}", G::ID, rules.draws, referee.moves());
        assert_eq!(history.plies() as usize, referee.moves().len(), "{}", G::ID);
    });
}

/// A position of the game with its board as people see it, which does not show the side to move.
struct Seen<G> {
    position: G,
    picture: Picture,
}

fn ending<G: Game>(rules: &DrawRules, past: &[Seen<G>], idle: u32) -> Option<Ending> {
    let position = past.last()?.position;
    let draw = |reason| Some(Ending { outcome: Outcome::Draw, reason });
    if let Some(outcome) = position.outcome() {
        return Some(Ending { outcome, reason: Reason::Board });
    }
    if rules.repetition.is_some_and(|rule| occurrences(rule, past) >= rule.count) {
        return draw(Reason::Repetition);
    }
    if let Some(rule) = rules.no_progress.filter(|rule| idle >= rule.plies) {
        let [first, second] = Side::BOTH.map(|side| position.material(side));
        let outcome = match rule.verdict {
            Verdict::Material if first != second => {
                Outcome::Win(if first > second { Side::First } else { Side::Second })
            }
            _ => Outcome::Draw,
        };
        return Some(Ending { outcome, reason: Reason::NoProgress });
    }
    if rules.ply_cap.is_some_and(|cap| past.len() as u32 > cap) {
        return draw(Reason::PlyCap);
    }
    None
}

/// How often the last board is among all boards of the game, with the same side to move if that matters.
fn occurrences<G: Game>(rule: Repetition, past: &[Seen<G>]) -> u32 {
    let Some(last) = past.last() else { return 0 };
    let same = |seen: &&Seen<G>| match rule.side_matters {
        true => seen.position == last.position,
        false => seen.picture == last.picture,
    };
    past.iter().filter(same).count() as u32
}
