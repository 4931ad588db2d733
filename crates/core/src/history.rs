//! The past of a game, as far as the rules ask for it.

use crate::{DrawRules, Ending, NoProgress, Outcome, Position, Progress, Reason, SIDE_KEY, Side, Verdict};

/// The keys of the positions so far and the counts that [`DrawRules`] need.
///
/// The referee pushes what is played; a search pushes and pops what it tries.
#[derive(Clone, Debug)]
pub struct History {
    rules: DrawRules,
    plies: u32,
    entries: Vec<Entry>,
    /// How many entries have a key with these last bits. It is mostly too few for a repetition, so that nobody has to look back.
    alike: [u32; ALIKE],
}

/// Kinds of keys; more than most games have positions.
const ALIKE: usize = 256;

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Key of the position, without the side to move where the rules ignore it.
    key: u64,
    /// Plies since the last move that cannot be undone: only so far back can this position have occurred.
    reversible: u32,
    /// Plies since the last move that the no-progress rule calls progress.
    idle: u32,
}

impl History {
    /// The history of a game that starts at `start`.
    pub fn new<P: Position>(rules: DrawRules, start: &P) -> History {
        let mut history = History { rules, plies: 0, entries: Vec::new(), alike: [0; ALIKE] };
        history.restart(start);
        history
    }

    /// Forgets everything and starts at `start`, keeping the rules and the memory.
    #[inline]
    pub fn restart<P: Position>(&mut self, start: &P) {
        self.plies = 0;
        self.entries.clear();
        if self.looks_back() {
            self.alike = [0; ALIKE];
            self.add(Entry { key: self.key_of(start), reversible: 0, idle: 0 });
        }
    }

    /// The rules it keeps track of.
    pub fn rules(&self) -> &DrawRules {
        &self.rules
    }

    /// How many plies have been played.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Notes that a move of that `progress` led to `position`.
    #[inline]
    pub fn push<P: Position>(&mut self, progress: Progress, position: &P) {
        self.plies += 1;
        if self.looks_back() {
            let entry = self.entry(progress, self.key_of(position));
            self.add(entry);
        }
    }

    /// Takes the last move back.
    #[inline]
    pub fn pop(&mut self) {
        self.plies -= 1;
        if let Some(entry) = self.entries.pop() {
            self.alike[kind(entry.key)] -= 1;
        }
    }

    #[inline]
    fn add(&mut self, entry: Entry) {
        self.alike[kind(entry.key)] += 1;
        self.entries.push(entry);
    }

    /// What a move of that `progress` to a position with that key would add.
    #[inline]
    fn entry(&self, progress: Progress, key: u64) -> Entry {
        let (reversible, idle) = self.entries.last().map_or((0, 0), |last| (last.reversible, last.idle));
        let reversible = if progress == Progress::Reversible { reversible + 1 } else { 0 };
        let idle = match self.rules.no_progress {
            Some(rule) if progress < rule.progress => idle + 1,
            _ => 0,
        };
        Entry { key, reversible, idle }
    }

    /// How often the present position has occurred, now included. 1 if the rules do not look back.
    #[inline]
    pub fn occurrences(&self) -> u32 {
        let (Some(rule), Some((last, past))) = (self.rules.repetition, self.entries.split_last()) else {
            return 1;
        };
        if self.alike[kind(last.key)] == 1 {
            return 1;
        }
        let step = if rule.side_matters { 2 } else { 1 };
        let reach = &past[past.len() - last.reversible as usize..];
        1 + reach.iter().rev().skip(step - 1).step_by(step).filter(|entry| entry.key == last.key).count() as u32
    }

    /// The ending that the rules impose on `position`, the present one. The board's own verdict goes first;
    /// ask [`Position::outcome`] before.
    #[inline]
    pub fn ending<P: Position>(&self, position: &P) -> Option<Ending> {
        if self.looks_back() {
            if let (Some(rule), Some(last)) = (self.rules.repetition, self.entries.last())
                && self.alike[kind(last.key)] >= rule.count
                && self.occurrences() >= rule.count
            {
                return Some(Ending { outcome: Outcome::Draw, reason: Reason::Repetition });
            }
            if let (Some(rule), Some(last)) = (self.rules.no_progress, self.entries.last())
                && last.idle >= rule.plies
            {
                return Some(Ending { outcome: verdict(rule, position), reason: Reason::NoProgress });
            }
        }
        if self.rules.ply_cap.is_some_and(|cap| self.plies >= cap) {
            return Some(Ending { outcome: Outcome::Draw, reason: Reason::PlyCap });
        }
        None
    }

    /// In how many plies the rules end the game for the number of plies alone: by its length, and for want of progress.
    /// What a search finds within fewer plies does not depend on either.
    #[inline]
    pub fn plies_left(&self) -> [u32; 2] {
        let by_length = self.rules.ply_cap.map_or(u32::MAX, |cap| cap.saturating_sub(self.plies));
        let idle = self.entries.last().map_or(0, |last| last.idle);
        [by_length, self.rules.no_progress.map_or(u32::MAX, |rule| rule.plies.saturating_sub(idle))]
    }

    /// The ending that the rules would impose on `position` after a move of that `progress`, without making the move.
    #[inline]
    pub fn ending_after<P: Position>(&mut self, progress: Progress, position: &P) -> Option<Ending> {
        let capped = self.rules.ply_cap.is_some_and(|cap| self.plies + 1 >= cap);
        if !capped && self.looks_back() {
            let entry = self.entry(progress, self.key_of(position));
            let repeats = self.rules.repetition.is_some_and(|rule| self.alike[kind(entry.key)] + 1 >= rule.count);
            if !repeats && self.rules.no_progress.is_none_or(|rule| entry.idle < rule.plies) {
                return None;
            }
        } else if !capped {
            return None;
        }
        self.push(progress, position);
        let ending = self.ending(position);
        self.pop();
        ending
    }

    #[inline]
    fn looks_back(&self) -> bool {
        self.rules.repetition.is_some() || self.rules.no_progress.is_some()
    }

    #[inline]
    fn key_of<P: Position>(&self, position: &P) -> u64 {
        let side_ignored = self.rules.repetition.is_some_and(|rule| !rule.side_matters);
        if side_ignored && position.side_to_move() == Side::Second { position.key() ^ SIDE_KEY } else { position.key() }
    }
}

#[inline]
fn kind(key: u64) -> usize {
    key as usize % ALIKE
}

fn verdict<P: Position>(rule: NoProgress, position: &P) -> Outcome {
    let [first, second] = Side::BOTH.map(|side| position.material(side));
    match rule.verdict {
        Verdict::Material if first > second => Outcome::Win(Side::First),
        Verdict::Material if first < second => Outcome::Win(Side::Second),
        _ => Outcome::Draw,
    }
}
